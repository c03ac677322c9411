//! What goes into a navigator and comes out of it.

use crate::control::TrackerGains;
use crate::drive::Volts;
use crate::error::NavError;
use crate::estimate::{Noise, State};
use crate::field::Field;
use crate::trajectory::Limits;
use rolima_math::Pose2;

/// Most frames of delay.
pub const MOST_DELAY: usize = 8;

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The pose to reach.
    pub pose: Pose2,
    /// Speed on arrival, m/s: 0 to stop there, more to pass through or to kick.
    pub speed: f64,
}

impl Goal {
    /// A pose to stop at.
    pub fn stop_at(pose: Pose2) -> Self {
        Self { pose, speed: 0.0 }
    }
}

/// How a navigator works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Time between frames, s.
    pub period: f64,
    /// How many frames old what is seen is, when it is told.
    pub delay: usize,
    /// How good vision is.
    pub noise: Noise,
    /// How fast to go.
    pub limits: Limits,
    /// The tracker's gains.
    pub gains: TrackerGains,
    /// Where it may be.
    pub field: Field,
    /// The robot's radius, m: half the diagonal of a cube of 7.5 cm.
    pub radius: f64,
    /// Room to keep to obstacles and walls, m.
    pub margin: f64,
    /// It has arrived within this distance, m, and angle, rad, of the goal.
    pub arrived: (f64, f64),
}

impl Default for Settings {
    /// The thesis's frames of 30 ms, nothing around.
    fn default() -> Self {
        Self {
            period: 0.03,
            delay: 0,
            noise: Noise::default(),
            limits: Limits::default(),
            gains: TrackerGains::default(),
            field: Field::EVERYWHERE,
            radius: 0.053,
            margin: 0.006,
            arrived: (0.005, 0.026),
        }
    }
}

/// How it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// No goal: it stands.
    Idle,
    /// On its way.
    Driving,
    /// At the goal, and holds it.
    Arrived,
    /// Every way is blocked: it stands and tries again.
    Blocked,
    /// Not seen for too long: it stands.
    Lost,
    /// The goal was refused.
    Refused(NavError),
}

/// What a frame came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// For the motors, until the next frame.
    pub volts: Volts,
    /// How it goes.
    pub status: Status,
    /// Where the robot is now, as estimated.
    pub state: State,
    /// Where it should be now.
    pub reference: Pose2,
    /// Time that the plan still takes, s.
    pub left: f64,
}
