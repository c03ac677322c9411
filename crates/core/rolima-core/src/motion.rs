//! Where bodies are and how they move, for those who look at a world.

use crate::state::{State, place};
use crate::world::World;
use rolima_math::{Pose2, Vec2};
use rolima_model::{BodyId, BodyKind, BodyModel};

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

impl State {
    /// How a body moves.
    pub(crate) fn twist(&self, body: &BodyModel) -> Twist {
        let (block, lane) = place(body.slot);
        let motion = &self.motion[block];
        let (known, rotation) = (motion.velocity(lane), motion.pose(lane).rotation);
        let omega = motion.omega[lane];
        match body.kind {
            BodyKind::Robot => Twist { velocity: rotation.rotate(known), own: known, omega },
            _ => Twist { velocity: known, own: rotation.unrotate(known), omega },
        }
    }
}

impl World {
    /// Where a body is, seen from above; none where there is no such body.
    pub fn pose(&self, body: impl Into<BodyId>) -> Option<Pose2> {
        Some(self.state.pose(self.model.layout.slot(body.into())?))
    }

    /// How a body moves; none where there is no such body.
    pub fn twist(&self, body: impl Into<BodyId>) -> Option<Twist> {
        Some(self.state.twist(self.model.body(body)?))
    }

    /// Whether a body was taken out because its motion went wild.
    pub fn is_quarantined(&self, body: impl Into<BodyId>) -> bool {
        let slot = self.model.layout.slot(body.into());
        slot.is_some_and(|slot| self.state.is_quarantined(slot))
    }
}
