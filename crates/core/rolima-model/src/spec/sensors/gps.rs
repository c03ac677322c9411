//! GPS with compass.

use super::{RELEASE, Rate, THESIS, check_point};
use crate::ModelError;
use rolima_check::Range::NotNegative;
use rolima_check::{Number, check_numbers, number, number_of, point};
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
    /// Names of the standard deviations, in the order of [`GpsSpec::sigma`].
    pub const SIGMA_NAMES: [&str; 3] = ["sigma_x", "sigma_y", "sigma_theta"];
    /// Its numbers with their keys.
    pub const KEYS: &'static [Number<Self>] = &[
        number_of!(Self: sigma[0], number("sigma_x", "m", NotNegative, "standard deviation along x"), RELEASE),
        number_of!(Self: sigma[1], number("sigma_y", "m", NotNegative, "standard deviation along y"), RELEASE),
        number_of!(
            Self: sigma[2],
            number("sigma_theta_deg", "deg", NotNegative, "standard deviation of the compass"),
            RELEASE
        ),
        number_of!(Self: mount, point("mount", "m", "where it is on the robot"), THESIS),
    ];

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        check_point(key, [self.mount.x, self.mount.y])?;
        self.rate.check(key)
    }
}
