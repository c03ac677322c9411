//! What goes into a navigator and comes out of it.
//!
//! Of the thesis are dt of 5.6 ([`Settings::period`]: its vision's 30 ms), the configuration to reach
//! (x_f, y_f, theta_f) of 5.3 ([`Goal::pose`]) and e_d, e_e of 6.12 ([`Output::volts`]). Delay, limits,
//! tolerances, room and status are beyond it.

use crate::control::TrackerGains;
use crate::drive::{Drive, MotorVolts};
use crate::error::NavError;
use crate::estimate::{KalmanState, Noise};
use crate::field::Field;
use crate::trajectory::TrajectoryLimits;
use rolima_math::Pose2;
use serde::{Deserialize, Serialize};

/// Most frames of delay: an eighth of a second at 1 kHz, which the thesis's 30 ms never need.
pub const MOST_DELAY: usize = 127;

/// Where to go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// The pose to reach.
    pub pose: Pose2,
    /// Speed on arrival, m/s: 0 to stop there, more to pass through along its heading, or to kick. Where
    /// there is no room for a run-up, it is reached at rest.
    pub speed: f64,
}

impl Goal {
    /// A pose to stop at.
    pub fn stop_at(pose: Pose2) -> Self {
        Self { pose, speed: 0.0 }
    }
}

/// How a navigator works.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Time between frames, s.
    pub period: f64,
    /// How many frames old what is seen is, when it is told.
    pub delay: usize,
    /// How good vision is.
    pub noise: Noise,
    /// How fast to go.
    pub limits: TrajectoryLimits,
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
    /// Robot and reference further apart than this, m and rad: the plan is given up.
    pub lost_track: (f64, f64),
    /// How far to the side of the goal it may come to rest, m: some four standard errors of an
    /// estimate from vision of 2 mm, so that noise alone does not send it off again. At a goal that
    /// does not move, no further than what counts as having arrived.
    pub aside: f64,
}

impl Default for Settings {
    /// The thesis's frames of 30 ms, nothing around.
    fn default() -> Self {
        Self {
            period: 0.03,
            delay: 0,
            noise: Noise::default(),
            limits: TrajectoryLimits::default(),
            gains: TrackerGains::default(),
            field: Field::EVERYWHERE,
            radius: 0.053,
            margin: 0.006,
            arrived: (0.005, 0.026),
            lost_track: (0.05, 0.6),
            aside: 0.006,
        }
    }
}

/// What a robot's own speed controller keeps to: bounds besides those of its motors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Caps {
    /// Fastest speed, m/s.
    pub speed: f64,
    /// Largest change of speed, m/s2.
    pub acceleration: f64,
    /// Fastest turning, rad/s.
    pub turning: f64,
    /// Largest change of turning, rad/s2.
    pub turning_change: f64,
}

impl Caps {
    /// None.
    pub const NONE: Self = Self {
        speed: f64::INFINITY,
        acceleration: f64::INFINITY,
        turning: f64::INFINITY,
        turning_change: f64::INFINITY,
    };
}

/// Share of what the motors can do at full supply that plans use: the rest is for corrections.
const OF_TOP_SPEED: f64 = 0.66;
const OF_FIRST_PUSH: f64 = 0.7;
/// Share of the caps that plans use.
const OF_CAPS: f64 = 0.9;
/// It goes no faster than it can stop within so many of its radii: what it sees of others is old by then.
const STOPPING: f64 = 10.0;
/// A robot that turns faster, rad/s, has gone a quarter radian from frame to frame.
const MOST_TURNING: f64 = 8.0;
const MOST_TURNING_CHANGE: f64 = 60.0;
/// Swing of the tracker at top speed, rad/s: as of the minirobot at 1.2 m/s.
const SWING: f64 = 9.3;

impl Settings {
    /// Settings for a robot of any size whose true pose is told: limits from what its motors can do
    /// (equation 6.12 at full supply) and from its speed controller's caps, gains from its top speed,
    /// tolerances and room from its radius, m. The minirobot's come out close to the defaults.
    pub fn for_robot(drive: &Drive, radius: f64, caps: &Caps) -> Result<Self, NavError> {
        let base = Self::default();
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(NavError::BadLimit);
        }
        let push = [
            (drive.b[0][0] + drive.b[0][1]) * drive.supply,
            (drive.b[1][0] - drive.b[1][1]) * drive.supply,
        ];
        // Where the push is spent: A z + B e = 0. Without friction there is no such speed.
        let top = [0, 1].map(|i| if drive.a[i][i] < 0.0 { push[i] / -drive.a[i][i] } else { 1e3 });
        let least = |all: [f64; 3]| all.into_iter().fold(f64::INFINITY, f64::min);
        let acceleration = least([OF_FIRST_PUSH * push[0], OF_CAPS * caps.acceleration, 3.0]);
        let brakes = (2.0 * acceleration * STOPPING * radius).sqrt();
        let speed = least([OF_TOP_SPEED * top[0], OF_CAPS * caps.speed, brakes]);
        let limits = TrajectoryLimits {
            speed,
            acceleration,
            turning: least([OF_TOP_SPEED * top[1], OF_CAPS * caps.turning, MOST_TURNING]),
            turning_change: least([
                OF_FIRST_PUSH * push[1],
                OF_CAPS * caps.turning_change,
                MOST_TURNING_CHANGE,
            ]),
            ..base.limits
        };
        limits.check()?;
        let size = radius / base.radius;
        let swing = SWING / speed;
        let precise = (base.arrived.0 * size).clamp(0.002, 0.03);
        Ok(Self {
            limits,
            gains: TrackerGains { side: (swing * swing).clamp(0.5, 240.0), ..base.gains },
            radius,
            margin: base.margin * size,
            arrived: (precise, base.arrived.1),
            // What it goes in two frames must not look like being lost.
            lost_track: ((base.lost_track.0 * size).max(0.06 * speed), base.lost_track.1),
            aside: 0.6 * precise,
            ..base
        })
    }
}

/// How it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NavStatus {
    /// No goal: it stands.
    Idle,
    /// On its way.
    Driving,
    /// At the goal, and holds it.
    Arrived,
    /// Every way is blocked: it stands and tries again.
    Blocked,
    /// Not seen for too long: it brakes within its limits from how it should move, and stands.
    Lost,
    /// The goal was refused: it stops and stands.
    Refused(NavError),
}

/// What a frame came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// For the motors, until the next frame.
    pub volts: MotorVolts,
    /// How it goes.
    pub status: NavStatus,
    /// Where the robot is now, as estimated.
    pub state: KalmanState,
    /// Where it should be now.
    pub reference: Pose2,
    /// Time that the plan still takes, s.
    pub left: f64,
}
