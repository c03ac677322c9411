//! Which robots programs have, for others who would drive them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The robots that programs have; clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    robots: Arc<Mutex<BTreeSet<u32>>>,
    changes: Arc<AtomicU64>,
}

impl Programs {
    /// Whether a program has this robot, so that nobody else can drive it.
    pub fn have(&self, robot: u32) -> bool {
        self.robots().contains(&robot)
    }

    /// All robots that programs have.
    pub fn all(&self) -> Vec<u32> {
        self.robots().iter().copied().collect()
    }

    /// Counts the changes.
    pub fn changes(&self) -> u64 {
        self.changes.load(Relaxed)
    }

    /// A program takes a robot, or gives it back.
    pub fn set(&self, robot: u32, taken: bool) {
        let mut robots = self.robots();
        let changed = if taken { robots.insert(robot) } else { robots.remove(&robot) };
        if changed {
            self.changes.fetch_add(1, Relaxed);
        }
    }

    fn robots(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.robots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
