//! How much robots that are sent somewhere may look for, a frame: counted, not timed, so that the same
//! goals give the same bits everywhere, and bounded, so that no number of them makes a frame long.

use crate::guide::PORTION;

/// All searches of a frame together, in the effort of [`crate::guide::Guide::work`]. With less,
/// many robots wait longer for their ways; with more, the loop is held longer in each frame.
const SEARCHES: usize = 4 * PORTION;
/// Walls, and boxes around walls, that all robots of a frame look at together beside their searches.
const LOOKS: usize = 64_000;

/// What one robot may look for in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Effort of its search for a way.
    pub(crate) search: usize,
    /// Walls to look at beside that. Who had to look at more does without until it is made up for.
    pub(crate) looks: usize,
}

impl Effort {
    /// That of a robot if no other goes anywhere.
    pub const ALONE: Self = Self { search: PORTION, looks: LOOKS };

    /// The share of one of so many robots that go somewhere, of whom some search for their way.
    pub fn shared(going: usize, searching: usize) -> Self {
        let search = (SEARCHES / searching.max(1)).min(PORTION);
        Self { search, looks: LOOKS / going.max(1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_no_more_than_a_frame_may_take() {
        assert_eq!(Effort::shared(1, 1), Effort::ALONE);
        assert_eq!(Effort::shared(0, 0), Effort::ALONE);
        for going in 1..=64 {
            for searching in 0..=going {
                let share = Effort::shared(going, searching);
                assert!(share.search * searching <= SEARCHES && share.looks * going <= LOOKS);
                assert!(share.search > 0 && share.looks > 0);
            }
        }
    }
}
