//! Bumper ring.

use super::{P3DX, Rate};
use crate::ModelError;
use core::f64::consts::TAU;
use rolima_check::Range::{NotNegative, Within};
use rolima_check::{OURS, check_numbers, keys};

keys! {
    /// What a scene says about a bumper ring.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct BumperSpec {
        /// equal sectors side by side
        ///
        /// Five in front, five behind.
        sectors: u32 = 10, count(1, 32), P3DX;
        /// bearing at which sector 0 begins, left positive
        ///
        /// Five sectors in front, from right to left, then five behind.
        first_bearing: f64 = -core::f64::consts::FRAC_PI_2, "deg" as "first_bearing_deg",
            Within(-360.0, 360.0), OURS;
        /// angle over which the sectors go
        span: f64 = TAU, "deg" as "span_deg", Within(1e-4, 360.0), OURS;
        /// force that closes a switch
        least_force: f64 = 1.0, "N", NotNegative, OURS;
        /// When it is read. Default 60 a second (release: one a cycle).
        rate: Rate = Rate::per_second(60.0);
    }
}

impl BumperSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        self.rate.check(key)
    }
}
