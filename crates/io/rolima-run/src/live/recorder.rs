//! Keeping a run whole as it goes: what a recorder is shown, and when.

use super::clock::LiveClock;
use super::log::{Entry, HASH_EVERY};
use super::run::LoopState;
use super::session::Session;
use crate::speed::Speed;
use rolima_core::Model;
use std::sync::Arc;

/// Somebody who keeps a run: its state at the steps that are asked for, its events, and all that is done
/// to it. Called on the loop's thread, in the order in which things happen.
///
/// `waits` says whether the run goes as fast as possible: then it waits for whoever keeps it, and nothing
/// is lost. A run that keeps to the clock never waits: what finds no room is left out and counted.
pub trait Recorder: Send {
    /// Another scene begins, the first one included, at its first instant.
    fn scene(&mut self, session: &Session, model: &Arc<Model>);
    /// The step of the run at which it is to be seen next.
    fn due(&self) -> u64;
    /// The run between two steps: where it is due, where it starts over, and at its end.
    fn see(&mut self, session: &Session, waits: bool);
    /// What happened since it was called last, before it is forgotten.
    fn events(&mut self, session: &Session, waits: bool);
    /// What is done next, as in a log; hashes of the state too.
    fn note(&mut self, session: &Session, entry: &Entry, waits: bool);
    /// The run is over. Waits until all is on its way to the disk.
    fn finish(self: Box<Self>, session: &Session) -> Result<RecordSummary, RecordBroken>;
}

/// How a recording came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordSummary {
    /// Bytes of the file.
    pub bytes: u64,
    /// How often the state was recorded.
    pub samples: u64,
    /// States, pictures and saved simulations that found no room.
    pub lost: u64,
    /// Actions that found no room: from the first of them on, the recording cannot be verified.
    pub actions_lost: u64,
}

/// A recording that has broken off.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {why}; the run is not recorded from here on")]
pub struct RecordBroken {
    /// Which file.
    pub file: String,
    /// Why.
    pub why: String,
}

/// What is worth telling of a recording at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordNews {
    /// It has broken off.
    Broken(RecordBroken),
    /// Something found no room: the disk is too slow. Told once.
    Lost {
        /// Which file.
        file: String,
    },
}

impl<C: LiveClock> LoopState<C> {
    /// Whether the run waits for whoever records it.
    pub(super) fn waits(&self) -> bool {
        self.live.speed == Speed::Max
    }

    /// Lets the recorder see the run if it is due.
    pub(super) fn record_due(&mut self) {
        let done = self.live.session.steps_done();
        if self.live.recorder.as_ref().is_some_and(|recorder| recorder.due() <= done) {
            self.record_now();
        }
    }

    /// Lets the recorder see the run as it is.
    pub(super) fn record_now(&mut self) {
        if self.live.recorder.is_none() {
            return;
        }
        self.collect_events();
        let waits = self.waits();
        if let Some(recorder) = &mut self.live.recorder {
            recorder.see(&self.live.session, waits);
        }
    }

    /// Lets the recorder know that a scene begins, and see it.
    pub(super) fn record_scene(&mut self) {
        if let Some(recorder) = &mut self.live.recorder {
            recorder.scene(&self.live.session, &self.live.model);
        }
        self.record_now();
    }

    /// Notes what is done, in the log and in the recording.
    pub(super) fn note(&mut self, entry: Entry) {
        if self.live.recorder.is_some() {
            // What happened before it stands before it, whenever the run was shown last.
            self.collect_events();
        }
        let waits = self.waits();
        let live = &mut self.live;
        if let Some(recorder) = &mut live.recorder {
            recorder.note(&live.session, &entry, waits);
        }
        if let Some(log) = &mut live.log {
            log.note(live.session.steps_done(), entry);
        }
    }

    /// Steps until the state is to be hashed or recorded.
    pub(super) fn steps_to_keep(&self) -> u64 {
        let live = &self.live;
        let done = live.session.steps_done();
        let is_kept = live.log.is_some() || live.recorder.is_some();
        let to_hash = if is_kept { HASH_EVERY - done % HASH_EVERY } else { u64::MAX };
        let due = live.recorder.as_ref().map_or(u64::MAX, |recorder| recorder.due());
        to_hash.min(due.saturating_sub(done).max(1))
    }

    /// Keeps the hash of the state every so often, and the state where it is due.
    pub(super) fn keep(&mut self, steps: u64) {
        if steps == 0 {
            return;
        }
        let is_kept = self.live.log.is_some() || self.live.recorder.is_some();
        if is_kept && self.live.session.steps_done().is_multiple_of(HASH_EVERY) {
            let hash = self.live.session.state_hash_in_place();
            self.note(Entry::Hash(hash));
        }
        self.record_due();
    }
}
