//! `rolima run SCENE --json --every STEPS`: the world from time to time, a line each.
//!
//! Nobody takes part and nobody looks, so there is nothing to wait for: the run is that of
//! `rolima run SCENE --json`, to the bit.

use crate::begin::{Beginning, save};
use crate::cli::RunArguments;
use crate::run::stop_on_signals;
use anyhow::Result;
use rolima_console::failure::{Over, say};
use rolima_console::summary::{Ended, as_json, end_reason, unpaced};
use rolima_run::Report;
use rolima_run::live::Session;
use rolima_run::quantities::Quantities;
use rolima_run::steps_for;
use serde_json::{Map, Value};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Runs a scene and prints a line at its first instant, every so often, and the result at its end.
pub(crate) fn run(arguments: &RunArguments, every: u64, beginning: Beginning) -> Result<()> {
    let channels = arguments.channels.as_deref();
    let mut quantities = None;
    let (session, report) = steps_by(arguments, every, &beginning, |session| {
        let quantities = quantities.get_or_insert_with(|| Quantities::of(session));
        quantities.read(session);
        let world = session.world();
        let mut line = Map::new();
        line.insert("time_s".to_owned(), world.time_s().into());
        line.insert("steps".to_owned(), world.state().step.into());
        line.extend(quantities.as_json(world, channels));
        Ok(say(&Value::Object(line).to_string())?)
    })?;
    let ended = Ended { session: &session, report: &report, live: false };
    say(&as_json(&ended, channels).to_string())?;
    end(arguments, &beginning, &session)
}

/// Runs a scene in which nobody takes part, as fast as it goes, and looks at its first instant and after
/// every so many steps.
pub(crate) fn steps_by(
    arguments: &RunArguments,
    every: u64,
    beginning: &Beginning,
    mut look: impl FnMut(&Session) -> Result<()>,
) -> Result<(Session, Report)> {
    let steps = |seconds: f64| steps_for(seconds, beginning.model.step_s);
    let mut left = arguments.duration_s.map_or(u64::MAX, steps);
    let begin = Instant::now();
    let mut session = beginning.session(arguments)?;
    let stop = stop_on_signals()?;
    look(&session)?;
    while left > 0 && session.world().end().is_none() && !stop.load(Ordering::Relaxed) {
        let wanted = every.min(left);
        session.steps(wanted);
        left -= wanted;
        if wanted == every {
            look(&session)?;
        }
    }
    let report = unpaced(&session, begin.elapsed().as_secs_f64());
    Ok((session, report))
}

/// Saves such a run if that is asked for, and says so if its scene ended it.
pub(crate) fn end(
    arguments: &RunArguments,
    beginning: &Beginning,
    session: &Session,
) -> Result<()> {
    save(arguments, session, &beginning.source, None)?;
    match end_reason(session.world()) {
        Some(why) => Err(Over(why).into()),
        None => Ok(()),
    }
}
