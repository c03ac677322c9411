//! What there is to be sensed.

use rolima_math::{Pose2, Pose3, Vec2, Vec3};

/// A robot as it is at an instant, or a frame that stands in the world with sensors in it.
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
    /// The same in space: of robots on rough ground, and of what stands in the world.
    pub space: Option<SpaceTruth>,
}

/// A vehicle as it is at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SpaceTruth {
    /// Its own frame in the world.
    pub pose: Pose3,
    /// Velocity of its centre of mass in the world, m/s.
    pub velocity: Vec3,
    /// Angular velocity in its own frame, rad/s.
    pub omega: Vec3,
    /// Acceleration of gravity, m/s2, downwards.
    pub gravity: f64,
}
