//! Where bodies press, for those who look at a world.

use crate::contacts::contact::Contact;
use crate::contacts::solver::Solver;
use crate::world::World;
use rolima_math::Vec2;
use rolima_model::{ContactResponse, Model};

/// A point where two bodies, or a body and a wall, hit or pressed in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressing {
    /// Where, in the world, m.
    pub point: Vec2,
    /// How hard: the normal impulse, N s; of what pressed in a step with substeps, that of the last
    /// one.
    pub impulse: f64,
}

impl Solver {
    /// The normal impulse at a point of a contact that pressed, N s.
    pub(crate) fn impulse(&self, model: &Model, c: &Contact, point: usize) -> f64 {
        let p = &c.points[point];
        if model.contact.response != ContactResponse::EquivalentSphere || p.normal <= 0.0 {
            return p.normal;
        }
        // Spheres exchange speeds, not impulses.
        let (a, b) = (&self.bodies[c.a as usize], &self.bodies[c.b as usize]);
        (1.0 + c.restitution) * p.approach / (a.inverse_mass + b.inverse_mass)
    }
}

impl World {
    /// The points that hit or pressed in the last step. Nothing is known of a step before a reset or a
    /// restored snapshot.
    ///
    /// Reads what the solver left in its memory, so it costs nothing while nobody asks.
    pub fn pressing(&self) -> impl Iterator<Item = Pressing> + '_ {
        let solver = &self.scratch.solver;
        let rough = self.state.rough.iter().flat_map(|rough| rough.world.touches());
        let rough = rough.map(|touch| Pressing {
            point: Vec2::new(touch.point.x, touch.point.y),
            impulse: touch.impulse,
        });
        let flat = solver.contacts.iter().flat_map(move |c| {
            let a = &solver.bodies[c.a as usize];
            (0..c.count).filter_map(move |i| {
                let impulse = solver.impulse(&self.model, c, i);
                let [arm_a, arm_b] = c.arms(i);
                // A wall does not move, a body has moved on by now and took the point along.
                let point = if c.b == 0 { arm_b } else { a.pose.position + arm_a };
                (impulse > 0.0).then_some(Pressing { point, impulse })
            })
        });
        let hits = solver.strikes.iter().map(|s| Pressing { point: s.point, impulse: s.impulse });
        hits.chain(flat).chain(rough)
    }
}
