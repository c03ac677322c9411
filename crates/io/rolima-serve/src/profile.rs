//! Where the time of steps goes: measured while somebody looks at it.
//!
//! The loop leaves a copy when nobody else is at it; it never waits.

use rolima_run::live::{Publication, PublishedScene, Sink};
use rolima_run::stopwatch::Profile;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Publications between two copies: a profile changes slowly.
const COPY_EVERY: u32 = 100;

#[derive(Default)]
struct Shared {
    /// How many look.
    lookers: AtomicU32,
    /// Counts the copies.
    version: AtomicU64,
    now: Mutex<Option<(u32, Profile)>>,
}

/// Where the time of a live run's steps goes, for everybody who asks.
#[derive(Clone, Default)]
pub struct SharedProfile {
    shared: Arc<Shared>,
}

/// Somebody who looks; while there is one, the loop measures.
pub struct Looking {
    shared: Arc<Shared>,
}

impl SharedProfile {
    /// What a live run shares, and the sink that its loop must get.
    pub fn new() -> (Self, ProfileSink) {
        let shared_profile = Self::default();
        let sink = ProfileSink { shared: Arc::clone(&shared_profile.shared), publications: 0 };
        (shared_profile, sink)
    }

    /// Begins to look.
    pub fn look(&self) -> Looking {
        self.shared.lookers.fetch_add(1, Relaxed);
        Looking { shared: Arc::clone(&self.shared) }
    }
}

impl Looking {
    /// Counts the changes.
    pub fn version(&self) -> u64 {
        self.shared.version.load(Relaxed)
    }

    /// What was measured so far, and in which scene; none before the first copy.
    pub fn profile(&self) -> Option<(u32, Profile)> {
        self.shared.now.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        self.shared.lookers.fetch_sub(1, Relaxed);
    }
}

/// The sink of a live run that its profile is shown by.
pub struct ProfileSink {
    shared: Arc<Shared>,
    publications: u32,
}

impl Sink for ProfileSink {
    fn scene(&mut self, _: &PublishedScene<'_>) {}

    fn publication(&mut self, publication: &Publication<'_>) {
        let Some(profile) = publication.profile else { return };
        self.publications = self.publications.wrapping_add(1);
        if !self.publications.is_multiple_of(COPY_EVERY) && !publication.status.paused {
            return;
        }
        // Where somebody looks, the next one will do.
        if let Ok(mut now) = self.shared.now.try_lock() {
            *now = Some((publication.generation, profile.clone()));
            self.shared.version.fetch_add(1, Relaxed);
        }
    }

    fn wants_profile(&self) -> bool {
        self.shared.lookers.load(Relaxed) > 0
    }
}
