//! Keeping a run whole as it goes: what a recorder is shown, and when.

use super::clock::LiveClock;
use super::history::HistoryScene;
use super::log::{Entry, HASH_EVERY};
use super::run::LoopState;
use super::session::Session;
use super::travelling::{Travelling, at};
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

/// Told whether the run is recorded from now on; else the recorder comes back. Must not block.
pub type RecordAnswer = Box<dyn FnOnce(Result<(), Box<dyn Recorder>>) + Send>;

/// Told how a recording came out, on a thread of its own; none: there was none.
pub type RecordEnd = Box<dyn FnOnce(Option<Result<RecordSummary, RecordBroken>>) + Send>;

impl<C: LiveClock> LoopState<C> {
    /// Somebody keeps the run from now on: from its newest instant, as it is.
    pub(super) fn begin_record(&mut self, mut recorder: Box<dyn Recorder>, answer: RecordAnswer) {
        let is_recording = self.travelling.as_ref().is_some_and(Travelling::is_recording);
        if self.live.recorder.is_some() || self.live.replayer.is_some() || is_recording {
            self.refused += 1;
            return answer(Err(recorder));
        }
        self.collect_events();
        // As whoever replays it has it: without what only the last step knew.
        let first = self.live.session.fork();
        let saved = first.simulation().save().into();
        recorder.note(&first, &Entry::Restore(saved), false);
        recorder.scene(&first, &self.live.model);
        recorder.see(&first, false);
        self.live.recorder = Some(recorder);
        answer(Ok(()));
    }

    /// Nobody keeps the run any more. What is still to be written is written on a thread of its own.
    pub(super) fn end_record(&mut self, end: RecordEnd) {
        self.record_now();
        let Some(recorder) = self.live.recorder.take() else {
            self.refused += 1;
            return end(None);
        };
        let session = self.live.session.fork();
        let thread = std::thread::Builder::new().name("rolima-record-end".to_owned());
        let finish = move || end(Some(recorder.finish(&session)));
        // Without threads there is nobody to tell, and the file is whole up to its last chunk.
        let _ = thread.spawn(finish);
    }

    /// Whether somebody keeps the run.
    pub(super) fn is_kept(&self) -> bool {
        self.live.log.is_some() || self.live.recorder.is_some()
    }

    /// Keeps the run in memory as it is, if it is due.
    fn keep_due(&mut self) {
        let done = self.live.session.steps_done();
        let Some(memory) = self.live.memory.as_ref().filter(|memory| memory.due() <= done) else {
            return;
        };
        if memory.may_add(done, self.live.clock.now_s()) {
            self.keep_now();
        } else {
            memory.put_off(done);
        }
    }

    /// Keeps the run in memory as it is.
    pub(super) fn keep_now(&mut self) {
        if self.live.memory.is_none() {
            return;
        }
        self.collect_events();
        let live = &self.live;
        let Some(memory) = &live.memory else { return };
        let begin_s = live.clock.now_s();
        memory.add(&live.session, begin_s);
        let now_s = live.clock.now_s();
        memory.took(now_s - begin_s, now_s);
    }

    /// Another scene begins, for what is kept in memory.
    pub(super) fn keep_scene(&mut self) {
        let live = &self.live;
        let source = live.loaded.as_ref().map_or(&live.source, |loaded| &loaded.1).clone();
        let mut scene = HistoryScene::new(live.name.clone(), Arc::clone(&live.model));
        (scene.map, scene.source) = (live.map.clone(), source);
        let scene = Arc::new(scene);
        if let Some(memory) = &live.memory {
            scene.any_is(live.session.simulation().fork());
            memory.begin(Arc::clone(&scene), &live.session, live.clock.now_s());
        }
        self.timeline.live_scene = Some(scene);
        self.timeline.course += 1;
    }

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
        if self.live.recorder.is_some() || self.live.memory.is_some() {
            // What happened before it stands before it, whenever the run was shown last.
            self.collect_events();
        }
        let waits = self.waits();
        let live = &mut self.live;
        if let Some(memory) = &live.memory {
            memory.note(at(&live.session), &entry);
        }
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
        let to_hash = if self.is_kept() { HASH_EVERY - done % HASH_EVERY } else { u64::MAX };
        let due = live.recorder.as_ref().map_or(u64::MAX, |recorder| recorder.due());
        let due = due.min(live.memory.as_ref().map_or(u64::MAX, |memory| memory.due()));
        to_hash.min(due.saturating_sub(done).max(1))
    }

    /// Keeps the hash of the state every so often, and the state where it is due.
    pub(super) fn keep(&mut self, steps: u64) {
        if steps == 0 {
            return;
        }
        if self.is_kept() && self.live.session.steps_done().is_multiple_of(HASH_EVERY) {
            let hash = self.live.session.state_hash_in_place();
            self.note(Entry::Hash(hash));
        }
        self.record_due();
        self.keep_due();
    }
}
