//! What changes about bodies.

use super::{ContactPair, SpatialContact};
use crate::model::SpatialModel;
use crate::state::{rotation, vector};
use crate::world::Vehicle;
use rolima_math::words::flag;
use rolima_math::{Quat, Vec3, Words};

/// State of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Origin of its frame, m.
    pub position: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Velocity of its centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity in the world, rad/s.
    pub omega: Vec3,
    /// Whether it sleeps: at rest, until something that moves presses on it.
    pub asleep: bool,
    /// Whether it has left a terrain that ends: it stays where it was.
    pub left_terrain: bool,
    /// Where it has been for so many of the vehicles' steps, nearly.
    pub(crate) rest: (Vec3, Quat),
    pub(crate) rest_steps: u64,
}

impl BodyState {
    pub(crate) fn new(position: Vec3, orientation: Quat, velocity: Vec3, omega: Vec3) -> Self {
        let orientation = orientation.unit();
        Self {
            position,
            orientation,
            velocity,
            omega,
            asleep: false,
            left_terrain: false,
            rest: (position, orientation),
            rest_steps: 0,
        }
    }

    pub(crate) fn wake(&mut self) {
        self.asleep = false;
        self.rest = (self.position, self.orientation);
        self.rest_steps = 0;
    }
}

impl Words for BodyState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        vector(&mut self.position, each);
        rotation(&mut self.orientation, each);
        vector(&mut self.velocity, each);
        vector(&mut self.omega, each);
        flag(&mut self.asleep, each);
        flag(&mut self.left_terrain, each);
        vector(&mut self.rest.0, each);
        rotation(&mut self.rest.1, each);
        each(&mut self.rest_steps);
    }
}

/// Bodies, and what is remembered from one contact resolution to the next.
#[derive(Clone, Debug)]
pub(crate) struct ContactState {
    pub(crate) bodies: Vec<BodyState>,
    /// The step of the last contact resolution, and where the vehicles were.
    pub(crate) step: u64,
    pub(crate) vehicles: Vec<(Vec3, Quat)>,
    /// Steps of a world without vehicles, which count them otherwise.
    pub(crate) clock: u64,
    /// Who touched at the last contact resolution; not part of the state.
    pub(crate) touches: Vec<ContactPair>,
    /// And at which points; not part of the state either.
    pub(crate) presses: Vec<SpatialContact>,
    /// Bodies that left the terrain at this contact resolution, until that is told.
    pub(crate) left: Vec<u32>,
    /// Who takes part, and who is still to be looked at: only to keep the memory.
    #[cfg(feature = "bodies")]
    pub(crate) broad_phase: super::near::BroadPhase,
}

impl ContactState {
    pub(crate) fn new(model: &SpatialModel, vehicles: &[Vehicle]) -> Self {
        let bodies = model
            .spec
            .bodies
            .iter()
            .map(|b| BodyState::new(b.position, b.orientation, b.velocity, b.omega))
            .collect();
        let place = |v: &Vehicle| (v.state.position, v.state.orientation);
        Self {
            bodies,
            step: 0,
            vehicles: vehicles.iter().map(place).collect(),
            clock: 0,
            touches: vec![],
            presses: vec![],
            left: vec![],
            #[cfg(feature = "bodies")]
            broad_phase: super::near::BroadPhase::new(vehicles.len(), model.spec.bodies.len()),
        }
    }
}

impl ContactState {
    /// Forgets who touched.
    pub(crate) fn forget_touches(&mut self) {
        self.touches.clear();
        self.presses.clear();
    }
}

impl Words for ContactState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        self.bodies.iter_mut().for_each(|b| b.words(each));
        each(&mut self.step);
        for (position, orientation) in &mut self.vehicles {
            vector(position, each);
            rotation(orientation, each);
        }
        each(&mut self.clock);
    }
}
