//! What people and programs do to a simulation.

use crate::route::Route;
use rolima_core::{BodyId, Command, RobotId};
use rolima_math::{Pose2, Vec2};
use std::sync::Arc;

/// What somebody does to a world; logged with its step, so that a run can be replayed.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A command for a robot, by its number: voltages or speeds.
    Command {
        /// The robot.
        robot: RobotId,
        /// What it is to do.
        command: Command,
    },
    /// Takes a robot from its built-in driver and lets it stand.
    Stop {
        /// The robot.
        robot: RobotId,
    },
    /// Gives a robot back to its built-in driver.
    Release {
        /// The robot.
        robot: RobotId,
    },
    /// Puts a body elsewhere, at rest.
    Place {
        /// The body.
        body: BodyId,
        /// Where to.
        pose: Pose2,
    },
    /// A blow on a body.
    Push {
        /// The body.
        body: BodyId,
        /// Where it hits, in the world, m.
        point: Vec2,
        /// How hard, N s.
        impulse: Vec2,
    },
    /// Pulls a body by a spring until it is let go; a new grab of the same body moves the hand.
    Grab {
        /// The body.
        body: BodyId,
        /// Where the spring holds it, in its own frame, m.
        own: Vec2,
        /// Where the hand is, in the world, m.
        hand: Vec2,
    },
    /// Lets a body go.
    LetGo {
        /// The body.
        body: BodyId,
    },
    /// Sets a standard deviation of a sensor, as [`rolima_core::World::sigma`] counts them.
    Sigma {
        /// Number of the sensor.
        device: u32,
        /// Which of its standard deviations.
        axis: u32,
        /// The new one.
        sigma: f64,
    },
    /// Makes a robot believe in a pose.
    Believe {
        /// The robot.
        robot: RobotId,
        /// Where it believes to be.
        pose: Pose2,
    },
    /// Sends a robot to a pose: it drives there by itself and stays, until it is commanded, stopped,
    /// released or sent elsewhere.
    Goal {
        /// The robot.
        robot: RobotId,
        /// Where to.
        pose: Pose2,
    },
    /// Sends a robot to goals, one after the other, or to meet balls; likewise.
    Route {
        /// The robot.
        robot: RobotId,
        /// Its goals.
        route: Arc<Route>,
        /// Whether it goes there after the goals that it has, in place of those; then whether to repeat
        /// is as said here, and how long to wait as it was.
        append: bool,
    },
    /// Takes a robot's goal away; it brakes within its limits, along the way that it was on, and stands.
    NoGoal {
        /// The robot.
        robot: RobotId,
    },
}

impl Action {
    /// The robot whose driver this act changes, if it does.
    pub fn takes_wheel_of(&self) -> Option<RobotId> {
        match *self {
            Self::Command { robot, .. }
            | Self::Stop { robot }
            | Self::Release { robot }
            | Self::Goal { robot, .. }
            | Self::Route { robot, .. }
            | Self::NoGoal { robot } => Some(robot),
            Self::Place { .. }
            | Self::Push { .. }
            | Self::Grab { .. }
            | Self::LetGo { .. }
            | Self::Sigma { .. }
            | Self::Believe { .. } => None,
        }
    }
}
