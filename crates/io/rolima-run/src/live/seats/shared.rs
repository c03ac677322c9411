//! The same seats for all who ask.

use super::Seats;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The seats of a run; clones are the same. The loop never asks, so it never waits for anybody here.
#[derive(Clone, Debug, Default)]
pub struct SharedSeats(Arc<Mutex<Seats>>);

impl SharedSeats {
    /// The seats, for a moment. Whoever sends a command to the loop does so before letting go, so that
    /// commands arrive in the order in which robots were taken.
    pub fn lock(&self) -> MutexGuard<'_, Seats> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
