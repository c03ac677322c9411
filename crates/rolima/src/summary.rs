//! What a run prints when it ends.

use crate::score;
use crate::text::{columns, counted, fixed, readable, thousands};
use rolima_core::model::ContactResponse;
use rolima_core::state::place;
use rolima_core::{EventKind, World};
use rolima_math::{Vec3, atan2};
use rolima_run::Report;
use rolima_run::live::Lateness;
use serde_json::{Map, Value, json};

/// Most robots in a summary for people.
const MOST_ROBOTS: usize = 12;

/// A run that is over.
pub(crate) struct Ended<'a> {
    pub(crate) world: &'a World,
    pub(crate) report: &'a Report,
    /// Whether it ran against the clock, so that deadlines mean something.
    pub(crate) live: bool,
}

/// A robot at the end of a run.
struct RobotEnd<'a> {
    name: &'a str,
    /// x, y in m and heading in rad.
    pose: [f64; 3],
    /// Speed along the heading, m/s, and turning, rad/s.
    twist: [f64; 2],
    /// On rough ground.
    space: Option<SpaceEnd>,
}

/// How a vehicle lies at the end of a run.
struct SpaceEnd {
    /// Height of its origin, m.
    height: f64,
    /// To the right and with the nose up, rad, and how far its up axis is from the vertical.
    roll: f64,
    pitch: f64,
    tilt: f64,
    /// Upwards, m/s.
    climbing: f64,
    rolled_over: bool,
}

fn space(world: &World, robot: u32) -> Option<SpaceEnd> {
    let (spatial, rough) = (world.model().spatial.as_ref()?, world.state().rough.as_ref()?);
    let vehicle = rough.vehicle(robot)?;
    let known = spatial.vehicles.get(robot as usize)?;
    let [forward, left, up] = vehicle.state.orientation.axes();
    let level = |v: Vec3| (v.x * v.x + v.y * v.y).sqrt();
    Some(SpaceEnd {
        height: vehicle.frame(known).position.z,
        roll: atan2(left.z, up.z),
        pitch: atan2(forward.z, level(forward)),
        tilt: atan2(level(up), up.z),
        climbing: vehicle.state.velocity.z,
        rolled_over: vehicle.state.rolled_over,
    })
}

fn robots(world: &World) -> impl ExactSizeIterator<Item = RobotEnd<'_>> {
    world.model().robots.iter().enumerate().map(|(number, robot)| {
        let (block, lane) = place(robot.slot);
        let motion = &world.state().motion[block];
        let pose = motion.pose(lane);
        RobotEnd {
            name: &robot.name,
            pose: [pose.position.x, pose.position.y, pose.theta()],
            // A robot's velocity is kept in its own frame, so this is the speed along its heading.
            twist: [motion.vx[lane], motion.omega[lane]],
            space: space(world, number as u32),
        }
    })
}

/// Why and when the scene ended the run, if it did.
pub(crate) fn end_told(world: &World) -> Option<String> {
    let robot = &world.model().robots[world.end()?.robot as usize];
    Some(format!("{} left the terrain at {:.3} s", robot.name, world.time_s()))
}

/// Energy that the published spheres made from nothing, and lost, J, if the scene uses them.
fn sphere_energy(world: &World) -> Option<[f64; 2]> {
    let has_spheres = world.model().contact.response == ContactResponse::EquivalentSphere;
    has_spheres.then_some(world.state().sphere_energy)
}

/// A hash as 16 hexadecimal digits.
pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The result for programs.
pub(crate) fn as_json(ended: &Ended<'_>) -> Value {
    let Ended { world, report, .. } = *ended;
    let events: Map<String, Value> = EventKind::ALL
        .iter()
        .map(|&kind| (kind.name().to_owned(), world.state().event_count(kind).into()))
        .collect();
    let robots: Vec<Value> = robots(world)
        .enumerate()
        .map(|(i, robot)| {
            let mut shown = json!({ "name": robot.name, "pose": robot.pose, "twist": robot.twist });
            if let Some(space) = robot.space {
                shown["height"] = json!(space.height);
                shown["roll"] = json!(space.roll);
                shown["pitch"] = json!(space.pitch);
                shown["tilt"] = json!(space.tilt);
                shown["climbing"] = json!(space.climbing);
                shown["rolled_over"] = json!(space.rolled_over);
            }
            let devices = world.model().devices_of(i as u32);
            if !devices.is_empty() {
                let readings = devices.map(|device| {
                    (world.model().devices[device].name.clone(), json!(world.reading(device)))
                });
                shown["sensors"] = Value::Object(readings.collect());
            }
            shown
        })
        .collect();
    let balls = world.model().spec.balls.iter().zip(&world.model().ball_slots);
    let balls: Vec<Value> = balls
        .map(|(ball, &slot)| {
            let (block, lane) = place(slot);
            let motion = &world.state().motion[block];
            let position = motion.pose(lane).position;
            json!({
                "name": ball.name,
                "position": [position.x, position.y],
                "velocity": [motion.vx[lane], motion.vy[lane]],
            })
        })
        .collect();
    let scores: Map<String, Value> = score::by_team(world.model(), &world.state().scores)
        .into_iter()
        .map(|(team, goals)| (team.to_owned(), goals.into()))
        .collect();
    let mut result = json!({
        "simulated_s": report.simulated_s,
        "steps": report.steps,
        "wall_s": report.wall_s,
        "real_time_factor": report.real_time_factor,
        "state_hash": hex(world.state_hash()),
        "events": events,
        "robots": robots,
        "seed": world.state().seed,
        "balls": balls,
        "scores": scores,
    });
    if let Some(end) = world.end() {
        let robot = &world.model().robots[end.robot as usize].name;
        result["end"] = json!({ "kind": "left_terrain", "robot": robot, "time_s": world.time_s() });
    }
    if let Some(energy) = sphere_energy(world) {
        result["sphere_energy_j"] = json!(energy);
    }
    if ended.live {
        result["deadlines"] = deadlines(report);
    }
    result
}

/// How well a run kept to the clock.
fn deadlines(report: &Report) -> Value {
    let lateness = |l: &Lateness| {
        let ms = |s: f64| (s * 1e6).round() / 1e3;
        json!({ "p50_ms": ms(l.p50), "p99_ms": ms(l.p99), "p999_ms": ms(l.p999), "max_ms": ms(l.max) })
    };
    json!({
        "missed_1ms": report.missed_ticks,
        "missed_30ms": report.missed_frames,
        "given_up_s": report.missed_s,
        "lateness_1ms": lateness(&report.tick_lateness),
        "lateness_30ms": lateness(&report.frame_lateness),
    })
}

/// The result for people.
pub(crate) fn for_people(ended: &Ended<'_>) -> String {
    let Ended { world, report, .. } = *ended;
    let model = world.model();
    let mut lines = vec![];
    if !model.spec.title.is_empty() {
        lines.push(model.spec.title.clone());
    }
    lines.push(format!(
        "simulated {:.3} s in {} steps and {:.3} s of wall time: {} x real time",
        report.simulated_s,
        thousands(report.steps as f64),
        report.wall_s,
        readable(report.real_time_factor),
    ));
    if let Some(why) = end_told(world) {
        lines.push(format!("ended: {why}"));
    }
    if report.missed > 0 {
        let missed = counted(report.missed as usize, "time");
        lines.push(format!(
            "too slow for its speed: fell behind {missed}, {:.1} s in all",
            report.missed_s
        ));
    }
    if let Some(score) = score::shown(&score::by_team(model, &world.state().scores)) {
        lines.push(format!("score {score}"));
    }
    let events: Vec<String> = EventKind::ALL
        .iter()
        .map(|&kind| (kind, world.state().event_count(kind)))
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{} {}", kind.name(), thousands(count as f64)))
        .collect();
    lines.push(format!(
        "events {}",
        if events.is_empty() { "none".into() } else { events.join(", ") }
    ));
    if let Some([gained, lost]) = sphere_energy(world) {
        lines.push(format!(
            "equivalent-sphere energy error: gained {gained:.6} J, lost {lost:.6} J"
        ));
    }
    lines.extend(robot_table(world));
    lines.push(format!("state hash {}", hex(world.state_hash())));
    lines.join("\n")
}

fn robot_table(world: &World) -> Vec<String> {
    let all = robots(world);
    let count = all.len();
    if count == 0 {
        return vec![];
    }
    let mut rows = vec![vec!["robot".to_owned()]];
    let head = ["x m", "y m", "deg", "m/s", "rad/s"];
    rows[0].extend(head.map(|unit| format!("{unit:>8}")));
    if world.state().rough.is_some() {
        rows[0].extend(["z m", "roll deg", "pitch deg"].map(|unit| format!("{unit:>9}")));
    }
    rows.extend(all.take(MOST_ROBOTS).map(|robot| {
        let [x, y, theta] = robot.pose;
        let [v, omega] = robot.twist;
        let numbers =
            [fixed(x, 4), fixed(y, 4), fixed(theta.to_degrees(), 1), fixed(v, 3), fixed(omega, 3)];
        let mut row = vec![robot.name.to_owned()];
        row.extend(numbers.map(|number| format!("{number:>8}")));
        if let Some(SpaceEnd { height, roll, pitch, .. }) = robot.space {
            let numbers =
                [fixed(height, 4), fixed(roll.to_degrees(), 1), fixed(pitch.to_degrees(), 1)];
            row.extend(numbers.map(|number| format!("{number:>9}")));
        }
        row
    }));
    let mut lines = columns(&rows);
    if count > MOST_ROBOTS {
        let more = thousands((count - MOST_ROBOTS) as f64);
        lines.push(format!("... and {more} more (all of them with --json)"));
    }
    lines
}
