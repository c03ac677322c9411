//! Sonar ring: cones of sound, each of which hears the nearest echo.
//!
//! A cone is sampled by rays. A surface that is met too obliquely throws the sound away and gives
//! no echo: corners and smooth walls at an angle are missed, as by real ones.

use super::lidar::{RangeView, SpaceView};
use crate::noise::gaussian;
use crate::rays::{Ray, SpaceRay};
use crate::words::{Words, number, stream};
use rolima_math::{Pose2, Rot2, Stream, Vec3, cos};
use rolima_model::{ModelError, SonarSpec, check_sigma};

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
    /// A ring of `owner` (a robot's number), by the name of `device`; an error where the spec is not
    /// in order.
    pub fn new(spec: SonarSpec, seed: u64, owner: u64, device: &str) -> Result<Self, ModelError> {
        spec.check(device)?;
        let state = SonarState { sigma: spec.sigma, stream: Stream::new(seed, owner, device) };
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
    pub fn measure(&mut self, view: RangeView<'_>, out: &mut [f64]) {
        self.listen(out, |sonar, transducer| {
            let pose = view.world_from_robot.compose(transducer);
            let blocked = view.plane.inside(pose.position, view.own).is_some();
            if blocked { Some(0.0) } else { sonar.echo(view, pose) }
        });
    }

    /// The same in space: the cones are as tilted as the carrying frame, and the ground echoes.
    pub fn measure_in_space(&mut self, view: SpaceView<'_>, out: &mut [f64]) {
        self.listen(out, |sonar, transducer| sonar.echo_in_space(view, transducer));
    }

    /// A reading a transducer, with its error.
    fn listen(&mut self, out: &mut [f64], echo: impl Fn(&Self, Pose2) -> Option<f64>) {
        let end = self.state.stream.drawn.wrapping_add(self.spec.ring.len() as u64);
        for (i, out) in out.iter_mut().enumerate().take(self.spec.ring.len()) {
            let error = gaussian(&mut self.state.stream, self.state.sigma);
            *out = match echo(self, self.spec.ring[i]) {
                Some(distance) => (distance + error).clamp(self.spec.least, self.spec.range),
                None => self.spec.range,
            };
        }
        self.state.stream.drawn = end;
    }

    /// Distance of the nearest echo, m.
    fn echo(&self, view: RangeView<'_>, pose: Pose2) -> Option<f64> {
        let mut nearest = None;
        for turn in &self.directions {
            let direction = pose.rotation.after(*turn).x_axis();
            let range = nearest.unwrap_or(self.spec.range);
            let ray = Ray { origin: pose.position, direction, range, skip: view.own };
            let hit = view.plane.cast_thing(&ray);
            let heard = hit.filter(|hit| -hit.normal.dot(direction) >= self.least_cosine);
            nearest = heard.map(|hit| hit.distance).or(nearest);
        }
        nearest
    }

    /// Distance of the nearest echo in space, m.
    fn echo_in_space(&self, view: SpaceView<'_>, transducer: Pose2) -> Option<f64> {
        let SpaceView { space, world_from_robot: pose, own: skip } = view;
        let Pose2 { position, rotation } = transducer;
        let origin = pose.transform(Vec3::new(position.x, position.y, self.spec.height));
        if space.inside(origin, skip) {
            return Some(0.0);
        }
        let [forward, left, _] = pose.rotation.axes();
        let mut nearest = None;
        for turn in &self.directions {
            let own = rotation.after(*turn).x_axis();
            let direction = forward * own.x + left * own.y;
            let range = nearest.unwrap_or(self.spec.range);
            let hit = space.cast(&SpaceRay { origin, direction, range, skip });
            let heard = hit.filter(|hit| -hit.normal.dot(direction) >= self.least_cosine);
            nearest = heard.map(|hit| hit.distance).or(nearest);
        }
        nearest
    }
}
