//! The budget of a frame for ways around others.

use std::cell::Cell;

/// To ask whether walls leave room at so many places takes no longer than to look at one path.
const ASKED: usize = 8;

/// How many paths around others a frame may look at, and at how many places it may ask for room between
/// walls: counted, so that it is the same everywhere.
#[derive(Debug)]
pub struct Detours {
    most: usize,
    looked: Cell<usize>,
    /// Places that do not make up a path yet.
    asked: Cell<usize>,
    is_short: Cell<bool>,
}

impl Detours {
    /// So many paths, or as many times eight places.
    pub fn new(most: usize) -> Self {
        let (looked, asked, is_short) = (Cell::new(0), Cell::new(0), Cell::new(false));
        Self { most, looked, asked, is_short }
    }

    /// Takes one path, if there is one left.
    pub(crate) fn take(&self) -> bool {
        let is_left = self.looked.get() < self.most;
        if is_left {
            self.looked.set(self.looked.get() + 1);
        } else {
            self.is_short.set(true);
        }
        is_left
    }

    /// Takes one place that is asked about, if there is one left.
    pub(crate) fn ask(&self) -> bool {
        if self.asked.get() > 0 {
            self.asked.set(self.asked.get() - 1);
            return true;
        }
        let is_left = self.take();
        if is_left {
            self.asked.set(ASKED - 1);
        }
        is_left
    }

    /// What was looked at, in paths.
    pub fn looked(&self) -> usize {
        self.looked.get()
    }

    /// Whether one was wanted that was not left.
    pub fn is_short(&self) -> bool {
        self.is_short.get()
    }
}
