//! A robot that is to meet a ball and send it somewhere, among any walls.

use crate::pilot::truth_of;
use crate::robot_vision::RobotVision;
use crate::striker::Striker;
use crate::vision::Vision;
use crate::walls::Walls;
use rolima_core::model::Part;
use rolima_core::{BodyId, Model, RobotId, World};
use rolima_math::{Pose2, Vec2, larger, smaller};
use rolima_nav::estimate::{EstimateStatus, KalmanState, Rolling, RollingNoise};
use rolima_nav::intercept::Interception;
use rolima_nav::{Field, Goal, NavError, Obstacle, Settings};
use serde::{Deserialize, Serialize};

/// Speed at which a ball is met, m/s; slower robots meet it at half their top speed.
const STRIKE: f64 = 0.3;
/// It aims so far into the ball, m, so that it does touch it.
const INTO: f64 = 0.005;
/// It should be behind the ball so much earlier than the ball, s.
const EARLY: f64 = 0.1;
/// The ball's motion is not known before it was seen for so long, s.
const LEARNS: f64 = 0.13;
/// Nearer than this, m, a ball that gets away again has been struck.
const NEAR: f64 = 0.02;
/// Walls farther from the ball than this, m, do not matter to where it is met.
const AROUND: f64 = 3.0;

/// A robot and the ball that it is to meet.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Encounter {
    ball: BodyId,
    vision: Vision,
    track: Rolling,
    striker: Striker,
    /// Distance of the robot's front and the ball's centre from their centres, m.
    touch: f64,
    /// Time of a frame, s, and how many there were.
    period: f64,
    frames: u32,
    /// Gap between both in the last frame, m.
    gap: f64,
    met: bool,
}

/// What a robot wants with its ball in a frame.
pub(crate) struct BallWish {
    /// Where to go; none while the ball is not known.
    pub(crate) goal: Option<Goal>,
    /// The ball, where it is not to be touched yet.
    pub(crate) keep_off: Option<Obstacle>,
}

impl Encounter {
    /// For a robot with its settings, a ball and where that is to go.
    pub(crate) fn new(
        world: &World,
        robot: RobotId,
        (ball, aim): (BodyId, Vec2),
        settings: &Settings,
        robot_vision: &RobotVision,
    ) -> Result<Self, NavError> {
        Self::in_model(world.model(), robot, (ball, aim), settings, robot_vision)
    }

    /// The same in a model.
    fn in_model(
        model: &Model,
        robot: RobotId,
        (ball, aim): (BodyId, Vec2),
        settings: &Settings,
        robot_vision: &RobotVision,
    ) -> Result<Self, NavError> {
        let radius = model.body(ball).map_or(0.02, |body| body.radius);
        let touch = front_of(model, robot).unwrap_or(settings.radius) + radius;
        let strike = Interception {
            aim,
            touch: larger(touch - INTO, 0.0),
            speed: smaller(STRIKE, 0.5 * settings.limits.speed),
            field: Field::EVERYWHERE,
            margin: settings.radius + settings.margin,
            early: EARLY,
        };
        let late = robot_vision.delay() as f64 * settings.period;
        Ok(Self {
            ball,
            vision: robot_vision.on_ball(ball),
            track: Rolling::new(settings.period, RollingNoise::default())?,
            striker: Striker::new(strike, settings.radius, radius, late),
            touch,
            period: settings.period,
            frames: 0,
            gap: f64::INFINITY,
            met: false,
        })
    }

    /// Whether what was read back is a robot of a model and one of its balls. Where the ball is to go may
    /// be anywhere.
    pub(crate) fn fits(
        &self,
        model: &Model,
        robot: RobotId,
        settings: &Settings,
        robot_vision: &RobotVision,
    ) -> bool {
        let pair = (self.ball, self.striker.goal());
        let is_ball = model.balls().any(|ball| ball == self.ball);
        let Ok(fresh) = Self::in_model(model, robot, pair, settings, robot_vision) else {
            return false;
        };
        is_ball
            && (self.touch, self.period) == (fresh.touch, fresh.period)
            && self.vision.is_like(&fresh.vision)
            && self.track.is_like(&fresh.track)
            && self.striker.is_like(&fresh.striker)
    }

    /// Whether the ball was met.
    pub(crate) fn is_over(&self) -> bool {
        self.met
    }

    /// Whether it goes into the ball, and not yet to a place behind it.
    pub(crate) fn strikes(&self) -> bool {
        self.striker.strikes()
    }

    /// One frame, in which the robot is as of the same picture.
    pub(crate) fn frame(
        &mut self,
        world: &World,
        walls: &Walls<'_>,
        robot: &KalmanState,
        settings: &Settings,
    ) -> BallWish {
        self.frames = self.frames.saturating_add(1);
        let truth = truth_of(world, self.ball).map(|truth| truth.pose);
        let truth = truth.filter(|_| !world.is_quarantined(self.ball));
        let seen = truth.and_then(|pose| self.vision.frame(pose)).map(|pose| pose.position);
        self.track.frame(seen);
        let nothing = BallWish { goal: None, keep_off: None };
        let is_young = f64::from(self.frames) * self.period <= LEARNS;
        if self.track.estimate_status() == EstimateStatus::Lost || is_young {
            return nothing;
        }
        self.mind_touch(robot.pose());
        let ball = self.track.motion().0;
        self.striker.stay_within(walls.field_around(ball, AROUND));
        match self.striker.frame(robot, &self.track, &settings.limits) {
            Ok((goal, keep_off)) => BallWish { goal: Some(goal), keep_off },
            // Numbers that are none: it waits for better ones.
            Err(_) => nothing,
        }
    }

    /// A gap that was small and grows again while it strikes: it has struck.
    fn mind_touch(&mut self, robot: Pose2) {
        let gap = robot.inverse_transform(self.track.motion().0).length() - self.touch;
        self.met |= self.striker.strikes() && self.gap < NEAR && gap > self.gap;
        self.gap = gap;
    }
}

/// How far a robot's outline reaches ahead of its origin, m.
fn front_of(model: &Model, robot: RobotId) -> Option<f64> {
    let shape = model.shapes.get(model.body(robot)?.shape as usize)?;
    let reach = |part: &Part| match part {
        Part::Circle { center, radius } => center.x + radius,
        Part::Box { pose, half } => {
            let axis = pose.rotation.x_axis();
            pose.position.x + axis.x.abs() * half.x + axis.y.abs() * half.y
        }
        Part::Polygon(polygon) => {
            let corners = &polygon.vertices[..polygon.count];
            corners.iter().fold(f64::NEG_INFINITY, |most, corner| larger(most, corner.x))
        }
    };
    Some(shape.parts.iter().map(reach).fold(f64::NEG_INFINITY, larger))
}
