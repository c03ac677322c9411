//! GPS with compass.

use super::{Rate, check_sigma};
use crate::ModelError;
use crate::check::within;
use rolima_math::Vec2;

/// What a scene says about a GPS with compass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpsSpec {
    /// First standard deviations of x and y, m, and of the heading, rad. Default 0 (release: set
    /// by the client; the thesis's figure 10 has 0.3 m, 0.3 m, 2 degrees).
    pub sigma: [f64; 3],
    /// Where the antenna is, in the robot's frame, m. Default: the robot's origin (thesis).
    pub mount: Vec2,
    /// When it reads. Default 60 a second (release: one a cycle).
    pub rate: Rate,
}

impl Default for GpsSpec {
    fn default() -> Self {
        Self { sigma: [0.0; 3], mount: Vec2::ZERO, rate: Rate::per_second(60.0) }
    }
}

impl GpsSpec {
    /// Keys of the standard deviations, in the order of [`GpsSpec::sigma`].
    pub const SIGMA_NAMES: [&str; 3] = ["sigma_x", "sigma_y", "sigma_theta"];
}

impl GpsSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        for (name, sigma) in Self::SIGMA_NAMES.iter().zip(self.sigma) {
            check_sigma(&format!("{key}.{name}"), sigma)?;
        }
        within(&format!("{key}.mount.x"), self.mount.x, -1e3, 1e3)?;
        within(&format!("{key}.mount.y"), self.mount.y, -1e3, 1e3)?;
        self.rate.check(key)
    }
}
