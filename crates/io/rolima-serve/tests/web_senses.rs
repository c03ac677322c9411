//! What robots sense, as viewers of a real run see it.

use crate::common;

use common::live::connect;
use common::pictures::{decoded, taken};
use common::running::Running;
use rolima_core::World;
use rolima_core::model::Mount;
use rolima_wire::pb::{self, client_message, server_message::Kind};

#[test]
fn a_viewer_gets_readings_and_the_very_picture_that_the_camera_took() {
    let run = Running::start("maze");
    let mut viewer = connect(run.address());
    let scene = viewer.until(|kind| match kind {
        Kind::Scene(scene) => Some(scene),
        _ => None,
    });
    let robot = &scene.bodies[0];
    let kinds: Vec<&str> = robot.sensors.iter().map(|sensor| sensor.kind.as_str()).collect();
    assert_eq!(kinds, ["gps", "odometry", "lidar", "camera"]);
    assert_eq!((robot.max_speed, robot.sensors[2].rays.len(), robot.height), (4.0, 108, 0.4));
    viewer.say(client_message::Kind::Watch(pb::Watch {
        bodies: vec![0],
        pictures: true,
        world: false,
    }));
    let readings = viewer.until(|kind| match kind {
        Kind::Readings(readings) if !readings.sigmas.is_empty() => Some(readings),
        _ => None,
    });
    assert_eq!(readings.values.len(), 3 + 3 + 36 + 1);
    assert_eq!(readings.sigmas.len(), 4);
    assert_eq!(readings.sigmas[0].values, [0.0; 3]);
    assert_eq!(readings.values[6..42].iter().filter(|d| **d == 8.0).count(), 36, "far walls");

    // The robot drives, and another world that gets no pictures at all has the same one.
    let picture = viewer.until(|kind| match kind {
        Kind::Picture(picture) if picture.number > 3 => Some(picture),
        _ => None,
    });
    let mut world = World::new(run.model.clone());
    world.steps(picture.step);
    assert_eq!(world.exposure(3).expect("a camera").step, picture.step);
    assert!(decoded(&picture.png) == taken(&world, 3), "the same bits");

    // Whoever watches the camera otherwise gets the same picture by the same number. Each of the two
    // may miss pictures, so they are read until both have the same one.
    let watching = run.senses.watch(3);
    let until = std::time::Instant::now() + common::live::PATIENCE;
    let mut last = picture.number;
    let (shown, newer) = loop {
        let newer = watching.wait(until, |p| p.number > last).expect("a picture");
        let shown = viewer.until(|kind| match kind {
            Kind::Picture(picture) if picture.number >= newer.number => Some(picture),
            _ => None,
        });
        if shown.number == newer.number {
            break (shown, newer);
        }
        last = shown.number;
    };
    assert!(decoded(&shown.png) == newer.rgb, "picture {} of both", newer.number);

    // Standard deviations are set from the page, and only those that make sense.
    let sigma = |sensor, axis, sigma| {
        client_message::Kind::Sigma(pb::Sigma { body: 0, sensor, axis, sigma, world: false })
    };
    viewer.say(sigma(0, 0, 0.25));
    viewer.until(|kind| match kind {
        Kind::Readings(r) => r.sigmas.first().filter(|s| s.values[0] == 0.25).map(drop),
        _ => None,
    });
    viewer.say(sigma(9, 0, 0.25));
    assert_eq!(viewer.notice(), "Robot 0 has no sensor 9.");
    viewer.say(sigma(0, 0, -1.0));
    assert!(viewer.notice().contains("sigma.sigma: expected zero or a positive number"));
    let bodies = vec![0; 9];
    viewer.say(client_message::Kind::Watch(pb::Watch { bodies, pictures: true, world: false }));
    assert!(viewer.notice().contains("watch.bodies: expected at most 8"));
}

#[test]
fn a_robot_with_a_speed_controller_is_driven_by_speeds() {
    let run = Running::start("maze");
    let mut viewer = connect(run.address());
    viewer.frame();
    viewer.claim(0);
    let by = pb::drive::By::Velocity.into();
    let drive = pb::Drive { body: 0, by, speed: 0.5, turning: 0.25, ..pb::Drive::default() };
    // Repeated as the page does: after half a second of silence a robot is stopped.
    let start = std::time::Instant::now();
    loop {
        viewer.say(client_message::Kind::Drive(drive));
        let [v, omega] = speeds(&viewer.frame()).unwrap_or_default();
        if (v - 0.5).abs() < 1e-3 && (omega - 0.25).abs() < 1e-3 {
            break;
        }
        assert!(start.elapsed() < common::live::PATIENCE, "{v} m/s, {omega} rad/s");
    }
}

/// Speed and turning of body 0 in a frame, if it is in there.
fn speeds(frame: &pb::Frame) -> Option<[f32; 2]> {
    let there = frame.key || frame.body.first() == Some(&0);
    there.then(|| [frame.vx[0].hypot(frame.vy[0]), frame.omega[0]])
}

#[test]
fn a_viewer_gets_what_the_sensors_of_the_world_read_and_see() {
    let run = Running::start("watched");
    let mut viewer = connect(run.address());
    let scene = viewer.until(|kind| match kind {
        Kind::Scene(scene) => Some(scene),
        _ => None,
    });
    let known = |sensor: &pb::Sensor| (sensor.kind.clone(), sensor.name.clone(), sensor.count);
    let known: Vec<_> = scene.sensors.iter().map(known).collect();
    let named = |kind: &str, name: &str, count| (kind.to_owned(), name.to_owned(), count);
    assert_eq!(known, [named("camera", "overhead", 1), named("lidar", "wall", 61)]);
    let pose = scene.sensors[0].pose.expect("it stands somewhere");
    // It looks down: its forward axis is (0, 0, -1).
    let down = 2.0 * (pose.qx * pose.qz - pose.qw * pose.qy);
    assert!(pose.z == 2.0 && (down + 1.0).abs() < 1e-6, "{pose:?}");
    let watch = pb::Watch { bodies: vec![], pictures: true, world: true };
    viewer.say(client_message::Kind::Watch(watch));
    let readings = viewer.until(|kind| match kind {
        Kind::Readings(readings) if !readings.sigmas.is_empty() => Some(readings),
        _ => None,
    });
    assert!(readings.world && readings.values.len() == 62 && readings.sigmas.len() == 2);
    assert_eq!(readings.sigmas[1].values, [0.005]);

    // The same match beside it has the same readings and the same picture, to the bit.
    let picture = viewer.until(|kind| match kind {
        Kind::Picture(picture) if picture.number > 3 => Some(picture),
        _ => None,
    });
    assert!(picture.world && picture.sensor == 0);
    let mut world = World::new(run.model.clone());
    world.steps(readings.step);
    let told: Vec<f32> = world.frame().readings.iter().map(|value| *value as f32).collect();
    assert_eq!(readings.values, told);
    // Pictures take their time: one may be of before the readings.
    let mut world = World::new(run.model.clone());
    world.steps(picture.step);
    let camera = run.model.devices_of(Mount::World).start;
    assert!(decoded(&picture.png) == taken(&world, camera), "the same bits");

    let sigma = |sensor| {
        let asked = pb::Sigma { body: 0, sensor, axis: 0, sigma: 0.25, world: true };
        client_message::Kind::Sigma(asked)
    };
    viewer.say(sigma(1));
    viewer.until(|kind| match kind {
        Kind::Readings(r) => r.sigmas.get(1).filter(|s| s.values == [0.25]).map(drop),
        _ => None,
    });
    viewer.say(sigma(2));
    assert_eq!(viewer.notice(), "The world has no sensor 2.");
}

#[test]
fn a_controller_in_lock_step_gets_the_sensors_of_the_world_with_its_turns() {
    let run = Running::in_lock_step("watched", 1);
    let mut controller = connect(run.address());
    let watch = pb::Watch { bodies: vec![], pictures: true, world: true };
    controller.say(client_message::Kind::Watch(watch));
    controller.say(client_message::Kind::Join(pb::Join { period: 100 }));
    let mut world = World::new(run.model.clone());
    let mut pictures = 0;
    for _ in 0..5 {
        let turn = controller.until(|kind| match kind {
            Kind::Turn(turn) => Some(turn),
            _ => None,
        });
        world.steps(turn.step - world.frame().step);
        let told: Vec<f32> = world.frame().readings.iter().map(|value| *value as f32).collect();
        if let Some(readings) = turn.readings.first() {
            assert!(readings.world);
            assert_eq!(readings.values, told, "at step {}", turn.step);
        }
        for picture in &turn.pictures {
            pictures += u32::from(picture.world);
            assert!(decoded(&picture.png) == taken(&world, 0), "at step {}", turn.step);
        }
        let answer = pb::Answer { step: turn.step, drives: vec![] };
        controller.say(client_message::Kind::Answer(answer));
    }
    assert!(pictures >= 3, "{pictures}");
}
