//! Inertial unit.

use super::{MPU, Rate, check_mount};
use crate::ModelError;
use rolima_check::Range::{NotNegative, Within};
use rolima_check::{OURS, check_numbers, keys};
use rolima_math::{Pose2, Vec2};

keys! {
    /// What a scene says about an inertial unit.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ImuSpec {
        /// first bias of the accelerometers
        accelerometer_bias: Vec2 = Vec2::ZERO, point("m/s2"), "ours: calibrated";
        /// white noise of the accelerometers
        accelerometer_density: f64 = 400e-6 * G, "m/s2/sqrt(Hz)", NotNegative, MPU;
        /// random walk of their biases
        accelerometer_walk: f64 = 2e-4, "m/s2/sqrt(s)", NotNegative, OURS;
        /// where they saturate
        accelerometer_range: f64 = 2.0 * G, "m/s2", Within(1e-6, 1e9), MPU;
        /// first bias of the gyroscope
        gyro_bias: f64 = 0.0, "deg/s" as "gyro_bias_deg_s", Within(-5e7, 5e7), "ours: calibrated";
        /// white noise of the gyroscope
        gyro_density: f64 = 0.005f64.to_radians(), "deg/s/sqrt(Hz)" as "gyro_density_deg_s",
            NotNegative, MPU;
        /// random walk of its bias
        gyro_walk: f64 = 2e-5, "deg/s/sqrt(s)" as "gyro_walk_deg_s", NotNegative, OURS;
        /// where it saturates
        gyro_range: f64 = 250f64.to_radians(), "deg/s" as "gyro_range_deg_s", Within(1e-4, 5e10), MPU;
        /// Where it is, in the robot's frame. Default: the robot's origin.
        mount: Pose2 = Pose2::IDENTITY;
        /// When it reads. Default 100 a second (ours).
        rate: Rate = Rate::per_second(100.0);
    }
}

/// Standard gravity, m/s2: the unit of data sheets.
const G: f64 = 9.80665;

impl ImuSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        let Vec2 { x, y } = self.accelerometer_bias;
        if !(x.abs() <= 1e6 && y.abs() <= 1e6) {
            let expected = "biases of at most 1000000 m/s2";
            return Err(ModelError::new(
                format!("{key}.accelerometer_bias"),
                expected,
                format!("[{x}, {y}]"),
            ));
        }
        check_mount(key, self.mount)?;
        self.rate.check(key)
    }
}
