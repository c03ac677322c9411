//! What a robot that is sent somewhere sees: true poses, or what a camera tells of them.

use crate::nearest::Nearest;
use crate::others::Others;
use crate::pilot::truth_of;
use crate::vision::{Blur, MOST_DELAY, Vision};
use rolima_core::{BodyId, Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_model::VisionSpec;
use rolima_nav::{NavError, Obstacle};
use serde::{Deserialize, Serialize};

/// Where a robot sees itself and others: true poses, or what a camera tells.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RobotVision {
    /// None where it sees true poses.
    camera: Option<Box<Camera>>,
    robot: RobotId,
    /// Where it was last seen, and frames since.
    last: Option<Vec2>,
    unseen: u32,
}

/// A camera over the world: noisy, late, with gaps.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Camera {
    blur: Blur,
    own: Vision,
    others: Others,
    /// Key of the noise of what else it looks at.
    seed: u64,
}

impl Blur {
    /// What a scene says, in frames of a period, s.
    pub fn of(spec: &VisionSpec, period: f64) -> Self {
        let frames = |time_s: f64| (time_s / period).round();
        Self {
            position: spec.position_sigma,
            heading: spec.heading_sigma,
            delay: (frames(spec.delay_s) as usize).min(MOST_DELAY),
            gaps: spec.gap_probability,
            gap_length: frames(spec.gap_s) as u32,
        }
    }

    /// Whether nothing is blurred.
    pub fn is_none(&self) -> bool {
        let see_gaps = self.gaps > 0.0 && self.gap_length > 0;
        self.position == 0.0 && self.heading == 0.0 && self.delay == 0 && !see_gaps
    }
}

impl RobotVision {
    /// For a robot of a world, frames of a period, s, and a key of the noise.
    pub(crate) fn new(
        world: &World,
        robot: RobotId,
        blur: Blur,
        period: f64,
        seed: u64,
    ) -> Result<Self, NavError> {
        Self::in_model(world.model(), robot, blur, period, seed)
    }

    /// The same for a robot of a model.
    fn in_model(
        model: &Model,
        robot: RobotId,
        blur: Blur,
        period: f64,
        seed: u64,
    ) -> Result<Self, NavError> {
        let camera = if blur.is_none() {
            None
        } else {
            let bodies = model.robot_ids().map(RobotId::body).chain(model.objects());
            let others = bodies.filter(|body| *body != robot.body());
            Some(Box::new(Camera {
                blur,
                own: Vision::new(blur, Stream::new(seed, robot.0.into(), "vision")),
                others: Others::in_model(model, others, period, blur, seed)?,
                seed,
            }))
        };
        Ok(Self { camera, robot, last: None, unseen: 0 })
    }

    /// Whether what was read back are what a robot of a model sees, in frames of a period, s.
    pub(crate) fn fit(&self, model: &Model, robot: RobotId, blur: Blur, period: f64) -> bool {
        let Ok(fresh) = Self::in_model(model, robot, blur, period, 0) else { return false };
        let cameras = match (&self.camera, &fresh.camera) {
            (None, None) => true,
            (Some(own), Some(fresh)) => {
                let others = own.others.is_like(&fresh.others, &blur);
                own.blur == fresh.blur && own.own.fits(&blur) && others
            }
            _ => false,
        };
        cameras && self.robot == robot
    }

    /// Whether it sees true poses.
    pub(crate) fn are_true(&self) -> bool {
        self.camera.is_none()
    }

    /// Frames from a pose to the frame in which it is told.
    pub(crate) fn delay(&self) -> usize {
        self.camera.as_ref().map_or(0, |camera| camera.blur.delay)
    }

    /// What is told of the robot in this frame, of its true pose.
    pub(crate) fn own(&mut self, truth: Option<Pose2>) -> Option<Pose2> {
        match &mut self.camera {
            Some(camera) => truth.and_then(|truth| camera.own.frame(truth)),
            None => truth,
        }
    }

    /// Whether the robot was put elsewhere since it was last seen: further than so much a frame and so
    /// much more, m. Call it once a frame.
    pub(crate) fn has_jumped(&mut self, seen: Option<Pose2>, most: (f64, f64)) -> bool {
        let Some(seen) = seen else {
            self.unseen = self.unseen.saturating_add(u32::from(self.camera.is_some()));
            return false;
        };
        let sigma = self.camera.as_ref().map_or(0.0, |camera| camera.blur.position);
        let frames = f64::from(std::mem::take(&mut self.unseen)) + 1.0;
        let furthest = frames * most.0 + most.1 + 6.0 * sigma;
        let last = self.last.replace(seen.position);
        last.is_some_and(|last| (seen.position - last).length() > furthest)
    }

    /// Where a camera sees a ball.
    pub(crate) fn on_ball(&self, ball: BodyId) -> Vision {
        let (blur, seed) = match &self.camera {
            Some(camera) => (camera.blur, camera.seed),
            None => (Blur::default(), 0),
        };
        Vision::new(blur, Stream::new(seed, ball.0.into(), "balls"))
    }

    /// Offers the others within reach of a place, m: robots and loose objects, one of no known size as
    /// large as `radius`, m. Call it once a frame, wherever the robot is.
    pub(crate) fn look(
        &mut self,
        world: &World,
        here: Option<(Vec2, f64)>,
        radius: f64,
        nearest: &mut Nearest<Obstacle>,
    ) {
        if let Some(camera) = &mut self.camera {
            camera.others.frame(world);
        }
        let Some((here, reach)) = here else { return };
        let mut offer = |number: u32, other: Obstacle| {
            let distance = (other.position - here).length();
            if distance < reach {
                nearest.offer(distance - other.radius, number, other);
            }
        };
        if let Some(camera) = &self.camera {
            return camera.others.known().for_each(|(body, other)| offer(body.0, other));
        }
        let model = world.model();
        let robots = model.robot_ids().filter(|robot| *robot != self.robot).map(RobotId::body);
        for body in robots.chain(model.objects()) {
            let Some(truth) = truth_of(world, body) else { continue };
            let radius = model.body(body).map_or(radius, |body| body.radius);
            let (position, velocity) = (truth.pose.position, truth.velocity);
            offer(body.0, Obstacle { position, velocity, radius });
        }
    }
}
