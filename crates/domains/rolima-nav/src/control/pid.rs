//! A PID controller whose integral stops growing while its output is cut.
//!
//! [`Gains`] are K_p, K_i, K_d of section 6.2.1, the limit is the 1 of its normalised outputs. That
//! the integral stops (anti-windup) is beyond the thesis.

use crate::error::NavError;

/// Gains of a PID.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// On the error.
    pub proportional: f64,
    /// On its integral, 1/s.
    pub integral: f64,
    /// On its change, s.
    pub derivative: f64,
}

impl Gains {
    /// The thesis's linear controller (section 6.2.1).
    pub const LINEAR: Self = Self { proportional: 1.0, integral: 0.01, derivative: 0.001 };
    /// The thesis's angular controller; it prints K_i for both integral gains.
    pub const ANGULAR: Self = Self { proportional: 0.1, integral: 0.01, derivative: 0.001 };
}

/// A PID with output in [-limit, limit].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pid {
    gains: Gains,
    limit: f64,
    sum: f64,
    last: Option<f64>,
}

impl Pid {
    /// With these gains and this limit of the output.
    pub fn new(gains: Gains, limit: f64) -> Result<Self, NavError> {
        let all = [gains.proportional, gains.integral, gains.derivative, limit];
        if !all.iter().all(|x| x.is_finite()) {
            return Err(NavError::NotFinite);
        }
        if limit <= 0.0 {
            return Err(NavError::BadLimit);
        }
        Ok(Self { gains, limit, sum: 0.0, last: None })
    }

    /// The output for an error after a period, s. An error that is not finite changes nothing and
    /// gives none.
    pub fn output(&mut self, error: f64, period: f64) -> f64 {
        if !(error.is_finite() && period > 0.0 && period.is_finite()) {
            return 0.0;
        }
        let change = self.last.map_or(0.0, |last| (error - last) / period);
        self.last = Some(error);
        let sum = self.sum + error * period;
        let g = &self.gains;
        let raw = |sum: f64| g.proportional * error + g.integral * sum + g.derivative * change;
        // Anti-windup: while the output is cut, the sum may only shrink what is too much.
        let wanted = raw(sum);
        if wanted.abs() <= self.limit || wanted * error < 0.0 {
            self.sum = sum;
        }
        raw(self.sum).clamp(-self.limit, self.limit)
    }

    /// The integral of the error.
    pub fn sum(&self) -> f64 {
        self.sum
    }

    /// Forgets the past.
    pub fn reset(&mut self) {
        (self.sum, self.last) = (0.0, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_output_does_not_wind_up() {
        let gains = Gains { proportional: 1.0, integral: 1.0, derivative: 0.0 };
        let mut pid = Pid::new(gains, 1.0).unwrap();
        for _ in 0..10_000 {
            assert_eq!(pid.output(5.0, 0.03), 1.0);
        }
        assert_eq!(pid.sum(), 0.0);
        // The first opposite error is answered at once.
        assert!(pid.output(-0.5, 0.03) < -0.4);
    }

    #[test]
    fn a_lasting_small_error_is_integrated() {
        let gains = Gains { proportional: 0.1, integral: 1.0, derivative: 0.0 };
        let mut pid = Pid::new(gains, 1.0).unwrap();
        for _ in 0..100 {
            pid.output(0.1, 0.03);
        }
        assert!((pid.output(0.1, 0.03) - (0.01 + 0.1 * 0.03 * 101.0)).abs() < 1e-12);
        assert_eq!(pid.output(f64::NAN, 0.03), 0.0);
        assert!(pid.output(0.1, 0.03).is_finite());
    }
}
