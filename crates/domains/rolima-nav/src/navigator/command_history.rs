//! The voltages that were sent, as far back as a delay may reach. Beyond the thesis, which has none.

use super::settings::MOST_DELAY;
use crate::drive::MotorVolts;
use serde::{Deserialize, Serialize};

/// A ring of the last voltages.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CommandHistory {
    #[serde(with = "crate::arrays")]
    ring: [MotorVolts; MOST_DELAY + 1],
    /// Where the newest is.
    newest: usize,
}

impl Default for CommandHistory {
    /// Nothing was sent yet.
    fn default() -> Self {
        Self { ring: [MotorVolts::ZERO; MOST_DELAY + 1], newest: 0 }
    }
}

impl CommandHistory {
    /// What was sent so many frames before the newest, at most [`MOST_DELAY`].
    #[inline]
    pub(super) fn ago(&self, frames: usize) -> MotorVolts {
        self.ring[(self.newest + self.ring.len() - frames) % self.ring.len()]
    }

    /// Whether what was read back is such a ring.
    pub(super) fn fits(&self) -> bool {
        self.newest < self.ring.len()
    }

    /// One more frame.
    pub(super) fn push(&mut self, volts: MotorVolts) {
        self.newest = (self.newest + 1) % self.ring.len();
        self.ring[self.newest] = volts;
    }

    /// The newest were others.
    pub(super) fn amend(&mut self, volts: MotorVolts) {
        self.ring[self.newest] = volts;
    }
}
