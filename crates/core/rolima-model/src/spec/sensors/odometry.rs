//! Odometry, and the errors of the executed motion.

use super::{EXACT, RELEASE, Rate};
use crate::ModelError;
use rolima_check::Range::{NotNegative, Within};
use rolima_check::{Number, check_numbers, keys, number, number_of};

/// The time for which the standard deviations are given, s (release).
pub const CYCLE_S: f64 = 1.0 / 60.0;

keys! {
    /// What a scene says about the errors of the executed motion.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct MotionErrorSpec {
        /// error of the executed distance in 1/60 s; of a robot's first odometry alone
        ///
        /// First standard deviation of the way along the heading in [`CYCLE_S`].
        sigma_linear: f64 = 0.0, "m", NotNegative, RELEASE;
        /// error of the executed turn in 1/60 s; of a robot's first odometry alone
        ///
        /// First standard deviation of the turn in [`CYCLE_S`].
        sigma_angular: f64 = 0.0, "deg" as "sigma_angular_deg", NotNegative, RELEASE;
    }
}

impl MotionErrorSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)
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
    /// Its numbers with their keys.
    pub const KEYS: &'static [Number<Self>] = &[
        number_of!(
            Self: radius_factor[0],
            number("radius_factor_right", "1", Within(0.1, 10.0), "believed over true radius of the right wheel"),
            EXACT
        ),
        number_of!(
            Self: radius_factor[1],
            number("radius_factor_left", "1", Within(0.1, 10.0), "believed over true radius of the left wheel"),
            EXACT
        ),
        number_of!(
            Self: distance_factor,
            number("distance_factor", "1", Within(0.1, 10.0), "believed over true distance between the wheels"),
            EXACT
        ),
        number_of!(
            Self: slip,
            number("slip", "1", Within(0.0, 0.99), "share of the wheels' turning that is lost on the ground"),
            EXACT
        ),
    ];

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        self.motion.check(key)?;
        self.rate.check(key)
    }
}
