//! Lidar.

use super::{RELEASE, Rate, THESIS, check_mount};
use crate::{ModelError, keys};
use core::f64::consts::TAU;
use rolima_check::Range::{NotNegative, Within};
use rolima_check::{Number, OURS, check_numbers, degrees, keys, number, number_of, shown};
use rolima_math::Pose2;

/// Most beams of a lidar.
pub const MOST_BEAMS: usize = 1 << 20;

/// Smallest angle between beams, rad: directions stay apart by far more than their rounding.
pub const SMALLEST_BEAM_STEP: f64 = 1e-6;

keys! {
    /// What a scene says about a lidar.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct LidarSpec {
        /// readings a scan
        beams: usize = 36, count(1, MOST_BEAMS as u64), THESIS;
        /// Bearing of the first reading, rad counter-clockwise from the sensor's x axis. Default 85
        /// degrees (release).
        first_bearing: f64 = 85f64.to_radians();
        /// From one reading to the next, rad. Default -5 degrees (thesis; left first: release).
        step_bearing: f64 = -(5f64.to_radians());
        /// farthest distance, and what nothing reads
        range: f64 = 8.0, "m", Within(1e-6, 1e6), THESIS;
        /// standard deviation of a distance
        ///
        /// Release: set by the client; the thesis's figure 13 has 0.1 m.
        sigma: f64 = 0.0, "m", NotNegative, RELEASE;
        /// Where it is, in the robot's frame. Default: the robot's origin (ours).
        mount: Pose2 = Pose2::IDENTITY;
        /// Height of its plane above the ground, m. Default 0.45 (ours): above the body of 0.4 m.
        height: f64 = 0.45;
        /// When it scans. Default 60 a second (release: one a cycle).
        rate: Rate = Rate::per_second(60.0);
    }
}

impl LidarSpec {
    /// The numbers of where it is on a robot, with their keys.
    pub const PLACE: &'static [Number<Self>] = &[number_of!(
        Self: height,
        number("height", "m", Within(0.0, 1e6), "height of its plane above the ground"),
        OURS
    )];

    /// `beams` beams spread evenly over `field_of_view` rad straight ahead, from right to left;
    /// for a full turn the last is one step before the first.
    pub fn evenly(beams: usize, field_of_view: f64) -> Self {
        let full = field_of_view >= core::f64::consts::TAU * (1.0 - 1e-12);
        let gaps = if full { beams } else { beams.saturating_sub(1) };
        let step_bearing = if gaps > 0 { field_of_view / gaps as f64 } else { 0.0 };
        let first_bearing = if gaps > 0 { -0.5 * field_of_view } else { 0.0 };
        Self { beams, first_bearing, step_bearing, ..Self::default() }
    }

    /// Angle over which the beams go, one step after the last included, rad.
    pub fn field_of_view(&self) -> f64 {
        self.beams as f64 * self.step_bearing.abs()
    }

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        self.check_beams(key)?;
        check_numbers(key, self, Self::PLACE)?;
        check_mount(key, self.mount)?;
        self.rate.check(key)
    }

    /// Checks that the beams make a fan of at most a full turn.
    fn check_beams(&self, key: &str) -> Result<(), ModelError> {
        let named = |name: &str| format!("{key}.{name}");
        keys::FIRST_BEARING.check(key, self.first_bearing)?;
        keys::STEP_BEARING.check(key, self.step_bearing)?;
        let turn = self.step_bearing.abs() * (self.beams - 1) as f64;
        let small = self.beams > 1 && self.step_bearing.abs() < SMALLEST_BEAM_STEP;
        if small || turn > TAU * (1.0 + 1e-12) {
            return Err(ModelError::new(
                named(keys::STEP_BEARING.name),
                format!(
                    "steps of at least {} deg that make at most a full turn",
                    shown(degrees(SMALLEST_BEAM_STEP))
                ),
                format!(
                    "{} beams at steps of {} deg",
                    self.beams,
                    shown(degrees(self.step_bearing))
                ),
            ));
        }
        Ok(())
    }
}
