//! The budget of a frame for ways around others.

use std::cell::Cell;

/// How many paths around others a frame may look at: counted, so that it is the same everywhere.
#[derive(Debug)]
pub struct Detours {
    most: usize,
    looked: Cell<usize>,
    is_short: Cell<bool>,
}

impl Detours {
    /// So many.
    pub fn new(most: usize) -> Self {
        Self { most, looked: Cell::new(0), is_short: Cell::new(false) }
    }

    /// Takes one, if there is one left.
    pub(crate) fn take(&self) -> bool {
        let is_left = self.looked.get() < self.most;
        if is_left {
            self.looked.set(self.looked.get() + 1);
        } else {
            self.is_short.set(true);
        }
        is_left
    }

    /// Paths that were looked at.
    pub fn looked(&self) -> usize {
        self.looked.get()
    }

    /// Whether one was wanted that was not left.
    pub fn is_short(&self) -> bool {
        self.is_short.get()
    }
}
