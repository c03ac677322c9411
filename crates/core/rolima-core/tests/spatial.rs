//! Vehicles on rough ground behind the one world.

use crate::common;

use common::spatial::{flat, hills, slope, vehicle, world};
use rolima_core::model::spatial::{DriveVolts, SpatialWorld, presets};
use rolima_core::{BodyId, Command, EventKind, Happened, RobotId, Volts, World};
use rolima_math::{Pose2, Vec3};

#[test]
fn a_vehicle_in_the_world_has_the_bits_of_the_spatial_engine_alone() {
    for fine_step in [1e-3, 2.5e-4] {
        let mut scene = hills();
        scene.ground.as_mut().expect("ground").fine_step_s = fine_step;
        scene.robots = vec![
            vehicle("a", presets::skid_steer(), Pose2::new(1.0, -2.0, 0.7)),
            vehicle("b", presets::rover(), Pose2::new(-4.0, 3.0, -2.0)),
        ];
        let mut world = world(&scene);
        let mut alone =
            SpatialWorld::new(world.model().spatial().cloned().expect("a spatial model"));
        let fine = world.model().fine_steps();
        assert_eq!(fine, if fine_step == 1e-3 { 1 } else { 4 });
        for second in 0..4 {
            for robot in 0..2u32 {
                let sign = if (second + robot) % 2 == 0 { 1.0 } else { -0.5 };
                let (right, left) = (12.0 * sign, 9.0 * sign);
                world.command(RobotId(robot), Volts { right, left }).expect("a good command");
                let drive = DriveVolts { left_volts: left, right_volts: right, brake: 0.0 };
                assert!(alone.command(robot, drive));
            }
            world.steps(1000);
            alone.steps(1000 * fine);
            for robot in 0..2 {
                let inside = world.vehicle(RobotId(robot)).expect("a vehicle");
                let other = alone.vehicle(robot).expect("a vehicle");
                assert_eq!(inside.state, other.state, "robot {robot} after {second} s");
            }
        }
        let moved = world.frame().bodies[0].pose.position - scene.robots[0].pose.position;
        assert!(moved.length() > 0.3, "{moved:?}");
    }
}

#[test]
fn frames_show_vehicles_in_space_and_their_wheels() {
    let mut scene = slope(10.0);
    scene.robots = vec![
        vehicle("a", presets::skid_steer(), Pose2::new(0.0, 0.0, 0.3)),
        vehicle("b", presets::rover(), Pose2::new(4.0, 2.0, 2.0)),
    ];
    let mut world = world(&scene);
    world.steps(3000);
    let frame = world.frame();
    assert_eq!((frame.spatial.len(), frame.wheels.len()), (2, 10));
    assert_eq!((world.model().wheel_range(0), world.model().wheel_range(1)), (0..4, 4..10));
    assert_eq!(world.model().wheel_range(2), 0..0);
    let terrain = &scene.ground.as_ref().expect("ground").terrain;
    for (i, body) in frame.bodies.iter().enumerate() {
        let pose = frame.spatial[i];
        assert_eq!(pose.planar(), body.pose, "the pose is what is seen from above");
        let up = pose.rotation.rotate(Vec3::new(0.0, 0.0, 1.0));
        let normal = terrain.normal(0.0, 0.0);
        assert!((up - normal).length() < 0.02, "{up:?} on {normal:?}");
        let over = pose.position.z - terrain.height(pose.position.x, pose.position.y);
        // The suspension has given way a little.
        assert!((-0.03..-0.001).contains(&over), "{over}");
        let range = world.model().wheel_range(i as u32);
        let load: f64 = frame.wheels[range.clone()].iter().map(|w| w.load).sum();
        let mass = scene.robots[i].drive.mass;
        let expected = mass * scene.sim.gravity * normal.z;
        assert!((load / expected - 1.0).abs() < 0.02, "{load} {expected}");
        assert!(frame.wheels[range].iter().all(|w| w.compression > 0.0 && w.spin.abs() < 1e-3));
    }
}

#[test]
fn a_vehicle_parked_by_stop_on_a_slope_of_20_degrees_stays_for_a_minute() {
    let mut scene = slope(20.0);
    scene.robots = vec![vehicle("a", presets::skid_steer(), Pose2::new(0.0, 0.0, 0.4))];
    let mut world = world(&scene);
    world.command(RobotId(0), Volts { right: 6.0, left: 6.0 }).expect("a good command");
    world.steps(1500);
    let from = world.frame().bodies[0].pose.position;
    assert!(from.length() > 0.3, "it drove: {from:?}");
    world.stop(RobotId(0)).expect("it has brakes");
    world.steps(2000);
    let parked = world.frame().spatial[0].position;
    world.steps(60_000);
    let crept = (world.frame().spatial[0].position - parked).length();
    assert!(crept < 1e-3, "{crept}");
    // Motors without voltage do not hold it: it creeps, at 8 mm/s, against winding, motor friction and
    // gears that are driven backwards.
    world.command(RobotId(0), Volts::default()).expect("a good command");
    world.steps(10_000);
    assert!((world.frame().spatial[0].position - parked).length() > 0.05);
}

#[test]
fn a_vehicle_that_nobody_drives_is_parked() {
    let mut scene = slope(15.0);
    scene.robots = vec![vehicle("a", presets::rover(), Pose2::new(0.0, 0.0, 0.0))];
    let mut world = world(&scene);
    world.steps(1000);
    let from = world.frame().spatial[0].position;
    world.steps(5000);
    assert!((world.frame().spatial[0].position - from).length() < 1e-3);
}

#[test]
fn the_speed_controller_reaches_speeds_on_the_flat_and_uphill_and_stands_on_the_brakes() {
    for (scene, name) in [(flat(), "flat"), (slope(-12.0), "uphill"), (slope(12.0), "downhill")] {
        for preset in ["vivi", "skid-steer", "rover"] {
            let mut scene = scene.clone();
            let known = presets::named(preset).expect("a preset");
            scene.robots = vec![vehicle("a", known, Pose2::new(0.0, 0.0, 0.0))];
            scene.robots[0].servo = Some(Default::default());
            let mut world = world(&scene);
            world.steps(500);
            world
                .command(RobotId(0), Command::Velocity { v: 0.5, omega: 0.0 })
                .expect("it has a servo");
            world.steps(3000);
            let drive = &scene.robots[0].drive;
            let radius = drive.wheel_radius_left;
            let speeds = world.frame().bodies[0].wheel_speeds.map(|w| w * radius);
            assert!(speeds.iter().all(|v| (v - 0.5).abs() < 0.02), "{preset} {name}: {speeds:?}");
            world
                .command(RobotId(0), Command::Velocity { v: 0.0, omega: 0.5 })
                .expect("it has a servo");
            world.steps(3000);
            let [right, left] = world.frame().bodies[0].wheel_speeds.map(|w| w * radius);
            let expected = 0.25 * drive.wheel_distance;
            assert!((right - expected).abs() < 0.03, "{preset} {name}: {right} {expected}");
            assert!((left + expected).abs() < 0.03, "{preset} {name}: {left}");
            world.stop(RobotId(0)).expect("it has a servo");
            world.steps(2000);
            let from = world.frame().spatial[0].position;
            world.steps(2000);
            assert!((world.frame().spatial[0].position - from).length() < 1e-3, "{preset} {name}");
        }
    }
}

#[test]
fn a_roll_over_is_an_event_and_putting_down_rights_it() {
    let mut scene = slope(55.0);
    scene.robots = vec![vehicle("a", presets::skid_steer(), Pose2::new(0.0, 0.0, 1.57))];
    let mut world = world(&scene);
    let mut pushes = 0;
    while world.state().event_count(EventKind::RolledOver) == 0 && pushes < 200 {
        let at = world.frame().bodies[0].pose.position;
        assert!(world.push(BodyId(0), at, rolima_math::Vec2::new(50.0, 0.0)));
        world.steps(50);
        pushes += 1;
    }
    let events = world.take_events();
    assert!(
        events.iter().any(|e| e.what == Happened::RolledOver { robot: RobotId(0) }),
        "{events:?}"
    );
    let up = |world: &World| world.frame().spatial[0].rotation.rotate(Vec3::new(0.0, 0.0, 1.0)).z;
    assert!(up(&world) < 0.3, "{}", up(&world));
    assert!(world.place_body(BodyId(0), Pose2::new(-3.0, 1.0, 1.57)));
    let tilt = rolima_math::cos(55f64.to_radians());
    assert!((up(&world) - tilt).abs() < 0.01, "{} {tilt}", up(&world));
    assert!(!world.vehicle(RobotId(0)).expect("a vehicle").state.rolled_over);
    // What lies between the two motions is no step.
    assert_eq!(world.acceleration(RobotId(0)), None);
}
