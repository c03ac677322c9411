//! Where bodies press, for those who look at a world.

use crate::contacts::broad::{Pair, WALL_BASE};
use crate::contacts::contact::Contact;
use crate::contacts::rough::body_of;
use crate::contacts::solver::Solver;
use crate::world::World;
use rolima_math::{Vec2, Vec3};
use rolima_model::spatial::Party;
use rolima_model::{BodyId, ContactResponse, Model};

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
pub struct Pressing {
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
        let flat = solver.contacts.iter().flat_map(move |c| {
            (0..c.count).filter_map(move |i| pressing_at(&self.model, solver, c, i))
        });
        let hits = solver.strikes.iter().map(move |s| Pressing {
            between: pressers(&self.model, s.pair),
            point: s.point,
            height: None,
            normal: level(-s.normal),
            impulse: s.impulse,
            friction: level(-s.friction),
        });
        hits.chain(flat).chain(self.pressing_on_rough_ground())
    }

    fn pressing_on_rough_ground(&self) -> impl Iterator<Item = Pressing> + '_ {
        let presses = self.state.rough.iter().flat_map(|rough| rough.world.presses());
        presses.map(|p| Pressing {
            between: p.between.map(|party| presser_of(&self.model, party)),
            point: Vec2::new(p.point.x, p.point.y),
            height: Some(p.point.z),
            normal: p.normal,
            impulse: p.impulse,
            friction: p.friction,
        })
    }
}

/// Both of a pair on flat ground.
fn pressers(model: &Model, pair: Pair) -> [Presser; 2] {
    let wall = pair.b.checked_sub(WALL_BASE).map(|part| model.wall_numbers[part as usize]);
    let body = |slot| Presser::Body(model.layout.id(slot).unwrap_or_default());
    [body(pair.a), wall.map_or_else(|| body(pair.b), Presser::Wall)]
}

fn level(v: Vec2) -> Vec3 {
    Vec3::new(v.x, v.y, 0.0)
}

/// A point of a contact on flat ground, if it pressed.
fn pressing_at(model: &Model, solver: &Solver, c: &Contact, i: usize) -> Option<Pressing> {
    let impulse = solver.impulse(model, c, i);
    let a = &solver.bodies[c.a as usize];
    let [arm_a, arm_b] = c.arms(i);
    // A wall does not move, a body has moved on by now and took the point along.
    let point = if c.b == 0 { arm_b } else { a.pose.position + arm_a };
    // Two points rub as one; each has its share by how it presses.
    let all = c.points[..c.count].iter().map(|p| p.normal).sum::<f64>();
    let rubs = if all > 0.0 { c.tangent * (c.points[i].normal / all) } else { 0.0 };
    let n = c.normal_direction;
    (impulse > 0.0).then(|| Pressing {
        between: pressers(model, c.pair),
        point,
        height: None,
        normal: level(-n),
        impulse,
        friction: level(n.perp() * -rubs),
    })
}

/// Who is who on rough ground; none is the ground.
fn presser_of(model: &Model, party: Option<Party>) -> Presser {
    let Some(party) = party else { return Presser::Ground };
    let wall = || match party {
        Party::Body(index) => model.wall_of_body(index),
        Party::Vehicle(_) => None,
    };
    body_of(model, party)
        .map(Presser::Body)
        .or_else(|| wall().map(Presser::Wall))
        .unwrap_or(Presser::Ground)
}
