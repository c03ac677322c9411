//! `cargo xtask bench-peers`: our benchmarks and the same work by other engines, in one run.
//!
//! Machines differ and shared ones waver, so only figures from the same run can be compared: the
//! engines take turns for several rounds, and medians over the rounds give the ratios.

use std::collections::BTreeMap;
use std::env;
use std::process::Command;

use anyhow::{Result, bail};

use crate::bench_lines::{Line, count, median, read_lines, with_thousands};
use crate::command::{cargo, output_of, program, succeed};

const OURS: &str = "rolima";
const BENCHMARKS: [&str; 4] = ["soccer-3v3", "soccer-scrum", "crowd", "vehicle-1ms"];
const PEERS_MANIFEST: &str = "bench/peers/Cargo.toml";
/// The scripts, and what they measure.
const PYTHON_PEERS: [(&str, &str); 3] = [
    ("mujoco_soccer.py", "soccer-3v3"),
    ("pybullet_soccer.py", "soccer-3v3"),
    ("mujoco_vehicle.py", "vehicle-1ms"),
];
/// What the peers that are compiled do not measure.
const NOT_COMPILED: &str = "vehicle-1ms";
const DEFAULT_ROUNDS: u32 = 3;

/// Builds both sides, lets them take turns, prints the table.
pub(crate) fn bench_peers(arguments: &[String]) -> Result<()> {
    let Options { rounds, only } = Options::parse(arguments)?;
    let only = only.as_deref();
    succeed(&mut cargo(&["build", "--release", "--package", "rolima"]))?;
    if only != Some(NOT_COMPILED) {
        succeed(&mut cargo(&["build", "--release", "--manifest-path", PEERS_MANIFEST]))?;
    }

    let mut results = Results::default();
    for round in 1..=rounds {
        println!("round {round} of {rounds}");
        results.read(OURS, &output_of(&mut our_bench(only))?)?;
        for mut peer in peers(only) {
            // A peer that fails is left out and named; ours may not fail.
            match output_of(&mut peer) {
                Ok(lines) => results.read("", &lines)?,
                Err(error) => results.note(format!("left out: {error:#}")),
            }
        }
    }
    print!("\n{}", results.table());
    Ok(())
}

/// What the command line says.
#[derive(Debug, PartialEq)]
struct Options {
    rounds: u32,
    /// One benchmark instead of all.
    only: Option<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut options = Self { rounds: DEFAULT_ROUNDS, only: None };
        for pair in arguments.chunks(2) {
            match pair {
                [flag, given] if flag == "--rounds" => options.rounds = count(flag, given)?,
                [flag, name] if flag == "--only" => {
                    if !BENCHMARKS.contains(&name.as_str()) {
                        bail!("--only takes one of {}, got `{name}`", BENCHMARKS.join(", "));
                    }
                    options.only = Some(name.clone());
                }
                _ => bail!(
                    "`bench-peers` takes only --rounds N and --only NAME, got `{}`",
                    arguments.join(" ")
                ),
            }
        }
        Ok(options)
    }
}

fn our_bench(only: Option<&str>) -> Command {
    let mut bench = cargo(&["run", "--quiet", "--release", "--package", "rolima", "--", "bench"]);
    bench.args(BENCHMARKS.iter().filter(|name| only.is_none_or(|only| only == **name)));
    bench.arg("--json");
    bench
}

fn peers(only: Option<&str>) -> Vec<Command> {
    let rapier = ["run", "--quiet", "--release", "--manifest-path", PEERS_MANIFEST];
    let python = env::var("ROLIMA_PEER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let wanted = PYTHON_PEERS.iter().filter(|(_, name)| only.is_none_or(|only| only == *name));
    let scripts = wanted.map(|(script, _)| {
        // -B: no compiled files beside the sources.
        program(&python, &["-B", &format!("bench/peers/{script}")])
    });
    let compiled = (only != Some(NOT_COMPILED)).then(|| cargo(&rapier));
    compiled.into_iter().chain(scripts).collect()
}

/// Every value seen, and what was left out.
#[derive(Default)]
struct Results {
    units: BTreeMap<String, String>,
    values: BTreeMap<(String, String), Vec<f64>>,
    notes: Vec<String>,
}

impl Results {
    /// Takes the JSON lines of one engine's output; `engine` where a line names none.
    fn read(&mut self, engine: &str, output: &str) -> Result<()> {
        for line in read_lines(output)? {
            match line {
                Line::Skipped { engine: by, reason } => {
                    self.note(format!("{} left out: {reason}", by.as_deref().unwrap_or(engine)));
                }
                Line::Figure(figure) => {
                    let by = figure.engine.unwrap_or_else(|| engine.to_owned());
                    self.units.insert(figure.name.clone(), figure.unit);
                    self.values.entry((figure.name, by)).or_default().push(figure.value);
                }
            }
        }
        Ok(())
    }

    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn median(&self, name: &str, engine: &str) -> Option<f64> {
        median(self.values.get(&(name.to_owned(), engine.to_owned()))?)
    }

    /// One row per benchmark and peer, ours first, then the notes.
    fn table(&self) -> String {
        let mut table = format!(
            "{:<14} {:<14} {:>14} {:<14} {:>12}\n",
            "benchmark", "engine", "median", "unit", "ours/theirs"
        );
        for (name, unit) in &self.units {
            let ours = self.median(name, OURS);
            let engines = self.values.keys().filter(|(of, _)| of == name).map(|(_, by)| by);
            let (first, others): (Vec<_>, Vec<_>) = engines.partition(|by| *by == OURS);
            for engine in first.into_iter().chain(others) {
                let theirs = self.median(name, engine).unwrap_or(f64::NAN);
                let ratio = match ours {
                    Some(ours) if engine != OURS => format!("{:.1}", ours / theirs),
                    _ => String::new(),
                };
                let value = with_thousands(theirs);
                table += &format!("{name:<14} {engine:<14} {value:>14} {unit:<14} {ratio:>12}\n");
            }
        }
        for note in &self.notes {
            table += &format!("{note}\n");
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_medians_over_the_rounds() {
        let mut results = Results::default();
        for value in [8e6, 2e6, 6e6] {
            let line = format!(r#"{{"name":"soccer-3v3","value":{value},"unit":"steps/s"}}"#);
            results.read(OURS, &line).unwrap();
        }
        let peer = r#"{"name":"soccer-3v3","engine":"rapier2d","value":300000,"unit":"steps/s"}"#;
        results.read("", &format!("hello\n{peer}\n")).unwrap();
        let skipped = r#"{"engine":"mujoco","skipped":"not installed: pip install mujoco"}"#;
        results.read("", skipped).unwrap();
        results.read("", skipped).unwrap();
        let table = results.table();
        let lines: Vec<Vec<&str>> =
            table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["soccer-3v3", "rolima", "6,000,000", "steps/s"]);
        assert_eq!(lines[2], ["soccer-3v3", "rapier2d", "300,000", "steps/s", "20.0"]);
        assert_eq!(
            table.lines().nth(3),
            Some("mujoco left out: not installed: pip install mujoco")
        );
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn rounds_are_a_count_and_one_benchmark_can_be_named() {
        let parse = |words: &[&str]| {
            Options::parse(&words.iter().map(|word| word.to_string()).collect::<Vec<_>>())
        };
        assert_eq!(parse(&[]).unwrap(), Options { rounds: DEFAULT_ROUNDS, only: None });
        let only = Some("vehicle-1ms".to_owned());
        let words = ["--only", "vehicle-1ms", "--rounds", "5"];
        assert_eq!(parse(&words).unwrap(), Options { rounds: 5, only });
        assert!(parse(&["--rounds", "0"]).is_err());
        assert!(parse(&["--only", "chess"]).is_err());
        assert!(parse(&["--fast"]).is_err());
        assert_eq!(peers(Some("vehicle-1ms")).len(), 1);
        assert_eq!(peers(None).len(), 4);
    }
}
