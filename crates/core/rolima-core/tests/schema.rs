//! Quantities by name: one value each, within their ranges, and what they say they are.

use rolima_core::{GoalReport, Instant, RobotId, Schema, Volts, World, schema};
use rolima_math::{Pose2, Vec3};
use rolima_scene::builtin_model;
use rolima_testing::heap::{Allocations, allocations};

fn world(scene: &str) -> World {
    World::new(builtin_model(scene, &[]).expect("built in"))
}

fn read(schema: &Schema, world: &World) -> Vec<f64> {
    let mut values = vec![];
    schema.read(Instant { world, frame: &world.frame(), goals: &[] }, &mut values);
    values
}

/// The value of one channel by its name.
struct Values<'a>(&'a Schema, Vec<f64>);

impl Values<'_> {
    #[track_caller]
    fn of(&self, name: &str) -> f64 {
        let [number] = self.0.find(name)[..] else { panic!("no channel {name}") };
        self.1[number]
    }

    #[track_caller]
    fn vector(&self, name: &str) -> Vec3 {
        let [x, y, z] = ["x", "y", "z"].map(|axis| self.of(&format!("{name}.{axis}")));
        Vec3::new(x, y, z)
    }
}

#[test]
fn every_channel_has_one_value_within_its_range() {
    for scene in
        ["soccer", "scrum", "things", "maze", "hills", "proving-ground", "car", "figure-13"]
    {
        let mut world = world(scene);
        let schema = Schema::new(world.model());
        assert_eq!(schema::count(world.model()), schema.channels().len());
        for _ in 0..40 {
            world.steps(50);
            let values = read(&schema, &world);
            assert_eq!(values.len(), schema.channels().len(), "{scene}");
            for (channel, value) in schema.channels().iter().zip(values) {
                let [low, high] = channel.range;
                let is_within = value.is_nan() || (low..=high).contains(&value);
                assert!(is_within, "{scene}: {} is {value}", channel.name);
            }
        }
    }
}

#[test]
fn the_first_channels_are_those_of_all() {
    for scene in ["soccer", "hills"] {
        let mut world = world(scene);
        world.steps(100);
        let all = Schema::new(world.model());
        let values = read(&all, &world);
        for most in [0, 1, 7, 40, 61, all.channels().len(), usize::MAX] {
            let first = Schema::first(world.model(), most);
            let kept = most.min(values.len());
            assert_eq!(first.channels(), &all.channels()[..kept]);
            let mut some = vec![1.0; 3];
            let frame = world.frame();
            let instant = Instant { world: &world, frame: &frame, goals: &[] };
            schema::read_first(instant, most, &mut some);
            let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&some), bits(&values[..kept]));
        }
    }
}

#[test]
fn reading_allocates_nothing_once_it_is_warm() {
    for scene in ["soccer", "hills"] {
        let mut world = world(scene);
        world.steps(100);
        let (frame, mut values) = (world.frame(), vec![]);
        let instant = Instant { world: &world, frame: &frame, goals: &[] };
        schema::read_first(instant, usize::MAX, &mut values);
        let Allocations { count, .. } =
            allocations(|| schema::read_first(instant, usize::MAX, &mut values));
        assert_eq!(count, 0, "{scene}");
    }
}

#[test]
fn accelerations_are_those_of_the_last_step() {
    for (scene, robot, velocity) in
        [("soccer", "blue-1", "velocity"), ("hills", "rover", "centre.velocity")]
    {
        let mut world = world(scene);
        let schema = Schema::new(world.model());
        world.command(RobotId(0), Volts { right: 9.0, left: 6.0 }).expect("a good command");
        let mut now = || {
            let values = Values(&schema, read(&schema, &world));
            world.step();
            values
        };
        let acceleration = |values: &Values<'_>, axis: &str| {
            values.of(&format!("robot.{robot}.acceleration.{axis}"))
        };
        let mut before = now();
        assert!(acceleration(&before, "x").is_nan(), "no step yet");
        let mut largest = 0.0f64;
        for _ in 0..300 {
            let after = now();
            for axis in ["x", "y"] {
                let name = format!("robot.{robot}.{velocity}.{axis}");
                let change = (after.of(&name) - before.of(&name)) / 1e-3;
                let told = acceleration(&after, axis);
                assert!((told - change).abs() <= 1e-6 * (1.0 + change.abs()), "{told} {change}");
                largest = largest.max(told.abs());
            }
            before = after;
        }
        assert!(largest > 0.1, "{scene}: it accelerates, {largest}");
        world.reset();
        assert!(acceleration(&Values(&schema, read(&schema, &world)), "x").is_nan());
    }
}

#[test]
fn wheels_touch_the_ground_where_they_say_and_a_snapshot_has_all_of_them() {
    let mut world = world("hills");
    let schema = Schema::new(world.model());
    world.command(RobotId(0), Volts { right: 12.0, left: 9.0 }).expect("a good command");
    let mut touching = 0;
    for _ in 0..60 {
        world.steps(50);
        let values = Values(&schema, read(&schema, &world));
        let terrain = world.model().terrain().expect("a scene with ground");
        for wheel in 0..world.model().wheel_range(0).len() {
            let own = format!("robot.rover.wheel.{wheel}");
            let normal = values.vector(&format!("{own}.normal"));
            assert!((normal.length() - 1.0).abs() < 1e-9 && normal.z > 0.0, "{normal:?}");
            let contact = values.vector(&format!("{own}.contact"));
            let load = values.of(&format!("{own}.load"));
            assert_eq!(values.of(&format!("{own}.in_air")) == 1.0, load <= 0.0);
            assert_eq!(contact.x.is_nan(), load <= 0.0);
            if load > 0.0 {
                let ground = terrain.height(contact.x, contact.y);
                assert!((contact.z - ground).abs() < 5e-3, "{wheel}: {contact:?} {ground}");
                touching += 1;
            }
        }
    }
    assert!(touching > 100, "{touching}");
    // All but the accelerations, as a snapshot has no step before it.
    let told = read(&schema, &world);
    let mut restored = World::new(builtin_model("hills", &[]).expect("built in"));
    restored.restore(&world.snapshot()).expect("of the same scene");
    for ((channel, told), again) in schema.channels().iter().zip(told).zip(read(&schema, &restored))
    {
        if !channel.name.contains(".acceleration.") {
            assert_eq!(told.to_bits(), again.to_bits(), "{}", channel.name);
        }
    }
}

#[test]
fn actuators_tell_what_they_are_told_and_steered_wheels_how_they_stand() {
    let mut world = world("car");
    let schema = Schema::new(world.model());
    let unit = |name: &str| {
        let [number] = schema.find(name)[..] else { panic!("no channel {name}") };
        schema.channels()[number].unit
    };
    assert_eq!(unit("robot.car.actuator.front-left-steer.commanded"), "rad");
    assert_eq!(unit("robot.car.actuator.rear-left.commanded"), "rad/s");
    world.actuate(RobotId(0), "front-left-steer", 0.3).expect("an actuator");
    world.actuate(RobotId(0), "rear-left", 4.0).expect("an actuator");
    world.actuate(RobotId(0), "rear-right", 4.0).expect("an actuator");
    world.steps(1500);
    let values = Values(&schema, read(&schema, &world));
    assert_eq!(values.of("robot.car.actuator.front-left-steer.commanded"), 0.3);
    assert_eq!(values.of("robot.car.actuator.front-right-steer.commanded"), 0.0);
    assert_eq!(values.of("robot.car.actuator.rear-left.commanded"), 4.0);
    assert!((values.of("robot.car.wheel.0.steer") - 0.3).abs() < 1e-9);
    assert_eq!(values.of("robot.car.wheel.1.steer"), 0.0);
    // The voltage at a motor whose driver stage chose its torque: what holds its speed and its current.
    let [volts, current, spin] = ["voltage", "current", "spin"]
        .map(|quantity| values.of(&format!("robot.car.wheel.2.{quantity}")));
    let (resistance, gear, per_volt) = (0.4, 15.0, 159.0 * core::f64::consts::TAU / 60.0);
    let expected = resistance * current + spin * gear / per_volt;
    assert!((volts / expected - 1.0).abs() < 0.05, "{volts} V, not {expected} V");
    assert!(spin > 3.5, "{spin}");
}

#[test]
fn goals_are_told_by_the_reports_of_those_who_drive() {
    let world = world("soccer");
    let schema = Schema::new(world.model());
    let goal = Pose2::new(0.4, -0.3, 1.0);
    let reports = [GoalReport {
        robot: RobotId(2),
        state: 1,
        goal,
        left_m: 0.7,
        left_s: 1.5,
        ..GoalReport::default()
    }];
    let mut values = vec![];
    let frame = world.frame();
    schema.read(Instant { world: &world, frame: &frame, goals: &reports }, &mut values);
    let values = Values(&schema, values);
    let of = |channel: &str| values.of(&format!("robot.blue-3.goal.{channel}"));
    assert_eq!([of("state"), of("x"), of("y"), of("left")], [1.0, 0.4, -0.3, 0.7]);
    assert!((of("heading") - 1.0).abs() < 1e-12);
    assert_eq!(values.of("robot.blue-2.goal.state"), 0.0);
    assert!(values.of("robot.blue-2.goal.x").is_nan());
}
