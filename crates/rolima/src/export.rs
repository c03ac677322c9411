//! `rolima export`: the tables of a recording.

use crate::run::stop_on_signals;
use anyhow::{Context, Result};
use clap::Args;
use rolima_console::channels::choose_among;
use rolima_console::failure::{Usage, say, tell};
use rolima_console::files::create;
use rolima_console::numbers::{seconds, whole};
use rolima_console::progress::ProgressLine;
use rolima_console::text::{counted, thousands};
use rolima_export::{Csv, Export, TableError, TableSink, write_events};
use rolima_record::Recording;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("to").required(true))]
pub(crate) struct ExportArguments {
    /// The recording (`rolima run --record FILE`)
    #[arg(value_name = "FILE")]
    recording: PathBuf,

    /// Write CSV files into this folder, which is made: `channels.csv` (of further scenes `channels-2.csv` ...)
    /// and `events.csv`
    #[arg(long, value_name = "FOLDER", group = "to")]
    csv: Option<PathBuf>,

    /// Write one scene as a Parquet file
    #[arg(long, value_name = "FILE", group = "to")]
    parquet: Option<PathBuf>,

    /// Only the channels whose names match, such as `robot.blue-1.**,ball.*.x`
    #[arg(long, value_name = "PATTERNS")]
    channels: Option<String>,

    /// Rows a second of simulated time, at most as many as were recorded [default: all]
    #[arg(long, value_name = "HZ", value_parser = rate)]
    rate: Option<f64>,

    /// Only this scene of a run that had several, from 1
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_u32))]
    scene: Option<u32>,

    /// Begin at this simulated time of the run
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    start: Option<f64>,

    /// End after so much simulated time
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    duration_s: Option<f64>,

    /// Write over old tables
    #[arg(long)]
    force: bool,
}

/// What matches no pattern.
const NO_NAME: &str = "no name in the recording";

/// Takes a number of rows a second.
fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|&number: &f64| number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a number of rows a second above 0".to_owned())
}

/// Writes the tables, and says what there is.
pub(crate) fn export(arguments: &ExportArguments) -> Result<()> {
    let path = &arguments.recording;
    let recording = Recording::open(path).map_err(|error| Usage(error.to_string()))?;
    if let Some(damage) = recording.damage() {
        tell(&format!("note: {damage}; what is before it is exported"));
    }
    let exports = exports(arguments, &recording)?;
    let stop = stop_on_signals()?;
    match (&arguments.csv, &arguments.parquet) {
        (Some(folder), _) => as_csv(arguments, folder, &recording, &exports, &stop),
        (_, Some(file)) => as_parquet(arguments, file, &recording, &exports, &stop),
        (None, None) => Ok(()),
    }
}

/// What is exported of each scene.
fn exports(arguments: &ExportArguments, recording: &Recording) -> Result<Vec<Export>, Usage> {
    let scenes = recording.scenes();
    let [first_s, last_s] = recording.span_s();
    let begin_s = arguments.start.unwrap_or(first_s);
    if begin_s > last_s {
        let name = arguments.recording.display();
        return Err(Usage(format!("--start {begin_s}: {name} ends at {last_s} s")));
    }
    let span_s = [begin_s, arguments.duration_s.map_or(last_s, |s| begin_s + s)];
    let wanted = |number: &usize| arguments.scene.is_none_or(|n| n as usize == number + 1);
    let numbers: Vec<usize> = (0..scenes.len()).filter(wanted).collect();
    if numbers.is_empty() {
        let all = counted(scenes.len(), "scene");
        return Err(Usage(format!(
            "--scene {}: the recording has {all}",
            arguments.scene.unwrap_or_default()
        )));
    }
    let of = |number: usize| -> Result<Export, Usage> {
        let scene = &scenes[number];
        let names = scene.channels.iter().map(|channel| channel.name.as_str());
        let channels = choose_among("--channels", names, arguments.channels.as_deref(), NO_NAME)?;
        if let Some(rate) = arguments.rate.filter(|&rate| rate > scene.rate_hz * (1.0 + 1e-9)) {
            let recorded = (1e6 * scene.rate_hz).round() / 1e6;
            return Err(Usage(format!("--rate {rate}: there are {recorded} rows a second")));
        }
        Ok(Export { scene: number, channels, rate_hz: arguments.rate, span_s })
    };
    numbers.into_iter().map(of).collect()
}

/// Writes a file a scene, and one of events.
fn as_csv(
    arguments: &ExportArguments,
    folder: &Path,
    recording: &Recording,
    exports: &[Export],
    stop: &Arc<AtomicBool>,
) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for export in exports {
        let name = match export.scene {
            0 => "channels.csv".to_owned(),
            number => format!("channels-{}.csv", number + 1),
        };
        let path = folder.join(name);
        let out = BufWriter::new(create(&path, arguments.force)?);
        let columns = export.columns(recording);
        let mut table = Csv::new(out, &columns).with_context(|| path.display().to_string())?;
        let rows = write(export, recording, &mut table, (&path, stop))?;
        told(&path, rows, columns.len())?;
    }
    let path = folder.join("events.csv");
    let out = BufWriter::new(create(&path, arguments.force)?);
    let span_s = exports.first().map_or([0.0; 2], |export| export.span_s);
    let rows = write_events(recording, span_s, out).map_err(|error| failed(error, &path))?;
    Ok(say(&format!("{}: {}", path.display(), counted(rows as usize, "row")))?)
}

/// Writes one scene.
#[cfg(feature = "parquet")]
fn as_parquet(
    arguments: &ExportArguments,
    path: &Path,
    recording: &Recording,
    exports: &[Export],
    stop: &Arc<AtomicBool>,
) -> Result<()> {
    let [export] = exports else {
        let scenes = counted(exports.len(), "scene");
        let why = format!(
            "--parquet: a file holds one scene and the recording has {scenes}: choose one by --scene"
        );
        return Err(Usage(why).into());
    };
    let columns = export.columns(recording);
    let out = BufWriter::new(create(path, arguments.force)?);
    let mut table =
        rolima_export::Parquet::new(out, &columns).with_context(|| path.display().to_string())?;
    let rows = write(export, recording, &mut table, (path, stop))?;
    told(path, rows, columns.len())
}

#[cfg(not(feature = "parquet"))]
fn as_parquet(
    _: &ExportArguments,
    path: &Path,
    _: &Recording,
    _: &[Export],
    _: &Arc<AtomicBool>,
) -> Result<()> {
    let path = path.display();
    let why = format!(
        "--parquet {path}: this rolima was built without Parquet; build it again with \
         `--features parquet`, or choose --csv"
    );
    Err(Usage(why).into())
}

/// Writes a table with a bar on the way; what was not finished is removed.
fn write(
    export: &Export,
    recording: &Recording,
    table: &mut impl TableSink,
    (path, stop): (&Path, &Arc<AtomicBool>),
) -> Result<u64> {
    let [begin_s, end_s] = export.span_s;
    let scene = &recording.scenes()[export.scene];
    let begin_s = begin_s.max(scene.begin_s);
    let all_ms = 1e3 * (end_s.min(scene.end_s) - begin_s).max(0.0);
    let progress = ProgressLine::new(Some(all_ms as u64), "ms of simulated time");
    let mut count = 0_u64;
    let written = export.write(recording, table, |time_s| {
        count += 1;
        if count.is_multiple_of(256) {
            progress.set((1e3 * (time_s - begin_s)) as u64);
        }
        !stop.load(Ordering::Relaxed)
    });
    written.map_err(|error| {
        let _ = fs::remove_file(path);
        failed(error, path)
    })
}

fn failed(error: TableError, path: &Path) -> anyhow::Error {
    match error {
        // It names its own file.
        TableError::Recording(error) => error.into(),
        other => anyhow::Error::from(other).context(path.display().to_string()),
    }
}

fn told(path: &Path, rows: u64, columns: usize) -> Result<()> {
    let (rows, columns) = (counted(rows as usize, "row"), counted(columns, "column"));
    let bytes = fs::metadata(path).map_or(0, |about| about.len());
    let size = thousands((bytes as f64 / 1e3).ceil());
    Ok(say(&format!("{}: {rows} of {columns}, {size} kB", path.display()))?)
}
