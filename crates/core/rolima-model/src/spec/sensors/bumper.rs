//! Bumper ring.

use super::Rate;
use crate::ModelError;
use crate::check::{not_negative, within};
use core::f64::consts::TAU;

/// What a scene says about a bumper ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BumperSpec {
    /// Equal sectors side by side, at most 32. Default 10 (P3-DX: five in front, five behind).
    pub sectors: u32,
    /// Bearing at which sector 0 begins, rad. Default -90 degrees: five sectors in front, from
    /// right to left, then five behind (ours).
    pub first_bearing: f64,
    /// Angle over which the sectors go, rad. Default a full turn (ours).
    pub span: f64,
    /// Normal force that closes a switch, N. Default 1 (ours).
    pub least_force: f64,
    /// When it is read. Default 60 a second (release: one a cycle).
    pub rate: Rate,
}

impl Default for BumperSpec {
    fn default() -> Self {
        Self {
            sectors: 10,
            first_bearing: -core::f64::consts::FRAC_PI_2,
            span: TAU,
            least_force: 1.0,
            rate: Rate::per_second(60.0),
        }
    }
}

impl BumperSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        within(&format!("{key}.sectors"), f64::from(self.sectors), 1.0, 32.0)?;
        within(&format!("{key}.first_bearing"), self.first_bearing, -TAU, TAU)?;
        within(&format!("{key}.span"), self.span, 1e-6, TAU * (1.0 + 1e-12))?;
        not_negative(&format!("{key}.least_force"), self.least_force)?;
        self.rate.check(key)
    }
}
