//! Where the bodies of a scene lie in the memory of the planar engine.

use crate::ids::{BodyId, RobotId};
use crate::model::{BodyModel, LANES};

/// What the bodies of a block are. A block holds one kind only, and robots of one drive only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// Robots with this drive (an index into [`crate::Model::drives`]).
    Robots(u32),
    /// Balls.
    Balls,
    /// Loose objects.
    Objects,
}

/// Blocks of [`LANES`] bodies each, of one kind. A body's slot is block * [`LANES`] + lane. Slots
/// rise with the bodies' numbers, with gaps where a block is not full; they mean nothing outside
/// the planar engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// What each block holds.
    pub blocks: Vec<BlockKind>,
    /// Largest radius of a body of each block, m.
    pub block_radius: Vec<f64>,
    /// Bodies by slot; padding lanes are none.
    pub bodies: Vec<Option<BodyModel>>,
    /// Slots of the balls, in the scene's order.
    pub ball_slots: Vec<u32>,
    /// Slots of all bodies, by their numbers.
    pub(crate) slots: Vec<u32>,
}

impl Layout {
    /// The body in a slot, if it is not padding.
    #[inline]
    pub fn body(&self, slot: u32) -> Option<&BodyModel> {
        self.bodies.get(slot as usize)?.as_ref()
    }

    /// The slot of a body.
    #[inline]
    pub fn slot(&self, body: BodyId) -> Option<u32> {
        self.slots.get(body.index()).copied()
    }

    /// The slot of a robot that there is.
    #[inline(always)]
    pub fn robot_slot(&self, robot: RobotId) -> u32 {
        self.slots[robot.index()]
    }

    /// The number of the body in a slot that is not padding.
    #[inline]
    pub fn id(&self, slot: u32) -> Option<BodyId> {
        self.body(slot).map(|body| body.id)
    }

    /// Bodies in the order of their numbers, which is that of slots.
    pub fn bodies(&self) -> impl Iterator<Item = &BodyModel> + Clone {
        self.bodies.iter().flatten()
    }

    /// Fills the last block up.
    pub(crate) fn fill_block(&mut self) {
        while !self.bodies.len().is_multiple_of(LANES) {
            self.bodies.push(None);
        }
    }

    /// Notes the largest radii, once all bodies are there.
    pub(crate) fn measure(&mut self) {
        let largest = |block: &[Option<BodyModel>]| {
            block.iter().flatten().map(|b| b.radius).fold(0.0, f64::max)
        };
        self.block_radius = self.bodies.chunks(LANES).map(largest).collect();
    }
}
