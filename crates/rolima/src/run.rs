//! `rolima run`: with a view in a terminal, else without.

use crate::cli::RunArguments;
use crate::failure::{say, tell};
use crate::scene::{self, Opened};
use crate::summary::{as_json, for_people};
use crate::view;
use anyhow::{Context, Result};
use rolima_core::World;
use rolima_run::pool::cores;
use rolima_run::{Report, Runner, Speed, steps_for, thread_pool};
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Runs a scene and prints how it went.
pub(crate) fn run(arguments: &RunArguments) -> Result<()> {
    let Opened { model, .. } = scene::open(&arguments.scene)?;
    let steps = arguments.duration_s.map(|seconds| steps_for(seconds, model.step_s));
    let mut world = match arguments.seed {
        Some(seed) => World::with_seed(model, seed),
        None => World::new(model),
    };
    let pool = thread_pool(arguments.threads.map_or_else(cores, |n| n as usize))?;

    let has_view = wants_view(arguments);
    let default_speed = if !has_view && steps.is_some() { Speed::Max } else { Speed::REAL_TIME };
    let stop = stop_on_signals()?;
    let mut runner = Runner::new(arguments.speed.unwrap_or(default_speed)).stop_flag(stop.clone());
    if let Some(steps) = steps {
        runner = runner.for_steps(steps);
    }
    let report = if has_view {
        view::run(runner, &mut world, &pool, &stop)?
    } else {
        tell(&format!("running {} (Ctrl-C ends it)", arguments.scene.scene));
        pool.install(|| runner.run(&mut world, |_, _| {}))
    };
    print(&world, &report, arguments.json)
}

fn wants_view(arguments: &RunArguments) -> bool {
    if arguments.headless || arguments.json {
        return false;
    }
    let terminal = std::io::stdout().is_terminal() && std::io::stdin().is_terminal();
    if !terminal {
        tell("note: not a terminal, so there is no view (--headless says so beforehand)");
    }
    terminal
}

/// How long a run may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// A flag that Ctrl-C sets, so that the run ends between two steps and the result is printed.
///
/// A view whose terminal is gone may wait for keys that never come: after some seconds the program
/// ends all the same, rather than run on unseen.
fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let on_signal = move || {
        flag.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        ratatui::restore();
        std::process::exit(1);
    };
    ctrlc::set_handler(on_signal).context("the system lets nobody wait for Ctrl-C")?;
    Ok(stop)
}

fn print(world: &World, report: &Report, json: bool) -> Result<()> {
    let text = if json { as_json(world, report).to_string() } else { for_people(world, report) };
    Ok(say(&text)?)
}
