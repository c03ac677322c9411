//! Odometry: the pose that a robot believes in, by adding up what its wheels have turned.
//!
//! Equation 3.16, with the heading in the middle of the step:
//!
//! ```text
//! dS = (r_r dphi_r + r_l dphi_l)/2      dtheta = (r_r dphi_r - r_l dphi_l)/b
//! x += dS cos(theta + dtheta/2)         y += dS sin(theta + dtheta/2)
//! ```
//!
//! Its systematic errors are those of real robots: it believes in wheels and an axle that are not
//! quite its own, and its wheels turn more than they roll.

use crate::words::{Words, numbers};
use rolima_math::{Pose2, sin_cos, wrap_angle};
use rolima_model::ModelError;
use rolima_model::check::{positive, within};

/// What a scene says about odometry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OdometrySpec {
    /// True radii of the wheels (right, left), m. Default 0.20 (ours: the thesis gives none).
    pub wheel_radius: [f64; 2],
    /// True distance between the wheels, m. Default 0.70 (ours: the width of the thesis's body).
    pub wheel_distance: f64,
    /// Believed over true radius (right, left). Default 1: no error.
    pub radius_factor: [f64; 2],
    /// Believed over true distance between the wheels. Default 1: no error.
    pub distance_factor: f64,
    /// Share of the wheels' turning that is lost on the ground, beyond what the dynamics let slip
    /// anyway: 0 to below 1. Default 0.
    pub slip: f64,
}

impl Default for OdometrySpec {
    fn default() -> Self {
        Self {
            wheel_radius: [0.20; 2],
            wheel_distance: 0.70,
            radius_factor: [1.0; 2],
            distance_factor: 1.0,
            slip: 0.0,
        }
    }
}

impl OdometrySpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        for (i, side) in ["right", "left"].iter().enumerate() {
            positive(&format!("{key}.wheel_radius_{side}"), self.wheel_radius[i])?;
            within(&format!("{key}.radius_factor_{side}"), self.radius_factor[i], 0.1, 10.0)?;
        }
        positive(&format!("{key}.wheel_distance"), self.wheel_distance)?;
        within(&format!("{key}.distance_factor"), self.distance_factor, 0.1, 10.0)?;
        within(&format!("{key}.slip"), self.slip, 0.0, 0.99)?;
        Ok(())
    }
}

/// A believed pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Believed {
    /// Position, m.
    pub x: f64,
    /// Position, m.
    pub y: f64,
    /// Heading, rad in (-pi, pi].
    pub theta: f64,
}

/// What changes of odometry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OdometryState {
    /// Believed position, m, and heading, rad.
    pub pose: [f64; 3],
    /// Angles of the wheels (right, left) that are already counted, rad.
    pub counted: [f64; 2],
}

impl Words for OdometryState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        numbers(&mut self.pose, each);
        numbers(&mut self.counted, each);
    }
}

/// A robot's odometry.
#[derive(Clone, Debug, PartialEq)]
pub struct Odometry {
    /// What the scene says.
    pub spec: OdometrySpec,
    /// What changes.
    pub state: OdometryState,
}

impl Odometry {
    /// Odometry that begins at a pose, with wheels at angle 0.
    pub fn new(spec: OdometrySpec, start: Pose2) -> Self {
        let mut odometry = Self { spec, state: OdometryState::default() };
        odometry.set(start, [0.0; 2]);
        odometry
    }

    /// Believes in a pose from now on; the wheels (right, left) stand at these angles, rad.
    pub fn set(&mut self, pose: Pose2, wheel_angles: [f64; 2]) {
        self.state.pose = [pose.position.x, pose.position.y, pose.theta()];
        self.state.counted = wheel_angles;
    }

    /// Counts the angles (right, left) that the encoders show now, rad ([`super::Encoders::angles`],
    /// or the true ones for ideal encoders), and returns the believed pose.
    pub fn measure(&mut self, wheel_angles: [f64; 2]) -> Believed {
        let OdometrySpec { wheel_radius, wheel_distance, radius_factor, distance_factor, slip } =
            self.spec;
        let OdometryState { pose, counted } = &mut self.state;
        // Wheels that slip have turned further on the same way.
        let rolled = |i: usize| {
            (wheel_angles[i] - counted[i]) / (1.0 - slip) * wheel_radius[i] * radius_factor[i]
        };
        let (right, left) = (rolled(0), rolled(1));
        let way = 0.5 * (right + left);
        let turn = (right - left) / (wheel_distance * distance_factor);
        let (sin, cos) = sin_cos(pose[2] + 0.5 * turn);
        pose[0] += way * cos;
        pose[1] += way * sin;
        pose[2] = wrap_angle(pose[2] + turn);
        *counted = wheel_angles;
        self.believed()
    }

    /// The believed pose.
    pub fn believed(&self) -> Believed {
        let [x, y, theta] = self.state.pose;
        Believed { x, y, theta }
    }
}
