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
use rolima_model::OdometrySpec;

/// The wheels that odometry counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelBase {
    /// True radii of the wheels (right, left), m.
    pub radius: [f64; 2],
    /// True distance between the wheels, m.
    pub distance: f64,
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
    /// The robot's wheels.
    pub wheels: WheelBase,
    /// What changes.
    pub state: OdometryState,
}

impl Odometry {
    /// Odometry that begins at a pose, with wheels at angle 0.
    pub fn new(spec: OdometrySpec, wheels: WheelBase, start: Pose2) -> Self {
        let mut odometry = Self { spec, wheels, state: OdometryState::default() };
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
        let OdometrySpec { radius_factor, distance_factor, slip, .. } = self.spec;
        let WheelBase { radius, distance } = self.wheels;
        let OdometryState { pose, counted } = &mut self.state;
        // Wheels that slip have turned further on the same way.
        let rolled =
            |i: usize| (wheel_angles[i] - counted[i]) / (1.0 - slip) * radius[i] * radius_factor[i];
        let (right, left) = (rolled(0), rolled(1));
        let travelled = 0.5 * (right + left);
        let turn = (right - left) / (distance * distance_factor);
        let (sin, cos) = sin_cos(pose[2] + 0.5 * turn);
        pose[0] += travelled * cos;
        pose[1] += travelled * sin;
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
