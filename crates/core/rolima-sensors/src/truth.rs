//! What there is to be sensed.

use rolima_math::{Pose2, Vec2};

/// A robot as it is at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Truth {
    /// Time since the start, s.
    pub time_s: f64,
    /// The robot in the world.
    pub world_from_robot: Pose2,
    /// Velocity of its origin in the world, m/s.
    pub velocity: Vec2,
    /// Turning, rad/s.
    pub omega: f64,
    /// How far its wheels (right, left) have turned since the start, rad.
    pub wheel_angles: [f64; 2],
}
