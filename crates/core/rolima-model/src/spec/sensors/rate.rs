//! When a sensor is due.

use crate::ModelError;

/// A period and a phase: reading k is due at the time `phase_s` + k `period_s`.
///
/// A reading is taken at the first step that ends at or after that time. It follows from the
/// number of steps alone, so nothing adds up: after an hour of steps that do not divide the period
/// there are as many readings as after an hour of steps that do. Of several readings that fall
/// into one step only one is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Time between readings, s.
    pub period_s: f64,
    /// Time of the first reading, s.
    pub phase_s: f64,
}

/// How much of a period a reading may come early, so that rounding delays none by a step.
const EARLY: f64 = 1e-9;

impl Rate {
    /// `hertz` readings a second, the first at once.
    pub const fn per_second(hertz: f64) -> Self {
        Self { period_s: 1.0 / hertz, phase_s: 0.0 }
    }

    /// Readings a second, without the last digits that come from the period.
    pub fn hertz(&self) -> f64 {
        (1e9 / self.period_s).round() / 1e9
    }

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        crate::keys::check_rate(key, *self)
    }

    /// How many readings were due up to the end of `steps` steps of `step_s` s.
    pub fn readings_until(&self, steps: u64, step_s: f64) -> u64 {
        let periods = (steps as f64 * step_s - self.phase_s) / self.period_s;
        // Beside the share, what rounding does to a long time.
        let reached = periods + EARLY + 4.0 * f64::EPSILON * periods.abs();
        if reached >= 0.0 { reached.floor() as u64 + 1 } else { 0 }
    }

    /// The first step number above `steps` at which a reading is due.
    pub fn next_due(&self, steps: u64, step_s: f64) -> u64 {
        let before = self.readings_until(steps, step_s);
        let due_s = self.phase_s + before as f64 * self.period_s;
        // Rounding may be off by a step or so: look from a little before.
        let about = (due_s / step_s).floor() as u64;
        let mut next = about.saturating_sub(2).max(steps.saturating_add(1));
        while self.readings_until(next, step_s) <= before {
            next += 1;
        }
        next
    }

    /// Whether a reading is due at the end of step number `steps` (0: before the first step).
    pub fn due(&self, steps: u64, step_s: f64) -> bool {
        let before = steps.checked_sub(1).map_or(0, |last| self.readings_until(last, step_s));
        self.readings_until(steps, step_s) > before
    }
}
