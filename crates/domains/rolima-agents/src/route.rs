//! Where a robot is to go: poses and balls, one after the other.

use rolima_core::{BodyId, Model};
use rolima_math::{Pose2, Vec2};
use rolima_model::{GoalSpec, MOST_GOALS_OF_A_ROUTE, RouteSpec};
use serde::{Deserialize, Serialize};

/// Goals of a robot, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Route {
    /// The goals, at least one and at most [`MOST_GOALS_OF_A_ROUTE`].
    pub goals: Vec<Target>,
    /// Whether it goes for the first one again after the last.
    pub repeat: bool,
    /// How long it stays at each goal, s.
    pub wait_s: f64,
}

/// A goal of a route.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// A pose, to stop there.
    Pose(Pose2),
    /// A ball, to meet it from behind and send it towards a point.
    Ball {
        /// The ball.
        ball: BodyId,
        /// Where to send it, m.
        aim: Vec2,
    },
}

impl Route {
    /// A single pose.
    pub fn to(pose: Pose2) -> Self {
        Self { goals: vec![Target::Pose(pose)], ..Self::default() }
    }

    /// What a scene says, with the balls of its model; balls that it has not are left out.
    pub fn of(model: &Model, spec: &RouteSpec) -> Self {
        let target = |goal: &GoalSpec| match goal {
            GoalSpec::Pose(pose) => Some(Target::Pose(*pose)),
            GoalSpec::Ball { ball, aim } => {
                let number = model.spec.balls.iter().position(|known| known.name == *ball)?;
                Some(Target::Ball { ball: model.balls().nth(number)?, aim: *aim })
            }
        };
        let goals = spec.goals.iter().filter_map(target).collect();
        Self { goals, repeat: spec.repeat, wait_s: spec.wait_s }
    }

    /// Whether it has as many goals as it may, and its numbers are sane.
    pub(crate) fn is_sane(&self) -> bool {
        (1..=MOST_GOALS_OF_A_ROUTE).contains(&self.goals.len())
            && self.wait_s >= 0.0
            && self.wait_s.is_finite()
    }
}
