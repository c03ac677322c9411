//! Which steps are due now, without ever running after a debt.
//!
//! A pace ties simulated time to wall time at an anchor: so many steps were done at that instant,
//! and from there on they are due at a constant rate, so that rounding never adds up. A machine
//! that cannot keep up falls behind; beyond [`MOST_BEHIND_S`] the pace ties anew, and what was
//! missed is counted instead of made up for. So the work due at once is bounded, and a world that
//! is too heavy runs as fast as it can rather than ever later.

use crate::speed::Speed;

/// How much wall time a run may lag before it gives the lag up, s.
pub const MOST_BEHIND_S: f64 = 0.1;

/// Says which steps are due.
#[derive(Clone, Debug)]
pub struct Pace {
    speed: Speed,
    step_s: f64,
    anchor_wall_s: f64,
    /// Steps done since the anchor.
    done: u64,
    missed: u64,
    missed_s: f64,
}

impl Pace {
    /// A pace that starts now.
    pub fn new(speed: Speed, step_s: f64, now_s: f64) -> Self {
        Self { speed, step_s, anchor_wall_s: now_s, done: 0, missed: 0, missed_s: 0.0 }
    }

    /// The speed.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Simulated seconds a second; 0 means as fast as possible.
    pub fn factor(&self) -> f64 {
        match self.speed {
            Speed::Factor(factor) => factor,
            Speed::Max => 0.0,
        }
    }

    /// Goes on at another speed.
    pub fn set_speed(&mut self, speed: Speed, now_s: f64) {
        if self.speed != speed {
            self.speed = speed;
            self.restart(now_s);
        }
    }

    /// Goes on with steps of another length, s.
    pub fn set_step_s(&mut self, step_s: f64, now_s: f64) {
        self.step_s = step_s;
        self.restart(now_s);
    }

    /// Forgets what was due: after a pause, say.
    pub fn restart(&mut self, now_s: f64) {
        self.anchor_wall_s = now_s;
        self.done = 0;
    }

    /// Notes steps that were done.
    pub fn did(&mut self, steps: u64) {
        self.done += steps;
    }

    /// How many steps are due at this instant. None at [`Speed::Max`], where any number is.
    pub fn due_by(&self, at_s: f64) -> u64 {
        let Some(wall_s_per_step) = self.wall_s_per_step() else { return 0 };
        // A step is due when its time has passed: the world is never ahead of the clock.
        (self.lag_s(at_s, wall_s_per_step) / wall_s_per_step + 1e-9).floor() as u64
    }

    /// Gives up the lag, and counts it, if it is too long (true).
    pub fn keep_up(&mut self, now_s: f64) -> bool {
        let lag_s = self.too_long_s(now_s);
        if lag_s > 0.0 {
            self.missed += 1;
            self.missed_s += lag_s;
            self.restart(now_s);
        }
        lag_s > 0.0
    }

    /// Forgets a lag that is too long without counting it: the run waited for somebody else.
    pub fn forgive(&mut self, now_s: f64) {
        if self.too_long_s(now_s) > 0.0 {
            self.restart(now_s);
        }
    }

    /// The lag if it is too long, s, or zero.
    fn too_long_s(&self, now_s: f64) -> f64 {
        let Some(wall_s_per_step) = self.wall_s_per_step() else { return 0.0 };
        let lag_s = self.lag_s(now_s, wall_s_per_step);
        // One step of a slow motion may take longer than the limit; it is no lag.
        if lag_s > MOST_BEHIND_S.max(2.0 * wall_s_per_step) { lag_s } else { 0.0 }
    }

    fn wall_s_per_step(&self) -> Option<f64> {
        match self.speed {
            Speed::Factor(factor) => Some(self.step_s / factor),
            Speed::Max => None,
        }
    }

    fn lag_s(&self, now_s: f64, wall_s_per_step: f64) -> f64 {
        now_s - self.anchor_wall_s - self.done as f64 * wall_s_per_step
    }

    /// How often the run fell behind by so much that it gave the lag up.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Wall time given up, s.
    pub fn missed_s(&self) -> f64 {
        self.missed_s
    }
}

/// The steps that closest simulate `seconds`; a time that is no number or negative has none.
pub fn steps_for(seconds: f64, step_s: f64) -> u64 {
    (seconds / step_s).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_due_at_the_rate_of_the_speed_without_drift() {
        let mut pace = Pace::new(Speed::Factor(2.0), 1e-3, 5.0);
        let mut done = 0;
        // Looks at odd instants, 1,000,000 times over 70 s.
        for i in 1..=1_000_000u32 {
            let due = pace.due_by(5.0 + f64::from(i) * 7e-5);
            pace.did(due);
            done += due;
        }
        assert_eq!(done, 140_000);
        assert_eq!(pace.missed(), 0);
    }

    #[test]
    fn a_step_is_due_when_its_time_has_passed_and_not_before() {
        let pace = Pace::new(Speed::REAL_TIME, 0.01, 0.0);
        assert_eq!([0.004, 0.00999, 0.01, 0.02].map(|at_s| pace.due_by(at_s)), [0, 0, 1, 2]);
    }

    #[test]
    fn a_long_lag_is_counted_and_given_up() {
        let mut pace = Pace::new(Speed::REAL_TIME, 1e-3, 0.0);
        assert!(!pace.keep_up(0.099), "a short lag is made up for");
        assert_eq!(pace.due_by(0.099), 99);
        pace.did(99);
        assert!(pace.keep_up(60.0), "an hour's sleep is not");
        assert_eq!(pace.missed(), 1);
        assert!((pace.missed_s() - 59.901).abs() < 1e-9);
        assert_eq!(pace.due_by(60.0005), 0);
        assert_eq!(pace.due_by(60.001), 1);
    }

    #[test]
    fn slow_motion_with_long_steps_misses_nothing() {
        let mut pace = Pace::new(Speed::Factor(0.01), 0.01, 0.0);
        for now_s in [1.0, 2.2] {
            assert!(!pace.keep_up(now_s));
            assert_eq!(pace.due_by(now_s), 1);
            pace.did(1);
        }
        assert_eq!(pace.missed(), 0);
    }

    #[test]
    fn a_time_has_the_nearest_number_of_steps() {
        assert_eq!(steps_for(1.0, 1e-3), 1000);
        assert_eq!(steps_for(0.3, 1e-3), 300);
        assert_eq!(steps_for(0.0, 1e-3), 0);
        assert_eq!(steps_for(-1.0, 1e-3), 0);
        assert_eq!(steps_for(f64::NAN, 1e-3), 0);
    }
}
