//! `rolima run`: on a page, in a terminal, or without a view.

use crate::begin::{Beginning, save};
use crate::cli::RunArguments;
use crate::{camera_link, csv, record, samples, servers};
use anyhow::{Context, Result, bail};
use rolima_console::channels::choose;
use rolima_console::failure::{Over, Usage, say, tell};
use rolima_console::summary::{Ended, as_json, end_reason, for_people};
use rolima_core::{Model, Schema};
use rolima_run::live::log::{Bundle, Header, LogBroken, LogError, LogWriter};
use rolima_run::live::{Keep, Live, Recorder, RunOutcome, Schedule, Setup};
use rolima_run::pool::cores;
use rolima_run::{Speed, steps_for, thread_pool};
use rolima_serve::robotone::ViewHints;
use std::io::{ErrorKind, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How a run is shown.
#[derive(Clone, Copy, PartialEq)]
enum View {
    None,
    Terminal,
    Page,
}

/// Runs a scene and prints how it went.
pub(crate) fn run(arguments: &mut RunArguments) -> Result<()> {
    let beginning = Beginning::of(arguments)?;
    let arguments = &*arguments;
    let pool = thread_pool(arguments.threads.map_or_else(cores, |n| n as usize))?;
    if let Some(file) = &arguments.csv {
        return pool.install(move || csv::run(arguments, file, beginning));
    }
    if let Some(patterns) = &arguments.channels {
        choose("--channels", &Schema::new(&beginning.model), Some(patterns))?;
    }
    if let Some(every) = arguments.every {
        return pool.install(move || samples::run(arguments, every, beginning));
    }
    let stop = Arc::default();
    let view = view_for(arguments)?;
    let view_hints = ViewHints::default();
    let Beginning { model, map, notes, source, from, actions, origin } = beginning;
    let log = open_log(arguments, view, (&model, source.clone()), &view_hints)?;
    // One that goes on has the seed that it began with.
    let going_on = from.as_ref().map(|(simulation, _)| simulation.world().state().seed);
    let seed = going_on.or(arguments.seed).unwrap_or(model.spec.sim.seed);
    let source_of_run = Arc::clone(&source);
    let of = (seed, source.clone(), origin);
    let recorder = record::begin(arguments, view == View::Terminal, (&model, of), &view_hints)?;
    let recorder = recorder.map(|recorder| Box::new(recorder) as Box<dyn Recorder>);
    let source = Some(Arc::clone(&source_of_run));
    let setup = setup(arguments, view, &model, &stop);
    let setup = Setup { map, notes, source, log, recorder, from, actions, ..setup };
    let mut live = Live::new(setup);
    // Not before: until there is a world, nothing has to end in good order, and Ctrl-C ends the
    // program at once, however long a large world takes.
    set_on_signals(&stop)?;
    let servers =
        servers::admit(arguments, &model, &mut live, view == View::Page, view_hints.clone())?;
    let waits = arguments.live.lock_step.is_some();
    let links = camera_link::open(&arguments.camera_link, &model, &mut live, waits)?;
    let schedule = Schedule { realtime: arguments.live.realtime, pin: arguments.live.pin };
    let start = |live: Live| {
        pool.install(|| {
            schedule.apply().iter().for_each(|note| tell(&format!("note: {note}")));
            live.run()
        })
    };
    let outcome = match view {
        View::Terminal => {
            rolima_tui::run(live, &model, (servers.seats(), &view_hints), start, &stop)?
        }
        View::None | View::Page => {
            if view == View::None {
                tell(&format!("running {} (Ctrl-C ends it)", arguments.scene.name()));
            }
            start(live)
        }
    };
    links.iter().for_each(camera_link::tell_counts);
    drop((servers, links));
    save(arguments, &outcome.session, &source_of_run, outcome.loaded.as_ref())?;
    finish(outcome, arguments, view == View::None)
}

fn view_for(arguments: &RunArguments) -> Result<View> {
    if arguments.headless || arguments.json {
        return Ok(View::None);
    }
    if !arguments.tui {
        return Ok(View::Page);
    }
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if terminal { Ok(View::Terminal) } else { Err(Usage("--tui needs a terminal".into()).into()) }
}

fn setup(
    arguments: &RunArguments,
    view: View,
    model: &Arc<Model>,
    stop: &Arc<AtomicBool>,
) -> Setup {
    let steps = arguments.duration_s.map(|seconds| steps_for(seconds, model.step_s));
    // Without anybody to look at it or to answer it, there is nothing to wait for.
    let listens = arguments.serve.listen.is_some()
        || arguments.robotone.robotone_listen.is_some()
        || arguments.camera_link.is_wanted();
    let is_alone = view == View::None && !listens;
    let waits = arguments.live.lock_step.is_some() || arguments.robotone.robotone_step;
    let in_a_hurry = (is_alone && steps.is_some()) || waits;
    let default_speed = if in_a_hurry { Speed::Max } else { Speed::REAL_TIME };
    Setup {
        seed: arguments.seed.unwrap_or(model.spec.sim.seed),
        speed: arguments.speed.unwrap_or(default_speed),
        steps,
        stop: stop.clone(),
        // On a page or in a terminal somebody may start the scene over.
        ends_with_world: view == View::None,
        // Nobody goes back where nobody looks.
        keep: if is_alone { Keep::NOTHING } else { arguments.live.keep.kept() },
        lock_step: arguments.live.lock_step.or(arguments.robotone.robotone_step.then_some(1)),
        ..Setup::new(&arguments.scene.name(), model.clone())
    }
}

/// Begins the log that is asked for. If it breaks off, that is said at once: here, or in the view
/// that has the terminal, and on the page.
fn open_log(
    arguments: &RunArguments,
    view: View,
    (model, source): (&Model, Arc<Bundle>),
    view_hints: &ViewHints,
) -> Result<Option<LogWriter>> {
    let Some(file) = &arguments.live.log else { return Ok(None) };
    let scene = &arguments.scene;
    let seed = arguments.seed.unwrap_or(model.spec.sim.seed);
    let header = Header::new(&scene.name(), source, model, seed);
    let view_hints = view_hints.clone();
    let alarm = Box::new(move |broken: LogBroken| {
        if view != View::Terminal {
            tell(&format!("error: {broken}"));
        }
        view_hints.warn(broken.into());
    });
    let log = LogWriter::create(file, &header, arguments.live.force, alarm);
    log.map(Some).map_err(|error| match &error {
        LogError::File { file, source } if source.kind() == ErrorKind::AlreadyExists => {
            let why = "expected a new file, got one with something in it; --force writes over it";
            Usage(format!("--log {file}: {why}")).into()
        }
        _ => error.into(),
    })
}

/// How long a run may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// A flag that Ctrl-C sets from now on; before, it ends the program.
pub(crate) fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::default();
    set_on_signals(&stop)?;
    Ok(stop)
}

/// Lets Ctrl-C set a flag, so that the run ends between two steps and the result is printed.
///
/// A view whose terminal is gone may wait for keys that never come: after some seconds the program
/// ends all the same, rather than run on unseen.
pub(crate) fn set_on_signals(stop: &Arc<AtomicBool>) -> Result<()> {
    let flag = stop.clone();
    let on_signal = move || {
        flag.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        rolima_tui::restore();
        std::process::exit(1);
    };
    ctrlc::set_handler(on_signal).context("the system lets nobody wait for Ctrl-C")
}

/// Prints how a run went, and what became of its log. A run that its scene ended (`ends`) says so.
fn finish(outcome: RunOutcome, arguments: &RunArguments, ends: bool) -> Result<()> {
    let ended = Ended { session: &outcome.session, report: &outcome.report, live: true };
    say(&match arguments.json {
        true => as_json(&ended, arguments.channels.as_deref()).to_string(),
        false => for_people(&ended),
    })?;
    match outcome.log {
        None => {}
        Some(Ok(summary)) if summary.lost == 0 => {}
        Some(Ok(summary)) => {
            bail!("the log is not whole: {} entries came too fast for the disk", summary.lost)
        }
        Some(Err(error)) => return Err(error.into()),
    }
    record::finish(outcome.record, arguments)?;
    match end_reason(outcome.session.world()).filter(|_| ends) {
        Some(why) => Err(Over(why).into()),
        None => Ok(()),
    }
}
