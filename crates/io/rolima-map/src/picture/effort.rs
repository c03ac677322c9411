//! How much work a picture may cost, counted on the way.

use std::cell::Cell;

/// Looks at the ink across a stroke that one picture may cost, and what takes as long: less than two
/// seconds.
const MOST: u64 = 6_600_000;
/// So many pixels are passed over in the time of one such look, and so many looked around at.
const PASSED_A_LOOK: u64 = 128;
const AROUND_A_LOOK: u64 = 64;

/// More strokes, pieces or work than a drawing takes.
#[derive(Debug)]
pub(crate) struct TooMany;

/// What is left of the work that a picture may cost.
#[derive(Debug)]
pub(crate) struct PictureEffort(Cell<u64>);

impl Default for PictureEffort {
    fn default() -> Self {
        Self(Cell::new(MOST))
    }
}

impl PictureEffort {
    /// Counts work as long as that of `looks` looks at the ink across a stroke.
    pub(crate) fn spend(&self, looks: u64) {
        self.0.set(self.0.get().saturating_sub(looks));
    }

    /// Counts so many passes over so many pixels.
    pub(crate) fn pass(&self, passes: usize, pixels: usize) {
        self.spend((passes * pixels) as u64 / PASSED_A_LOOK);
    }

    /// Counts looks at the pixels around so many.
    pub(crate) fn look_around(&self, pixels: usize) {
        self.spend(pixels as u64 / AROUND_A_LOOK);
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

#[cfg(test)]
impl PictureEffort {
    /// What was spent so far.
    pub(crate) fn spent(&self) -> u64 {
        MOST - self.0.get()
    }

    /// So little that any work is too much.
    pub(crate) fn of(looks: u64) -> Self {
        Self(Cell::new(looks))
    }
}
