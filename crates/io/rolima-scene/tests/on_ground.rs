//! Robots with a planar drive on ground: they do there what they do on a flat floor.

use crate::common;

use common::{check, text};
use rolima_core::{Command, RobotId, Volts, World};
use rolima_math::{Pose2, Vec2};
use std::sync::Arc;

/// Speed m/s, turning rad/s, and for how long, s.
type Leg = (f64, f64, f64);

/// Commands are given every so many steps of 1 ms.
const PERIOD: u64 = 10;

/// Change of what is asked for, m/s2 and rad/s2: so gentle that wheels stick.
const RAMPS: [f64; 2] = [1.0, 2.0];

const PRESETS: [&str; 4] = ["minirobot", "robot-one", "pioneer-p3dx", "pioneer-bare"];

fn world(preset: &str, ground: bool) -> World {
    let ground = if ground { "[ground]\n" } else { "" };
    let scene = format!("{ground}[[robot]]\npreset = \"{preset}\"\npose = [1, -2, 30]\n");
    let compiled = check(&text(&scene), &[]).unwrap_or_else(|error| panic!("{error}")).compile();
    World::new(Arc::new(compiled.unwrap_or_else(|error| panic!("{error}"))))
}

/// Whether a manoeuvre is driven by voltages or by the robot's speed controller.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Volts,
    Servo,
}

/// Drives the legs; hands out the pose every 10 ms.
fn drive(world: &mut World, legs: &[Leg], by: By) -> Vec<Pose2> {
    let mut poses = vec![];
    let mut aim = [0.0; 2];
    world.steps(500);
    for &(v, omega, seconds) in legs {
        for _ in 0..(seconds * 1e3) as u64 / PERIOD {
            let change = RAMPS.map(|a| a * PERIOD as f64 * 1e-3);
            let from = aim;
            for (aim, (wanted, most)) in aim.iter_mut().zip([v, omega].into_iter().zip(change)) {
                *aim += (wanted - *aim).clamp(-most, most);
            }
            let command = match by {
                By::Servo => Command::Velocity { v: aim[0], omega: aim[1] },
                By::Volts => {
                    // What a step of the planar drive needs for its part of the change.
                    let next = [0, 1].map(|i| from[i] + (aim[i] - from[i]) / PERIOD as f64);
                    let [right, left] = world.model().drives[0].volts_for(from, next);
                    Command::Volts(Volts { right, left })
                }
            };
            world.command(RobotId(0), command).expect("a good command");
            world.steps(PERIOD);
            poses.push(world.frame().bodies[0].pose);
        }
    }
    poses
}

/// How far two ways are apart at most: m and degrees.
fn apart(a: &[Pose2], b: &[Pose2]) -> (f64, f64) {
    let mut most = (0.0f64, 0.0f64);
    for (a, b) in a.iter().zip(b) {
        let turn = (a.theta() - b.theta()).to_degrees();
        let turn = (turn + 540.0).rem_euclid(360.0) - 180.0;
        most = (most.0.max((a.position - b.position).length()), most.1.max(turn.abs()));
    }
    most
}

/// Ways of 5 m, forwards.
fn manoeuvres() -> Vec<(&'static str, Vec<Leg>)> {
    vec![
        ("straight", vec![(0.5, 0.0, 10.5)]),
        ("arc", vec![(0.5, 0.3, 10.5)]),
        ("arc to the right", vec![(0.5, -0.4, 10.5)]),
        ("S", vec![(0.5, 0.6, 5.25), (0.5, -0.6, 5.25)]),
        (
            "turn on the spot, then straight",
            vec![(0.0, 1.0, 1.8), (0.0, 0.0, 0.6), (0.5, 0.0, 10.5)],
        ),
        ("turn right, then straight", vec![(0.0, -1.0, 3.0), (0.0, 0.0, 0.6), (0.5, 0.0, 10.5)]),
    ]
}

#[test]
fn a_robot_with_a_drive_goes_on_flat_ground_where_it_goes_on_a_flat_floor() {
    for preset in PRESETS {
        for (name, forwards) in manoeuvres() {
            for way in [1.0, -1.0] {
                let legs: Vec<Leg> =
                    forwards.iter().map(|(v, omega, t)| (way * v, *omega, *t)).collect();
                for by in [By::Volts, By::Servo] {
                    let [mut plane, mut ground] = [false, true].map(|is| world(preset, is));
                    if by == By::Servo && plane.model().robots[0].servo.is_none() {
                        continue;
                    }
                    let a = drive(&mut plane, &legs, by);
                    let b = drive(&mut ground, &legs, by);
                    let (m, degrees) = apart(&a, &b);
                    let driven: f64 =
                        b.windows(2).map(|p| (p[1].position - p[0].position).length()).sum();
                    assert!(driven > 4.8, "{preset}, {name}, {way}, {by:?}: {driven} m");
                    let near = m < 0.05 && degrees < 3.0;
                    assert!(near, "{preset}, {name}, {way}, {by:?}: {m} m, {degrees} degrees");
                }
            }
        }
    }
}

const TRAILER: &str = "[[robot]]\nname = \"trailer\"\n\
    chassis = { mass = 20, length = [0.3, 0.3], width = [0.2, 0.2], height = [0.1, 0.08] }\n\
    wheels = { radius = 0.15, suspension = { stiffness = 8e3, damping = 300 } }\n\
    wheel = [{ position = [-0.04, 0.25, 0] }, { position = [-0.04, -0.25, 0] }]\n";

/// Robots of all kinds, a trailer behind one of them, a ball and a box.
fn all_kinds(ground: &str) -> String {
    let mut scene = format!("{ground}\n");
    for (i, preset) in
        ["rover", "minirobot", "car", "robot-one", "pioneer-p3dx", "disc"].iter().enumerate()
    {
        let y = 2.5 * i as f64;
        scene +=
            &format!("[[robot]]\nname = \"{preset}\"\npreset = \"{preset}\"\npose = [0, {y}, 0]\n");
    }
    scene += &format!("{TRAILER}pose = [-1.3, 0, 0]\n");
    scene += "hitch = { to = \"rover\", at = [-0.7, 0, 0.2], own = [0.6, 0, 0.2] }\n";
    scene += "[[ball]]\nposition = [1, 1.2]\n[[object]]\nname = \"box\"\npose = [1, -1.5, 0]\nmass = 1\n\
        shape = [{ kind = \"box\", size = [0.3, 0.2] }]\n";
    scene
}

fn world_of(scene: &str) -> World {
    let compiled = check(&text(scene), &[]).unwrap_or_else(|error| panic!("{error}")).compile();
    World::new(Arc::new(compiled.unwrap_or_else(|error| panic!("{error}"))))
}

#[test]
fn robots_of_several_kinds_drive_in_one_scene() {
    let hills = "[ground]\nkind = \"hills\"\nsize = [80, 80]\namplitude = 0.3\nwavelength = 12.0\nclearing = 2.0";
    for ground in ["[ground]", hills] {
        let mut world = world_of(&all_kinds(ground));
        world.steps(500);
        let robots = world.model().robots.len();
        let from: Vec<Pose2> = world.frame().bodies[..robots].iter().map(|b| b.pose).collect();
        for i in 0..robots {
            let robot = &world.model().robots[i];
            let command = match (robot.servo.is_some(), robot.name.as_str()) {
                (_, "trailer") => continue,
                (true, _) => Command::Velocity { v: 0.5, omega: 0.0 },
                (false, _) => Command::Volts(Volts { right: 1.0, left: 1.0 }),
            };
            world.command(RobotId(i as u32), command).expect("a good command");
        }
        world.steps(5000);
        for i in 0..robots {
            let pose = world.frame().bodies[i].pose;
            let way = (pose.position - from[i].position).length();
            let name = &world.model().robots[i].name;
            let upright = world.frame().spatial[i].rotation.axes()[2].z;
            assert!(
                (1.5..6.0).contains(&way) && upright > 0.9,
                "{ground}: {name}: {way} {upright}"
            );
        }
        // The trailer is still where the hitch has it.
        let [rover, trailer] = [0, robots - 1].map(|i| world.frame().bodies[i].pose);
        let behind = rover.inverse_transform(trailer.position);
        assert!((behind.x + 1.3).abs() < 0.05 && behind.y.abs() < 0.1, "{ground}: {behind:?}");
    }
}

#[test]
fn a_trailer_is_put_down_with_the_robot_that_it_hangs_on() {
    let mut world = world_of(&all_kinds("[ground]"));
    world.steps(200);
    assert!(world.place_body(RobotId(0), Pose2::new(20.0, -20.0, 1.2)));
    let trailer = world.model().robots.len() - 1;
    let behind = |world: &World| {
        let [rover, trailer] = [0, trailer].map(|i| world.frame().bodies[i].pose);
        rover.inverse_transform(trailer.position)
    };
    world.steps(1);
    let at = behind(&world);
    assert!((at.x + 1.3).abs() < 1e-2 && at.y.abs() < 1e-2, "{at:?}");
    // One that was taken away alone comes back slowly.
    world.steps(500);
    assert!(world.place_body(RobotId(trailer as u32), Pose2::new(17.0, -23.0, 1.2)));
    let mut fastest = 0.0f64;
    for _ in 0..3000 {
        world.steps(1);
        fastest =
            fastest.max(world.twist(RobotId(trailer as u32)).expect("a robot").velocity.length());
    }
    // Its origin is a drawbar's length from the hitch.
    let at = (behind(&world) - Vec2::new(-0.7, 0.0)).length();
    assert!(fastest < 5.0 && (at - 0.6).abs() < 0.02, "{fastest} m/s, {at}");
}

#[test]
fn a_cart_has_no_motors_and_rolls_until_something_stops_it() {
    let scene = format!("[ground]\n{TRAILER}velocity = 1.0\n");
    let four = scene.replace(
        "wheel = [",
        "wheel = [{ position = [0.2, 0.25, 0] }, { position = [0.2, -0.25, 0] }, ",
    );
    let mut world = world_of(&four);
    assert!(world.model().actuators.is_empty());
    world.steps(3000);
    let at = world.frame().bodies[0].pose.position;
    assert!((at.x - 3.0).abs() < 0.1 && at.y.abs() < 0.01, "{at:?}");
    // Wheels with brakes hold it, as nobody drives it.
    let mut braked = world_of(&four.replace("radius = 0.15", "radius = 0.15, brake_torque = 30"));
    braked.steps(3000);
    assert!(braked.frame().bodies[0].pose.position.x < 0.2);
}

#[test]
fn mistakes_of_hitches_are_told_by_file_and_line() {
    let good = all_kinds("[ground]");
    for (wrong, instead, expected) in [
        (
            "to = \"rover\"",
            "to = \"tug\"",
            "hitch.to: expected the name of a vehicle of the scene, got tug",
        ),
        ("to = \"rover\"", "to = \"trailer\"", "hitch.to: expected a vehicle that does not hang"),
        (
            "pose = [-1.3, 0, 0]",
            "pose = [-1.5, 0, 0]",
            "hitch: expected a pose with the hitch at that of \"rover\", [-0.7, 0]",
        ),
        ("own = [0.6, 0, 0.2]", "own = [0.6, 0]", "hitch.own: expected 3 finite numbers"),
        (
            "own = [0.6, 0, 0.2]",
            "own = [0.6, 0, 0.2], length = 1",
            "hitch.length: expected one of to, at, own,",
        ),
    ] {
        let scene = good.replace(wrong, instead);
        let error = check(&text(&scene), &[]).map(|_| ()).expect_err(wrong).to_string();
        assert!(error.starts_with("x.toml:") && error.contains(expected), "{error}");
    }
    let flat = "[[robot]]\npreset = \"minirobot\"\nhitch = { to = \"a\", at = [0, 0, 0], own = [0, 0, 0] }";
    let error = check(&text(flat), &[]).map(|_| ()).expect_err("a flat floor").to_string();
    assert!(error.contains("x.toml:3: robot.0.hitch: expected a scene with [ground]"), "{error}");
}
