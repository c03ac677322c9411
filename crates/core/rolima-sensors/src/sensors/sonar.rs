//! Sonar ring: cones of sound, each of which hears the nearest echo.
//!
//! A cone is sampled by rays. A surface that is met too obliquely throws the sound away and gives
//! no echo: corners and smooth walls at an angle are missed, as by real ones.

use super::lidar::View;
use crate::noise::{check_sigma, gaussian};
use crate::rate::Rate;
use crate::rays::Ray;
use crate::words::{Words, number, stream};
use core::f64::consts::{FRAC_PI_2, TAU};
use rolima_math::{Pose2, Rot2, Stream, cos};
use rolima_model::ModelError;
use rolima_model::check::within;

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

/// What changes of a sonar ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SonarState {
    /// Standard deviation of a reading now, m.
    pub sigma: f64,
    /// Its own random stream.
    pub stream: Stream,
}

impl Words for SonarState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        number(&mut self.sigma, each);
        stream(&mut self.stream, each);
    }
}

/// A sonar ring.
#[derive(Clone, Debug, PartialEq)]
pub struct Sonar {
    /// What the scene says.
    pub spec: SonarSpec,
    /// What changes.
    pub state: SonarState,
    /// Directions of the rays, in the transducer's frame.
    directions: Vec<Rot2>,
    least_cosine: f64,
}

impl Sonar {
    /// A ring of `robot`, by the name of `device`; an error where the spec is not in order.
    pub fn new(spec: SonarSpec, seed: u64, robot: u64, device: &str) -> Result<Self, ModelError> {
        spec.check(device)?;
        let state = SonarState { sigma: spec.sigma, stream: Stream::new(seed, robot, device) };
        let angle = |i: usize| match spec.rays {
            1 => 0.0,
            n => spec.cone * (i as f64 / (n - 1) as f64 - 0.5),
        };
        let directions = (0..spec.rays).map(|i| Rot2::from_angle(angle(i))).collect();
        let least_cosine = cos(spec.most_incidence);
        Ok(Self { spec, state, directions, least_cosine })
    }

    /// Sets the standard deviation of a reading, m.
    pub fn set_sigma(&mut self, sigma: f64) -> Result<(), ModelError> {
        self.state.sigma = check_sigma("sigma", sigma)?;
        Ok(())
    }

    /// A distance a transducer, m. Takes a draw a transducer. Transducers without room in `out`
    /// are left out.
    pub fn measure(&mut self, view: View<'_>, out: &mut [f64]) {
        let end = self.state.stream.drawn.wrapping_add(self.spec.ring.len() as u64);
        for (transducer, out) in self.spec.ring.iter().zip(out) {
            let pose = view.world_from_robot.compose(*transducer);
            let error = gaussian(&mut self.state.stream, self.state.sigma);
            let blocked = view.plane.inside(pose.position, view.own_slot).is_some();
            let echo = if blocked { Some(0.0) } else { self.echo(view, pose) };
            *out = match echo {
                Some(distance) => (distance + error).clamp(self.spec.least, self.spec.range),
                None => self.spec.range,
            };
        }
        self.state.stream.drawn = end;
    }

    /// Distance of the nearest echo, m.
    fn echo(&self, view: View<'_>, pose: Pose2) -> Option<f64> {
        let mut nearest = None;
        for turn in &self.directions {
            let direction = pose.rotation.after(*turn).x_axis();
            let range = nearest.unwrap_or(self.spec.range);
            let ray = Ray { origin: pose.position, direction, range, skip: view.own_slot };
            let hit = view.plane.cast_thing(&ray);
            let heard = hit.filter(|hit| -hit.normal.dot(direction) >= self.least_cosine);
            nearest = heard.map(|hit| hit.distance).or(nearest);
        }
        nearest
    }
}
