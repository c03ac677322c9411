//! `rolima run --record FILE`, and `rolima record`: what is in a recording, and mending one.

use crate::cli::RunArguments;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand, ValueEnum};
use rolima_console::failure::{Usage, say, tell};
use rolima_console::numbers::seconds;
use rolima_console::text::{counted, thousands};
use rolima_core::{Model, Schema};
use rolima_record::{
    BranchOrigin, FileRecorder, Options, PictureFormat, RecordError, Recording, Verified, repair,
    verify,
};
use rolima_run::live::log::{Bundle, Header};
use rolima_run::live::{RecordBroken, RecordSummary};
use rolima_scene::create_file;
use rolima_serve::robotone::{ViewHints, Warning};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is recorded of a run.
#[derive(Debug, Args)]
pub(crate) struct RecordArguments {
    /// Record the run whole into an MCAP file: its scene, what is done to it, its state, readings and events;
    /// for `rolima replay`, and for Foxglove, PlotJuggler and others
    #[arg(long, value_name = "FILE.mcap", groups = ["kept", "recorded"], conflicts_with_all = ["csv", "every"])]
    pub(crate) record: Option<PathBuf>,

    /// With --record: how often the state is recorded, 1/s of simulated time; at most every step
    #[arg(long, value_name = "HZ", value_parser = rate, requires = "recorded", default_value = "60")]
    pub(crate) record_rate: f64,

    /// With --record: numbers as f64, to the bit, in place of f32
    #[arg(long, requires = "recorded")]
    pub(crate) record_f64: bool,

    /// With --record: how often the whole simulation is saved, s of simulated time; 0: never
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "recorded", default_value = "1")]
    pub(crate) record_save: f64,

    /// With --record: cameras' pictures, too
    #[arg(long, value_name = "FORMAT", requires = "recorded")]
    pub(crate) record_pictures: Option<Format>,

    /// With --record: only the channels whose names match, as with --channels
    #[arg(long, value_name = "PATTERNS", requires = "recorded")]
    pub(crate) record_channels: Option<String>,
}

/// How pictures are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Png,
    Jpeg,
}

/// Takes how often something is done.
fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|hz| hz.is_finite() && *hz > 0.0);
    number.ok_or_else(|| "expected a number of times a second above 0".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct RecordCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Say what is in a recording
    About {
        /// The recording
        #[arg(value_name = "FILE.mcap")]
        file: PathBuf,

        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write a whole file of all that can be read of a recording that was cut off or damaged
    Repair {
        /// The recording
        #[arg(value_name = "FILE.mcap")]
        file: PathBuf,

        /// Where to [default: beside it, its name with `-repaired`]
        #[arg(long, value_name = "FILE.mcap")]
        out: Option<PathBuf>,

        /// Write over an old file
        #[arg(long)]
        force: bool,
    },
}

/// What is wrong with a file that somebody named.
pub(crate) fn as_usage(error: RecordError) -> Usage {
    Usage(error.to_string())
}

/// Begins the recording that is asked for. What is worth telling of it is told at once, unless somebody
/// else has the terminal (`quiet`), and on the page.
pub(crate) fn begin(
    arguments: &RunArguments,
    quiet: bool,
    (model, (seed, source, origin)): (&Model, (u64, Arc<Bundle>, Option<BranchOrigin>)),
    told: &ViewHints,
) -> Result<Option<FileRecorder>> {
    let record = &arguments.record;
    let Some(file) = &record.record else { return Ok(None) };
    if let Some(patterns) = &record.record_channels {
        rolima_console::channels::choose("--record-channels", &Schema::new(model), Some(patterns))?;
    }
    let header = Header::new(&arguments.scene.name(), source, model, seed);
    let options = Options {
        rate_hz: record.record_rate,
        double: record.record_f64,
        save_s: record.record_save,
        pictures: record.record_pictures.map(|format| match format {
            Format::Png => PictureFormat::Png,
            Format::Jpeg => PictureFormat::Jpeg,
        }),
        channels: record.record_channels.clone(),
        origin,
        ..Options::default()
    };
    let told = told.clone();
    let alarm = Arc::new(move |news| {
        let warning = Warning::from(news);
        if !quiet {
            tell(&format!("error: {warning}"));
        }
        told.warn(warning);
    });
    let begun = FileRecorder::create(file, &header, options, arguments.live.force, alarm);
    begun.map(Some).map_err(|error| match &error {
        RecordError::File { file, source } if source.kind() == ErrorKind::AlreadyExists => {
            let why = "expected a new file, got one with something in it; --force writes over it";
            Usage(format!("--record {file}: {why}")).into()
        }
        _ => error.into(),
    })
}

/// Says how a recording came out; one that lacks something is an error.
pub(crate) fn finish(
    result: Option<Result<RecordSummary, RecordBroken>>,
    arguments: &RunArguments,
) -> Result<()> {
    let (Some(result), Some(file)) = (result, &arguments.record.record) else { return Ok(()) };
    let RecordSummary { bytes, samples, lost, actions_lost } = result?;
    let told = format!(
        "{} states in {}, {} kB",
        thousands(samples as f64),
        file.display(),
        thousands((bytes as f64 / 1e3).ceil())
    );
    if actions_lost > 0 {
        bail!(
            "{told}; the disk was too slow: {actions_lost} actions and {lost} states are missing"
        );
    }
    if lost > 0 {
        bail!("{told}; the disk was too slow: {lost} states are missing");
    }
    tell(&told);
    Ok(())
}

/// `rolima record`.
pub(crate) fn command(command: &RecordCommand) -> Result<()> {
    match &command.what {
        What::About { file, json } => about(&Recording::open(file).map_err(as_usage)?, *json),
        What::Repair { file, out, force } => mend(file, out.as_deref(), *force),
    }
}

/// Says what is in a recording.
fn about(recording: &Recording, as_json: bool) -> Result<()> {
    let about = recording.about();
    let [begin_s, end_s] = recording.span_s();
    let damage = recording.damage().map(ToString::to_string);
    if as_json {
        let scene = |scene: &rolima_record::RecordedScene| {
            json!({
                "name": scene.name,
                "title": scene.title,
                "seed": scene.seed,
                "step_s": scene.step_s,
                "rate_hz": scene.rate_hz,
                "f64": scene.double,
                "begin_s": scene.begin_s,
                "end_s": scene.end_s,
                "channels": scene.channels.len(),
            })
        };
        let told = json!({
            "format": about.format,
            "rolima": about.rolima,
            "bytes": about.bytes,
            "whole": about.is_whole,
            "begin_s": begin_s,
            "end_s": end_s,
            "states_missing": about.lost,
            "actions_missing": about.actions_lost,
            "origin": about.origin.as_ref().map(|origin| {
                json!({
                    "file": origin.file, "time_s": origin.time_s, "step": origin.step,
                    "state_hash": format!("{:016x}", origin.state_hash),
                })
            }),
            "damage": damage,
            "scenes": recording.scenes().iter().map(scene).collect::<Vec<_>>(),
        });
        return Ok(say(&told.to_string())?);
    }
    say(&format!(
        "{}: {} kB, {:.3} s, by rolima {}",
        about.file,
        thousands((about.bytes as f64 / 1e3).ceil()),
        end_s - begin_s,
        about.rolima
    ))?;
    if let Some(origin) = &about.origin {
        say(&format!("a branch of {} from {:.3} s", origin.file, origin.time_s))?;
    }
    for scene in recording.scenes() {
        say(&format!(
            "scene {}: {:.3} to {:.3} s, seed {}, {} at {} Hz",
            scene.name,
            scene.begin_s,
            scene.end_s,
            scene.seed,
            counted(scene.channels.len(), "channel"),
            (scene.rate_hz * 1e3).round() / 1e3
        ))?;
    }
    if about.lost + about.actions_lost > 0 {
        say(&format!("missing: {} states, {} actions", about.lost, about.actions_lost))?;
    }
    if let Some(damage) = damage {
        say(&format!(
            "not whole: {damage} (`rolima record repair` makes a whole file of the rest)"
        ))?;
    }
    Ok(())
}

/// Makes a whole file of what can be read of one.
fn mend(file: &Path, out: Option<&Path>, force: bool) -> Result<()> {
    let recording = Recording::open(file).map_err(as_usage)?;
    let out = out.map_or_else(|| beside(file), Path::to_owned);
    let named = || format!("{} cannot be written", out.display());
    let is_same = |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
    if is_same(file, &out) {
        return Err(Usage(format!("--out {}: expected another file", out.display())).into());
    }
    let opened = create_file(&out, force);
    let opened = opened.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            let why = "expected a new file, got one with something in it; --force writes over it";
            anyhow::Error::from(Usage(format!("--out {}: {why}", out.display())))
        }
        _ => anyhow::Error::from(error).context(named()),
    })?;
    let repaired = repair(&recording, opened).with_context(named)?;
    for left_out in &repaired.left_out {
        tell(&format!("left out: {left_out}"));
    }
    if let Some(damage) = recording.damage() {
        tell(&format!("it ended there: {damage}"));
    }
    Ok(say(&format!(
        "{}: {} of {}, up to {:.3} s",
        out.display(),
        counted(repaired.messages as usize, "message"),
        counted(repaired.chunks as usize, "chunk"),
        repaired.end_s
    ))?)
}

/// A name beside a file's.
fn beside(file: &Path) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    file.with_file_name(format!("{stem}-repaired.mcap"))
}

/// Says if another version wrote a recording that is simulated again.
pub(crate) fn tell_version(recording: &Recording) {
    let about = recording.about();
    if !about.same_version {
        tell(&format!(
            "note: {} was recorded by rolima {}: this version may simulate otherwise",
            about.file, about.rolima
        ));
    }
}

/// `rolima replay FILE --verify`: simulates again and says what differs first.
pub(crate) fn verified(recording: &Recording, as_json: bool) -> Result<()> {
    tell_version(recording);
    let about = recording.about();
    let found = verify(recording).map_err(as_usage)?;
    let Verified { steps, samples, numbers, hashes, .. } = found;
    if as_json {
        let differs = found.differs.as_ref().map(|at| {
            json!({
                "step": at.step, "time_s": at.time_s, "same_until": at.same_until,
                "channel": at.channel, "unit": at.unit,
                "recorded": at.recorded, "got": at.got,
            })
        });
        let told = json!({
            "steps": steps, "states": samples, "numbers": numbers, "hashes": hashes,
            "whole": found.is_whole, "unknown_channels": found.unknown, "differs": differs,
            "hash_differs_at_step": found.hash_differs.map(|at| at.step),
        });
        say(&told.to_string())?;
    }
    if !found.unknown.is_empty() {
        let some = found.unknown.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
        tell(&format!(
            "note: {} this version does not know and cannot verify, such as {some}",
            counted(found.unknown.len(), "channel")
        ));
    }
    if let Some(at) = &found.differs {
        let unit = if at.unit.is_empty() { String::new() } else { format!(" {}", at.unit) };
        bail!(
            "not as recorded: {}: after step {} ({:.3} s) `{}` was {}{unit}, now {}{unit}: {:e}{unit} off; the \
             same up to step {}",
            about.file,
            at.step,
            at.time_s,
            at.channel,
            at.recorded,
            at.got,
            at.by(),
            at.same_until
        );
    }
    if let Some(at) = found.hash_differs {
        bail!(
            "not as recorded: {}: after step {} expected state hash {:016x}, got {:016x}; the same up to step {}",
            about.file,
            at.step,
            at.logged,
            at.got,
            at.same_until
        );
    }
    if !as_json {
        let end = if found.is_whole { "" } else { ", as far as it goes" };
        say(&format!(
            "the same as recorded{end}: {} steps, {} states with {} numbers, {} hashes of the whole state",
            thousands(steps as f64),
            thousands(samples as f64),
            thousands(numbers as f64),
            thousands(hashes as f64)
        ))?;
    }
    Ok(())
}
