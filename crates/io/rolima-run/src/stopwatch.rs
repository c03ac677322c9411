//! Where the time of a step goes: a clock that is read whenever a part of a step begins.
//!
//! Reading the clock takes time itself; its cost is measured first and taken off each part.

use rolima_core::probe::{Probe, StepPart};
use std::time::{Duration, Instant};

/// Readings of the clock that its cost is the median of.
const READINGS: usize = 401;

/// What was measured so far.
#[derive(Clone, Debug)]
pub struct Profile {
    spent: [Duration; StepPart::ALL.len()],
    calls: [u64; StepPart::ALL.len()],
    steps: u64,
    /// What one reading of the clock costs.
    cost: Duration,
}

/// Work on one part of all steps together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spent {
    /// Which.
    pub part: StepPart,
    /// How often it was worked on.
    pub calls: u64,
    /// How long, s, without what the clock took.
    pub time_s: f64,
}

impl Profile {
    /// How many steps were measured.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The parts that were worked on at all, in the order of a step.
    pub fn spent(&self) -> impl Iterator<Item = Spent> + '_ {
        let each = StepPart::ALL.iter().map(|&part| {
            let (spent, calls) = (self.spent[part as usize], self.calls[part as usize]);
            let clock_s = self.cost.as_secs_f64() * calls as f64;
            Spent { part, calls, time_s: (spent.as_secs_f64() - clock_s).max(0.0) }
        });
        each.filter(|spent| spent.calls > 0)
    }
}

/// A clock that is read whenever a part of a step begins.
#[derive(Debug)]
pub struct Stopwatch {
    /// The part that is worked on, and since when.
    open: Option<(StepPart, Instant)>,
    profile: Profile,
}

impl Default for Stopwatch {
    fn default() -> Self {
        let mut last = Instant::now();
        let mut costs = [Duration::ZERO; READINGS];
        for cost in &mut costs {
            let now = Instant::now();
            *cost = now - std::mem::replace(&mut last, now);
        }
        costs.sort_unstable();
        let parts = StepPart::ALL.len();
        debug_assert_eq!(
            parts,
            StepPart::Publish as usize + 1,
            "numbers of parts are their places"
        );
        let (spent, calls) = ([Duration::ZERO; StepPart::ALL.len()], [0; StepPart::ALL.len()]);
        let profile = Profile { spent, calls, steps: 0, cost: costs[READINGS / 2] };
        Self { open: None, profile }
    }
}

impl Stopwatch {
    /// What was measured so far.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    fn close(&mut self, now: Instant) {
        if let Some((part, since)) = self.open.take() {
            self.profile.spent[part as usize] += now - since;
            self.profile.calls[part as usize] += 1;
        }
    }
}

impl Probe for Stopwatch {
    fn begin(&mut self, part: StepPart) {
        let now = Instant::now();
        self.close(now);
        self.open = Some((part, now));
    }

    fn end(&mut self) {
        self.close(Instant::now());
        self.profile.steps += 1;
    }
}
