//! Balls, objects and walls on rough ground, and vehicles that meet them.

use crate::common;

use common::spatial::{flat, hills, slope, vehicle, world};
use core::f64::consts::FRAC_PI_2;
use rolima_core::model::shape::centred_box;
use rolima_core::model::spatial::presets;
use rolima_core::model::{
    BallFriction, BallSpec, BumperSpec, DriverSpec, LidarSpec, ObjectSpec, Rate, SceneSpec,
    SensorKind, SensorSpec, WallSpec, ZoneSpec,
};
use rolima_core::{BodyId, Event, EventKind, Happened, RobotId, Volts, World};
use rolima_math::{Pose2, Vec2, Vec3};

fn crate_at(name: &str, pose: Pose2, mass: f64) -> ObjectSpec {
    ObjectSpec {
        name: name.into(),
        pose,
        velocity: Vec2::ZERO,
        omega: 0.0,
        shape: vec![centred_box(0.5, 0.4)],
        mass,
        inertia: None,
        ground_friction: 0.6,
        height: Some(0.3),
        colour: None,
        material: None,
    }
}

fn ball_at(name: &str, position: Vec2) -> BallSpec {
    BallSpec { name: name.into(), position, radius: 0.11, mass: 0.4, ..BallSpec::default() }
}

fn driving(mut scene: SceneSpec, pose: Pose2) -> SceneSpec {
    let mut robot = vehicle("a", presets::skid_steer(), pose);
    robot.driver = DriverSpec::Constant { left: 14.0, right: 14.0 };
    scene.robots.push(robot);
    scene
}

fn wall(from: Vec2, to: Vec2) -> WallSpec {
    WallSpec::Segment { from, to, thickness: 0.0, height: 0.8 }
}

#[test]
fn what_lies_on_a_slope_is_as_tilted_and_stays_where_friction_holds_it() {
    let mut scene = slope(12.0);
    scene.objects = vec![crate_at("crate", Pose2::new(3.0, 1.0, 0.7), 8.0)];
    scene.objects.push(ObjectSpec {
        ground_friction: 0.05,
        ..crate_at("ice", Pose2::new(3.0, -2.0, 0.0), 8.0)
    });
    let mut world = world(&scene);
    let home = world.frame();
    let normal = scene.ground.as_ref().expect("ground").terrain.normal(0.0, 0.0);
    for (pose, body) in home.spatial.iter().zip(&home.bodies) {
        let up = pose.rotation.rotate(Vec3::new(0.0, 0.0, 1.0));
        assert!((up - normal).length() < 1e-9, "{up:?}");
        let over = (pose.position - Vec3::new(3.0, pose.position.y, 0.0)).dot(normal);
        let rise = scene.ground.as_ref().expect("ground").terrain.height(3.0, 0.0) * normal.z;
        assert!((over - rise).abs() < 1e-9, "it lies on the ground: {over} {rise}");
        assert_eq!(pose.planar().position, body.pose.position);
    }
    world.steps(2000);
    let later = world.frame();
    let moved = |i: usize| (later.spatial[i].position - home.spatial[i].position).length();
    assert!(moved(0) < 0.01, "tan 12 degrees is below 0.6: {}", moved(0));
    // g (sin a - mu cos a) t^2 / 2.
    let a = 12f64.to_radians();
    let (sin, cos) = rolima_math::sin_cos(a);
    let expected = 0.5 * scene.sim.gravity * (sin - 0.05 * cos) * 4.0;
    assert!((moved(1) / expected - 1.0).abs() < 0.05, "{} against {expected}", moved(1));
}

#[test]
fn a_ball_rolls_down_a_slope_with_five_sevenths_of_what_gravity_pulls() {
    let mut scene = slope(6.0);
    let friction = BallFriction::Rolling { mu_slide: 0.8, deceleration: 0.0 };
    scene.balls = vec![BallSpec { friction, ..ball_at("ball", Vec2::new(0.0, 0.0)) }];
    let mut world = world(&scene);
    world.steps(1500);
    let body = world.frame().bodies[0];
    let (sin, cos) = rolima_math::sin_cos(6f64.to_radians());
    let expected = 5.0 / 7.0 * scene.sim.gravity * sin * cos * 1.5;
    assert!((body.velocity.x / expected - 1.0).abs() < 0.03, "{:?} {expected}", body.velocity);
    assert_eq!((body.pose.theta(), body.omega), (0.0, 0.0), "a ball has no front");
    let centre = world.frame().spatial[0].position;
    let ground = scene.ground.as_ref().expect("ground").terrain.height(centre.x, centre.y);
    assert!((centre.z - ground - 0.11 / cos).abs() < 2e-3, "{centre:?}");
}

#[test]
fn a_vehicle_pushes_a_crate_and_stops_at_a_wall_with_events_bumpers_and_points() {
    let mut scene = driving(flat(), Pose2::new(0.0, 0.0, 0.0));
    scene.objects = vec![crate_at("crate", Pose2::new(1.5, 0.0, 0.0), 5.0)];
    scene.walls = vec![wall(Vec2::new(4.0, -2.0), Vec2::new(4.0, 2.0))];
    let bumper = SensorKind::Bumper(BumperSpec::default());
    scene.robots[0].sensors = vec![SensorSpec { name: "bumper".into(), kind: bumper }];
    let mut world = world(&scene);
    let mut pressed = 0;
    for _ in 0..800 {
        world.steps(10);
        pressed |= world.reading(0)[0] as u64;
    }
    let frame = world.frame();
    let (robot, pushed) = (frame.bodies[0].pose, frame.bodies[1].pose);
    assert!((3.5..3.8).contains(&pushed.position.x), "at the wall: {pushed:?}");
    assert!((2.5..3.3).contains(&robot.position.x), "behind it: {robot:?}");
    assert!(frame.spatial[0].position.z.abs() < 0.1, "not on top of it");
    assert_ne!(pressed, 0, "the bumper felt it");
    let hits = world.take_events();
    let of = |a: BodyId, b: Option<BodyId>| {
        let is = |e: &&Event| match e.what {
            Happened::Impact { body, other, .. } => (body, other) == (a, b),
            _ => false,
        };
        hits.iter().filter(is).count()
    };
    let [robot, pushed] = [0, 1].map(BodyId);
    assert!(of(robot, Some(pushed)) >= 1 && of(pushed, None) >= 1, "{hits:?}");
    assert!(hits.len() < 40, "what goes on pressing is no new hit: {}", hits.len());
    let points: Vec<_> = world.contact_points().collect();
    assert!(points.iter().any(|p| (p.point.x - 4.0).abs() < 0.2 && p.impulse > 0.0), "{points:?}");
    assert!(world.contact_count() >= 2);
}

#[test]
fn two_vehicles_that_meet_do_not_go_through_one_another() {
    let mut scene = driving(flat(), Pose2::new(-2.0, 0.0, 0.0));
    scene = driving(scene, Pose2::new(2.0, 0.0, core::f64::consts::PI));
    scene.robots[1].name = "b".into();
    let mut world = world(&scene);
    for _ in 0..400 {
        world.steps(20);
        let frame = world.frame();
        let between = (frame.spatial[0].position - frame.spatial[1].position).length();
        assert!(between > 0.8, "{between}");
    }
    assert!(world.state().event_count(EventKind::Impact) > 0);
}

#[test]
fn lidars_see_tilted_things_where_they_are() {
    let mut scene = slope(-10.0);
    let lidar = LidarSpec {
        beams: 2,
        first_bearing: 0.0,
        step_bearing: FRAC_PI_2,
        range: 9.0,
        height: 0.15,
        rate: Rate::per_second(1000.0),
        ..LidarSpec::default()
    };
    let mut robot = vehicle("a", presets::skid_steer(), Pose2::new(0.0, 0.0, 0.0));
    let kind = SensorKind::Lidar(lidar);
    robot.sensors = vec![SensorSpec { name: "lidar".into(), kind }];
    scene.robots = vec![robot];
    scene.objects = vec![crate_at("crate", Pose2::new(3.0, 0.0, 0.0), 50.0)];
    scene.balls = vec![ball_at("ball", Vec2::new(0.0, 2.0))];
    let friction = BallFriction::Rolling { mu_slide: 0.8, deceleration: 5.0 };
    scene.balls[0].friction = friction;
    let mut world = world(&scene);
    world.steps(1500);
    let frame = world.frame();
    let (own, object) = (frame.spatial[0], frame.spatial[2]);
    let between = (object.position - own.position).length();
    // The box begins 0.25 m before its middle; the vehicle has sagged by a few millimetres.
    let reading = world.reading(0);
    assert!((reading[0] - (between - 0.25)).abs() < 0.01, "{reading:?} {between}");
    let ball = frame.spatial[1].position - own.position;
    assert!((reading[1] - (ball.length() - 0.11)).abs() < 0.05, "{reading:?} {ball:?}");
}

#[test]
fn a_ball_in_a_zone_scores_and_the_kick_off_sends_all_home_in_space() {
    let mut scene = driving(flat(), Pose2::new(0.0, 0.0, 0.0));
    scene.balls = vec![ball_at("ball", Vec2::new(1.2, 0.0))];
    scene.zones = vec![ZoneSpec {
        name: "goal".into(),
        min: Vec2::new(3.0, -2.0),
        max: Vec2::new(4.0, 2.0),
        scores_for: "all".into(),
        kick_off: true,
    }];
    let mut world = world(&scene);
    let home = world.frame().spatial.clone();
    let mut scored = 0;
    while world.state().scores[0] == 0 && scored < 20_000 {
        world.step();
        scored += 1;
    }
    assert_eq!(world.state().scores[0], 1);
    assert_eq!(world.frame().spatial, home, "after {scored} steps");
    world.steps(scored);
    assert_eq!(world.state().scores[0], 2, "and again");
}

/// Everything at once, on hills.
fn full() -> SceneSpec {
    let mut scene = hills();
    for (i, name) in presets::NAMES.into_iter().enumerate() {
        let at = Pose2::new(2.5 * i as f64 - 4.0, 0.0, 1.0 + i as f64);
        let mut robot = vehicle(name, presets::named(name).expect("a preset"), at);
        robot.driver = DriverSpec::Random { max_volts: 14.0, period_s: 0.4 };
        scene.robots.push(robot);
    }
    for i in 0..5u32 {
        let x = 1.2 * f64::from(i) - 3.0;
        scene.objects.push(crate_at(&format!("crate {i}"), Pose2::new(x, 1.2, x), 3.0));
        scene.balls.push(ball_at(&format!("ball {i}"), Vec2::new(x, -1.3)));
    }
    scene.walls = vec![
        wall(Vec2::new(-6.0, 3.0), Vec2::new(6.0, 3.0)),
        wall(Vec2::new(-6.0, -3.0), Vec2::new(6.0, -3.0)),
    ];
    scene
}

#[test]
fn snapshots_amid_contacts_and_resets_change_no_bit() {
    let steps = if cfg!(debug_assertions) { 300 } else { 3000 };
    let scene = full();
    let mut plain = world(&scene);
    let first = plain.state_hash();
    let (mut amid, mut saved): (u32, Option<(u64, Vec<u8>)>) = (0, None);
    for step in 0..steps {
        plain.step();
        if plain.contact_count() > 0 {
            amid += 1;
            if step > steps / 3 && saved.is_none() {
                saved = Some((step + 1, plain.snapshot()));
            }
        }
    }
    let hash = plain.state_hash();
    assert!(amid > 0, "nothing touched");
    let (step, bytes) = saved.expect("something touches in the last two thirds, too");
    let mut other = world(&scene);
    other.restore(&bytes).expect("a snapshot of the same scene");
    other.steps(steps - step);
    assert_eq!(other.state_hash(), hash);
    plain.reset();
    assert_eq!(plain.state_hash(), first);
    plain.steps(steps);
    assert_eq!(plain.state_hash(), hash);
}

#[test]
fn things_are_put_elsewhere_and_pushed() {
    let scene = full();
    let mut world = world(&scene);
    let named = |name: &str, world: &World| {
        let model = world.model();
        let found = model.bodies().find(|body| model.body_name(body.id) == name);
        found.expect("a body").id
    };
    let (thing, ball) = (named("crate 2", &world), named("ball 1", &world));
    assert!(world.place_body(thing, Pose2::new(7.0, 7.0, 0.4)));
    let pose = world.pose(thing).expect("it is there");
    assert!((pose.position - Vec2::new(7.0, 7.0)).length() < 1e-12);
    assert!((pose.theta() - 0.4).abs() < 1e-12);
    assert!(world.push(
        ball,
        world.pose(ball).expect("it is there").position,
        Vec2::new(0.0, -0.4)
    ));
    let frame = world.frame();
    let body = frame.bodies.iter().find(|b| b.id == ball).expect("the ball");
    assert!((body.velocity - Vec2::new(0.0, -1.0)).length() < 1e-9, "{:?}", body.velocity);
    assert!(!world.push(thing, pose.position, Vec2::new(f64::NAN, 0.0)));
    assert!(!world.push(thing, pose.position, Vec2::new(1e12, 0.0)));
    assert!(world.set_motion(ball, Pose2::new(1.0, -2.0, 0.0), Vec2::new(1.0, 0.0), 0.0));
    assert!(world.kinetic_energy() > 0.5 * 0.4 * 1.4 - 1e-9, "it rolls");
    world.command(RobotId(0), Volts { right: 1.0, left: 1.0 }).expect("a good command");
    world.steps(10);
}

#[test]
fn a_crate_that_slides_into_a_wall_face_on_comes_back_with_restitution_times_its_speed() {
    for e in [0.0, 0.2, 0.6, 1.0] {
        for speed in [0.5, 1.0, 2.0, 5.0] {
            for heading in [0.0, 1.1] {
                let forward = Pose2::new(0.0, 0.0, heading);
                let at = |x: f64, y: f64| forward.transform(Vec2::new(x, y));
                let mut scene = flat();
                scene.contact.restitution.object_wall = e;
                scene.walls.push(wall(at(0.5, -3.0), at(0.5, 3.0)));
                scene.objects = vec![ObjectSpec {
                    velocity: at(speed, 0.0),
                    ground_friction: 0.0,
                    ..crate_at("crate", forward, 8.0)
                }];
                let mut world = world(&scene);
                world.steps((0.25 / speed * 1e3) as u64 + 50);
                let velocity = world.frame().bodies[0].velocity;
                let back = -velocity.dot(at(1.0, 0.0)) / speed;
                assert!((back - e).abs() < 0.02, "{speed} m/s, e {e}, {heading}: {back}");
            }
        }
    }
}
