//! Lidar: distances along a fan of beams, equation 3.23.

use crate::noise::gaussian;
use crate::rays::{Fan, Plane, Scan, ScanScratch, Space, SpaceRay};
use crate::words::{Words, number, stream};
use rolima_math::{Pose2, Pose3, Stream, Vec3};
use rolima_model::{BodyId, LidarSpec, ModelError, check_sigma};

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
pub struct RangeView<'a> {
    /// The world cut at the sensor's height.
    pub plane: &'a Plane,
    /// The robot in the world.
    pub world_from_robot: Pose2,
    /// The robot itself, which is not seen.
    pub own: Option<BodyId>,
}

/// From where and into what a ranging sensor looks in space: on rough ground, or tilted.
#[derive(Clone, Copy, Debug)]
pub struct SpaceView<'a> {
    /// What there is.
    pub space: &'a Space,
    /// The frame that carries the sensor in the world: a vehicle's own, or one that stands in it.
    pub world_from_robot: Pose3,
    /// The vehicle itself, which is not seen.
    pub own: Option<BodyId>,
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
    /// A lidar of `owner` (a robot's number), by the name of `device`; an error where the spec is not
    /// in order.
    pub fn new(spec: LidarSpec, seed: u64, owner: u64, device: &str) -> Result<Self, ModelError> {
        spec.check(device)?;
        let state = LidarState { sigma: spec.sigma, stream: Stream::new(seed, owner, device) };
        let fan = Fan::new(spec.first_bearing, spec.step_bearing, spec.beams)?;
        Ok(Self { spec, state, fan })
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
    pub fn measure(&mut self, view: RangeView<'_>, scratch: &mut ScanScratch, out: &mut [f64]) {
        let pose = view.world_from_robot.compose(self.spec.mount);
        let range = self.spec.range;
        let count = out.len().min(self.fan.beams());
        let out = &mut out[..count];
        if view.plane.inside(pose.position, view.own).is_some() {
            out.fill(0.0);
            self.state.stream.skip(self.fan.beams() as u64);
            return;
        }
        let scan = Scan { pose, fan: &self.fan, range, skip: view.own };
        view.plane.scan(&scan, scratch, out);
        self.err(out);
    }

    /// A scan in space: the beams lie in the level plane of the carrying frame at the lidar's height,
    /// however tilted, and see the ground, too. Everything else is as in a level plane.
    pub fn measure_in_space(&mut self, view: SpaceView<'_>, out: &mut [f64]) {
        let SpaceView { space, world_from_robot: pose, own: skip } = view;
        let (mount, range) = (self.spec.mount, self.spec.range);
        let at = Vec3::new(mount.position.x, mount.position.y, self.spec.height);
        let origin = pose.transform(at);
        let count = out.len().min(self.fan.beams());
        let out = &mut out[..count];
        if space.inside(origin, skip) {
            out.fill(0.0);
            self.state.stream.skip(self.fan.beams() as u64);
            return;
        }
        let [forward, left, _] = pose.rotation.axes();
        for (beam, distance) in out.iter_mut().enumerate() {
            let own = self.fan.direction(beam, mount.rotation);
            let direction = forward * own.x + left * own.y;
            let hit = space.cast(&SpaceRay { origin, direction, range, skip });
            *distance = hit.map_or(range, |hit| hit.distance);
        }
        self.err(out);
    }

    /// Adds the errors of a scan. Takes a draw a beam.
    fn err(&mut self, out: &mut [f64]) {
        let range = self.spec.range;
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
