//! Wheel encoders: whole ticks of how far the wheels have turned.

use crate::truth::Truth;
use crate::words::{Words, numbers};
use core::f64::consts::TAU;
use rolima_model::EncodersSpec;

/// What changes of encoders.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EncodersState {
    /// Angles of the wheels (right, left) at which the count began, rad.
    pub zero: [f64; 2],
}

impl Words for EncodersState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        numbers(&mut self.zero, each);
    }
}

/// Ticks since the count began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncoderReading {
    /// Right and left wheel.
    pub ticks: [i64; 2],
}

/// The encoders of both wheels.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoders {
    /// What the scene says.
    pub spec: EncodersSpec,
    /// What changes.
    pub state: EncodersState,
}

impl Encoders {
    /// Encoders at zero.
    pub fn new(spec: EncodersSpec) -> Self {
        Self { spec, state: EncodersState::default() }
    }

    /// Begins to count anew from where the wheels are.
    pub fn reset(&mut self, truth: &Truth) {
        self.state.zero = truth.wheel_angles;
    }

    /// A reading. Counts follow from the whole angle, so that none is ever lost.
    pub fn measure(&self, truth: &Truth) -> EncoderReading {
        let tick = |i: usize| {
            let turned = truth.wheel_angles[i] - self.state.zero[i];
            (turned * (self.spec.ticks_per_turn / TAU)).floor() as i64
        };
        EncoderReading { ticks: [tick(0), tick(1)] }
    }

    /// The angles (right, left) that a reading stands for, rad.
    pub fn angles(&self, reading: EncoderReading) -> [f64; 2] {
        reading.ticks.map(|ticks| ticks as f64 * (TAU / self.spec.ticks_per_turn))
    }
}
