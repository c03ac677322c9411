//! Errors of the executed motion: what robots do is not quite what their wheels say.

use crate::common;
use crate::sense_kit;

use rolima_core::model::spatial::presets;
use rolima_core::model::{
    Model, MotionErrorSpec, OdometrySpec, Rate, SceneSpec, SensorKind, SensorSpec, WallSpec,
};
use rolima_core::{Command, RobotId, World};
use rolima_math::{Pose2, Vec2};
use sense_kit::{device, pose, preset, reading, world};
use std::sync::Arc;

/// As much as scenes can ask for.
const HUGE: &str = "sigma_linear = 5.0\nsigma_angular_deg = 90";

/// A robot with errors whose odometry is read so often, Hz.
fn erring(errors: &str, rate: f64) -> SceneSpec {
    let sensor = format!("[[robot.sensor]]\nkind = \"odometry\"\nrate_hz = {rate}\n{errors}");
    preset("robot-one", &sensor)
}

/// How far one pose is from another, m, and by how much it is turned against it, rad.
fn moved(from: Pose2, to: Pose2) -> (f64, f64) {
    let turned = rolima_math::wrap_angle(to.theta() - from.theta());
    ((to.position - from.position).length(), turned.abs())
}

/// Walls around the origin, so far away.
fn box_in(spec: &mut SceneSpec, half: f64) {
    let corner = |x: f64, y: f64| Vec2::new(x * half, y * half);
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    for i in 0..4 {
        let (from, to) = (corners[i], corners[(i + 1) % 4]);
        spec.walls.push(WallSpec::Segment { from, to, thickness: 0.0, height: 1.0 });
    }
}

#[test]
fn a_robot_that_stands_stays_where_it_is_to_the_bit() {
    for rate in [1.0, 50.0, 1000.0] {
        let mut world = world(&erring(HUGE, rate));
        let home = pose(&world);
        world.steps(20_000);
        assert_eq!(pose(&world), home);
        // Commanded to stand, too.
        world.stop(RobotId(0)).unwrap();
        world.steps(20_000);
        assert_eq!(pose(&world), home);
        // And after a drive, once it has come to rest.
        world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.5 }).unwrap();
        world.steps(2000);
        world.stop(RobotId(0)).unwrap();
        world.steps(5000);
        let rest = pose(&world);
        assert_ne!(rest, home);
        world.steps(20_000);
        let (far, turned) = moved(rest, pose(&world));
        assert!(far < 1e-9 && turned < 1e-9, "{far} m and {turned} rad from {rest:?}");
    }
}

#[test]
fn a_robot_that_presses_on_a_wall_without_getting_on_stays_there() {
    let mut spec = erring("sigma_linear = 0.01\nsigma_angular_deg = 2", 60.0);
    box_in(&mut spec, 1.0);
    let mut world = world(&spec);
    world.command(RobotId(0), Command::Velocity { v: 0.5, omega: 0.0 }).unwrap();
    world.steps(6000);
    let mut deepest = 0.0f64;
    for _ in 0..4000 {
        world.step();
        let at = pose(&world);
        for corner in [(0.5, 0.35), (0.5, -0.35), (-0.5, 0.35), (-0.5, -0.35)] {
            let c = at.transform(Vec2::new(corner.0, corner.1));
            deepest = deepest.max(c.x.abs().max(c.y.abs()) - 1.0);
        }
    }
    assert!(deepest < 1e-4, "{deepest} m in the wall");
}

#[test]
fn the_true_pose_does_not_depend_on_who_reads_and_how_often() {
    let run = |rate: f64| {
        let mut world = world(&erring("sigma_linear = 0.002\nsigma_angular_deg = 0.1", rate));
        world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.3 }).unwrap();
        world.steps(7000);
        pose(&world)
    };
    let slow = run(1.0);
    for rate in [50.0, 60.0, 1000.0] {
        assert_eq!(run(rate), slow, "{rate} Hz");
    }
}

#[test]
fn after_a_metre_the_errors_have_the_documented_spread() {
    let errors = "sigma_linear = 0.002\nsigma_angular_deg = 0.05";
    let model = Arc::new(Model::compile(&erring(errors, 60.0)).unwrap());
    let (mut along, mut turns) = (vec![], vec![]);
    for seed in 0..200 {
        let mut world = World::with_seed(model.clone(), seed);
        assert!(world.set_motion(RobotId(0), Pose2::IDENTITY, Vec2::new(0.5, 0.0), 0.0));
        world.command(RobotId(0), Command::Velocity { v: 0.5, omega: 0.0 }).unwrap();
        world.steps(2000);
        let (truth, odometry) = (pose(&world), reading(&world, "odometry"));
        assert!((odometry[0] - 1.0).abs() < 0.05, "a metre: {odometry:?}");
        assert!(odometry[1].abs() < 1e-9 && odometry[2].abs() < 1e-9, "it believes in a line");
        along.push(truth.position.x - odometry[0]);
        turns.push(truth.theta());
    }
    let spread = |xs: &[f64]| {
        let mean = xs.iter().sum::<f64>() / xs.len() as f64;
        assert!(mean.abs() < 0.4 * xs.iter().map(|x| x.abs()).fold(0.0, f64::max), "{mean}");
        (xs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / xs.len() as f64).sqrt()
    };
    // 120 cycles in 2 s: sigma sqrt(120). A sample of 200 has it to 5 %; 4 of those.
    let root = 120f64.sqrt();
    let (way, turn) = (spread(&along) / (0.002 * root), spread(&turns));
    assert!((0.8..1.2).contains(&way), "{way}");
    let turn = turn / (0.05f64.to_radians() * root);
    assert!((0.8..1.2).contains(&turn), "{turn}");
}

#[test]
fn errors_never_carry_a_robot_into_or_through_a_wall() {
    for errors in [HUGE, "sigma_linear = 0.02\nsigma_angular_deg = 3"] {
        let mut spec = erring(errors, 60.0);
        box_in(&mut spec, 2.0);
        let mut world = world(&spec);
        for i in 0..40 {
            let v = if i % 2 == 0 { 3.0 } else { -3.0 };
            world.command(RobotId(0), Command::Velocity { v, omega: 1.0 }).unwrap();
            for _ in 0..100 {
                world.step();
                let at = pose(&world);
                for (x, y) in [(0.5, 0.35), (0.5, -0.35), (-0.5, 0.35), (-0.5, -0.35)] {
                    let c = at.transform(Vec2::new(x, y));
                    assert!(c.x.abs().max(c.y.abs()) < 2.0 + 1e-3, "{at:?}");
                }
            }
        }
    }
}

/// Errors that carry a robot much farther than its wheels: what is remembered of its distance to the
/// wall has to count them.
#[test]
fn a_robot_that_errs_up_to_a_wall_still_stops_at_it() {
    let mut spec = erring("sigma_linear = 0.02", 60.0);
    box_in(&mut spec, 2.0);
    let model = Arc::new(Model::compile(&spec).unwrap());
    for seed in 0..40 {
        let mut world = World::with_seed(model.clone(), seed);
        world.command(RobotId(0), Command::Velocity { v: 0.02, omega: 0.0 }).unwrap();
        world.steps(6000);
        let v = if pose(&world).position.x > 0.0 { 3.0 } else { -3.0 };
        world.command(RobotId(0), Command::Velocity { v, omega: 0.0 }).unwrap();
        for _ in 0..2000 {
            world.step();
            let front = pose(&world).position.x.abs() + 0.5;
            assert!(front < 2.0 + 1e-3, "seed {seed}: {front}");
        }
        let front = pose(&world).position.x.abs() + 0.5;
        assert!(front > 1.95, "it got there, seed {seed}: {front}");
    }
}

/// Errors give nobody speed: what stands beside a robot that errs is not hit by them.
#[test]
fn errors_change_no_velocity_and_hit_nobody() {
    let errors = "sigma_linear = 0.02\nsigma_angular_deg = 5";
    let text = format!(
        "[[robot]]\npreset = \"robot-one\"\n[[robot.sensor]]\nkind = \"odometry\"\n{errors}\n\
         [[object]]\nname = \"box\"\npose = [0, 0.5, 0]\nmass = 1\nground_friction = 0\n\
         shape = [{{ kind = \"box\", size = [0.2, 0.2] }}]\n"
    );
    let mut world = world(&sense_kit::scene(&text));
    assert!(world.set_motion(RobotId(0), Pose2::IDENTITY, Vec2::new(0.01, 0.0), 0.0));
    let mut energy = world.kinetic_energy();
    for _ in 0..3000 {
        world.step();
        let now = world.kinetic_energy();
        assert!(now <= energy * (1.0 + 1e-9) + 1e-15, "{energy} to {now} J");
        energy = now;
    }
}

#[test]
fn errors_go_on_bit_for_bit_from_a_snapshot_also_beside_walls() {
    let mut spec = erring("sigma_linear = 0.005\nsigma_angular_deg = 1", 60.0);
    box_in(&mut spec, 1.5);
    let mut one = world(&spec);
    one.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.7 }).unwrap();
    for _ in 0..60 {
        one.steps(97);
        let mut other = world(&spec);
        other.restore(&one.snapshot()).unwrap();
        let mut same = world(&spec);
        same.restore(&one.snapshot()).unwrap();
        other.steps(97);
        for _ in 0..97 {
            let bytes = same.snapshot();
            same.restore(&bytes).unwrap();
            same.step();
        }
        one.steps(97);
        assert_eq!(one.state_hash(), other.state_hash());
        assert_eq!(one.state_hash(), same.state_hash());
    }
}

/// Robots that err, drive at random and meet, in a pen with a ball and a box.
fn crowd() -> SceneSpec {
    let mut text = String::new();
    for i in 0..9 {
        let (x, y) = (f64::from(i % 3) * 0.2 - 0.2, f64::from(i / 3) * 0.2 - 0.2);
        text += &format!(
            "[[robot]]\nname = \"r{i}\"\npreset = \"disc\"\npose = [{x}, {y}, {i}]\n\
             driver = {{ kind = \"random\" }}\n[[robot.sensor]]\nkind = \"odometry\"\n\
             sigma_linear = 0.004\nsigma_angular_deg = 2\n"
        );
    }
    text += "[[ball]]\nname = \"ball\"\nposition = [0.1, 0.1]\n";
    let mut spec = sense_kit::scene(&text);
    box_in(&mut spec, 0.4);
    spec
}

#[test]
fn robots_that_err_among_others_overlap_nobody() {
    let mut world = world(&crowd());
    let radius = world.model().bodies().next().map(|body| body.radius).unwrap();
    let mut deepest = 0.0f64;
    for _ in 0..30_000 {
        world.step();
        let frame = world.frame();
        let robots = &frame.bodies[..9];
        for (i, a) in robots.iter().enumerate() {
            let at = a.pose.position;
            deepest = deepest.max(at.x.abs().max(at.y.abs()) + radius - 0.4);
            for b in &robots[i + 1..] {
                deepest = deepest.max(2.0 * radius - (at - b.pose.position).length());
            }
        }
    }
    let hits = world.state().event_count(rolima_core::EventKind::Impact);
    assert!(hits > 100, "{hits} hits");
    assert!(deepest < 5e-4, "{deepest} m");
}

/// What was remembered of earlier steps says nothing about who errs.
#[test]
fn robots_that_err_among_others_do_so_alike_without_memory() {
    let spec = crowd();
    let (mut one, mut forgetful) = (world(&spec), world(&spec));
    for step in 0..4000 {
        one.step();
        let bytes = forgetful.snapshot();
        forgetful.restore(&bytes).unwrap();
        forgetful.step();
        assert_eq!(one.state_hash(), forgetful.state_hash(), "step {step}");
    }
}

#[test]
fn the_errors_of_a_robot_can_be_set() {
    let mut world = world(&erring("", 60.0));
    let odometry = device(&world, "odometry");
    assert_eq!(world.sigma(odometry, 1), Some(0.0));
    world.set_sigma(odometry, 1, 0.01).unwrap();
    assert_eq!((world.sigma(odometry, 0), world.sigma(odometry, 1)), (Some(0.0), Some(0.01)));
    world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.0 }).unwrap();
    world.steps(1000);
    assert!(pose(&world).theta().abs() > 1e-4);
}

#[test]
fn only_the_first_odometry_of_a_robot_has_errors_of_motion() {
    let second = "\n[[robot.sensor]]\nkind = \"odometry\"\nname = \"second\"\nrate_hz = 60\n";
    let spec = erring(second, 60.0);
    let mut world = world(&spec);
    let first = device(&world, "odometry");
    let other = world.model().devices.iter().position(|d| d.name == "second").expect("it is there");
    let message = world.set_sigma(other, 0, 0.01).unwrap_err().to_string();
    assert!(message.contains("the first odometry") && message.contains("second"), "{message}");
    world.set_sigma(first, 0, 0.01).unwrap();
    // Nor is it taken from a scene without effect.
    for (motion, key) in [
        (MotionErrorSpec { sigma_linear: 0.01, sigma_angular: 0.0 }, "sigma_linear"),
        (MotionErrorSpec { sigma_linear: 0.0, sigma_angular: 0.01 }, "sigma_angular"),
    ] {
        let mut spec = spec.clone();
        let kind = SensorKind::Odometry(OdometrySpec { motion, ..OdometrySpec::default() });
        let mut sensors = spec.robots[0].sensors.iter_mut();
        sensors.find(|s| s.name == "second").expect("it is there").kind = kind;
        let message = Model::compile(&spec).map(|_| ()).unwrap_err().to_string();
        assert!(message.contains(key) && message.contains("first odometry"), "{message}");
    }
}

/// A vehicle on hills, with errors.
fn vehicle_on_hills(rate: f64) -> World {
    let mut scene = common::spatial::hills();
    let spec = presets::named("skid-steer").expect("a preset");
    let mut robot = common::spatial::vehicle("one", spec, Pose2::new(1.0, 2.0, 0.3));
    robot.servo = Some(Default::default());
    let motion = MotionErrorSpec { sigma_linear: 0.002, sigma_angular: 0.002 };
    let rate = Rate::per_second(rate);
    let kind = SensorKind::Odometry(OdometrySpec { motion, rate, ..OdometrySpec::default() });
    robot.sensors = vec![SensorSpec { name: "odometry".to_owned(), kind }];
    scene.robots.push(robot);
    world(&scene)
}

#[test]
fn a_vehicle_that_stands_on_hills_is_not_moved_by_errors() {
    for rate in [1.0, 50.0] {
        let mut world = vehicle_on_hills(rate);
        world.stop(RobotId(0)).unwrap();
        world.steps(3000);
        let rest = pose(&world);
        world.steps(10_000);
        let (far, turned) = moved(rest, pose(&world));
        println!("{rate} Hz, never driven: {far:.1e} m, {turned:.1e} rad");
        assert!(far < 1e-6 && turned < 1e-6, "{far} m, {turned} rad");
        // Also after a drive.
        world.command(RobotId(0), Command::Velocity { v: 0.5, omega: 0.2 }).unwrap();
        world.steps(3000);
        world.stop(RobotId(0)).unwrap();
        world.steps(5000);
        let rest = pose(&world);
        world.steps(10_000);
        let (far, turned) = moved(rest, pose(&world));
        println!("{rate} Hz, after a drive: {far:.1e} m, {turned:.1e} rad");
        assert!(far < 1e-5 && turned < 1e-5, "{far} m, {turned} rad");
    }
}

#[test]
fn on_rough_ground_too_nobody_who_reads_changes_the_true_pose() {
    let run = |rate: f64| {
        let mut world = vehicle_on_hills(rate);
        world.command(RobotId(0), Command::Velocity { v: 0.5, omega: 0.1 }).unwrap();
        world.steps(3000);
        pose(&world)
    };
    assert_eq!(run(1.0), run(50.0));
}
