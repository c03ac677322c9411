//! Actuators one by one, and vehicles that steer.

use crate::common;

use common::builtin;
use rolima_core::{Command, CommandRefusal, RobotId, World};
use rolima_math::{Vec2, Vec3, tan};
use rolima_scene::{Source, load};
use std::sync::Arc;

fn world(scene: &str, sets: &[&str]) -> World {
    let compiled = builtin(scene, sets).compile();
    World::new(Arc::new(compiled.unwrap_or_else(|error| panic!("{error}"))))
}

/// A robot alone: a vehicle on a plane.
fn alone(preset: &str, sets: &[&str]) -> World {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let scene = load(&Source::preset(preset), &sets).unwrap_or_else(|error| panic!("{error}"));
    World::new(Arc::new(scene.compile().unwrap_or_else(|error| panic!("{error}"))))
}

fn place(world: &World) -> Vec2 {
    world.frame().bodies[0].pose.position
}

/// How upright the first robot is: 1 upright, 0 on its side.
fn uprightness(world: &World) -> f64 {
    world.frame().spatial[0].rotation.rotate(Vec3::new(0.0, 0.0, 1.0)).z
}

const SIX: [&str; 6] =
    ["front-left", "front-right", "middle-left", "middle-right", "rear-left", "rear-right"];

fn names(world: &World) -> Vec<&str> {
    let model = world.model();
    model.actuators[model.actuators_of(0)].iter().map(|a| a.name.as_str()).collect()
}

/// The circle through three points: its centre and radius.
fn circle([a, b, c]: [Vec2; 3]) -> (Vec2, f64) {
    let (u, v) = (b - a, c - a);
    let twice = 2.0 * (u.x * v.y - u.y * v.x);
    let (uu, vv) = (u.length_squared(), v.length_squared());
    let from = Vec2::new(v.y * uu - u.y * vv, u.x * vv - v.x * uu) * (1.0 / twice);
    (a + from, from.length())
}

#[test]
fn a_car_drives_the_circle_that_its_geometry_says() {
    // Rear axle 33 cm behind the origin of the car's frame, which drives the larger circle.
    for (speed, turning) in [(1.0, 0.4), (1.0, -0.55), (-1.0, 0.3)] {
        let mut world = alone("car", &[]);
        world
            .command(RobotId(0), Command::Velocity { v: speed, omega: turning })
            .expect("it has a servo");
        world.steps(4000);
        let points = [(); 3].map(|()| {
            world.steps(1500);
            place(&world)
        });
        let (_, radius) = circle(points);
        let middle: f64 = speed / turning;
        let expected = (middle * middle + 0.33 * 0.33).sqrt();
        let off = radius / expected - 1.0;
        println!("{speed} m/s, {turning} rad/s: radius {radius} m, off by {off:.4}");
        assert!(off.abs() < 0.02, "{speed} m/s, {turning} rad/s: {radius} m, not {expected}");
        let body = world.frame().bodies[0];
        let fast = body.velocity.length() * (middle / expected).abs();
        assert!((fast - speed.abs()).abs() < 0.02, "{fast} m/s");
        // To the left is to the left, forwards; backwards the other way round.
        assert!((body.omega / turning - 1.0).abs() < 0.02, "{}", body.omega);
        // Both wheels point to the circle's middle, the inner one farther.
        let [left, right] = [0, 1].map(|i| world.frame().wheels[i].steer);
        for (angle, y) in [(left, 0.25), (right, -0.25)] {
            assert!((tan(angle) * (middle - y) - 0.66).abs() < 1e-3, "{angle} {y} {middle}");
        }
    }
}

#[test]
fn a_car_turns_no_sharper_than_its_joints_and_stands_where_it_is_told_only_to_turn() {
    let mut world = alone("car", &[]);
    let from = place(&world);
    world.command(RobotId(0), Command::Velocity { v: 0.0, omega: 1.0 }).expect("it has a servo");
    world.steps(1500);
    let wheels = world.frame().wheels;
    assert!((wheels[0].steer.to_degrees() - 32.0).abs() < 0.1, "{}", wheels[0].steer);
    assert!((place(&world) - from).length() < 0.01);
    world.command(RobotId(0), Command::Velocity { v: 0.5, omega: 3.0 }).expect("it has a servo");
    world.steps(3000);
    let most = world.model().most_curvature(0).unwrap();
    assert!((world.frame().bodies[0].omega / (0.5 * most) - 1.0).abs() < 0.05);
    world.stop(RobotId(0)).expect("a robot");
    world.steps(2000);
    assert!(world.frame().bodies[0].velocity.length() < 1e-3);
}

#[test]
fn a_car_drives_over_hills_and_stays_upright() {
    for (seed, turning) in [(3, 0.0), (4, 0.15), (5, -0.15)] {
        let mut world = world("car", &[&format!("seed={seed}")]);
        let from = place(&world);
        let mut heights = [f64::MAX, f64::MIN];
        for _ in 0..25 {
            world
                .command(RobotId(0), Command::Velocity { v: 1.5, omega: turning })
                .expect("a servo");
            world.steps(1000);
            assert!(uprightness(&world) > 0.8, "seed {seed}: {:?}", world.frame().spatial[0]);
            let z = world.frame().spatial[0].position.z;
            heights = [heights[0].min(z), heights[1].max(z)];
        }
        let way = (place(&world) - from).length();
        assert!(way > 10.0, "seed {seed}: {way} m");
        assert!(turning != 0.0 || heights[1] - heights[0] > 0.2, "seed {seed}: {heights:?}");
    }
}

#[test]
fn a_joint_is_no_faster_than_its_rate_and_no_farther_than_its_limit() {
    let mut world = alone("car", &[]);
    assert_eq!(names(&world), ["rear-left", "rear-right", "front-left-steer", "front-right-steer"]);
    world.actuate(RobotId(0), "front-left-steer", 2.0).expect("an actuator");
    world.steps(100);
    // So far from where it is to be, the joint turns at its rate.
    let angle = world.frame().wheels[0].steer;
    assert!((angle - 180.0f64.to_radians() * 0.1).abs() < 1e-9, "{angle}");
    world.steps(1000);
    assert!((world.frame().wheels[0].steer.to_degrees() - 32.0).abs() < 1e-3);
    assert_eq!(world.frame().wheels[1].steer, 0.0);
}

#[test]
fn a_rover_is_driven_wheel_by_wheel_by_voltage_speed_or_torque() {
    for (kind, value) in [("voltage", 12.0), ("speed", 2.0), ("torque", 12.0)] {
        let set = format!("robot.0.wheels.actuator={kind}");
        let mut world = alone("rover", &[&set]);
        assert_eq!(names(&world), SIX);
        world.steps(500);
        // Straight on, all at once.
        for name in SIX {
            world.actuate(RobotId(0), name, value).expect("an actuator");
        }
        world.steps(2000);
        let body = world.frame().bodies[0];
        assert!(place(&world).x > 0.2 && body.omega.abs() < 0.02, "{kind}: {body:?}");
        // Those on the right backwards: it turns to the right.
        for name in SIX.into_iter().filter(|name| name.ends_with("right")) {
            world.actuate(RobotId(0), name, -value).expect("an actuator");
        }
        world.steps(2000);
        let body = world.frame().bodies[0];
        assert!(body.omega < -0.05, "{kind}: {body:?}");
    }
}

#[test]
fn a_wheel_gives_the_torque_or_the_speed_that_it_is_told() {
    let reading = |world: &World, wheel: usize| {
        let vehicle = world.vehicle(RobotId(0)).expect("a vehicle");
        [vehicle.reading(wheel, |r| r.motor_torque), vehicle.reading(wheel, |r| r.spin)]
    };
    let mut world = alone("rover", &["robot.0.wheels.actuator=torque"]);
    world.steps(500);
    world.actuate(RobotId(0), "middle-left", 5.0).expect("an actuator");
    world.steps(300);
    assert!((reading(&world, 2)[0] - 5.0).abs() < 1e-9, "{:?}", reading(&world, 2));
    for other in [0, 1, 3, 4, 5] {
        assert!(reading(&world, other)[0].abs() < 1e-9, "wheel {other}");
    }
    // More than the motor can give is what it can give.
    world.actuate(RobotId(0), "middle-left", 1e6).expect("an actuator");
    world.steps(20);
    let limit = world.model().actuators[2].limit;
    assert!(reading(&world, 2)[0] <= limit + 1e-9 && reading(&world, 2)[0] > 5.0);

    let mut world = alone("rover", &["robot.0.wheels.actuator=speed"]);
    world.steps(500);
    for name in SIX {
        world.actuate(RobotId(0), name, 3.0).expect("an actuator");
    }
    world.steps(3000);
    for wheel in 0..6 {
        assert!((reading(&world, wheel)[1] - 3.0).abs() < 0.02, "{:?}", reading(&world, wheel));
    }
}

#[test]
fn what_an_actuator_cannot_do_is_refused() {
    let mut rover = alone("rover", &["robot.0.wheels.actuator=torque"]);
    assert_eq!(
        rover.actuate(RobotId(0), "nose", 1.0),
        Err(CommandRefusal::NoSuchActuator(u32::MAX))
    );
    assert_eq!(rover.actuate(RobotId(0), "front-left", f64::NAN), Err(CommandRefusal::NotFinite));
    let volts = rolima_core::Volts { left: 1.0, right: 1.0 };
    assert_eq!(rover.command(RobotId(0), volts), Err(CommandRefusal::NoVolts(RobotId(0))));
    let speeds = Command::Velocity { v: 1.0, omega: 0.0 };
    assert_eq!(rover.command(RobotId(0), speeds), Err(CommandRefusal::NoServo(RobotId(0))));
    assert_eq!(rover.stop(RobotId(0)), Ok(()));
}

#[test]
fn a_two_wheeled_robot_has_two_voltages_for_actuators() {
    let mut direct = alone("minirobot", &[]);
    assert_eq!(names(&direct), ["left", "right"]);
    direct.actuate(RobotId(0), "left", 3.0).expect("an actuator");
    direct.actuate(RobotId(0), "right", -2.0).expect("an actuator");
    let mut volts = alone("minirobot", &[]);
    volts.command(RobotId(0), rolima_core::Volts { left: 3.0, right: -2.0 }).expect("a robot");
    for world in [&mut direct, &mut volts] {
        world.steps(50);
    }
    assert_eq!(direct.state_hash(), volts.state_hash());
    // One of them alone: the other goes on.
    direct.actuate(RobotId(0), "left", 1.0).expect("an actuator");
    volts.command(RobotId(0), rolima_core::Volts { left: 1.0, right: -2.0 }).expect("a robot");
    for world in [&mut direct, &mut volts] {
        world.steps(50);
    }
    assert_eq!(direct.state_hash(), volts.state_hash());
}

#[test]
fn a_car_goes_on_from_a_snapshot_bit_for_bit() {
    let makes: [fn() -> World; 2] = [|| world("car", &[]), || alone("car", &[])];
    for make in makes {
        let mut one = make();
        one.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.3 }).expect("it has a servo");
        one.steps(700);
        one.actuate(RobotId(0), "rear-left", 4.0).expect("an actuator");
        let mut other = make();
        other.restore(&one.snapshot()).expect("of the same scene");
        for world in [&mut one, &mut other] {
            world.steps(500);
        }
        assert_eq!(one.state_hash(), other.state_hash());
    }
}
