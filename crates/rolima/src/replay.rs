//! `rolima replay FILE`: does again what a log or a recording says, on a page or without a view.

use crate::cli::ServeArguments;
use crate::keep::KeepArguments;
use crate::run::set_on_signals;
use crate::{record, servers};
use anyhow::{Result, bail};
use clap::Args;
use rolima_console::failure::{Usage, say, tell};
use rolima_console::numbers::{seconds, whole};
use rolima_console::summary::{Ended, as_json, for_people};
use rolima_record::{Beginning, RecordedHistory, Recording};
use rolima_run::live::history::History;
use rolima_run::live::log::{LogReader, Replay, ReplayStart, Replayed};
use rolima_run::live::{Keep, Live, ReplayNews, Replaying, RunInstant, Setup};
use rolima_run::pool::{MAX_THREADS, cores};
use rolima_run::{Speed, thread_pool};
use rolima_serve::robotone::{Notice, ViewHints, Warning};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The log (`rolima run --log FILE`) or the recording (`--record FILE`); it holds its scene, so that nothing
    /// else is needed
    #[arg(value_name = "FILE")]
    pub(crate) log: PathBuf,

    /// On a page: further recordings, which are shown over the first one as ghosts
    #[arg(value_name = "FILE.mcap", conflicts_with_all = ["headless", "json", "verify"])]
    pub(crate) more: Vec<PathBuf>,

    /// Of a recording: begin at this time of it, s, or a little before: where the run was saved
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) from: Option<f64>,

    /// Of a recording: simulate it again without a view and say which channel differs first, when, and by how
    /// much
    #[arg(long, conflicts_with_all = ["from", "speed", "listen"])]
    pub(crate) verify: bool,

    /// Replay without a view
    #[arg(long)]
    pub(crate) headless: bool,

    /// 1 is real time, N that many times faster, max as fast as possible
    /// [default: max without a view, else 1]
    #[arg(long, value_name = "1|N|max")]
    pub(crate) speed: Option<Speed>,

    /// Threads for large worlds; changes no bit of the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=MAX_THREADS as u32))]
    pub(crate) threads: Option<u32>,

    /// Replay without a view and print the result as one JSON object, in the last line
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) keep: KeepArguments,

    #[command(flatten)]
    pub(crate) serve: ServeArguments,
}

/// Replays a log, prints how it went, and fails if it did not go as the log says.
pub(crate) fn replay(arguments: &ReplayArguments) -> Result<()> {
    let recording = match Recording::is_recording(&arguments.log) {
        true => Some(Recording::open(&arguments.log).map_err(record::as_usage)?),
        false => None,
    };
    if arguments.verify || arguments.from.is_some() {
        let option = if arguments.verify { "--verify" } else { "--from" };
        let why = || {
            let file = arguments.log.display();
            Usage(format!(
                "{option}: expected a recording (`rolima run --record FILE`), not {file}"
            ))
        };
        let recording = recording.as_ref().ok_or_else(why)?;
        if arguments.verify {
            return record::verified(recording, arguments.json);
        }
    }
    let page = !arguments.headless && !arguments.json;
    let ghosts = arguments.more.iter().map(|file| opened(file)).collect::<Result<Vec<_>>>()?;
    if let Some(recording) = recording.as_ref().filter(|_| page) {
        return on_page(arguments, recording, ghosts);
    }
    let Beginning { start, replay, from, steps_done, time_s } = match &recording {
        Some(recording) => recording.beginning(arguments.from).map_err(record::as_usage)?,
        None => beginning(&arguments.log)?,
    };
    let serves = page || arguments.serve.listen.is_some();
    let (view_hints, stop) = (ViewHints::default(), Arc::default());
    let pool = thread_pool(arguments.threads.map_or_else(cores, |n| n as usize))?;
    let ReplayStart { name, model, map, seed } = start;
    let default_speed = if serves { Speed::REAL_TIME } else { Speed::Max };
    let mut live = Live::new(Setup {
        map: map.clone(),
        seed,
        from,
        begin: RunInstant { step: steps_done, time_s },
        speed: arguments.speed.unwrap_or(default_speed),
        stop: Arc::clone(&stop),
        // On a page somebody may want to look at the end.
        ends_with_world: !page,
        replay: Some(replaying(replay, &arguments.log, view_hints.clone())),
        keep: if serves { arguments.keep.kept() } else { Keep::NOTHING },
        ..Setup::new(&name, model.clone())
    });
    set_on_signals(&stop)?;
    let servers = match serves {
        true => Some(servers::show_replay(
            arguments,
            (&name, &model, map),
            &mut live,
            (view_hints, ghosts),
        )?),
        false => None,
    };
    if servers.is_none() {
        tell(&format!("replaying {} (Ctrl-C ends it)", arguments.log.display()));
    }
    let outcome = pool.install(|| live.run());
    drop(servers);
    let (session, report) = (&outcome.session, &outcome.report);
    let ended = Ended { session, report, live: false };
    match outcome.replayed {
        Some(Ok(replayed)) => {
            say(&if arguments.json {
                as_json(&ended, None).to_string()
            } else {
                for_people(&ended)
            })?;
            compare(&replayed, &arguments.log, page)
        }
        Some(Err(error)) => Err(Usage(error.to_string()).into()),
        None => Ok(()),
    }
}

/// A recording that is shown over another one, and its name.
fn opened(file: &Path) -> Result<(String, Arc<dyn History>)> {
    let recording = Recording::open(file).map_err(record::as_usage)?;
    let history: Arc<dyn History> = RecordedHistory::new(recording);
    history.first_scene().map_err(|why| Usage(why.to_string()))?;
    Ok((history.file().to_owned(), history))
}

/// Shows a recording on a page, where any of its instants can be gone to and taken over.
fn on_page(
    arguments: &ReplayArguments,
    recording: &Recording,
    ghosts: Vec<(String, Arc<dyn History>)>,
) -> Result<()> {
    let history: Arc<dyn History> = RecordedHistory::new(recording.clone());
    let scene = history.first_scene().map_err(|why| Usage(why.to_string()))?;
    let (view_hints, stop) = (ViewHints::default(), Arc::default());
    let pool = thread_pool(arguments.threads.map_or_else(cores, |n| n as usize))?;
    let [begin, _] = history.span();
    let mut live = Live::new(Setup {
        map: scene.map.clone(),
        begin,
        speed: arguments.speed.unwrap_or(Speed::REAL_TIME),
        stop: Arc::clone(&stop),
        keep: arguments.keep.kept(),
        history: Some((Arc::clone(&history), arguments.from.unwrap_or(begin.time_s))),
        ..Setup::new(&scene.name, Arc::clone(&scene.model))
    });
    set_on_signals(&stop)?;
    let of = (scene.name.as_str(), &scene.model, scene.map.clone());
    let servers = servers::show_replay(arguments, of, &mut live, (view_hints, ghosts))?;
    let outcome = pool.install(|| live.run());
    drop(servers);
    // What was taken over was a run.
    if outcome.loaded.is_some() {
        let (session, report) = (&outcome.session, &outcome.report);
        say(&for_people(&Ended { session, report, live: true }))?;
    }
    Ok(())
}

/// What the replay of a log begins with.
fn beginning(log: &Path) -> Result<Beginning> {
    let as_usage = |error: rolima_run::live::log::LogError| Usage(error.to_string());
    let reader = LogReader::open(log).map_err(as_usage)?;
    let (replay, start) = Replay::new(reader).map_err(as_usage)?;
    Ok(Beginning { start, replay, from: None, steps_done: 0, time_s: 0.0 })
}

/// The log, and who is told what is worth telling while it is replayed.
fn replaying(replay: Replay, file: &Path, view_hints: ViewHints) -> Replaying {
    let log = file.display().to_string();
    let news = move |news: ReplayNews<'_>| match news {
        ReplayNews::Differs(at) => view_hints.warn(Warning::ReplayDiffers { log: log.clone(), at }),
        ReplayNews::Failed(error) => {
            view_hints.warn(Warning::ReplayFailed { log: log.clone(), why: error.to_string() });
        }
        ReplayNews::Over => view_hints.tell(Notice::ReplayOver { log: log.clone() }),
    };
    Replaying { replay, tell: Box::new(news) }
}

/// Tells whether the world went as the log says.
fn compare(replayed: &Replayed, file: &Path, page: bool) -> Result<()> {
    let shown = file.display();
    let Replayed { steps, compared, .. } = replayed;
    if let Some(difference) = &replayed.difference {
        bail!(Warning::ReplayDiffers { log: shown.to_string(), at: *difference });
    }
    match (replayed.is_whole, replayed.logged) {
        (true, Some(_)) => tell(&format!(
            "the same as when {shown} was logged, to the bit ({compared} states compared)"
        )),
        (true, None) => tell(&format!(
            "note: {shown} has no end: replayed as far as it goes, {steps} steps, \
             to the same bits ({compared} states compared)"
        )),
        (false, _) if page => tell(&format!(
            "note: ended after {steps} steps, to the same bits ({compared} states compared)"
        )),
        (false, _) => bail!("stopped after {steps} steps"),
    }
    Ok(())
}
