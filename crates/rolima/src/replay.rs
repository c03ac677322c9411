//! `rolima run SCENE --commands FILE`: does again what a log says.

use crate::cli::RunArguments;
use crate::run::stop_on_signals;
use crate::scene;
use crate::summary::{Ended, as_json, for_people, unpaced};
use anyhow::{Result, bail};
use rolima_console::failure::{Usage, say, tell};
use rolima_console::text::hex;
use rolima_core::Model;
use rolima_run::live::log::{LogReader, Progress, Replay, Replayed};
use rolima_run::live::{MapSource, Player};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Steps between two looks at whether to stop.
const STRETCH: u64 = 1000;

/// Replays a log, prints how it went, and fails if the world ended otherwise than the log says.
pub(crate) fn replay(arguments: &RunArguments, model: Arc<Model>, file: &Path) -> Result<()> {
    let reader = LogReader::open(file).map_err(|error| Usage(error.to_string()))?;
    let begin = Instant::now();
    let mut player = Player::new(model, reader.header().seed);
    let stop = stop_on_signals()?;
    let mut load = |name: &str, map: Option<&MapSource>| {
        let model = match map {
            Some(map) => rolima_map::parse(name, &map.text)
                .map_err(anyhow::Error::from)
                .and_then(|map| scene::open_map(&arguments.scene, name, &map)),
            None => scene::open_again(&arguments.scene, name).map(|opened| opened.model),
        };
        model.map_err(|error| error.to_string())
    };
    let mut replay = Replay::new(reader, &player).map_err(|error| Usage(error.to_string()))?;
    let replayed = loop {
        if stop.load(Ordering::Relaxed) {
            bail!("stopped after {} steps", player.steps_done());
        }
        let progress = replay.advance(&mut player, STRETCH, &mut load);
        if let Progress::Done(replayed) = progress.map_err(|error| Usage(error.to_string()))? {
            break replayed;
        }
    };
    let report = unpaced(&player, begin.elapsed().as_secs_f64());
    let ended = Ended { player: &player, report: &report, live: false };
    say(&if arguments.json { as_json(&ended).to_string() } else { for_people(&ended) })?;
    compare(&replayed, file)
}

/// Tells whether the world ended as the log says.
fn compare(replayed: &Replayed, file: &Path) -> Result<()> {
    let file = file.display();
    match (replayed.is_same(), replayed.logged) {
        (Some(true), _) => tell(&format!("the same as when {file} was logged, to the bit")),
        (Some(false), Some(logged)) => bail!(
            "not as logged: {file} ends after {} steps with state hash {}, got {} steps and {}",
            logged.steps,
            hex(logged.state_hash),
            replayed.steps,
            hex(replayed.state_hash),
        ),
        _ => tell(&format!("note: {file} has no end: replayed as far as it goes")),
    }
    Ok(())
}
