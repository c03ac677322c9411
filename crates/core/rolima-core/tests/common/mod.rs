//! Small scenes for tests, built without files.
#![allow(dead_code, missing_docs, unreachable_pub)]

use rolima_core::World;
use rolima_math::{Pose2, Vec2};
use rolima_model::shape::centred_box;
use rolima_model::*;
use std::sync::Arc;

pub mod coulomb;
pub mod spatial;
pub mod stronge;

pub fn world(spec: &SceneSpec) -> World {
    World::new(Arc::new(Model::compile(spec).expect("a good scene")))
}

pub fn robot(name: &str, drive: DriveSpec, pose: Pose2) -> RobotSpec {
    RobotSpec {
        name: name.into(),
        team: String::new(),
        pose,
        velocity: 0.0,
        omega: 0.0,
        shape: vec![centred_box(0.075, 0.075)],
        drive,
        driver: DriverSpec::None,
        vehicle: None,
        servo: None,
        height: None,
        sensors: vec![],
        look: RobotLook::default(),
    }
}

pub fn constant(left: f64, right: f64) -> DriverSpec {
    DriverSpec::Constant { left, right }
}

/// A loose square of the minirobot's size and mass that slides without friction.
pub fn free_box(name: &str, pose: Pose2, velocity: Vec2, omega: f64) -> ObjectSpec {
    ObjectSpec {
        name: name.into(),
        pose,
        velocity,
        omega,
        shape: vec![centred_box(0.075, 0.075)],
        mass: 0.352,
        inertia: Some(3.30e-4),
        ground_friction: 0.0,
        height: None,
        colour: None,
        material: None,
    }
}

/// A ball that never slows down.
pub fn free_ball(name: &str, position: Vec2, velocity: Vec2) -> BallSpec {
    BallSpec {
        name: name.into(),
        position,
        velocity,
        friction: BallFriction::Viscous { beta: 0.0 },
        ..BallSpec::default()
    }
}

pub fn segment(from: (f64, f64), to: (f64, f64), thickness: f64) -> WallSpec {
    WallSpec::Segment {
        from: Vec2::new(from.0, from.1),
        to: Vec2::new(to.0, to.1),
        thickness,
        height: 0.05,
    }
}

/// Four thick walls around a square of this inner half width.
pub fn square_hall(half: f64) -> Vec<WallSpec> {
    let o = half + 0.0125;
    let e = half + 0.025;
    vec![
        segment((-e, -o), (e, -o), 0.025),
        segment((-e, o), (e, o), 0.025),
        segment((-o, -e), (-o, e), 0.025),
        segment((o, -e), (o, e), 0.025),
    ]
}

/// (v, omega, x, y, theta) of robot 0.
pub fn robot_state(world: &World) -> [f64; 5] {
    let b = world.frame().bodies[0];
    let v = b.velocity.dot(b.pose.rotation.x_axis());
    [v, b.omega, b.pose.position.x, b.pose.position.y, b.pose.theta()]
}

/// How deep the deepest overlap of any two outlines is, m; negative where all are apart.
pub fn deepest_overlap(world: &World) -> f64 {
    use rolima_core::planar::contacts::narrow::collide;
    let model = world.model();
    let frame = world.frame();
    let parts: Vec<Vec<Part>> = frame
        .bodies
        .iter()
        .map(|b| {
            let body = model.body(b.id).expect("a body");
            model.shapes[body.shape as usize].parts.iter().map(|p| p.transformed(b.pose)).collect()
        })
        .collect();
    let mut deepest = f64::NEG_INFINITY;
    let mut look = |p: &Part, q: &Part| {
        if let Ok(m) = collide(p, q, 0.05) {
            for point in &m.points[..m.count] {
                deepest = deepest.max(-point.gap);
            }
        }
    };
    for (i, own) in parts.iter().enumerate() {
        for p in own {
            parts[..i].iter().flatten().for_each(|q| look(p, q));
            model.walls.iter().for_each(|q| look(p, q));
        }
    }
    deepest
}
