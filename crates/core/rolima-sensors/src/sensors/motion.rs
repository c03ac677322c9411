//! Errors of the executed motion (Odometry.Std): what the robot does is not quite what its wheels
//! say, so that the true and the believed pose drift apart.
//!
//! The standard deviations are given for a cycle of 1/60 s, in which the release draws them. The
//! errors of cycles are independent, so their variances add up: over a time t the standard
//! deviation is sigma sqrt(60 t), whatever the steps are. A robot that stands is not moved.

use crate::noise::gaussian;
use crate::words::{Words, number, stream};
use rolima_math::Stream;
use rolima_model::{CYCLE_S, ModelError, MotionErrorSpec, check_sigma};

/// What changes of the errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionErrorState {
    /// Standard deviation of the way in [`CYCLE_S`] now, m.
    pub sigma_linear: f64,
    /// Standard deviation of the turn in [`CYCLE_S`] now, rad.
    pub sigma_angular: f64,
    /// Their own random stream.
    pub stream: Stream,
}

impl Words for MotionErrorState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        number(&mut self.sigma_linear, each);
        number(&mut self.sigma_angular, each);
        stream(&mut self.stream, each);
    }
}

/// The errors of a robot's executed motion.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionError {
    /// What the scene says.
    pub spec: MotionErrorSpec,
    /// What changes.
    pub state: MotionErrorState,
}

impl MotionError {
    /// The errors of `robot`, by the name of `device`.
    pub fn new(spec: MotionErrorSpec, seed: u64, robot: u64, device: &str) -> Self {
        let MotionErrorSpec { sigma_linear, sigma_angular } = spec;
        let stream = Stream::new(seed, robot, device);
        Self { spec, state: MotionErrorState { sigma_linear, sigma_angular, stream } }
    }

    /// Sets the standard deviations of way, m, and turn, rad, in [`CYCLE_S`].
    pub fn set_sigma(&mut self, linear: f64, angular: f64) -> Result<(), ModelError> {
        let linear = check_sigma("sigma_linear", linear)?;
        self.state.sigma_angular = check_sigma("sigma_angular", angular)?;
        self.state.sigma_linear = linear;
        Ok(())
    }

    /// As [`MotionErrorState::draw`].
    pub fn draw(&mut self, step_s: f64, moves: bool) -> (f64, f64) {
        self.state.draw(step_s, moves)
    }
}

impl MotionErrorState {
    /// What a step of `step_s` s adds to the way along the heading, m, and to the turn, rad.
    /// Takes two draws, also where the robot stands and both are zero.
    pub fn draw(&mut self, step_s: f64, moves: bool) -> (f64, f64) {
        let Self { sigma_linear, sigma_angular, stream } = self;
        let scale = if moves { (step_s / CYCLE_S).sqrt() } else { 0.0 };
        let distance = gaussian(stream, *sigma_linear * scale);
        let turn = gaussian(stream, *sigma_angular * scale);
        (distance, turn)
    }
}
