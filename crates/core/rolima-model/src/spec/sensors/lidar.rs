//! Lidar.

use super::{Rate, check_mount, check_sigma};
use crate::ModelError;
use crate::check::{finite, shown, within};
use core::f64::consts::TAU;
use rolima_math::Pose2;

/// Most beams of a lidar.
pub const MOST_BEAMS: usize = 1 << 20;

/// Smallest angle between beams, rad: directions stay apart by far more than their rounding.
pub const SMALLEST_BEAM_STEP: f64 = 1e-6;

/// What a scene says about a lidar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LidarSpec {
    /// Readings a scan. Default 36 (thesis).
    pub beams: usize,
    /// Bearing of the first reading, rad counter-clockwise from the sensor's x axis. Default 85
    /// degrees (release).
    pub first_bearing: f64,
    /// From one reading to the next, rad. Default -5 degrees (thesis; left first: release).
    pub step_bearing: f64,
    /// Farthest distance, m; what a miss reads. Default 8 (thesis).
    pub range: f64,
    /// First standard deviation of a reading, m. Default 0 (release: set by the client; the
    /// thesis's figure 13 has 0.1 m).
    pub sigma: f64,
    /// Where it is, in the robot's frame. Default: the robot's origin (ours).
    pub mount: Pose2,
    /// Height of its plane above the ground, m. Default 0.45 (ours: above the body of 0.4 m).
    pub height: f64,
    /// When it scans. Default 60 a second (release: one a cycle).
    pub rate: Rate,
}

impl Default for LidarSpec {
    fn default() -> Self {
        Self {
            beams: 36,
            first_bearing: 85f64.to_radians(),
            step_bearing: -(5f64.to_radians()),
            range: 8.0,
            sigma: 0.0,
            mount: Pose2::IDENTITY,
            height: 0.45,
            rate: Rate::per_second(60.0),
        }
    }
}

impl LidarSpec {
    /// `beams` beams spread evenly over `field_of_view` rad straight ahead, from right to left;
    /// for a full turn the last is one step before the first.
    pub fn evenly(beams: usize, field_of_view: f64) -> Self {
        let full = field_of_view >= core::f64::consts::TAU * (1.0 - 1e-12);
        let gaps = if full { beams } else { beams.saturating_sub(1) };
        let step_bearing = if gaps > 0 { field_of_view / gaps as f64 } else { 0.0 };
        let first_bearing = if gaps > 0 { -0.5 * field_of_view } else { 0.0 };
        Self { beams, first_bearing, step_bearing, ..Self::default() }
    }

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        self.check_beams(key)?;
        within(&format!("{key}.range"), self.range, 1e-6, 1e6)?;
        check_sigma(&format!("{key}.sigma"), self.sigma)?;
        within(&format!("{key}.height"), self.height, 0.0, 1e6)?;
        check_mount(key, self.mount)?;
        self.rate.check(key)
    }

    /// Checks that the beams make a fan of at most a full turn.
    fn check_beams(&self, key: &str) -> Result<(), ModelError> {
        let named = |name: &str| format!("{key}.{name}");
        within(&named("first_bearing"), self.first_bearing, -1e3, 1e3)?;
        finite(&named("step_bearing"), self.step_bearing)?;
        if self.beams == 0 || self.beams > MOST_BEAMS {
            let expected = format!("1 to {MOST_BEAMS} beams");
            return Err(ModelError::new(named("beams"), expected, self.beams));
        }
        let turn = self.step_bearing.abs() * (self.beams - 1) as f64;
        let small = self.beams > 1 && self.step_bearing.abs() < SMALLEST_BEAM_STEP;
        if small || turn > TAU * (1.0 + 1e-12) {
            return Err(ModelError::new(
                named("step_bearing"),
                format!("steps of at least {SMALLEST_BEAM_STEP} rad that make at most a full turn"),
                format!("{} beams at steps of {} rad", self.beams, shown(self.step_bearing)),
            ));
        }
        Ok(())
    }
}
