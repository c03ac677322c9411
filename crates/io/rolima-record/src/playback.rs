//! A recorded run, simulated again from any instant on.

use crate::error::RecordError;
use crate::recording::{About, Recording};
use crate::text::LineAt;
use rolima_agents::Simulation;
use rolima_run::live::Session;
use rolima_run::live::log::{Difference, Header, LogInput, LogReader, Replay, ReplayStart};
use std::sync::Arc;

/// What a replay from an instant on begins with.
pub struct Beginning {
    /// The scene.
    pub start: ReplayStart,
    /// The actions from there on.
    pub replay: Replay<LogInput>,
    /// The simulation there, and the same as it was saved; none: the scene's first instant.
    pub from: Option<(Simulation, Arc<[u8]>)>,
    /// Steps of the run that were done there.
    pub steps_done: u64,
    /// When that is, s of the run.
    pub time_s: f64,
}

/// What a run begins with that goes on from an instant of a recording.
pub struct GoOn {
    /// The scene.
    pub start: ReplayStart,
    /// What it was read from.
    pub header: Header,
    /// The simulation there, and the same as it is saved.
    pub from: (Simulation, Arc<[u8]>),
    /// Where that is.
    pub origin: BranchOrigin,
}

/// Where a run comes from that is a branch of another.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchOrigin {
    /// The recording.
    pub file: String,
    /// When, s of that run.
    pub time_s: f64,
    /// Steps of that run that were done.
    pub step: u64,
    /// Hash of the state there.
    pub state_hash: u64,
}

/// A recorded run, simulated again. The same bits as then, if this program is of the same version.
pub struct Playback {
    recording: Recording,
    session: Session,
    replay: Replay<LogInput>,
}

impl Recording {
    /// What a replay begins with that is to show this time, s of the run: the newest saved simulation
    /// before it. Without a time, or where nothing was saved before it, the first instant.
    pub fn beginning(&self, at_s: Option<f64>) -> Result<Beginning, RecordError> {
        Ok(self.begin(at_s)?.0)
    }

    /// The same, and where the line of the log stands that was read last.
    pub(crate) fn begin(&self, at_s: Option<f64>) -> Result<(Beginning, LineAt), RecordError> {
        let saved = at_s.map(|at_s| self.saved_before(at_s)).transpose()?.flatten();
        let Some(saved) = saved else {
            let (log, line_at) = self.log_from(vec![], None)?;
            let (replay, start) = Replay::new(log)?;
            let first = &self.scenes()[0];
            let (steps_done, time_s) = (first.begin_step, first.begin_s);
            let first = Beginning { start, replay, from: None, steps_done, time_s };
            return Ok((first, line_at));
        };
        let header = self.header_lines(&self.header(saved.scene)?)?;
        let (log, line_at) = self.log_from(header, Some(saved.at))?;
        let (replay, start) = Replay::new(log)?;
        let mut simulation = Simulation::new(start.model.clone());
        simulation.restore(&saved.bytes).map_err(|why| self.not_saved(&why.to_string()))?;
        if simulation.state_hash() != saved.state_hash {
            return Err(self.not_saved("one with another state"));
        }
        let from = Some((simulation, saved.bytes.into()));
        let (steps_done, time_s) = (saved.step, saved.time_s);
        Ok((Beginning { start, replay, from, steps_done, time_s }, line_at))
    }

    /// Simulates the run again from an instant on, s of the run: from the newest saved simulation before
    /// it up to there.
    pub fn play_from(&self, at_s: f64) -> Result<Playback, RecordError> {
        let mut playback = self.playback(self.beginning(Some(at_s))?);
        playback.advance_to(at_s)?;
        Ok(playback)
    }

    /// A run that goes on from an instant, s of the run.
    pub fn go_on(&self, at_s: f64) -> Result<GoOn, RecordError> {
        let playback = self.play_from(at_s)?;
        // The scene that runs there: as many were loaded by then as this many of the file's began.
        let begun =
            |scene: &&crate::schema::RecordedScene| scene.begin_s <= playback.time_s() + 1e-9;
        let scene = self.scenes().iter().filter(begun).count().saturating_sub(1);
        let header = self.header(scene)?;
        let session = playback.session();
        let origin = BranchOrigin {
            file: self.about().file.clone(),
            time_s: playback.time_s(),
            step: session.steps_done(),
            state_hash: session.state_hash(),
        };
        let saved = session.simulation().save();
        // The scene once more, as a log of it would be replayed.
        let lines = self.header_lines(&header)?;
        let log = LogReader::new(&origin.file, &lines[..])?;
        let (_, start) = Replay::new(log)?;
        let mut simulation = Simulation::new(start.model.clone());
        simulation.restore(&saved).map_err(|why| self.not_saved(&why.to_string()))?;
        Ok(GoOn { start, header, from: (simulation, saved.into()), origin })
    }

    pub(crate) fn playback(&self, beginning: Beginning) -> Playback {
        let Beginning { start, replay, from, steps_done, time_s } = beginning;
        let session = match from {
            Some((simulation, _)) => Session::of(simulation),
            None => Session::new(start.model, start.seed),
        };
        let session = session.counted_from(steps_done, time_s);
        Playback { recording: self.clone(), session, replay }
    }

    fn not_saved(&self, got: &str) -> RecordError {
        let About { file, rolima, same_version, .. } = self.about();
        let by =
            if *same_version { String::new() } else { format!(", written by rolima {rolima}") };
        RecordError::Not {
            file: file.clone(),
            expected: "a saved simulation of its scene".to_owned(),
            got: format!("{got}{by}"),
        }
    }
}

impl Playback {
    /// The run as it is there.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The same, to let it go on by other actions than those recorded.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// The time, s of the run.
    pub fn time_s(&self) -> f64 {
        self.session.simulated_s()
    }

    /// Goes on to a time, s of the run, to the nearest step. False where the recording ends before it.
    pub fn advance_to(&mut self, at_s: f64) -> Result<bool, RecordError> {
        let [_, end_s] = self.recording.span_s();
        loop {
            let step_s = self.session.world().model().step_s;
            let steps = |to_s: f64| ((to_s - self.time_s()) / step_s).round().max(0.0) as u64;
            let wanted = steps(at_s);
            // Up to the next action, as another scene may have steps of another length.
            let Some(next) = self.replay.next_step() else {
                // A recording that is cut off has states after its last action.
                let left = if self.replay.is_cut_off() { steps(at_s.min(end_s)) } else { 0 };
                let done = self.session.steps(left);
                return Ok(done == wanted);
            };
            let gap = next.saturating_sub(self.session.steps_done());
            if gap > wanted {
                return Ok(self.session.steps(wanted) == wanted);
            }
            if self.session.steps(gap) < gap {
                // Not as recorded: the world is at its end.
                return Ok(false);
            }
            self.replay.play_next(&mut self.session)?;
        }
    }

    /// Does the next action, at its step. False where there is none.
    pub(crate) fn play_next(&mut self) -> Result<bool, RecordError> {
        Ok(self.replay.play_next(&mut self.session)?)
    }

    /// Steps the world, so often.
    pub(crate) fn steps(&mut self, count: u64) -> u64 {
        self.session.steps(count)
    }

    /// Whether there are no more actions.
    pub(crate) fn is_over(&self) -> bool {
        self.replay.is_over()
    }

    /// How the replay of its actions went so far.
    pub(crate) fn replayed(&self) -> rolima_run::live::log::Replayed {
        self.replay.replayed(&self.session)
    }

    /// Where the hashes of the states first differ from those recorded, if they do.
    pub fn difference(&self) -> Option<Difference> {
        self.replayed().difference
    }
}
