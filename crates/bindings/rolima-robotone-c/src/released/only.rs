//! The one connection, and the data of its last reply.

use rolima_robotone::{RobotOne, RobotOneError};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes that the data of the last reply have room for at first: four pictures.
const ROOM: usize = 1 << 20;

/// The one connection, and the data of its last reply.
pub(super) struct Only {
    pub(super) robot: Option<RobotOne>,
    /// Never moves or goes away while somebody may look at it: a larger one is made beside it.
    data: &'static mut [u64],
}

static ONLY: Mutex<Option<Only>> = Mutex::new(None);

pub(super) fn only() -> MutexGuard<'static, Option<Only>> {
    ONLY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn words(bytes: usize) -> &'static mut [u64] {
    vec![0; bytes.div_ceil(8)].leak()
}

impl Only {
    pub(super) fn of(only: &mut Option<Self>) -> &mut Self {
        only.get_or_insert_with(|| Self { robot: None, data: words(ROOM) })
    }

    /// Keeps the data of a reply; zeros come after them.
    pub(super) fn keep(&mut self, data: &[u8]) {
        if data.len() > self.data.len() * 8 {
            self.data = words(data.len().next_power_of_two());
        }
        let chunks = data.chunks(8);
        let used = chunks.len();
        for (word, chunk) in self.data.iter_mut().zip(chunks) {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            *word = u64::from_ne_bytes(bytes);
        }
        if let Some(after) = self.data.get_mut(used) {
            *after = 0;
        }
    }

    pub(super) fn pointer(&mut self) -> *mut u64 {
        self.data.as_mut_ptr()
    }

    /// Asks the robot; nothing without a connection, or if it fails. One that is lost is let go.
    pub(super) fn ask<T>(
        &mut self,
        ask: impl FnOnce(&mut RobotOne) -> Result<T, RobotOneError>,
    ) -> Option<T> {
        match ask(self.robot.as_mut()?) {
            Ok(answer) => Some(answer),
            Err(RobotOneError::NotDone { .. }) => None,
            Err(_) => {
                self.robot = None;
                None
            }
        }
    }
}

/// Asks the one robot.
pub(super) fn ask<T>(ask: impl FnOnce(&mut RobotOne) -> Result<T, RobotOneError>) -> Option<T> {
    Only::of(&mut only()).ask(ask)
}
