//! Robots with a planar drive on ground: they do there what they do on a flat floor.

use crate::common;

use common::{check, text};
use rolima_core::{Command, RobotId, Volts, World};
use rolima_math::Pose2;
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
            for (aim, (wanted, most)) in aim.iter_mut().zip([v, omega].into_iter().zip(change)) {
                *aim += (wanted - *aim).clamp(-most, most);
            }
            let command = match by {
                By::Servo => Command::Velocity { v: aim[0], omega: aim[1] },
                By::Volts => {
                    let [right, left] = world.model().drives[0].volts_for(aim, aim);
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
        ("turn on the spot, then straight", vec![(0.0, 1.0, 1.8), (0.0, 0.0, 0.6), (0.5, 0.0, 10.5)]),
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
                    eprintln!("{preset}, {name}, {way}, {by:?}: {m:.4} m, {degrees:.3}, {driven:.3} m");
                    assert!(driven > 4.8, "{preset}, {name}, {way}, {by:?}: {driven} m");
                    let near = m < 0.05 && degrees < 3.0;
                    assert!(near, "{preset}, {name}, {way}, {by:?}: {m} m, {degrees} degrees");
                }
            }
        }
    }
}
