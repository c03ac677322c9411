//! Where the time of steps goes: measured while somebody looks at it.
//!
//! The loop leaves a copy when nobody else is at it; it never waits.

use rolima_run::live::{Moment, Outlet, SceneShown};
use rolima_run::stopwatch::Profile;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Moments between two copies: a profile changes slowly.
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
pub struct ProfileBoard {
    shared: Arc<Shared>,
}

/// Somebody who looks; while there is one, the loop measures.
pub struct Looking {
    shared: Arc<Shared>,
}

impl ProfileBoard {
    /// The board of a live run, and the outlet that its loop must get.
    pub fn new() -> (Self, ProfileOutlet) {
        let board = Self::default();
        let outlet = ProfileOutlet { shared: Arc::clone(&board.shared), moments: 0 };
        (board, outlet)
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

/// The outlet of a live run that its profile is shown by.
pub struct ProfileOutlet {
    shared: Arc<Shared>,
    moments: u32,
}

impl Outlet for ProfileOutlet {
    fn scene(&mut self, _: &SceneShown<'_>) {}

    fn moment(&mut self, moment: &Moment<'_>) {
        let Some(profile) = moment.profile else { return };
        self.moments = self.moments.wrapping_add(1);
        if !self.moments.is_multiple_of(COPY_EVERY) && !moment.status.paused {
            return;
        }
        // Where somebody looks, the next one will do.
        if let Ok(mut now) = self.shared.now.try_lock() {
            *now = Some((moment.generation, profile.clone()));
            self.shared.version.fetch_add(1, Relaxed);
        }
    }

    fn wants_profile(&self) -> bool {
        self.shared.lookers.load(Relaxed) > 0
    }
}
