//! What a run prints when it ends: for people, and as JSON.

use crate::score;
use crate::text::{columns, counted, fixed, hex, readable, thousands};
use rolima_core::{EventKind, World};
use rolima_run::Report;
use rolima_run::live::{Lateness, SceneSummary, Session};
use rolima_run::quantities::{Quantities, sphere_energy};
use serde_json::{Map, Value, json};

/// Most robots in a summary for people.
const MOST_ROBOTS: usize = 12;

/// A run that is over.
pub struct Ended<'a> {
    /// The world, and how far it got.
    pub session: &'a Session,
    /// How fast it was.
    pub report: &'a Report,
    /// Whether it ran against the clock, so that deadlines mean something.
    pub live: bool,
}

/// How far a session got in this much wall time, s, that did not run against the clock.
pub fn unpaced(session: &Session, wall_s: f64) -> Report {
    let simulated_s = session.simulated_s();
    Report {
        steps: session.steps_done(),
        simulated_s,
        wall_s,
        real_time_factor: if wall_s > 0.0 { simulated_s / wall_s } else { 0.0 },
        ..Report::default()
    }
}

/// Why and when the scene ended the run, if it did.
pub fn end_reason(world: &World) -> Option<String> {
    let robot = &world.model().robots[world.end()?.robot.index()];
    Some(format!("{} left the terrain at {:.3} s", robot.name, world.time_s()))
}

/// The result for programs, with the channels that are asked for by name.
pub fn as_json(ended: &Ended<'_>, channels: Option<&str>) -> Value {
    let Ended { session, report, .. } = *ended;
    let mut result = Map::from_iter([
        ("simulated_s".to_owned(), report.simulated_s.into()),
        ("steps".to_owned(), report.steps.into()),
        ("wall_s".to_owned(), report.wall_s.into()),
        ("real_time_factor".to_owned(), report.real_time_factor.into()),
    ]);
    result.extend(scenes_json(session));
    result.extend(Quantities::of(session).as_json(session.world(), channels));
    if ended.live {
        result.insert("deadlines".to_owned(), deadlines(report));
    }
    Value::Object(result)
}

/// How far a run got in each of its scenes, if there is more to say than above.
fn scenes_json(session: &Session) -> Map<String, Value> {
    let (left, scene) = (session.scenes_left(), session.scene());
    if scene.starts == 1 && left.kept().next().is_none() {
        return Map::new();
    }
    let scenes = left.kept().chain([&scene]).map(scene_json).collect();
    Map::from_iter([
        ("scenes_before".to_owned(), left.older().into()),
        ("scenes".to_owned(), scenes),
    ])
}

/// How far a run got in one scene.
fn scene_json(scene: &SceneSummary) -> Value {
    let counts = |all: Vec<(&str, u64)>| -> Value {
        Value::Object(all.into_iter().map(|(name, n)| (name.to_owned(), n.into())).collect())
    };
    json!({
        "title": scene.title,
        "simulated_s": scene.simulated_s,
        "steps": scene.steps,
        "starts": scene.starts,
        "since_start_s": scene.since_start_s,
        "scores": counts(scene.scores.iter().map(|(team, n)| (team.as_str(), *n)).collect()),
        "events": counts(scene.events.iter().map(|(kind, n)| (kind.name(), *n)).collect()),
        "state_hash": hex(scene.state_hash),
    })
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

/// The result for people: of every scene by itself, if there were several, and of all of them.
pub fn for_people(ended: &Ended<'_>) -> String {
    let Ended { session, report, .. } = *ended;
    let (left, scene) = (session.scenes_left(), session.scene());
    let in_all = format!(
        "simulated {:.3} s in {} steps and {:.3} s of wall time: {} x real time",
        report.simulated_s,
        thousands(report.steps as f64),
        report.wall_s,
        readable(report.real_time_factor),
    );
    let mut lines = vec![];
    let is_only = left.kept().next().is_none();
    let mut number = left.older();
    let mut heading = |title: &str| {
        number += 1;
        if title.is_empty() {
            format!("scene {number}")
        } else {
            format!("scene {number}: {title}")
        }
    };
    if left.older() > 0 {
        lines.push(format!("... {} scenes before\n", thousands(left.older() as f64)));
    }
    for earlier in left.kept() {
        lines.extend([heading(&earlier.title), simulated(earlier)]);
        lines.extend(counts(earlier));
        lines.push(format!("state hash {}\n", hex(earlier.state_hash)));
    }
    if !is_only {
        lines.extend([heading(&scene.title), simulated(&scene)]);
    } else {
        lines.extend(Some(scene.title.clone()).filter(|title| !title.is_empty()));
        lines.push(in_all.clone());
    }
    lines.extend(end_reason(session.world()).map(|why| format!("ended: {why}")));
    lines.extend(Some(too_slow(report)).filter(|_| is_only && report.missed > 0));
    lines.extend(counts(&scene));
    if let Some([gained, lost]) = sphere_energy(session.world()) {
        lines.push(format!(
            "equivalent-sphere energy error: gained {gained:.6} J, lost {lost:.6} J"
        ));
    }
    lines.extend(robot_table(session));
    lines.push(format!("state hash {}", hex(scene.state_hash)));
    if !is_only {
        lines.push(format!("\nin all: {in_all}"));
        lines.extend(Some(too_slow(report)).filter(|_| report.missed > 0));
    }
    lines.join("\n")
}

fn too_slow(report: &Report) -> String {
    let missed = counted(report.missed as usize, "time");
    format!("too slow for its speed: fell behind {missed}, {:.1} s in all", report.missed_s)
}

fn simulated(scene: &SceneSummary) -> String {
    let steps = thousands(scene.steps as f64);
    format!("simulated {:.3} s in {steps} steps", scene.simulated_s)
}

/// What was counted in a scene, and since when, if it was started over.
fn counts(scene: &SceneSummary) -> Vec<String> {
    let mut lines = vec![];
    if scene.starts > 1 {
        let times = counted(scene.starts as usize - 1, "time");
        lines.push(format!("started over {times}; since then {:.3} s:", scene.since_start_s));
    }
    lines.extend(score::text(&scene.scores).map(|score| format!("score {score}")));
    let event =
        |(kind, count): &(EventKind, u64)| format!("{} {}", kind.name(), thousands(*count as f64));
    let events: Vec<String> = scene.events.iter().map(event).collect();
    lines.push(match events.is_empty() {
        true => "events none".to_owned(),
        false => format!("events {}", events.join(", ")),
    });
    lines
}

fn robot_table(session: &Session) -> Vec<String> {
    let model = session.world().model();
    let count = model.robots.len();
    if count == 0 {
        return vec![];
    }
    let of_plane = ["x", "y", "heading", "speed.forward", "omega"];
    let of_space = ["z", "roll", "pitch"];
    let mut rows = vec![vec!["robot".to_owned()]];
    let head = ["x m", "y m", "deg", "m/s", "rad/s"];
    rows[0].extend(head.map(|unit| format!("{unit:>8}")));
    let quantities = Quantities::of(session);
    let first = format!("robot.{}", model.robots[0].name);
    if of_space.iter().all(|channel| quantities.number(&first, channel).is_some()) {
        rows[0].extend(["z m", "roll deg", "pitch deg"].map(|unit| format!("{unit:>9}")));
    }
    rows.extend(model.robots.iter().take(MOST_ROBOTS).map(|robot| {
        let of = |channel: &str| quantities.number(&format!("robot.{}", robot.name), channel);
        let shown = |channel: &str| {
            let number = of(channel)?;
            Some(match channel {
                "x" | "y" | "z" => fixed(number, 4),
                "heading" | "roll" | "pitch" => fixed(number.to_degrees(), 1),
                _ => fixed(number, 3),
            })
        };
        let mut row = vec![robot.name.clone()];
        row.extend(of_plane.iter().filter_map(|c| shown(c)).map(|number| format!("{number:>8}")));
        row.extend(of_space.iter().filter_map(|c| shown(c)).map(|number| format!("{number:>9}")));
        row
    }));
    let mut lines = columns(&rows);
    if count > MOST_ROBOTS {
        let more = thousands((count - MOST_ROBOTS) as f64);
        lines.push(format!("... and {more} more (all of them with --json)"));
    }
    lines
}
