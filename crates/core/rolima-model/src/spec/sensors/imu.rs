//! Inertial unit.

use super::{Rate, check_mount, check_sigma};
use crate::ModelError;
use crate::check::within;
use rolima_math::{Pose2, Vec2};

/// What a scene says about an inertial unit. Defaults marked MPU-6050 are that chip's data sheet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImuSpec {
    /// First bias of the accelerometers (x, y), m/s2. Default 0 (ours: calibrated).
    pub accelerometer_bias: Vec2,
    /// White noise of the accelerometers, m/s2/sqrt(Hz). Default 400 micro-g (MPU-6050).
    pub accelerometer_density: f64,
    /// Random walk of their biases, m/s2/sqrt(s). Default 2e-4 (ours).
    pub accelerometer_walk: f64,
    /// Where they saturate, m/s2. Default 2 g (MPU-6050's finest range).
    pub accelerometer_range: f64,
    /// First bias of the gyroscope, rad/s. Default 0 (ours: calibrated).
    pub gyro_bias: f64,
    /// White noise of the gyroscope, rad/s/sqrt(Hz). Default 0.005 degrees (MPU-6050).
    pub gyro_density: f64,
    /// Random walk of its bias, rad/s/sqrt(s). Default 2e-5 (ours).
    pub gyro_walk: f64,
    /// Where it saturates, rad/s. Default 250 degrees (MPU-6050's finest range).
    pub gyro_range: f64,
    /// Where it is, in the robot's frame. Default: the robot's origin.
    pub mount: Pose2,
    /// When it reads. Default 100 a second (ours).
    pub rate: Rate,
}

/// Standard gravity, m/s2: the unit of data sheets.
const G: f64 = 9.80665;

impl Default for ImuSpec {
    fn default() -> Self {
        Self {
            accelerometer_bias: Vec2::ZERO,
            accelerometer_density: 400e-6 * G,
            accelerometer_walk: 2e-4,
            accelerometer_range: 2.0 * G,
            gyro_bias: 0.0,
            gyro_density: 0.005f64.to_radians(),
            gyro_walk: 2e-5,
            gyro_range: 250f64.to_radians(),
            mount: Pose2::IDENTITY,
            rate: Rate::per_second(100.0),
        }
    }
}

impl ImuSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        let named = |name: &str| format!("{key}.{name}");
        within(&named("accelerometer_bias.x"), self.accelerometer_bias.x, -1e6, 1e6)?;
        within(&named("accelerometer_bias.y"), self.accelerometer_bias.y, -1e6, 1e6)?;
        within(&named("gyro_bias"), self.gyro_bias, -1e6, 1e6)?;
        for (name, sigma) in [
            ("accelerometer_density", self.accelerometer_density),
            ("accelerometer_walk", self.accelerometer_walk),
            ("gyro_density", self.gyro_density),
            ("gyro_walk", self.gyro_walk),
        ] {
            check_sigma(&named(name), sigma)?;
        }
        within(&named("accelerometer_range"), self.accelerometer_range, 1e-6, 1e9)?;
        within(&named("gyro_range"), self.gyro_range, 1e-6, 1e9)?;
        check_mount(key, self.mount)?;
        self.rate.check(key)
    }
}
