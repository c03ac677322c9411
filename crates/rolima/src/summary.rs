//! What a run prints when it ends.

use crate::quantities::robots::{self, Attitude};
use crate::quantities::{self, sphere_energy};
use crate::score;
use crate::text::{columns, counted, fixed, readable, thousands};
use rolima_core::{EventKind, World};
use rolima_run::Report;
use rolima_run::live::{Lateness, Player};
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

/// How far a player got in this much wall time, s, that did not go by the clock.
pub(crate) fn unpaced(player: &Player, wall_s: f64) -> Report {
    let simulated_s = player.simulated_s();
    Report {
        steps: player.steps_done(),
        simulated_s,
        wall_s,
        real_time_factor: if wall_s > 0.0 { simulated_s / wall_s } else { 0.0 },
        ..Report::default()
    }
}

/// Why and when the scene ended the run, if it did.
pub(crate) fn end_told(world: &World) -> Option<String> {
    let robot = &world.model().robots[world.end()?.robot as usize];
    Some(format!("{} left the terrain at {:.3} s", robot.name, world.time_s()))
}

/// A hash as 16 hexadecimal digits.
pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// The result for programs.
pub(crate) fn as_json(ended: &Ended<'_>) -> Value {
    let Ended { world, report, .. } = *ended;
    let mut result = Map::from_iter([
        ("simulated_s".to_owned(), report.simulated_s.into()),
        ("steps".to_owned(), report.steps.into()),
        ("wall_s".to_owned(), report.wall_s.into()),
        ("real_time_factor".to_owned(), report.real_time_factor.into()),
    ]);
    result.extend(quantities::of_world(world));
    if ended.live {
        result.insert("deadlines".to_owned(), deadlines(report));
    }
    Value::Object(result)
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
    let frame = world.frame();
    let count = world.model().robots.len();
    if count == 0 {
        return vec![];
    }
    let mut rows = vec![vec!["robot".to_owned()]];
    let head = ["x m", "y m", "deg", "m/s", "rad/s"];
    rows[0].extend(head.map(|unit| format!("{unit:>8}")));
    if world.state().rough.is_some() {
        rows[0].extend(["z m", "roll deg", "pitch deg"].map(|unit| format!("{unit:>9}")));
    }
    rows.extend(robots::each(world, &frame).take(MOST_ROBOTS).map(|robot| {
        let [x, y, theta] = robot.pose();
        let [v, omega] = robot.twist();
        let numbers =
            [fixed(x, 4), fixed(y, 4), fixed(theta.to_degrees(), 1), fixed(v, 3), fixed(omega, 3)];
        let mut row = vec![robot.name().to_owned()];
        row.extend(numbers.map(|number| format!("{number:>8}")));
        if let Some(Attitude { height, roll, pitch, .. }) = robot.attitude() {
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
