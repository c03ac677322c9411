//! Where bodies press, for those who look at a world.

use crate::engine;
use crate::world::World;
use rolima_math::{Vec2, Vec3};
use rolima_model::BodyId;

/// One of two that press on one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presser {
    /// This body.
    Body(BodyId),
    /// The wall with this number in the scene.
    Wall(u32),
    /// Rough ground, under a ball or an object; the wheels of vehicles have readings of their own.
    Ground,
}

/// A point where two bodies, or a body and a wall or rough ground, hit or pressed in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Which two.
    pub between: [Presser; 2],
    /// Where, in the world, m.
    pub point: Vec2,
    /// How high, m; none on flat ground.
    pub height: Option<f64>,
    /// Direction from the first to the second, of length one.
    pub normal: Vec3,
    /// How hard: the impulse along the normal, N s; of what pressed in a step with substeps, that of
    /// the last one.
    pub impulse: f64,
    /// Impulse of friction on the second, N s.
    pub friction: Vec3,
}

impl World {
    /// The points that hit or pressed in the last step. Nothing is known of a step before a reset or a
    /// restored snapshot.
    ///
    /// Reads what the engine left in its memory, so it costs nothing while nobody asks.
    pub fn contact_points(&self) -> impl Iterator<Item = ContactPoint> + '_ {
        engine::contact_points(&self.model, &self.state, &self.scratch)
    }
}
