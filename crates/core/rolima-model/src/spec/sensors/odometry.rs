//! Odometry, and the errors of the executed motion.

use super::{Rate, check_sigma};
use crate::ModelError;
use crate::check::within;

/// The time for which the standard deviations are given, s (release).
pub const CYCLE_S: f64 = 1.0 / 60.0;

/// What a scene says about the errors of the executed motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MotionErrorSpec {
    /// First standard deviation of the way along the heading in [`CYCLE_S`], m. Default 0
    /// (release).
    pub sigma_linear: f64,
    /// First standard deviation of the turn in [`CYCLE_S`], rad. Default 0 (release).
    pub sigma_angular: f64,
}

impl MotionErrorSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_sigma(&format!("{key}.sigma_linear"), self.sigma_linear)?;
        check_sigma(&format!("{key}.sigma_angular"), self.sigma_angular)?;
        Ok(())
    }
}

/// What a scene says about odometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OdometrySpec {
    /// Believed over true radius (right, left). Default 1: no error.
    pub radius_factor: [f64; 2],
    /// Believed over true distance between the wheels. Default 1: no error.
    pub distance_factor: f64,
    /// Share of the wheels' turning that is lost on the ground, beyond what the dynamics let slip
    /// anyway: 0 to below 1. Default 0.
    pub slip: f64,
    /// Errors of the executed motion: what the robot does is not quite what its wheels say.
    pub motion: MotionErrorSpec,
    /// When it counts. Default 60 a second (release: one a cycle).
    pub rate: Rate,
}

impl Default for OdometrySpec {
    fn default() -> Self {
        Self {
            radius_factor: [1.0; 2],
            distance_factor: 1.0,
            slip: 0.0,
            motion: MotionErrorSpec::default(),
            rate: Rate::per_second(60.0),
        }
    }
}

impl OdometrySpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        for (i, side) in ["right", "left"].iter().enumerate() {
            within(&format!("{key}.radius_factor_{side}"), self.radius_factor[i], 0.1, 10.0)?;
        }
        within(&format!("{key}.distance_factor"), self.distance_factor, 0.1, 10.0)?;
        within(&format!("{key}.slip"), self.slip, 0.0, 0.99)?;
        self.motion.check(key)?;
        self.rate.check(key)
    }
}
