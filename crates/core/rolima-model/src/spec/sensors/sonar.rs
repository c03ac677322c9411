//! Sonar ring.

use super::{Rate, check_sigma};
use crate::ModelError;
use crate::check::within;
use core::f64::consts::{FRAC_PI_2, TAU};
use rolima_math::Pose2;

/// One transducer: where it sits and looks, in the robot's frame.
pub type Transducer = Pose2;

/// The 16 transducers of a P3-DX with both rings, from the front's left counter-clockwise to the
/// right as the maker numbers them (P3-DX: positions and angles of its parameter file).
pub fn p3dx_ring() -> Vec<Transducer> {
    const FRONT: [(f64, f64, f64); 8] = [
        (0.069, 0.136, 90.0),
        (0.114, 0.119, 50.0),
        (0.148, 0.078, 30.0),
        (0.166, 0.027, 10.0),
        (0.166, -0.027, -10.0),
        (0.148, -0.078, -30.0),
        (0.114, -0.119, -50.0),
        (0.069, -0.136, -90.0),
    ];
    const REAR: [(f64, f64, f64); 8] = [
        (-0.157, -0.136, -90.0),
        (-0.203, -0.119, -130.0),
        (-0.237, -0.078, -150.0),
        (-0.255, -0.027, -170.0),
        (-0.255, 0.027, 170.0),
        (-0.237, 0.078, 150.0),
        (-0.203, 0.119, 130.0),
        (-0.157, 0.136, 90.0),
    ];
    let all = FRONT.into_iter().chain(REAR);
    all.map(|(x, y, degrees)| Pose2::new(x, y, degrees.to_radians())).collect()
}

/// What a scene says about a sonar ring.
#[derive(Clone, Debug, PartialEq)]
pub struct SonarSpec {
    /// The transducers. Default: [`p3dx_ring`].
    pub ring: Vec<Transducer>,
    /// Full width of a cone, rad. Default 30 degrees (main lobe of the P3-DX's transducers).
    pub cone: f64,
    /// Rays that sample a cone. Default 9 (ours).
    pub rays: usize,
    /// Largest angle between the ray and the surface's normal that gives an echo, rad. Default 30
    /// degrees (ours).
    pub most_incidence: f64,
    /// Farthest distance, m; what no echo reads. Default 5 (P3-DX).
    pub range: f64,
    /// Nearest distance that is told apart, m; nearer echoes read it. Default 0.1 (P3-DX).
    pub least: f64,
    /// First standard deviation of a reading, m. Default 0.01 (ours).
    pub sigma: f64,
    /// Height above the ground, m. Default 0.2 (ours).
    pub height: f64,
    /// When the ring is read. Default 25 a second (P3-DX: an array fires a transducer every 40 ms;
    /// here all of them read at once: ours).
    pub rate: Rate,
}

impl Default for SonarSpec {
    fn default() -> Self {
        Self {
            ring: p3dx_ring(),
            cone: 30f64.to_radians(),
            rays: 9,
            most_incidence: 30f64.to_radians(),
            range: 5.0,
            least: 0.1,
            sigma: 0.01,
            height: 0.2,
            rate: Rate::per_second(25.0),
        }
    }
}

impl SonarSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        let count = self.ring.len();
        if !(1..=1024).contains(&count) {
            return Err(ModelError::new(format!("{key}.ring"), "1 to 1024 transducers", count));
        }
        if let Some(i) = self.ring.iter().position(|pose| !pose.is_finite()) {
            return Err(ModelError::new(format!("{key}.ring.{i}"), "finite numbers", "others"));
        }
        within(&format!("{key}.cone"), self.cone, 0.0, TAU)?;
        within(&format!("{key}.rays"), self.rays as f64, 1.0, 1000.0)?;
        within(&format!("{key}.most_incidence"), self.most_incidence, 0.0, FRAC_PI_2)?;
        within(&format!("{key}.range"), self.range, 1e-6, 1e6)?;
        within(&format!("{key}.least"), self.least, 0.0, self.range)?;
        check_sigma(&format!("{key}.sigma"), self.sigma)?;
        within(&format!("{key}.height"), self.height, 0.0, 1e6)?;
        self.rate.check(key)
    }
}
