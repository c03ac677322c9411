//! How much robots that are sent somewhere may look for, a frame: counted, not timed, so that the same
//! goals give the same bits everywhere, and bounded, so that no number of them makes a frame long.

use crate::grid_planner::PORTION;
use serde::{Deserialize, Serialize};

/// All searches of a frame's time together, in the effort of [`crate::planner::GridPlanner::work`].
/// With less, many robots wait longer for their ways; with more, the loop is held longer in each
/// frame: a unit takes some 0.5 us, so this is half a millisecond of every 30.
const SEARCHES: usize = 1000;
/// Ways around others that all robots of a frame's time look at together: one takes some 0.7 us, so
/// this is less than 1.5 ms of every 30.
const DETOURS: usize = 2000;
/// Walls, and boxes around walls, that all robots of a frame look at together beside their searches.
const LOOKS: usize = 16_000;

/// More shares of effort than any portion takes.
const MOST_SPENT: i64 = 1 << 60;

/// What one robot may look for in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Effort of its search for a way.
    pub(crate) search: usize,
    /// Walls to look at beside that. Who had to look at more does without until it is made up for.
    pub(crate) looks: usize,
    /// Ways around others to look at; none for as many as there are.
    pub(crate) detours: Option<usize>,
}

/// What a robot's frame cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Its search for a way.
    pub search: usize,
    /// Ways around others that it looked at.
    pub detours: usize,
}

impl Effort {
    /// That of a robot if no other goes anywhere.
    pub const ALONE: Self = Self { search: PORTION, looks: LOOKS, detours: None };

    /// The share of one of so many robots that go somewhere, with so much effort for its search. It
    /// may look at all ways around others, or at none where others have looked at too many before.
    pub fn shared(going: usize, search: usize, may_detour: bool) -> Self {
        let detours = (!may_detour).then_some(0);
        Self { search, looks: LOOKS / going.max(1), detours }
    }
}

/// What some work of many robots may still cost. It comes back with simulated time, and there is
/// never more than for one frame, so whatever is sought costs no frame more than that, and the last
/// portion of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Allowance {
    /// What comes back in a frame's time.
    most: usize,
    /// In shares of a unit of effort, of which it has as many as a frame has steps; less than zero
    /// where a portion took more than was left.
    left: i64,
    /// The step up to which it has come back.
    step: u64,
}

impl Allowance {
    /// For all searches.
    pub const SEARCHES: Self = Self { most: SEARCHES, left: 0, step: 0 };
    /// For all ways around others; all of it is there at first.
    pub const DETOURS: Self = Self { most: DETOURS, left: i64::MAX, step: 0 };

    /// Whether what was read back is such an allowance, of which no more was spent than a portion may take.
    pub(crate) fn fits(&self, fresh: &Self) -> bool {
        self.most == fresh.most && self.left > -MOST_SPENT
    }

    /// What is left before a step, of a frame that has so many.
    pub fn at(&mut self, step: u64, steps_of_frame: u64) -> usize {
        let shares = steps_of_frame.max(1) as i64;
        let most = self.most as i64 * shares;
        // As much as it may ever have, after a reset or a long time.
        let passed = step.checked_sub(self.step).unwrap_or(steps_of_frame).min(1 << 20);
        let back = (passed as i64).saturating_mul(self.most as i64);
        self.left = self.left.saturating_add(back).min(most);
        self.step = step;
        usize::try_from(self.left / shares).unwrap_or(0)
    }

    /// Takes what was done off it.
    pub fn spend(&mut self, effort: usize, steps_of_frame: u64) {
        self.left -= effort as i64 * steps_of_frame.max(1) as i64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_add_up_to_no_more_than_a_frame_may_take() {
        for going in 1..=64 {
            let share = Effort::shared(going, 7, true);
            assert!(share.looks * going <= LOOKS && share.looks > 0 && share.search == 7);
        }
    }

    #[test]
    fn searches_of_any_time_cost_no_more_than_comes_back_in_it() {
        let mut allowance = Allowance::SEARCHES;
        let mut spent = 0;
        for step in 0..3000 {
            // Greedy, and now and then a portion that is larger than it may be.
            let left = allowance.at(step, 30);
            let effort = if step % 7 == 0 { left } else { left.min(10) };
            let effort = if step % 100 == 0 && left > 0 { effort + 300 } else { effort };
            allowance.spend(effort, 30);
            spent += effort;
            assert!(spent <= SEARCHES * (step as usize / 30 + 1) + 300, "{spent} by step {step}");
        }
        assert!(spent > SEARCHES * 99, "{spent}");
        assert_eq!(allowance.at(1_000_000, 30), SEARCHES);
        // After a reset.
        allowance.spend(SEARCHES, 30);
        assert_eq!(allowance.at(0, 30), SEARCHES);
    }
}
