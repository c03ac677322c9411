//! `rolima compare`: recordings, tables of runs and measured paths side by side.
//!
//! The first is the reference; the others are compared with it, their paths by time and by the way that was
//! gone, their signals by time.
//!
//! | module | what |
//! |---|---|
//! | `run` | what is compared, read from files |
//! | `course` | by how much two courses differ |
//! | `figures` | paths and signals as plots, and the page |

mod course;
mod figures;
mod run;

use anyhow::{Context, Result};
use clap::Args;
use course::Difference;
use rolima_console::failure::{Usage, say};
use rolima_console::text::columns;
use run::{Run, Wanted};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// What `rolima compare` takes.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// Recordings (`run --record`), tables of runs (`run --csv`, `export --csv`), or measured paths in text: lines
    /// of `t x y z` or `x y z` in seconds and metres. The first is the reference
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    runs: Vec<PathBuf>,

    /// Whose path: a robot, ball or object by its name [default: the first robot of the first that has one]
    #[arg(long, value_name = "NAME")]
    body: Option<String>,

    /// Signals to compare, by patterns such as `robot.blue-1.**` [default: heading, speed and turning of the body]
    #[arg(long, value_name = "PATTERNS")]
    channels: Option<String>,

    /// Draw paths, signals and differences here: SVG files and a page about them all, `index.html`
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The most signals of a run that are compared: each is a plot.
const MOST_SIGNALS: usize = 200;

/// A run beside the reference.
struct Compared<'a> {
    run: &'a Run,
    /// None where one of the two has no times, or they have none in common.
    by_time: Option<Difference>,
    /// None where one of the two has no path.
    by_length: Option<Difference>,
    /// Signals by their names, with units.
    signals: Vec<(&'a str, &'a str, Difference)>,
}

/// Compares, prints by how much they differ, and draws it.
pub fn compare(arguments: &CompareArguments) -> Result<()> {
    let wanted =
        Wanted { body: arguments.body.as_deref(), channels: arguments.channels.as_deref() };
    let mut body = None;
    let mut runs: Vec<Run> = vec![];
    for path in &arguments.runs {
        let run = run::read(path, &wanted, &mut body)?;
        if run.signals.len() > MOST_SIGNALS {
            let got = format!("{} in {}", run.signals.len(), run.name);
            let expected = format!("patterns that at most {MOST_SIGNALS} channels match");
            return Err(Usage(format!("--channels: expected {expected}, got {got}")).into());
        }
        runs.push(run);
    }
    let [reference, others @ ..] = &runs[..] else { return Ok(()) };
    let compared: Vec<Compared<'_>> = others.iter().map(|run| beside(reference, run)).collect();
    if let Some(patterns) = &arguments.channels
        && compared.iter().all(|one| one.signals.is_empty())
    {
        let expected = "patterns of channels that the first and another one have";
        return Err(Usage(format!("--channels: expected {expected}, got `{patterns}`")).into());
    }
    if arguments.json {
        say(&as_json(reference, &compared).to_string())?;
    } else {
        for line in for_people(reference, &compared) {
            say(&line)?;
        }
    }
    let Some(folder) = &arguments.out else { return Ok(()) };
    let page = draw(folder, &runs, &compared)?;
    if !arguments.json {
        say(&format!("see {}", page.display()))?;
    }
    Ok(())
}

/// Compares a run with the reference.
fn beside<'a>(reference: &'a Run, run: &'a Run) -> Compared<'a> {
    let both = flat_where_needed(reference, run);
    let [own, other] = &both;
    let are_timed = reference.is_timed && run.is_timed;
    let by_time = are_timed.then(|| own.difference(other)).flatten();
    let by_length = own.by_length().difference(&other.by_length());
    let signal = |own: &'a run::Signal| {
        let other = run.signals.iter().find(|other| other.name == own.name)?;
        let mut other = other.course.clone();
        if own.unit == "rad" {
            same_turn(&own.course, &mut other);
        }
        Some((&own.name[..], &own.unit[..], own.course.difference(&other)?))
    };
    let signals = reference.signals.iter().filter_map(signal).collect();
    Compared { run, by_time, by_length, signals }
}

/// The paths of two; without heights where one of the two has none.
fn flat_where_needed(one: &Run, other: &Run) -> [course::Course; 2] {
    let has_z = one.has_z && other.has_z;
    [one, other].map(|run| {
        let mut path = run.path.clone();
        if !has_z {
            path.points.iter_mut().for_each(|point| point[2] = 0.0);
        }
        path
    })
}

/// Moves an angle by whole turns to where the other one begins.
fn same_turn(own: &course::Course, other: &mut course::Course) {
    use std::f64::consts::TAU;
    let (Some(a), Some(b)) = (own.points.first(), other.points.first()) else { return };
    let turns = ((a[0] - b[0]) / TAU).round() * TAU;
    other.points.iter_mut().for_each(|point| point[0] += turns);
}

/// One row of numbers: what, unit of the difference, the difference, unit of where it is.
type Row<'a> = (String, &'a str, &'a Difference, &'static str);

fn rows<'a>(compared: &'a Compared<'_>) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = vec![];
    if let Some(difference) = &compared.by_time {
        rows.push(("path by time".to_owned(), "m", difference, "s"));
    }
    if let Some(difference) = &compared.by_length {
        rows.push(("path by length".to_owned(), "m", difference, "m"));
    }
    for (name, unit, difference) in &compared.signals {
        rows.push(((*name).trim_start_matches('.').to_owned(), *unit, difference, "s"));
    }
    rows
}

fn for_people(reference: &Run, compared: &[Compared<'_>]) -> Vec<String> {
    let mut lines = vec![format!("beside {}:", reference.name)];
    let head = ["run", "what", "unit", "maximum", "at", "rms", "end", "compared"];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    for one in compared {
        for (what, unit, d, over) in rows(one) {
            table.push(vec![
                one.run.name.clone(),
                what,
                unit.to_owned(),
                number(d.maximum),
                format!("{} {over}", number(d.maximum_at)),
                number(d.rms),
                number(d.end),
                format!("{} to {} {over}", number(d.from), number(d.to)),
            ]);
        }
    }
    lines.extend(columns(&table));
    for one in compared.iter().filter(|one| rows(one).is_empty()) {
        lines.push(format!("{}: it has nothing in common with the first", one.run.name));
    }
    lines
}

/// A number of any size, in five digits.
fn number(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&size) {
        let decimals = match size {
            s if s >= 1e4 => 0,
            s if s >= 1e3 => 1,
            s if s >= 1e2 => 2,
            s if s >= 1e1 => 3,
            _ => 4,
        };
        format!("{value:.decimals$}")
    } else {
        format!("{value:.3e}")
    }
}

fn as_json(reference: &Run, compared: &[Compared<'_>]) -> Value {
    let difference = |d: &Difference, unit: &str, over: &str| {
        json!({
            "unit": unit, "maximum": d.maximum, "rms": d.rms, "end": d.end, "over": over,
            "maximum_at": d.maximum_at, "from": d.from, "to": d.to,
        })
    };
    let one = |one: &Compared<'_>| {
        let path =
            |d: &Option<Difference>, over: &str| d.as_ref().map(|d| difference(d, "m", over));
        let signals: Map<String, Value> = one
            .signals
            .iter()
            .map(|(name, unit, d)| {
                (name.trim_start_matches('.').to_owned(), difference(d, unit, "s"))
            })
            .collect();
        json!({
            "run": one.run.name, "path_by_time": path(&one.by_time, "s"),
            "path_by_length": path(&one.by_length, "m"), "signals": signals,
        })
    };
    json!({
        "reference": reference.name,
        "compared": compared.iter().map(one).collect::<Vec<_>>(),
    })
}

/// Writes all plots and the page about them, which is returned.
fn draw(folder: &Path, runs: &[Run], compared: &[Compared<'_>]) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let figures = figures::figures(runs, compared);
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| path.display().to_string())?;
        Ok::<_, anyhow::Error>(path)
    };
    for figure in &figures {
        write(&format!("{}.svg", figure.file), &figure.svg)?;
    }
    let table: Vec<(&str, Vec<Row<'_>>)> =
        compared.iter().map(|one| (&one.run.name[..], rows(one))).collect();
    write("index.html", &figures::page(&runs[0].name, &table, &figures))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_size_have_five_digits() {
        let all = [0.0, 0.001, 1.5, 12.34567, 99999.0, 1e5, -2.0, 1.23456e-9].map(number);
        assert_eq!(
            all,
            ["0", "0.0010", "1.5000", "12.346", "99999", "1.000e5", "-2.0000", "1.235e-9"]
        );
    }
}
