//! Friction of loose objects on the ground, within the contacts.
//!
//! The dynamics stage has let the ground act on the object's own motion; what is left of the step's
//! friction acts here against what contacts give the object, so that a box stays where it is until
//! it is pushed harder than its friction holds.

use super::solver::SolverBody;
use crate::planar::Block;
use rolima_math::Vec2;
use rolima_model::{BodyModel, Model};

/// A loose object in the solver, and the friction under it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resting {
    /// Number of the body in the solver.
    pub body: u32,
    /// Radius of gyration, m: stands for the lever of the friction against turning.
    gyration: f64,
    /// Impulse of the friction so far, and that against turning at the lever, N s.
    impulse: Vec2,
    turning: f64,
    /// Both before the contacts.
    first: (Vec2, f64),
    /// Most that friction gives in this substep, N s.
    limit: f64,
}

impl Resting {
    /// The friction under an object, of which the motion from `before` to `after` has used some.
    pub(crate) fn new(
        number: u32,
        model: &Model,
        body: &BodyModel,
        (before, after): (&Block, &Block),
        h: f64,
    ) -> Option<Self> {
        let friction = model.spec.objects[body.index as usize].ground_friction;
        if friction <= 0.0 {
            return None;
        }
        let lane = body.slot as usize % rolima_model::LANES;
        let gyration = (body.inertia / body.mass).sqrt();
        // Of a substep, the share that the whole step has used.
        let share = h / model.step_s * body.mass;
        let impulse = (after.velocity(lane) - before.velocity(lane)) * share;
        let turning = (after.omega[lane] - before.omega[lane]) * gyration * share;
        Some(Self {
            body: number,
            gyration,
            impulse,
            turning,
            first: (impulse, turning),
            limit: friction * model.spec.sim.gravity * body.mass * h,
        })
    }

    /// Back to before the contacts.
    pub(crate) fn restart(&mut self) {
        (self.impulse, self.turning) = self.first;
    }

    /// Lets the ground act against the object's motion. Returns the largest change of a velocity.
    pub(crate) fn rub(&mut self, body: &mut SolverBody) -> f64 {
        let mass = 1.0 / body.inverse_mass;
        let mut impulse = self.impulse - body.velocity * mass;
        let mut turning = self.turning - body.omega * self.gyration * mass;
        let size = (impulse.length_squared() + turning * turning).sqrt();
        if size > self.limit {
            let share = self.limit / size;
            (impulse, turning) = (impulse * share, turning * share);
        }
        let (add, add_turning) = (impulse - self.impulse, turning - self.turning);
        (self.impulse, self.turning) = (impulse, turning);
        body.velocity += add * body.inverse_mass;
        body.omega += add_turning * self.gyration * body.inverse_inertia;
        (add.length() + add_turning.abs()) * body.inverse_mass
    }
}
