//! `rolima run SCENE --json --every SECONDS`: the world from interval to interval, a line each.
//!
//! Nobody takes part and nobody looks, so there is nothing to wait for: the run is that of
//! `rolima run SCENE --json`, to the bit.

use crate::cli::RunArguments;
use crate::quantities::of_world;
use crate::run::stop_on_signals;
use crate::summary::{Ended, as_json, end_told, unpaced};
use anyhow::Result;
use rolima_console::failure::{Over, say};
use rolima_core::{Model, World};
use rolima_run::live::Player;
use rolima_run::steps_for;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Runs a scene and prints a line at its first instant, every so often, and the result at its end.
pub(crate) fn run(arguments: &RunArguments, every_s: f64, model: Arc<Model>) -> Result<()> {
    let step_s = model.step_s;
    // An interval shorter than a step means every step.
    let every = steps_for(every_s, step_s).max(1);
    let mut left = arguments.duration_s.map_or(u64::MAX, |seconds| steps_for(seconds, step_s));
    let begin = Instant::now();
    let mut player = Player::new(model.clone(), arguments.seed.unwrap_or(model.spec.sim.seed));
    let stop = stop_on_signals()?;
    say(&line(player.world()))?;
    while left > 0 && player.world().end().is_none() && !stop.load(Ordering::Relaxed) {
        let wanted = every.min(left);
        player.steps(wanted);
        left -= wanted;
        if wanted == every {
            say(&line(player.world()))?;
        }
    }
    let report = unpaced(&player, begin.elapsed().as_secs_f64());
    let ended = Ended { player: &player, report: &report, live: false };
    say(&as_json(&ended).to_string())?;
    match end_told(player.world()) {
        Some(why) => Err(Over(why).into()),
        None => Ok(()),
    }
}

fn line(world: &World) -> String {
    let mut line = Map::new();
    line.insert("time_s".to_owned(), world.time_s().into());
    line.insert("steps".to_owned(), world.state().step.into());
    line.extend(of_world(world));
    Value::Object(line).to_string()
}
