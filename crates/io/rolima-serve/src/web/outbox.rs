//! The way to a viewer for what must not be skipped.

use super::channels::Wishes;
use super::lock_step::TurnCopy;
use super::rate::Bucket;
use super::refusal::RequestRefusal;
use super::sensor_feed::Watched;
use axum::body::Bytes;
use rolima_core::model::Mount;
use rolima_run::live::PublishedTurn;
use rolima_wire::{Role, now, pb};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::{Notify, mpsc};

/// Notices a second to one viewer, and how many at once.
const NOTICES: (f64, f64) = (2.0, 8.0);

/// Something for a viewer that must not be skipped.
pub(crate) enum Out {
    /// A whole message.
    Message(Bytes),
    /// The world waits for this controller.
    Turn(Box<TurnCopy>),
}

/// The way to a viewer for what must not be skipped: bounded; a viewer that lets it run full is
/// cut off.
#[derive(Clone)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Out>,
    pub(super) full: Arc<(AtomicBool, Notify)>,
    notices: Arc<Mutex<Bucket>>,
    /// Turns of lock step that wait for an answer, which no rate may drop: the world waits, too.
    turns: Arc<AtomicU32>,
    /// Whether the viewer has joined as a controller: then it gets turns in place of frames, and
    /// may take as long as it likes, as one does that a debugger holds.
    pub(super) controls: Arc<AtomicBool>,
    /// Whose sensors the viewer wants to see.
    pub(super) watched: Arc<Mutex<Watched>>,
    /// Whether there are any: for the loop, which must not wait for a lock.
    watches: Arc<AtomicBool>,
    /// Whether the viewer wants pictures of them.
    pictures: Arc<AtomicBool>,
    /// Whether the viewer wants to see where robots are sent.
    pub(super) goals: Arc<AtomicBool>,
    /// Whether the viewer wants to know which instant is shown.
    pub(super) timeline: Arc<AtomicBool>,
    /// The channels that the viewer wants, and whether it wants the profile.
    pub(super) wishes: Wishes,
}

impl Outbox {
    pub(super) fn new(backlog: usize) -> (Self, mpsc::Receiver<Out>) {
        let (sender, receiver) = mpsc::channel(backlog.max(4));
        let notices = Bucket::new(NOTICES.0, NOTICES.1, Instant::now());
        let outbox = Self {
            sender,
            full: Arc::default(),
            notices: Arc::new(Mutex::new(notices)),
            turns: Arc::default(),
            controls: Arc::default(),
            watched: Arc::default(),
            watches: Arc::default(),
            pictures: Arc::default(),
            goals: Arc::default(),
            timeline: Arc::default(),
            wishes: Wishes::default(),
        };
        (outbox, receiver)
    }

    /// Tells a controller in lock step that the world waits for it. Never blocks.
    pub(crate) fn turn(&self, turn: &PublishedTurn<'_>) {
        self.turns.fetch_add(1, Relaxed);
        // Encoded by the viewer's task, not by the loop.
        let [watches, pictures] = [&self.watches, &self.pictures].map(|flag| flag.load(Relaxed));
        let copy = TurnCopy::new(turn, watches, pictures);
        self.push(Out::Turn(Box::new(copy)));
    }

    /// Sets whose sensors the viewer wants to see.
    pub(crate) fn watch(&self, mounts: Vec<Mount>, pictures: bool) {
        self.watches.store(!mounts.is_empty(), Relaxed);
        self.pictures.store(pictures, Relaxed);
        *self.watched.lock().unwrap_or_else(PoisonError::into_inner) = Watched { mounts, pictures };
    }

    /// Whether the viewer wants to see where robots are sent.
    pub(crate) fn watch_goals(&self, on: bool) {
        self.goals.store(on, Relaxed);
    }

    /// Whether the viewer wants to know which instant is shown.
    pub(crate) fn watch_timeline(&self, on: bool) {
        self.timeline.store(on, Relaxed);
    }

    /// Whether the viewer is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }

    /// Whether this is a controller's from now on.
    pub(crate) fn set_controls(&self, controls: bool) {
        self.controls.store(controls, Relaxed);
    }

    /// Whether this is a controller's.
    pub(crate) fn controls(&self) -> bool {
        self.controls.load(Relaxed)
    }

    pub(super) fn awaits_answer(&self) -> bool {
        self.turns.load(Relaxed) > 0
    }

    /// Takes note of an answer to a turn, if one is expected.
    pub(super) fn take_answer(&self) -> bool {
        self.turns.fetch_update(Relaxed, Relaxed, |turns| turns.checked_sub(1)).is_ok()
    }

    /// Never blocks.
    pub(crate) fn push(&self, out: Out) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.sender.try_send(out) {
            self.full.0.store(true, Relaxed);
            self.full.1.notify_one();
        }
    }

    /// Something to tell the person; too many are left out.
    pub(crate) fn notice(&self, level: pb::notice::Level, text: impl Into<String>) {
        self.limited(notice(level, text));
    }

    /// Something that is not done, with its code; too many are left out.
    pub(crate) fn refuse(&self, level: pb::notice::Level, why: &RequestRefusal) {
        self.limited(refusal(level, why));
    }

    /// Something that the viewer's role may not do; too many are left out.
    pub(crate) fn forbid(&self, needs: Role, text: String) {
        self.limited(as_message(pb::Notice {
            level: pb::notice::Level::Warning.into(),
            text,
            needs: pb::Role::from(needs).into(),
            refusal: None,
        }));
    }

    fn limited(&self, notice: Bytes) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if notices.take(Instant::now()) {
            self.push(Out::Message(notice));
        }
    }
}

/// A notice as a message.
fn notice(level: pb::notice::Level, text: impl Into<String>) -> Bytes {
    let (level, text) = (level.into(), text.into());
    as_message(pb::Notice { level, text, ..pb::Notice::default() })
}

/// A notice of what is not done as a message.
pub(super) fn refusal(level: pb::notice::Level, why: &RequestRefusal) -> Bytes {
    let (level, text, refusal) = (level.into(), why.to_string(), Some(why.message()));
    as_message(pb::Notice { level, text, refusal, ..pb::Notice::default() })
}

fn as_message(notice: pb::Notice) -> Bytes {
    now::server_message(pb::server_message::Kind::Notice(notice)).into()
}
