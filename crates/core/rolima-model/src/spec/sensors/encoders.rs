//! Wheel encoders.

use super::{P3DX, Rate};
use crate::ModelError;
use rolima_check::Range::Within;
use rolima_check::{check_numbers, keys};

keys! {
    /// What a scene says about the encoders of both wheels.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct EncodersSpec {
        /// ticks a turn of the wheel
        ///
        /// P3-DX: 500 lines, four edges a line, gear 38.3.
        ticks_per_turn: f64 = 76_600.0, "1", Within(1.0, 1e9), P3DX;
        /// When they are read. Default 60 a second (release: one a cycle).
        rate: Rate = Rate::per_second(60.0);
    }
}

impl EncodersSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        self.rate.check(key)
    }
}
