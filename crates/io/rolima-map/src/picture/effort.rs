//! How much work a picture may cost, counted on the way.

use std::cell::Cell;

/// Looks at the ink across a stroke that one picture may cost, and what takes as long: less than
/// a second.
const MOST: u64 = 3_000_000;

/// More strokes, pieces or work than a drawing takes.
#[derive(Debug)]
pub(crate) struct TooMany;

/// What is left of the work that a picture may cost.
#[derive(Debug)]
pub(crate) struct Effort(Cell<u64>);

impl Default for Effort {
    fn default() -> Self {
        Self(Cell::new(MOST))
    }
}

impl Effort {
    /// Counts work as long as that of `looks` looks at the ink across a stroke.
    pub(crate) fn spend(&self, looks: u64) {
        self.0.set(self.0.get().saturating_sub(looks));
    }

    /// Whether nothing is left. Whoever goes on then only gets done with what was begun.
    pub(crate) fn is_spent(&self) -> bool {
        self.0.get() == 0
    }

    /// Fails if nothing is left.
    pub(crate) fn check(&self) -> Result<(), TooMany> {
        if self.is_spent() { Err(TooMany) } else { Ok(()) }
    }
}
