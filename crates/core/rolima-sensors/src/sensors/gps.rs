//! GPS and compass: equations 3.18 to 3.22.
//!
//! ```text
//! X_r = X + sigma_x randn,  Y_r = Y + sigma_y randn,  theta_r = theta + sigma_theta randn
//! ```
//!
//! North is the world's x axis: the compass reads zero there, counter-clockwise positive.

use crate::noise::gaussian;
use crate::truth::Truth;
use crate::words::{Words, numbers, stream};
use rolima_math::{Pose2, Stream, wrap_angle};
use rolima_model::{GpsSpec, ModelError, check_sigma};

/// What changes of a GPS.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GpsState {
    /// Standard deviations now: x, y, m; heading, rad.
    pub sigma: [f64; 3],
    /// Its own random stream.
    pub stream: Stream,
}

impl Words for GpsState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        numbers(&mut self.sigma, each);
        stream(&mut self.stream, each);
    }
}

/// Where the robot is, as far as it can be measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GpsReading {
    /// Position of the antenna, m.
    pub x: f64,
    /// Position of the antenna, m.
    pub y: f64,
    /// Heading, rad in (-pi, pi].
    pub theta: f64,
}

/// A GPS with compass.
#[derive(Clone, Debug, PartialEq)]
pub struct Gps {
    /// What the scene says.
    pub spec: GpsSpec,
    /// What changes.
    pub state: GpsState,
}

impl Gps {
    /// A GPS of `robot`, by the name of `device`.
    pub fn new(spec: GpsSpec, seed: u64, robot: u64, device: &str) -> Self {
        let stream = Stream::new(seed, robot, device);
        Self { spec, state: GpsState { sigma: spec.sigma, stream } }
    }

    /// Sets the standard deviation of axis 0 (x), 1 (y), both m, or 2 (heading), rad.
    pub fn set_sigma(&mut self, axis: usize, sigma: f64) -> Result<(), ModelError> {
        let Some(name) = GpsSpec::SIGMA_NAMES.get(axis) else {
            return Err(ModelError::new("axis", "0, 1 or 2", axis));
        };
        self.state.sigma[axis] = check_sigma(name, sigma)?;
        Ok(())
    }

    /// A reading. Takes three draws.
    pub fn measure(&mut self, truth: &Truth) -> GpsReading {
        let pose: Pose2 = truth.world_from_robot;
        let at = pose.transform(self.spec.mount);
        let GpsState { sigma, stream } = &mut self.state;
        GpsReading {
            x: at.x + gaussian(stream, sigma[0]),
            y: at.y + gaussian(stream, sigma[1]),
            theta: wrap_angle(pose.theta() + gaussian(stream, sigma[2])),
        }
    }
}
