//! How bodies move, for those who look at a world.

use rolima_math::{Pose2, Vec2};
use rolima_model::{BodyKind, BodyModel};

/// How a body moves, seen from above.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Velocity of its origin in the world, m/s.
    pub velocity: Vec2,
    /// The same along the body's own axes, forward and to the left, m/s.
    pub own: Vec2,
    /// Turning about the vertical, rad/s.
    pub omega: f64,
}

impl Twist {
    /// From a velocity in the frame that the body's kind uses: a robot's own, the world's of others.
    pub(crate) fn new(body: &BodyModel, pose: Pose2, velocity: Vec2, omega: f64) -> Self {
        let rotation = pose.rotation;
        match body.kind {
            BodyKind::Robot => Self { velocity: rotation.rotate(velocity), own: velocity, omega },
            _ => Self { velocity, own: rotation.unrotate(velocity), omega },
        }
    }
}
