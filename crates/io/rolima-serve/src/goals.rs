//! Where robots are sent: what the loop shows of it, for viewers to see.
//!
//! The loop leaves a copy whenever something has changed and nobody else is at it; it never waits.

use rolima_run::live::{GoalShown, Moment, Outlet, SceneShown};
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
    pub goals: Vec<GoalShown>,
}

#[derive(Default)]
struct Shared {
    now: Mutex<GoalsNow>,
    version: AtomicU64,
}

/// The goals of a live run's robots, for everybody who asks.
#[derive(Clone, Default)]
pub struct GoalBoard {
    shared: Arc<Shared>,
}

impl GoalBoard {
    /// The board of a live run, and the outlet that its loop must get.
    pub fn new() -> (Self, GoalOutlet) {
        let board = Self::default();
        let outlet = GoalOutlet { shared: Arc::clone(&board.shared), is_old: true };
        (board, outlet)
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

/// The outlet of a live run that goals are shown by.
pub struct GoalOutlet {
    shared: Arc<Shared>,
    /// Whether what was shown last may not be on the board.
    is_old: bool,
}

impl Outlet for GoalOutlet {
    fn scene(&mut self, _: &SceneShown<'_>) {
        self.is_old = true;
    }

    fn moment(&mut self, moment: &Moment<'_>) {
        if moment.goals.is_empty() && !self.is_old {
            return;
        }
        // Where somebody looks, the next moment will do.
        let Ok(mut now) = self.shared.now.try_lock() else {
            self.is_old = true;
            return;
        };
        self.is_old = !moment.goals.is_empty();
        if now.generation == moment.generation && now.goals == moment.goals {
            return;
        }
        now.generation = moment.generation;
        now.version += 1;
        now.goals.truncate(moment.goals.len());
        let known = now.goals.len();
        for (old, new) in now.goals.iter_mut().zip(moment.goals) {
            old.clone_from(new);
        }
        now.goals.extend_from_slice(&moment.goals[known..]);
        self.shared.version.store(now.version, Relaxed);
    }
}
