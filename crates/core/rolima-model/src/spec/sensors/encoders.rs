//! Wheel encoders.

use super::Rate;
use crate::ModelError;
use crate::check::within;

/// What a scene says about the encoders of both wheels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EncodersSpec {
    /// Ticks a turn of the wheel. Default 76,600 (P3-DX: 500 lines, four edges a line, gear
    /// 38.3).
    pub ticks_per_turn: f64,
    /// When they are read. Default 60 a second (release: one a cycle).
    pub rate: Rate,
}

impl Default for EncodersSpec {
    fn default() -> Self {
        Self { ticks_per_turn: 76_600.0, rate: Rate::per_second(60.0) }
    }
}

impl EncodersSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        within(&format!("{key}.ticks_per_turn"), self.ticks_per_turn, 1.0, 1e9)?;
        self.rate.check(key)
    }
}
