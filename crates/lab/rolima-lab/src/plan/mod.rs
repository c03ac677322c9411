//! `rolima plan`: a path between two poses, with its numbers.

mod arguments;

pub use arguments::PlanArguments;

use crate::plot::{COLOURS, Plot};
use anyhow::{Context, Result};
use rolima_console::failure::say;
use rolima_console::text::{columns, fixed};
use rolima_math::Pose2;
use rolima_nav::NavError;
use rolima_nav::drive::Parameters;
use rolima_nav::path::hermite::{self, Relaxed};
use rolima_nav::path::{Leg, LegShape, Method, Note, Plan, plan as find};
use rolima_nav::trajectory::{SpeedProfile, Trajectory, TrajectoryLimits};
use serde_json::{Value, json};

/// Plans, and says what came of it.
pub fn plan(arguments: &PlanArguments) -> Result<()> {
    let (from, to) = (arguments.from.pose, arguments.to.pose);
    let method = arguments.method()?;
    let found = find(from, to, method).map_err(|error| arguments.refused(error))?;
    let time_s = time_of(&found).map_err(|error| arguments.refused(error))?;
    if let Some(path) = &arguments.svg {
        std::fs::write(path, drawn(&found, from, to)).with_context(|| {
            format!("--svg: expected a file that can be written, got `{}`", path.display())
        })?;
    }
    if arguments.json {
        say(&as_json(&found, from, to, method, arguments.samples, time_s).to_string())?;
    } else {
        for line in for_people(&found, from, to, method, time_s) {
            say(&line)?;
        }
    }
    Ok(())
}

/// How long the minirobot takes from rest to rest, s.
fn time_of(found: &Plan) -> Result<f64, NavError> {
    let profile = SpeedProfile::new(&Parameters::MINIROBOT.drive()?, TrajectoryLimits::default())?;
    let mut trajectory = Trajectory::default();
    trajectory.time(&found.path, &profile, 0.0, 0.0)?;
    Ok(trajectory.duration())
}

fn relaxed_name(relaxed: Relaxed) -> &'static str {
    match relaxed {
        Relaxed::No => "no",
        Relaxed::Infeasible => "infeasible",
        Relaxed::Sharp => "too sharp",
        Relaxed::NotAsked => "not asked",
    }
}

fn note_text(found: &Plan) -> Option<String> {
    match found.note {
        Note::None => None,
        Note::InsteadOf(why) => Some(format!("cubic instead: {why}")),
        Note::HeadingsLost { first, last } => Some(lost_text(first, last)),
        Note::Divided => Some(match found.path.legs().len() {
            0..=2 => "divided by an intermediate pose".to_owned(),
            legs => format!("divided by {} intermediate poses", legs - 1),
        }),
        Note::Arcs => Some("arcs and lines: no curve keeps the radius".to_owned()),
    }
}

/// What a printed curve loses, and what makes up for it.
fn lost_text(first: f64, last: f64) -> String {
    let end = |off: f64, verb: &str, place: &str| {
        let degrees = off.to_degrees().abs();
        if degrees > 179.995 {
            return Some(format!("{verb} against the {place} heading"));
        }
        let side = if off > 0.0 { "left" } else { "right" };
        let degrees = fixed(degrees, 2);
        (off != 0.0)
            .then(|| format!("{verb} {degrees} degrees to the {side} of the {place} heading"))
    };
    let ends = [end(first, "leaves", "first"), end(last, "arrives", "last")];
    let lost = ends.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    format!("the curve as printed {lost}; a turn on the spot makes up for it")
}

/// A curvature as people think of it.
fn bend_text(curvature: f64) -> String {
    let size = curvature.abs();
    if size == 0.0 {
        "none".to_owned()
    } else if size.is_finite() {
        format!("{} 1/m, radius {} m", fixed(size, 3), fixed(1.0 / size, 4))
    } else {
        "without bound: the curve stands still at a point".to_owned()
    }
}

/// What became of the criterion on an axis. It speaks of one curve that is driven forwards; turns on
/// the spot, backing up and lost headings may do what no such curve can.
fn criterion_text(feasible: bool, met: bool, relaxed: Relaxed) -> String {
    match (feasible, met) {
        (true, true) => "can be met, and is".to_owned(),
        (true, false) => {
            let why = match relaxed {
                Relaxed::Sharp => ": the bend would be too sharp",
                Relaxed::NotAsked => ": this method does not ask for it",
                Relaxed::No | Relaxed::Infeasible => "",
            };
            format!("can be met, and is not{why}")
        }
        (false, false) => "no single curve can meet it, and this path does not".to_owned(),
        (false, true) => "no single curve can meet it, but this path does".to_owned(),
    }
}

/// Whether the path never turns back in x, and in y: no leg does, and all go the same way.
fn met(found: &Plan) -> [bool; 2] {
    let mut met = [true; 2];
    // The way of all legs before, by its sign.
    let mut ways = [0.0; 2];
    for leg in found.path.legs() {
        let turns = turns_back(leg);
        let way = leg.pose(1.0).position - leg.pose(0.0).position;
        for (axis, way) in [way.x, way.y].into_iter().enumerate() {
            let goes = way.abs() > 1e-9;
            met[axis] &= !(turns[axis] || goes && ways[axis] * way < 0.0);
            if goes {
                ways[axis] = way.signum();
            }
        }
    }
    met
}

/// Whether a leg has an extremum of x, and of y, between its ends.
fn turns_back(leg: &Leg) -> [bool; 2] {
    const HALF: f64 = core::f64::consts::PI;
    match leg.shape {
        LegShape::Cubic(curve) => {
            curve.extrema().map(|at| at.is_some_and(|at| at > 1e-9 && at < 1.0 - 1e-9))
        }
        LegShape::Arc { from, length, curvature } => {
            // x turns back where the heading passes straight up or down, y where it passes along x.
            let ends = [from.theta(), from.theta() + curvature * length];
            let (low, high) = (ends[0].min(ends[1]) + 1e-9, ends[0].max(ends[1]) - 1e-9);
            [0.5 * HALF, 0.0].map(|first| {
                let passed = |heading: f64| ((heading - first) / HALF).floor();
                low < high && passed(low) != passed(high)
            })
        }
        LegShape::Turn { .. } => [false; 2],
    }
}

/// Numbers that JSON has: infinity becomes null.
fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}

fn pose_json(pose: Pose2) -> Value {
    json!({ "x": pose.position.x, "y": pose.position.y, "heading_deg": pose.theta().to_degrees() })
}

fn leg_json(leg: &Leg) -> Value {
    let mut entry = match leg.shape {
        LegShape::Turn { from, by } => {
            json!({ "kind": "turn", "at": pose_json(from), "by_deg": by.to_degrees() })
        }
        LegShape::Arc { length, curvature, .. } => json!({
            "kind": if curvature == 0.0 { "line" } else { "arc" },
            "length_m": length, "curvature_per_m": curvature,
        }),
        LegShape::Cubic(curve) => {
            let c = curve.coefficients();
            let (most, at) = curve.largest_curvature();
            json!({
                "kind": "cubic", "a": c.a, "b": c.b,
                "k0_m": curve.d0.length(), "k1_m": curve.d2.length(),
                "length_m": leg.arc_length(1.0),
                "curvature_most_per_m": finite(most), "curvature_most_at": at,
                "curvature_bounds_per_m": curve.curvature_bounds().map(finite),
                "extrema": curve.extrema(),
            })
        }
    };
    entry["backwards"] = json!(leg.backwards);
    entry
}

fn as_json(
    found: &Plan,
    from: Pose2,
    to: Pose2,
    method: Method,
    samples: u32,
    time_s: f64,
) -> Value {
    let path = &found.path;
    let sample = |i: u32| {
        let at = path.end() * f64::from(i) / f64::from(samples - 1);
        path.at(at).map(|s| {
            json!({
                "parameter": at, "x": s.point.x, "y": s.point.y,
                "heading_deg": s.heading.angle().to_degrees(),
                "curvature_per_m": s.curvature, "way_m": s.arc_length, "backwards": s.backwards,
            })
        })
    };
    let feasible = hermite::feasible(from, to).unwrap_or([false; 2]);
    let [x, y] = met(found);
    json!({
        "method": method.name(), "from": pose_json(from), "to": pose_json(to),
        "length_m": path.length(), "turning_deg": path.turning().to_degrees(),
        "curvature_most_per_m": finite(path.largest_curvature()),
        "curvature_bounds_per_m": path.curvature_bounds().map(finite),
        "time_s": time_s,
        "criterion": {
            "feasible": feasible == [true; 2], "met": x && y,
            "x": { "feasible": feasible[0], "met": x, "relaxed": relaxed_name(found.relaxed[0]) },
            "y": { "feasible": feasible[1], "met": y, "relaxed": relaxed_name(found.relaxed[1]) },
        },
        "note": note_text(found),
        "legs": path.legs().iter().map(leg_json).collect::<Vec<_>>(),
        "samples": (0..samples).filter_map(sample).collect::<Vec<_>>(),
    })
}

fn for_people(found: &Plan, from: Pose2, to: Pose2, method: Method, time_s: f64) -> Vec<String> {
    let path = &found.path;
    let feasible = hermite::feasible(from, to).unwrap_or([false; 2]);
    let met = met(found);
    let most = path.largest_curvature();
    let axis = |i: usize| criterion_text(feasible[i], met[i], found.relaxed[i]);
    let mut rows = vec![
        ["method".to_owned(), method.name().to_owned()],
        ["length".to_owned(), format!("{} m", fixed(path.length(), 6))],
        [
            "turns on the spot".to_owned(),
            format!("{} degrees", fixed(path.turning().to_degrees(), 1)),
        ],
        ["largest curvature".to_owned(), bend_text(most)],
        ["time, minirobot".to_owned(), format!("{} s", fixed(time_s, 2))],
        ["no extremum in x".to_owned(), axis(0)],
        ["no extremum in y".to_owned(), axis(1)],
    ];
    if let Some(note) = note_text(found) {
        rows.push(["note".to_owned(), note]);
    }
    for (i, leg) in path.legs().iter().enumerate() {
        let back = if leg.backwards { ", backwards" } else { "" };
        let text = match leg.shape {
            LegShape::Turn { by, .. } => format!("turn by {} degrees", fixed(by.to_degrees(), 2)),
            LegShape::Arc { length, curvature: 0.0, .. } => {
                format!("line of {} m{back}", fixed(length, 4))
            }
            LegShape::Arc { length, curvature, .. } => {
                let side = if curvature > 0.0 { "left" } else { "right" };
                let radius = fixed(1.0 / curvature.abs(), 4);
                format!("arc of {} m to the {side}, radius {radius} m{back}", fixed(length, 4))
            }
            LegShape::Cubic(curve) => {
                let c = curve.coefficients();
                let list = |k: [f64; 4]| k.map(|x| fixed(x, 5)).join(", ");
                format!("cubic: a = {}; b = {}{back}", list(c.a), list(c.b))
            }
        };
        rows.push([format!("leg {}", i + 1), text]);
    }
    columns(&rows.into_iter().map(|row| row.to_vec()).collect::<Vec<_>>())
}

fn drawn(found: &Plan, from: Pose2, to: Pose2) -> String {
    let path = &found.path;
    let points: Vec<_> =
        (0..=400).map(|i| path.pose(path.end() * f64::from(i) / 400.0).position).collect();
    let robots = [from, to].into_iter().flat_map(Plot::robot_corners);
    let mut plot = Plot::map_around("Planned path", points.iter().copied().chain(robots));
    plot.rectangle(from.position, to.position, "#9aa0a6");
    plot.line(points, COLOURS[0], false);
    plot.robot(from, COLOURS[2]);
    plot.robot(to, COLOURS[1]);
    plot.finish()
}
