//! A run that goes forward, wherever it comes from.

use crate::error::RecordError;
use crate::playback::Playback;
use crate::recording::Recording;
use rolima_run::live::Session;
use rolima_run::live::log::{Difference, LogInput, LogReader, Replay, is_log};
use rolima_run::steps_for;
use std::path::Path;

/// A run that goes forward: of a scene, of a log or a saved run, or of a recording.
pub struct AnyRun(Kind);

enum Kind {
    /// A scene, from its first instant on.
    Scene(Box<Session>),
    /// A run by its log, or one that was saved.
    Log(Box<(Replay<LogInput>, Session)>),
    /// A recording, simulated again from the state that was saved before the time it was opened at.
    Recording(Box<(Recording, Playback)>),
}

impl AnyRun {
    /// A scene, from where the session is on.
    pub fn of_scene(session: Session) -> Self {
        Self(Kind::Scene(Box::new(session)))
    }

    /// The run in a file, from a time of it on, s, or from before; none if the file is neither a log nor a
    /// saved run nor a recording.
    pub fn open(path: &Path, at_s: f64) -> Result<Option<Self>, RecordError> {
        if Recording::is_recording(path) {
            let recording = Recording::open(path)?;
            let playback = recording.play_from(at_s)?;
            return Ok(Some(Self(Kind::Recording(Box::new((recording, playback))))));
        }
        if !is_log(path) {
            return Ok(None);
        }
        let (replay, start) = Replay::new(LogReader::open(path)?)?;
        let session = Session::new(start.model, start.seed);
        Ok(Some(Self(Kind::Log(Box::new((replay, session))))))
    }

    /// The run as it is there.
    pub fn session(&self) -> &Session {
        match &self.0 {
            Kind::Scene(session) => session,
            Kind::Log(run) => &run.1,
            Kind::Recording(run) => run.1.session(),
        }
    }

    /// Time of the run, s.
    pub fn time_s(&self) -> f64 {
        match &self.0 {
            Kind::Recording(run) => run.1.time_s(),
            _ => self.session().simulated_s(),
        }
    }

    /// When it ends, s; none where only its end tells.
    pub fn end_s(&self) -> Option<f64> {
        match &self.0 {
            Kind::Recording(run) => Some(run.0.span_s()[1]),
            _ => None,
        }
    }

    /// What is wrong with a recording; what is before it can be had.
    pub fn damage(&self) -> Option<String> {
        match &self.0 {
            Kind::Recording(run) => run.0.damage().map(ToString::to_string),
            _ => None,
        }
    }

    /// The recording that it is of, if it is of one.
    pub fn recording(&self) -> Option<&Recording> {
        match &self.0 {
            Kind::Recording(run) => Some(&run.0),
            _ => None,
        }
    }

    /// Where the states first differ from those that were recorded or logged, if they do.
    pub fn difference(&self) -> Option<Difference> {
        match &self.0 {
            Kind::Scene(_) => None,
            Kind::Log(run) => run.0.replayed(&run.1).difference,
            Kind::Recording(run) => run.1.difference(),
        }
    }

    /// Goes on up to an instant of the run, s. False where it ends before.
    pub fn advance_to(&mut self, at_s: f64) -> Result<bool, RecordError> {
        match &mut self.0 {
            Kind::Scene(session) => {
                let until = steps_for(at_s, session.world().model().step_s);
                let steps = until.saturating_sub(session.steps_done());
                Ok(session.steps(steps) == steps)
            }
            Kind::Log(run) => {
                let (replay, session) = &mut **run;
                let left_s = at_s - session.simulated_s();
                let steps = steps_for(left_s.max(0.0), session.world().model().step_s);
                let begin = session.steps_done();
                let more = replay.advance(session, steps)?;
                Ok(more || session.steps_done() == begin + steps)
            }
            Kind::Recording(run) => run.1.advance_to(at_s),
        }
    }
}
