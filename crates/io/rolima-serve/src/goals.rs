//! Where robots are sent: what the loop shows of it, for viewers to see.
//!
//! The loop leaves a copy whenever something has changed and nobody else is at it; it never waits.

use rolima_run::live::{Publication, PublishedGoal, PublishedScene, Sink};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// What is known of the goals of a scene's robots.
#[derive(Clone, Debug, Default)]
pub struct GoalsNow {
    /// Which scene.
    pub generation: u32,
    /// Counts the changes.
    pub version: u64,
    /// Robots that were sent somewhere.
    pub goals: Vec<PublishedGoal>,
}

#[derive(Default)]
struct Shared {
    now: Mutex<GoalsNow>,
    version: AtomicU64,
}

/// The goals of a live run's robots, for everybody who asks.
#[derive(Clone, Default)]
pub struct SharedGoals {
    shared: Arc<Shared>,
}

impl SharedGoals {
    /// What a live run shares, and the sink that its loop must get.
    pub fn new() -> (Self, GoalSink) {
        let shared_goals = Self::default();
        let sink = GoalSink { shared: Arc::clone(&shared_goals.shared), is_old: true };
        (shared_goals, sink)
    }

    /// Counts the changes.
    pub fn version(&self) -> u64 {
        self.shared.version.load(Relaxed)
    }

    /// Looks at what is known now; shortly, as the loop leaves nothing meanwhile.
    pub fn look<T>(&self, look: impl FnOnce(&GoalsNow) -> T) -> T {
        look(&self.shared.now.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The sink of a live run that goals are shown by.
pub struct GoalSink {
    shared: Arc<Shared>,
    /// Whether what was shown last may not have been left there.
    is_old: bool,
}

impl Sink for GoalSink {
    fn scene(&mut self, _: &PublishedScene<'_>) {
        self.is_old = true;
    }

    fn publication(&mut self, publication: &Publication<'_>) {
        if publication.goals.is_empty() && !self.is_old {
            return;
        }
        // Where somebody looks, the next publication will do.
        let Ok(mut now) = self.shared.now.try_lock() else {
            self.is_old = true;
            return;
        };
        self.is_old = !publication.goals.is_empty();
        if now.generation == publication.generation && now.goals == publication.goals {
            return;
        }
        now.generation = publication.generation;
        now.version += 1;
        now.goals.truncate(publication.goals.len());
        let known = now.goals.len();
        for (old, new) in now.goals.iter_mut().zip(publication.goals) {
            old.clone_from(new);
        }
        now.goals.extend_from_slice(&publication.goals[known..]);
        self.shared.version.store(now.version, Relaxed);
    }
}
