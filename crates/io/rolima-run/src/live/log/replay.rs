//! Replaying a log: the same acts at the same steps.

use super::line::{End, Entry};
use super::read::{Line, LogError, LogReader};
use crate::live::contract::MapSource;
use crate::live::player::Player;
use rolima_core::Model;
use std::io::BufRead;
use std::sync::Arc;

/// A log that is being replayed, as many steps at a time as one likes.
pub struct Replay<R> {
    reader: LogReader<R>,
    next: Option<Line>,
}

/// Compiles another scene: the map, where there is one, else by its name.
pub type ReplayLoader<'a> = dyn FnMut(&str, Option<&MapSource>) -> Result<Arc<Model>, String> + 'a;

/// How far a replay has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do.
    More,
    /// All is done.
    Done(Replayed),
}

/// How a replay came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Steps of the whole run.
    pub steps: u64,
    /// Hash of the last state.
    pub state_hash: u64,
    /// How the logged run ended; nothing where the log is cut off.
    pub logged: Option<End>,
}

impl Replayed {
    /// Whether the replay ended like the logged run; unknown where the log is cut off.
    pub fn is_same(&self) -> Option<bool> {
        self.logged.map(|end| (end.steps, end.state_hash) == (self.steps, self.state_hash))
    }
}

impl<R: BufRead> Replay<R> {
    /// Begins to replay a log with a fresh player of the same scene and seed.
    pub fn new(mut reader: LogReader<R>, player: &Player) -> Result<Self, LogError> {
        let header = reader.header();
        let model = player.world().model();
        let differs = if header.model != model.fingerprint {
            Some(("the scene", hex(header.model), hex(model.fingerprint)))
        } else if header.step_s != model.step_s {
            Some(("step_s", header.step_s.to_string(), model.step_s.to_string()))
        } else if header.seed != player.world().state().seed {
            let seed = player.world().state().seed;
            Some(("the seed", header.seed.to_string(), seed.to_string()))
        } else {
            None
        };
        if let Some((what, logged, got)) = differs {
            return Err(reader.error((format!("{what} of the log, {logged}"), got)));
        }
        let next = reader.read()?;
        Ok(Self { reader, next })
    }

    /// Replays up to so many steps more.
    pub fn advance(
        &mut self,
        player: &mut Player,
        mut steps: u64,
        load: &mut ReplayLoader<'_>,
    ) -> Result<Progress, LogError> {
        loop {
            let Some(next) = &self.next else { return Ok(Progress::Done(done(player, None))) };
            let (Line::Entry(at, _) | Line::End(End { steps: at, .. })) = next;
            let count = at.saturating_sub(player.steps_done()).min(steps);
            if player.steps(count) < count {
                let expected =
                    format!("nothing after step {}, where the run ended", player.steps_done());
                return Err(self.reader.error((expected, format!("a line of step {at}"))));
            }
            steps -= count;
            if player.steps_done() < *at {
                return Ok(Progress::More);
            }
            match next {
                Line::Entry(_, entry) => self.play(player, &entry.clone(), load)?,
                Line::End(end) if end.lost > 0 => {
                    let expected = "a complete log".to_owned();
                    let got = format!("one that lost {} entries at the end", end.lost);
                    return Err(self.reader.error((expected, got)));
                }
                Line::End(end) => return Ok(Progress::Done(done(player, Some(*end)))),
            }
            self.next = self.reader.read()?;
        }
    }

    fn play(
        &self,
        player: &mut Player,
        entry: &Entry,
        load: &mut ReplayLoader<'_>,
    ) -> Result<(), LogError> {
        match entry {
            // What was refused in the run is refused again.
            Entry::Act(act) => {
                player.act(act);
            }
            Entry::Reset => player.reset(),
            Entry::Seed(seed) => player.reset_with_seed(*seed),
            Entry::Load { scene, model, map } => {
                let loaded = load(scene, map.as_deref())
                    .map_err(|why| self.reader.error((format!("the scene `{scene}`"), why)))?;
                if loaded.fingerprint != *model {
                    let expected = format!("the scene `{scene}` of the log, {}", hex(*model));
                    return Err(self.reader.error((expected, hex(loaded.fingerprint))));
                }
                player.load(loaded);
            }
        }
        Ok(())
    }
}

fn hex(fingerprint: u64) -> String {
    format!("fingerprint {fingerprint:016x}")
}

fn done(player: &Player, logged: Option<End>) -> Replayed {
    Replayed { steps: player.steps_done(), state_hash: player.state_hash(), logged }
}

/// Replays a whole log with a fresh player of the same scene and seed. A log that is cut off is
/// replayed up to its last whole line.
pub fn replay<R: BufRead>(
    reader: LogReader<R>,
    player: &mut Player,
    load: &mut ReplayLoader<'_>,
) -> Result<Replayed, LogError> {
    let mut replay = Replay::new(reader, player)?;
    loop {
        if let Progress::Done(replayed) = replay.advance(player, u64::MAX, load)? {
            return Ok(replayed);
        }
    }
}

/// Reads bytes as a log and plays some of its steps on a small world; for fuzzing: whatever the
/// bytes are, there is an error or an outcome.
#[doc(hidden)]
pub fn fuzz_entry(bytes: &[u8], model: &Arc<Model>) {
    let Ok(reader) = LogReader::new("fuzz", bytes) else { return };
    let mut player = Player::new(model.clone(), reader.header().seed);
    // The fingerprint is not to be guessed: the entries are played whatever the header says.
    let mut load = |name: &str, _: Option<&MapSource>| match name {
        "same" => Ok(model.clone()),
        _ => Err("no such scene".to_owned()),
    };
    let mut replay = Replay { reader, next: None };
    if let Ok(next) = replay.reader.read() {
        replay.next = next;
        let _ = replay.advance(&mut player, 300, &mut load);
    }
}
