//! Sonar ring.

use super::{P3DX, Rate};
use crate::ModelError;
use crate::check::within;
use rolima_check::Range::{NotNegative, Within};
use rolima_check::{Number, OURS, check_numbers, keys, number, number_of};
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

keys! {
    /// What a scene says about a sonar ring.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SonarSpec {
        /// The transducers. Default: [`p3dx_ring`].
        ring: Vec<Transducer> = p3dx_ring();
        /// full width of a cone
        ///
        /// The main lobe of the P3-DX's transducers.
        cone: f64 = 30f64.to_radians(), "deg" as "cone_deg", Within(0.0, 360.0), P3DX;
        /// rays that sample a cone
        rays: usize = 9, count(1, 1000), OURS;
        /// most oblique angle that gives an echo
        ///
        /// Between the ray and the surface's normal.
        most_incidence: f64 = 30f64.to_radians(), "deg" as "most_incidence_deg", Within(0.0, 90.0),
            OURS;
        /// farthest distance, and what nothing reads
        range: f64 = 5.0, "m", Within(1e-6, 1e6), P3DX;
        /// nearest distance that is told apart; nearer echoes read it
        least: f64 = 0.1, "m", NotNegative, P3DX;
        /// standard deviation of a distance
        sigma: f64 = 0.01, "m", NotNegative, OURS;
        /// Height above the ground, m. Default 0.2 (ours).
        height: f64 = 0.2;
        /// When the ring is read. Default 25 a second (P3-DX: an array fires a transducer every 40 ms;
        /// here all of them read at once: ours).
        rate: Rate = Rate::per_second(25.0);
    }
}

impl SonarSpec {
    /// The numbers of where it is on a robot, with their keys.
    pub const PLACE: &'static [Number<Self>] = &[number_of!(
        Self: height,
        number("height", "m", Within(0.0, 1e6), "height above the ground"),
        OURS
    )];

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        let count = self.ring.len();
        if !(1..=1024).contains(&count) {
            return Err(ModelError::new(format!("{key}.ring"), "1 to 1024 transducers", count));
        }
        if let Some(i) = self.ring.iter().position(|pose| !pose.is_finite()) {
            return Err(ModelError::new(format!("{key}.ring.{i}"), "finite numbers", "others"));
        }
        check_numbers(key, self, Self::KEYS)?;
        check_numbers(key, self, Self::PLACE)?;
        within(&format!("{key}.least"), self.least, 0.0, self.range)?;
        self.rate.check(key)
    }
}
