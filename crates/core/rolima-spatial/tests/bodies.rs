//! Free bodies on the ground and on one another, with the feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Vec2, Vec3, atan, sin};
use rolima_spatial::{
    BodyKind, BodyPart, BodyRef, BodyShape, BodySpec, Edge, Grid, SpatialModel, TerrainSpec,
    VehicleEvent,
};

#[test]
fn bodies_rest_on_the_ground_that_wheels_feel() {
    let corner = Vec2::new(5.0, 5.0);
    let terrain = TerrainSpec::from_function(-corner, corner, 11, 11, |x, y| 0.02 * x * y);
    let ball = body("ball", BodyShape::Ball(0.2), Some(2.0), Vec3::new(3.0, 3.0, 1.0));
    let mut w = with_bodies(terrain, vec![ball]);
    run(&mut w, 1.0);
    let p = w.bodies()[0].position;
    let ground = w.model().terrain.height(p.x, p.y);
    // It rolls, but on the surface.
    assert!((p.z - 0.2 - ground).abs() < 0.005, "{p:?} over {ground}");
}

#[test]
fn a_ball_rolls_down_a_slope_with_five_sevenths_of_what_slides() {
    for tangent in [0.05, 0.2] {
        let angle = atan(tangent);
        let normal = Vec3::new(-sin(angle), 0.0, 1.0 / (1.0f64 + tangent * tangent).sqrt());
        let ball = body(
            "ball",
            BodyShape::Ball(0.1),
            Some(2.0),
            Vec3::new(0.5, 0.3, 0.5 * tangent) + normal * 0.1,
        );
        let mut w = world_of(spec_of(slope(tangent), vec![], vec![ball]));
        run(&mut w, 2.0);
        let expected = 5.0 / 7.0 * G * sin(angle) * 2.0;
        near("speed", w.bodies()[0].velocity.length(), expected, 0.01 * expected);
        near("it rolls", w.bodies()[0].omega.length() * 0.1, expected, 0.01 * expected);
        let way =
            (w.bodies()[0].position - Vec3::new(0.5, 0.3, 0.5 * tangent) - normal * 0.1).length();
        near("way", way, 0.5 * expected * 2.0, 0.01 * expected);
    }
}

#[test]
fn a_ball_with_rolling_resistance_slows_evenly_and_stops() {
    let mut ball = body("ball", BodyShape::Ball(0.02), Some(0.046), Vec3::new(0.0, 0.0, 0.02));
    ball.rolling_resistance = 0.1 / G;
    ball.velocity = Vec3::new(0.5, 0.0, 0.0);
    ball.omega = Vec3::new(0.0, 0.5 / 0.02, 0.0);
    let mut w = world_of(spec_of(TerrainSpec::flat(20.0), vec![], vec![ball]));
    run(&mut w, 2.0);
    near("speed after 2 s", w.bodies()[0].velocity.x, 0.3, 0.01);
    run(&mut w, 5.0);
    assert_eq!(w.bodies()[0].velocity, Vec3::ZERO);
    near("way", w.bodies()[0].position.x, 0.5 * 0.5 / 0.2, 0.03);
}

#[test]
fn a_ball_bounces_from_the_ground_as_its_restitution_says() {
    let mut ball = body("ball", BodyShape::Ball(0.05), Some(0.5), Vec3::new(0.0, 0.0, 1.05));
    ball.restitution = 0.7;
    let mut w = world_of(spec_of(TerrainSpec::flat(20.0), vec![], vec![ball]));
    let (mut highest, mut bounced) = (0.0f64, false);
    for _ in 0..900 {
        w.step();
        let b = w.bodies()[0];
        bounced |= b.velocity.z > 0.1;
        if bounced {
            highest = highest.max(b.position.z - 0.05);
        }
    }
    near("height after the first bounce", highest, 0.49, 0.03);
}

#[test]
fn a_box_slides_on_the_ground_by_its_friction_and_by_the_ground_s() {
    let mut terrain = TerrainSpec::flat(20.0);
    terrain.friction = Some(Grid { nx: 1, ny: 2, values: vec![1.0, 0.5] });
    let slides = |y: f64| {
        let mut block = body("box", BodyShape::Box([0.2; 3]), Some(3.0), Vec3::new(0.0, y, 0.2));
        block.friction = 0.4;
        block.velocity.x = 2.0;
        let mut w = world_of(spec_of(terrain.clone(), vec![], vec![block]));
        run(&mut w, 3.0);
        w.bodies()[0].position.x
    };
    // v^2 / (2 mu g).
    near("way on the whole ground", slides(-5.0), 2.0 / (0.4 * G), 0.02);
    near("way on ice", slides(5.0), 2.0 / (0.2 * G), 0.04);
}

#[test]
fn an_object_of_several_prisms_rests_on_its_foot_and_tips_over_its_edge() {
    let square = |x: f64, y: f64, half: f64| {
        vec![
            Vec2::new(x - half, y - half),
            Vec2::new(x + half, y - half),
            Vec2::new(x + half, y + half),
            Vec2::new(x - half, y + half),
        ]
    };
    let table = |lean: f64| {
        let mut parts: Vec<BodyPart> = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)]
            .map(|(x, y)| BodyPart::Prism { outline: square(x, y, 0.03), z: [0.0, 0.5] })
            .to_vec();
        parts.push(BodyPart::Cylinder { centre: Vec2::ZERO, radius: 0.4, z: [0.5, 0.55] });
        let mut table =
            body("table", BodyShape::Parts(parts), Some(8.0), Vec3::new(0.0, 0.0, 0.05));
        table.orientation = Quat::about(Vec3::new(0.0, 1.0, 0.0), lean);
        table.position.z = 0.05 + 0.33 * sin(lean);
        let mut w = world_of(spec_of(TerrainSpec::flat(20.0), vec![], vec![table]));
        run(&mut w, 4.0);
        let b = w.bodies()[0];
        (b.position.z, b.orientation.rotate(Vec3::new(0.0, 0.0, 1.0)).z, b.velocity.length())
    };
    // Centre of mass at about 0.45 m, over an edge 0.33 m away: tips from some 36 degrees on.
    let (z, up, speed) = table(0.3);
    near("its foot is on the ground", z, 0.0, 2e-3);
    near("upright", up, 1.0, 1e-3);
    assert_eq!(speed, 0.0, "it sleeps");
    assert!(table(0.9).1 < 0.5, "tipped over");
}

#[test]
fn a_pile_comes_to_rest_sleeps_and_wakes_when_it_is_driven_into() {
    let crates = (0..4)
        .map(|i| {
            let z = 0.15 + 0.3 * f64::from(i);
            body(
                &format!("crate-{i}"),
                BodyShape::Box([0.15; 3]),
                Some(2.0),
                Vec3::new(2.0, 0.0, z),
            )
        })
        .collect();
    let mut w = with_bodies(TerrainSpec::flat(40.0), crates);
    run(&mut w, 2.0);
    let before = w.bodies().to_vec();
    for (i, b) in before.iter().enumerate() {
        assert_eq!(b.velocity, Vec3::ZERO, "{i} sleeps");
        near("height", b.position.z, 0.15 + 0.3 * i as f64, 1e-3);
    }
    run(&mut w, 3.0);
    assert_eq!(w.bodies()[0].position, before[0].position, "not a bit moves");
    drive(&mut w, 12.0, 12.0, 0.0);
    run(&mut w, 4.0);
    assert!((0..4).all(|i| (w.bodies()[i].position - before[i].position).length() > 0.1));
}

#[test]
fn a_box_that_stands_on_another_falls_when_that_is_taken_away() {
    let boxes = [0.15, 0.45]
        .map(|z| body("box", BodyShape::Box([0.15; 3]), Some(2.0), Vec3::new(0.0, 0.0, z)));
    let mut w = world_of(spec_of(TerrainSpec::flat(40.0), vec![], boxes.to_vec()));
    run(&mut w, 2.0);
    near("it stands", w.bodies()[1].position.z, 0.45, 2e-3);
    let away = Vec3::new(5.0, 0.0, 0.15);
    assert!(w.place_body(0, away, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO));
    run(&mut w, 1.0);
    near("it fell", w.bodies()[1].position.z, 0.15, 2e-3);
}

#[test]
fn beyond_the_border_the_ground_goes_on_or_the_body_stops() {
    let rolls = |edge: Edge| {
        let terrain = TerrainSpec { edge, ..TerrainSpec::flat(4.0) };
        let mut ball = body("ball", BodyShape::Ball(0.1), Some(1.0), Vec3::new(1.0, 0.0, 0.1));
        ball.velocity.x = 3.0;
        ball.omega.y = 30.0;
        let mut w = world_of(spec_of(terrain, vec![], vec![ball]));
        run(&mut w, 2.0);
        (w.bodies()[0], w.take_events())
    };
    let (on, events) = rolls(Edge::Extended);
    assert!(events.is_empty(), "{events:?}");
    near("it rolls on", on.position.x, 7.0, 0.1);
    near("on the same height", on.position.z, 0.1, 2e-3);
    let (off, events) = rolls(Edge::Ends);
    assert!(off.left_terrain);
    // And it is told of once.
    let told: Vec<_> = events.iter().map(|e| (e.who, e.kind)).collect();
    assert_eq!(told, [(BodyRef::Body(0), VehicleEvent::LeftTerrain)]);
    assert!((330..345).contains(&events[0].step), "{events:?}");
    near("it stops at the border", off.position.x, 2.0, 0.02);
}

#[test]
fn a_world_of_bodies_alone_has_its_own_time() {
    let ball = body("ball", BodyShape::Ball(0.1), Some(1.0), Vec3::new(0.0, 0.0, 5.0));
    let mut w = world_of(spec_of(TerrainSpec::flat(40.0), vec![], vec![ball]));
    run(&mut w, 0.5);
    assert_eq!(w.step_count(), 500);
    near("it falls", w.bodies()[0].position.z, 5.0 - 0.5 * G * 0.25, 5e-3);
}

#[test]
fn bad_bodies_are_refused() {
    let bad = |change: fn(&mut BodySpec)| {
        let mut one = body("b", BodyShape::Ball(0.1), Some(1.0), Vec3::ZERO);
        change(&mut one);
        let spec = spec_of(TerrainSpec::flat(4.0), vec![cart()], vec![one]);
        SpatialModel::compile(spec).expect_err("a bad body").to_string()
    };
    assert!(bad(|b| b.mass = Some(0.0)).starts_with("body.0.mass"));
    assert!(bad(|b| b.shape = BodyShape::Ball(-1.0)).starts_with("body.0.size"));
    assert!(bad(|b| b.restitution = 2.0).starts_with("body.0.restitution"));
    assert!(bad(|b| b.position.x = f64::NAN).starts_with("body.0.position"));
    let prism = |outline: &[[f64; 2]]| {
        let outline = outline.iter().map(|&[x, y]| Vec2::new(x, y)).collect();
        BodyShape::Parts(vec![BodyPart::Prism { outline, z: [0.0, 1.0] }])
    };
    let outline = |points: &[[f64; 2]]| {
        let mut one = body("b", prism(points), Some(1.0), Vec3::ZERO);
        one.kind = BodyKind::Object;
        let spec = spec_of(TerrainSpec::flat(4.0), vec![], vec![one]);
        SpatialModel::compile(spec).expect_err("a bad outline").to_string()
    };
    assert!(outline(&[[0.0, 0.0], [1.0, 0.0]]).contains("3 to 8 corners"));
    assert!(outline(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]).contains("counter-clockwise"));
    let mut late = spec_of(TerrainSpec::flat(4.0), vec![cart()], vec![]);
    late.outer_steps = 30;
    let message = SpatialModel::compile(late).expect_err("too rare").to_string();
    assert!(message.starts_with("sim.outer_step_s"), "{message}");
}

#[test]
fn a_long_time_between_two_meetings_is_divided() {
    let ball = body("ball", BodyShape::Ball(0.1), Some(1.0), Vec3::new(0.0, 0.0, 1.0));
    let mut w = world_of(spec_of(TerrainSpec::flat(40.0), vec![], vec![ball]));
    for _ in 0..20 {
        w.drive(100);
        w.resolve_contacts();
    }
    near("it lies on the ground", w.bodies()[0].position.z, 0.1, 2e-3);
}

#[test]
fn a_log_rolls_down_a_slope_and_a_standing_one_stays() {
    let tangent = 0.1;
    let log = |lying: bool| {
        let mut log = body("log", BodyShape::Cylinder(0.1, 0.4), Some(6.0), Vec3::ZERO);
        let tilt = Quat::about(Vec3::new(0.0, 1.0, 0.0), -atan(tangent));
        let quarter = Quat::about(Vec3::new(1.0, 0.0, 0.0), core::f64::consts::FRAC_PI_2);
        log.orientation = if lying { tilt * quarter } else { tilt };
        log.position = tilt.rotate(Vec3::new(0.0, 0.0, if lying { 0.1 } else { 0.4 }));
        let mut w = world_of(spec_of(slope(tangent), vec![], vec![log]));
        run(&mut w, 2.0);
        w.bodies()[0].velocity.length()
    };
    // Two thirds of what slides.
    let expected = 2.0 / 3.0 * G * sin(atan(tangent)) * 2.0;
    near("rolling", log(true), expected, 0.01 * expected);
    assert_eq!(log(false), 0.0, "friction holds it");
}
