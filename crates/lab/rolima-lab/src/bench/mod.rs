//! `rolima bench`: how fast it is.
//!
//! One thread and the CPU time of that thread, unless a benchmark says otherwise: a busy machine
//! disturbs that least. The number of steps of a run is fixed, so that its state hash can be
//! compared between machines and versions; every run must end with the same one.

mod bench_client;
mod camera_link;
mod crowd;
mod film;
mod live;
mod loading;
mod measure;
mod nav;
mod record;
mod released;
mod robotone;
mod senses;
mod soccer;
mod timer;
mod vehicle;
mod worlds;
mod worlds_to_load;

use anyhow::Result;
pub use bench_client::{ClientArguments, bench_client};
use clap::Args;
use measure::Spread;
use rolima_console::failure::{Usage, say, tell};
use rolima_console::text::{readable, thousands};
use serde_json::{Map, Value, json};

/// What `rolima bench` takes.
#[derive(Debug, Args)]
pub struct BenchArguments {
    /// Which ones; all if none is named
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Only list the benchmarks
    #[arg(long)]
    list: bool,

    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// Something that can be measured.
struct Benchmark {
    name: &'static str,
    /// What the value is, in one line.
    what: &'static str,
    run: fn() -> Result<Outcome>,
}

/// What was measured.
struct Outcome {
    value: Spread,
    unit: &'static str,
    /// What else is worth knowing.
    details: Map<String, Value>,
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        name: "soccer-3v3",
        what: "steps/s of a match, random driver on all six: few contacts",
        run: soccer::three_against_three,
    },
    Benchmark {
        name: "soccer-scrum",
        what: "steps/s of six robots pressed around one ball; beside it, of six that back off and hit again",
        run: soccer::scrum,
    },
    Benchmark {
        name: "soccer-pile",
        what: "steps/s of six robots that push one another against a wall",
        run: soccer::pile,
    },
    Benchmark {
        name: "crowd",
        what: "robot-steps/s of 10 to 10,000 robots, a tenth of the floor covered; value at 1,000",
        run: crowd::spread_out,
    },
    Benchmark {
        name: "crowd-clumped",
        what: "robot-steps/s of a packed hall, about one contact a robot, voltages held for 150 ms; value at 1,000",
        run: crowd::clumped,
    },
    Benchmark {
        name: "worlds",
        what: "steps/s of 1,024 matches on all cores, in wall time",
        run: worlds::worlds,
    },
    Benchmark {
        name: "update-33ms",
        what: "time of 33 steps of a match: what a camera frame of simulation costs",
        run: soccer::update,
    },
    Benchmark {
        name: "lidar",
        what: "rays/s, single rays in a maze of 289 walls",
        run: senses::single_rays,
    },
    Benchmark {
        name: "lidar-scan",
        what: "rays/s, whole scans of 1,080 beams in the same maze",
        run: senses::scans,
    },
    Benchmark {
        name: "camera-320x240",
        what: "pictures/s in a maze of 289 walls with 20 things in it, shaded",
        run: senses::camera,
    },
    Benchmark {
        name: "camera-terrain",
        what: "pictures/s of a road over hills, 256 x 256 nodes, with 160 trees and houses, shaded",
        run: senses::camera_on_terrain,
    },
    Benchmark {
        name: "camera-link",
        what: "CPU ms to make and send a frame of two overhead cameras, 640 x 480; beside it wall ms to the last byte, and a bare echo",
        run: camera_link::cost,
    },
    Benchmark {
        name: "camera-link-bytes",
        what: "share of a raw frame that is sent, mean over a minute of six moving robots under two ideal cameras",
        run: camera_link::bytes,
    },
    Benchmark {
        name: "hall-1000",
        what: "simulated s/s of 1,000 robots driven by speeds, 180 beams at 10 Hz each, steps of 100 ms",
        run: senses::hall,
    },
    Benchmark {
        name: "crowd-lidar",
        what: "simulated s/s of 1,000 robots with 36 beams at 10 Hz each, steps of 1 ms",
        run: senses::crowd,
    },
    Benchmark {
        name: "plan-cubic",
        what: "third-degree plans/s between random poses, all special cases mixed",
        run: nav::plan_cubic,
    },
    Benchmark {
        name: "nav-loop",
        what: "frames/s of one robot's whole chain, estimate, plan, time, control; a new plan in nearly each",
        run: nav::nav_loop,
    },
    Benchmark {
        name: "nav-tasks",
        what: "share of 1,000 random goals held within 1 cm and 3 degrees, with delay and noise; tables beside",
        run: nav::nav_tasks,
    },
    Benchmark {
        name: "vehicle-1us",
        what: "simulated over real time of a vehicle on hills, steps of 1 us, contacts searched every 20, tyres evaluated in each",
        run: vehicle::one_microsecond,
    },
    Benchmark {
        name: "vehicle-100ns",
        what: "the same with steps of 100 ns, and how far it ends from full evaluation in every step",
        run: vehicle::hundred_nanoseconds,
    },
    Benchmark {
        name: "vehicle-1ms",
        what: "steps/s of the same at 1 ms, everything in every step",
        run: vehicle::one_millisecond,
    },
    Benchmark {
        name: "fleet",
        what: "simulated over real time of 100 vehicles at 1 ms on all cores, in wall time",
        run: vehicle::fleet,
    },
    Benchmark {
        name: "record-cost",
        what: "share of the step rate that a match as fast as it goes keeps while it is recorded, all channels at 60 Hz",
        run: record::cost,
    },
    Benchmark {
        name: "record-rate",
        what: "steps/s of a match of which the state after every step is recorded, all channels",
        run: record::rate,
    },
    Benchmark {
        name: "record-size",
        what: "bytes a simulated second of a recorded match, all channels at 60 Hz",
        run: record::size,
    },
    Benchmark {
        name: "seek",
        what: "ms until any place of a recorded hour of a match is shown; 95 in 100 take no longer",
        run: record::seek,
    },
    Benchmark {
        name: "realtime",
        what: "lateness of a live match with three viewers, one of them stalled, beside a bare loop",
        run: live::realtime,
    },
    Benchmark {
        name: "viewer",
        what: "CPU time of a frame for 1, 10 and 100 viewers, and what they cost the simulation",
        run: live::viewers,
    },
    Benchmark {
        name: "loading",
        what: "30 ms deadlines that a live match misses beyond a bare loop while large maps, scenes and 32 goals come in",
        run: loading::loading,
    },
    Benchmark {
        name: "film",
        what: "pictures/s of a match from above, 640 x 480, with time, score and traces, to MP4, in wall time on two threads",
        run: film::film,
    },
    Benchmark {
        name: "export",
        what: "MB/s of CSV of a recorded match, all channels, in wall time",
        run: film::export,
    },
    Benchmark {
        name: "robotone-roundtrip",
        what: "round trip of a number by Robot One over that of a bare TCP echo; beside it pictures, and the lateness with 16 programs that poll",
        run: robotone::roundtrip,
    },
    Benchmark {
        name: "robotone-released",
        what: "of 6,000 pictures for a program that reads with one recv, as the released library does, how many it gets cut off; beside it on a busy machine",
        run: released::released,
    },
];

/// Runs the benchmarks that are asked for, or lists them.
pub fn bench(arguments: &BenchArguments) -> Result<()> {
    let chosen = choose(&arguments.names)?;
    if arguments.list {
        for benchmark in chosen {
            let Benchmark { name, what, .. } = benchmark;
            let line = json!({ "name": name, "what": what }).to_string();
            say(&if arguments.json { line } else { format!("{name:<14} {what}") })?;
        }
        return Ok(());
    }
    if cfg!(debug_assertions) {
        tell("note: a debug build; figures of a release build are some ten times higher");
    }
    for (index, benchmark) in chosen.iter().enumerate() {
        tell(&format!("measuring {} ({} of {})", benchmark.name, index + 1, chosen.len()));
        let outcome = (benchmark.run)()?;
        if arguments.json {
            say(&as_json(benchmark.name, outcome).to_string())?;
        } else {
            if index == 0 {
                say(&table_line("benchmark", "median", "unit", "lowest", "highest"))?;
            }
            say(&for_people(benchmark.name, &outcome))?;
        }
    }
    Ok(())
}

fn choose(names: &[String]) -> Result<Vec<&'static Benchmark>> {
    if names.is_empty() {
        return Ok(BENCHMARKS.iter().collect());
    }
    let find = |name: &String| {
        BENCHMARKS.iter().find(|benchmark| benchmark.name == name).ok_or_else(|| {
            let known: Vec<&str> = BENCHMARKS.iter().map(|benchmark| benchmark.name).collect();
            Usage(format!("expected one of {}, got `{name}`", known.join(", "))).into()
        })
    };
    names.iter().map(find).collect()
}

fn as_json(name: &str, outcome: Outcome) -> Value {
    let Outcome { value, unit, details } = outcome;
    let mut line = json!({
        "name": name, "value": value.median, "unit": unit,
        "min": value.min, "max": value.max, "runs": value.runs,
    });
    if let Some(object) = line.as_object_mut() {
        object.extend(details);
    }
    line
}

fn table_line(name: &str, median: &str, unit: &str, lowest: &str, highest: &str) -> String {
    format!("{name:<14} {median:>14} {unit:<14} {lowest:>14} {highest:>14}").trim_end().to_owned()
}

fn for_people(name: &str, outcome: &Outcome) -> String {
    let Spread { median, min, max, .. } = outcome.value;
    let first = table_line(name, &readable(median), outcome.unit, &readable(min), &readable(max));
    let details = outcome
        .details
        .iter()
        .map(|(key, value)| format!("\n    {} {}", key.replace('_', " "), shown(value)));
    first + &details.collect::<String>()
}

/// A detail for people.
fn shown(value: &Value) -> String {
    match value {
        Value::Number(number) if number.is_u64() => thousands(number.as_f64().unwrap_or(f64::NAN)),
        Value::Number(number) => readable(number.as_f64().unwrap_or(f64::NAN)),
        // A table: a line for each row.
        Value::Object(entries) if entries.values().any(Value::is_object) => {
            let each =
                entries.iter().map(|(key, value)| format!("\n        {key}: {}", shown(value)));
            each.collect()
        }
        Value::Object(entries) => {
            let each = entries.iter().map(|(key, value)| format!("{key}: {}", shown(value)));
            each.collect::<Vec<_>>().join(", ")
        }
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_name_value_unit_and_the_details() {
        let value = Spread::of(vec![3.0, 1.0, 2.0]);
        let mut details = Map::new();
        details.insert("by_robots".to_owned(), json!({ "10": 1.5e7 }));
        let line = as_json("crowd", Outcome { value, unit: "robot-steps/s", details });
        let expected = r#"{"name":"crowd","value":2.0,"unit":"robot-steps/s","min":1.0,"max":3.0,"runs":3,"by_robots":{"10":15000000.0}}"#;
        assert_eq!(line.to_string(), expected);
    }

    #[test]
    fn an_unknown_name_is_told_with_the_known_ones() {
        let error = choose(&["socer".to_owned()]).err().unwrap();
        assert!(error.is::<Usage>());
        assert!(error.to_string().contains("soccer-3v3"), "{error}");
        assert_eq!(choose(&[]).unwrap().len(), BENCHMARKS.len());
    }
}
