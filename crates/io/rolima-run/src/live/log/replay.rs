//! Replaying a log: the same acts at the same steps.

use super::line::{Entry, LoggedEnd};
use super::read::{LogError, LogInput, LogLine, LogReader};
use crate::live::contract::MapSource;
use crate::live::loaded::Loaded;
use crate::live::session::Session;
use rolima_agents::{Action, Simulation};
use rolima_core::Model;
use rolima_scene::Bundle;
use std::io::BufRead;
use std::sync::Arc;

/// A log that is being replayed.
pub struct Replay<R = LogInput> {
    reader: LogReader<R>,
    next: Option<LogLine>,
    logged: Option<LoggedEnd>,
    compared: u64,
    same_until: u64,
    difference: Option<Difference>,
}

/// What a replay begins with.
pub struct ReplayStart {
    /// What the scene is called.
    pub name: String,
    /// The scene, read from the files in the log.
    pub model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<Arc<MapSource>>,
    /// Key of all random numbers.
    pub seed: u64,
}

/// Where a replay was first seen to differ from the logged run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// After how many steps of the run.
    pub step: u64,
    /// Up to which step the two were seen to be the same.
    pub same_until: u64,
    /// Line of the log, from 1.
    pub line: u64,
    /// Hash of the logged state.
    pub logged: u64,
    /// Hash of the state now.
    pub got: u64,
}

/// How a replay came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Steps of the whole run.
    pub steps: u64,
    /// Hash of the last state.
    pub state_hash: u64,
    /// How the logged run ended; nothing where the log is cut off, or not replayed to its end.
    pub logged: Option<LoggedEnd>,
    /// Whether all of the log was replayed.
    pub is_whole: bool,
    /// How many hashes were compared.
    pub compared: u64,
    /// Where the two first differ, if they do.
    pub difference: Option<Difference>,
}

impl Replayed {
    /// Whether the replay went like the logged run; unknown where nothing differs as far as it goes.
    pub fn is_same(&self) -> Option<bool> {
        match (self.difference, self.logged) {
            (Some(_), _) => Some(false),
            (None, Some(_)) => Some(true),
            (None, None) => None,
        }
    }
}

/// What is to be done to a world now.
pub(crate) enum Due {
    Action(Action),
    Reset,
    Seed(u64),
    Load(Arc<Loaded>),
    /// Goes on from what was saved, as it is written in logs.
    Restore(Box<Simulation>, Arc<[u8]>),
}

impl<R: BufRead> Replay<R> {
    /// Begins to replay a log: reads and compiles its scene.
    pub fn new(mut reader: LogReader<R>) -> Result<(Self, ReplayStart), LogError> {
        let header = reader.header().clone();
        let (model, map) = compiled(&reader, &header.scene, &header.source, header.model)?;
        if header.step_s != model.step_s {
            let expected = format!("step_s of the log's scene, {}", model.step_s);
            return Err(reader.error((expected, header.step_s.to_string())));
        }
        let next = reader.read()?;
        let replay =
            Self { reader, next, logged: None, compared: 0, same_until: 0, difference: None };
        Ok((replay, ReplayStart { name: header.scene, model, map, seed: header.seed }))
    }

    /// Whether there is nothing more to do.
    pub fn is_over(&self) -> bool {
        self.next.is_none()
    }

    /// After how many steps of the run something is to be done; none if nothing is any more.
    pub fn next_step(&self) -> Option<u64> {
        match self.next {
            Some(LogLine::Entry(step, _) | LogLine::End(LoggedEnd { steps: step, .. })) => {
                Some(step)
            }
            None => None,
        }
    }

    /// Whether the log has no end, and all that it has is done.
    pub fn is_cut_off(&self) -> bool {
        self.is_over() && self.logged.is_none()
    }

    /// Does the next thing that the log says, at its step, and nothing else. False where there is none.
    pub fn play_next(&mut self, session: &mut Session) -> Result<bool, LogError> {
        let Some(at) = self.next_step() else { return Ok(false) };
        session.steps(at.saturating_sub(session.steps_done()));
        let Some(line) = self.next.take() else { return Ok(false) };
        let due = self.due(line, session)?;
        self.next = if self.logged.is_some() { None } else { self.reader.read()? };
        if let Some(due) = due {
            play(session, due);
        }
        Ok(true)
    }

    /// Where the replay was first seen to differ from the run.
    pub fn difference(&self) -> Option<Difference> {
        self.difference
    }

    /// How it went so far.
    pub fn replayed(&self, session: &Session) -> Replayed {
        Replayed {
            steps: session.steps_done(),
            state_hash: session.state_hash(),
            logged: self.logged,
            is_whole: self.is_over(),
            compared: self.compared,
            difference: self.difference,
        }
    }

    /// What is to be done at this step, one after the other; hashes are compared on the way.
    pub(crate) fn take_due(&mut self, session: &Session) -> Result<Option<Due>, LogError> {
        while self.next_step() == Some(session.steps_done()) {
            let Some(line) = self.next.take() else { break };
            let due = self.due(line, session)?;
            // Loaded scenes were compiled by now, with errors that name their line.
            self.next = if self.logged.is_some() { None } else { self.reader.read()? };
            if due.is_some() {
                return Ok(due);
            }
        }
        if session.world().end().is_some()
            && let Some(at) = self.next_step()
        {
            let expected =
                format!("nothing after step {}, where the run ended", session.steps_done());
            return Err(self.reader.error((expected, format!("a line of step {at}"))));
        }
        Ok(None)
    }

    fn due(&mut self, line: LogLine, session: &Session) -> Result<Option<Due>, LogError> {
        let entry = match line {
            LogLine::Entry(_, entry) => entry,
            LogLine::End(end) if end.lost > 0 => {
                let got = format!("one that lost {} entries at the end", end.lost);
                return Err(self.reader.error(("a complete log".to_owned(), got)));
            }
            LogLine::End(end) => {
                self.compare(end.state_hash, session);
                self.logged = Some(end);
                return Ok(None);
            }
        };
        Ok(match entry {
            Entry::Action(action) => Some(Due::Action(action)),
            Entry::Reset => Some(Due::Reset),
            Entry::Seed(seed) => Some(Due::Seed(seed)),
            Entry::Restore(saved) => {
                let mut simulation = session.simulation().fork();
                simulation.restore(&saved).map_err(|why| {
                    let expected = "a saved simulation of the log's scene".to_owned();
                    self.reader.error((expected, why.to_string()))
                })?;
                Some(Due::Restore(Box::new(simulation), saved))
            }
            Entry::Hash(hash) => {
                self.compare(hash, session);
                None
            }
            Entry::Load { scene, model, source } => {
                let Some(source) = source else { return Ok(None) };
                let (model, map) = compiled(&self.reader, &scene, &source, model)?;
                Some(Due::Load(Arc::new(Loaded::new(scene, model, map))))
            }
        })
    }

    fn compare(&mut self, logged: u64, session: &Session) {
        let (step, got) = (session.steps_done(), session.state_hash());
        self.compared += 1;
        if got != logged && self.difference.is_none() {
            let (line, same_until) = (self.reader.line(), self.same_until);
            self.difference = Some(Difference { step, same_until, line, logged, got });
        }
        if got == logged && self.difference.is_none() {
            self.same_until = step;
        }
    }

    /// Replays up to so many steps more. Returns whether there is more to do.
    pub fn advance(&mut self, session: &mut Session, mut steps: u64) -> Result<bool, LogError> {
        loop {
            while let Some(due) = self.take_due(session)? {
                play(session, due);
            }
            let Some(at) = self.next_step() else { return Ok(false) };
            let count = at.saturating_sub(session.steps_done()).min(steps);
            if count == 0 {
                return Ok(true); // no steps left
            }
            steps -= count;
            session.steps(count);
        }
    }
}

/// Does what was done in the run; what was refused there is refused again.
fn play(session: &mut Session, due: Due) {
    match due {
        Due::Action(action) => {
            session.act(&action);
        }
        Due::Reset => session.reset(),
        Due::Seed(seed) => session.reset_with_seed(seed),
        Due::Restore(simulation, _) => drop(session.go_on(*simulation)),
        Due::Load(loaded) => drop(session.replace(loaded.take_world())),
    }
}

/// A scene from the files in a log, and the map that it is made of.
pub(super) fn compiled<R: BufRead>(
    reader: &LogReader<R>,
    name: &str,
    source: &Bundle,
    fingerprint: u64,
) -> Result<(Arc<Model>, Option<Arc<MapSource>>), LogError> {
    let failed = |why: String| reader.error((format!("the scene `{name}`"), why));
    let scene = source.load().map_err(|error| failed(error.to_string()))?;
    let model = scene.compile().map_err(|error| failed(error.to_string()))?;
    if model.fingerprint != fingerprint {
        let expected = format!("the scene `{name}` of the log, {}", hex(fingerprint));
        return Err(reader.error((expected, hex(model.fingerprint))));
    }
    let written = source.map_text().map(str::to_owned);
    let text = written.or_else(|| scene.map.as_ref().map(ToString::to_string));
    let map = text.map(|text| Arc::new(MapSource { text, ..MapSource::default() }));
    Ok((Arc::new(model), map))
}

fn hex(fingerprint: u64) -> String {
    format!("fingerprint {fingerprint:016x}")
}

/// Replays a whole log, as far as it goes: one that is cut off up to its last whole line.
pub fn replay<R: BufRead>(reader: LogReader<R>) -> Result<(Session, Replayed), LogError> {
    let (mut replay, start) = Replay::new(reader)?;
    let mut session = Session::new(start.model, start.seed);
    while replay.advance(&mut session, u64::MAX)? {}
    let replayed = replay.replayed(&session);
    Ok((session, replayed))
}

/// Reads bytes as a log and plays some of its steps on a small world; for fuzzing: whatever the
/// bytes are, there is an error or an outcome.
#[doc(hidden)]
pub fn fuzz_entry(bytes: &[u8], model: &Arc<Model>) {
    const STEPS: u64 = 300;
    let Ok(mut reader) = LogReader::new("fuzz", bytes) else { return };
    // The fingerprint is not to be guessed: the entries are played on this world whatever the header says.
    drop(reader.header().source.load());
    let mut session = Session::new(model.clone(), reader.header().seed);
    while let Ok(Some(LogLine::Entry(step, entry))) = reader.read() {
        if step > STEPS {
            return;
        }
        session.steps(step.saturating_sub(session.steps_done()));
        match entry {
            Entry::Action(action) => {
                session.act(&action);
            }
            Entry::Reset => session.reset(),
            Entry::Seed(seed) => session.reset_with_seed(seed),
            Entry::Load { source: Some(source), .. } => drop(source.load()),
            Entry::Restore(saved) => drop(session.restore(&saved)),
            Entry::Load { source: None, .. } | Entry::Hash(_) => {}
        }
    }
}
