//! Lidar: distances along a fan of beams, equation 3.23.

use crate::noise::{check_sigma, gaussian};
use crate::rate::Rate;
use crate::rays::{Fan, Plane, Scan, Scratch};
use crate::words::{Words, number, stream};
use rolima_math::{Pose2, Stream};
use rolima_model::ModelError;
use rolima_model::check::within;

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
        self.fan(key)?;
        within(&format!("{key}.range"), self.range, 1e-6, 1e6)?;
        check_sigma(&format!("{key}.sigma"), self.sigma)?;
        within(&format!("{key}.height"), self.height, 0.0, 1e6)?;
        let mount = self.mount.position;
        if !self.mount.is_finite() || mount.length() > 1e3 {
            let got = format!("[{}, {}]", mount.x, mount.y);
            return Err(ModelError::new(format!("{key}.mount"), "a pose within 1 km", got));
        }
        self.rate.check(key)
    }

    fn fan(&self, key: &str) -> Result<Fan, ModelError> {
        Fan::new(self.first_bearing, self.step_bearing, self.beams).map_err(|error| {
            let name = match error.key.as_str() {
                "first_angle" => "first_bearing",
                "step_angle" => "step_bearing",
                other => other,
            };
            ModelError { key: format!("{key}.{name}"), ..error }
        })
    }
}

/// What changes of a lidar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LidarState {
    /// Standard deviation of a reading now, m.
    pub sigma: f64,
    /// Its own random stream.
    pub stream: Stream,
}

impl Words for LidarState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        number(&mut self.sigma, each);
        stream(&mut self.stream, each);
    }
}

/// From where and into what a ranging sensor looks.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The world cut at the sensor's height.
    pub plane: &'a Plane,
    /// The robot in the world.
    pub world_from_robot: Pose2,
    /// The robot's own slot, which is not seen.
    pub own_slot: Option<u32>,
}

/// A lidar.
#[derive(Clone, Debug, PartialEq)]
pub struct Lidar {
    /// What the scene says.
    pub spec: LidarSpec,
    /// What changes.
    pub state: LidarState,
    fan: Fan,
}

impl Lidar {
    /// A lidar of `robot`, by the name of `device`; an error where the spec is not in order.
    pub fn new(spec: LidarSpec, seed: u64, robot: u64, device: &str) -> Result<Self, ModelError> {
        spec.check(device)?;
        let state = LidarState { sigma: spec.sigma, stream: Stream::new(seed, robot, device) };
        Ok(Self { spec, state, fan: spec.fan(device)? })
    }

    /// Sets the standard deviation of a reading, m.
    pub fn set_sigma(&mut self, sigma: f64) -> Result<(), ModelError> {
        self.state.sigma = check_sigma("sigma", sigma)?;
        Ok(())
    }

    /// Its beams.
    pub fn fan(&self) -> &Fan {
        &self.fan
    }

    /// A scan: a distance a beam, m, from 0 to the range. A miss reads the range, without error.
    /// A lidar that stands inside something reads zero. Takes a draw a beam. `out` has room for
    /// all beams; in a shorter one the last ones are left out.
    pub fn measure(&mut self, view: View<'_>, scratch: &mut Scratch, out: &mut [f64]) {
        let pose = view.world_from_robot.compose(self.spec.mount);
        let range = self.spec.range;
        let count = out.len().min(self.fan.beams());
        let out = &mut out[..count];
        if view.plane.inside(pose.position, view.own_slot).is_some() {
            out.fill(0.0);
            self.state.stream.skip(self.fan.beams() as u64);
            return;
        }
        let scan = Scan { pose, fan: &self.fan, range, skip: view.own_slot };
        view.plane.scan(&scan, scratch, out);
        let end = self.state.stream.drawn.wrapping_add(self.fan.beams() as u64);
        if self.state.sigma > 0.0 {
            for distance in out.iter_mut() {
                if *distance < range {
                    let error = gaussian(&mut self.state.stream, self.state.sigma);
                    *distance = (*distance + error).clamp(0.0, range);
                } else {
                    self.state.stream.skip(1);
                }
            }
        }
        self.state.stream.drawn = end;
    }
}
