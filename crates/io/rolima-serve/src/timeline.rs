//! Which instant of a run is shown: what the loop tells of it, for viewers to see.
//!
//! The loop leaves a copy whenever something has changed and nobody else is at it; it never waits.

use rolima_run::live::{Publication, PublishedScene, ShownMode, ShownTimeline, Sink};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Publications of a live run between two copies: it goes on evenly.
const EVERY: u32 = 20;

#[derive(Default)]
struct Shared {
    now: Mutex<ShownTimeline>,
    version: AtomicU64,
}

/// Which instant of a live run is shown, for everybody who asks.
#[derive(Clone, Default)]
pub struct SharedTimeline {
    shared: Arc<Shared>,
}

impl SharedTimeline {
    /// What a live run shares, and the sink that its loop must get.
    pub fn new() -> (Self, TimelineSink) {
        let shared_timeline = Self::default();
        let shared = Arc::clone(&shared_timeline.shared);
        (shared_timeline, TimelineSink { shared, left: None, skipped: 0 })
    }

    /// Counts the changes.
    pub fn version(&self) -> u64 {
        self.shared.version.load(Relaxed)
    }

    /// What is known now.
    pub fn now(&self) -> ShownTimeline {
        self.shared.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The sink of a live run that its timeline is shown by.
pub struct TimelineSink {
    shared: Arc<Shared>,
    /// What was left there last.
    left: Option<ShownTimeline>,
    skipped: u32,
}

impl Sink for TimelineSink {
    fn scene(&mut self, _: &PublishedScene<'_>) {
        self.left = None;
    }

    fn publication(&mut self, publication: &Publication<'_>) {
        let new = publication.timeline;
        if let Some(left) = &self.left
            && is_same(left, new)
        {
            self.skipped += 1;
            let stands = left.at == new.at && left.span == new.span;
            if stands || new.mode == ShownMode::Live && self.skipped < EVERY {
                return;
            }
        }
        // Where somebody looks, the next publication will do.
        let Ok(mut now) = self.shared.now.try_lock() else { return };
        now.clone_from(new);
        self.shared.version.fetch_add(1, Relaxed);
        (self.left, self.skipped) = (Some(new.clone()), 0);
    }
}

/// Whether two differ in nothing but in where the run is.
pub(crate) fn is_same(one: &ShownTimeline, other: &ShownTimeline) -> bool {
    let told = |t: &ShownTimeline| {
        let seeking = t.seeking_s.map(f64::to_bits);
        (t.mode, t.speed.to_bits(), t.playing, seeking, t.may_take_over, t.course, t.futures.len())
    };
    told(one) == told(other)
        && one.fidelity == other.fidelity
        && one.origin == other.origin
        && one.error == other.error
}
