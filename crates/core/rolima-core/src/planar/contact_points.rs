//! Where bodies press in the plane, for those who look at a world.

use super::Scratch;
use super::contacts::broad::{Pair, WALL_BASE};
use super::contacts::contact::Contact;
use super::contacts::solver::Solver;
use crate::contact_points::{ContactPoint, Presser};
use rolima_math::{Vec2, Vec3};
use rolima_model::{ContactResponse, Model};

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

/// The points that hit or pressed in the last step, as the solver left them in its memory.
pub(crate) fn points<'a>(
    model: &'a Model,
    scratch: &'a Scratch,
) -> impl Iterator<Item = ContactPoint> + 'a {
    let solver = &scratch.solver;
    let pressed = solver
        .contacts
        .iter()
        .flat_map(move |c| (0..c.count).filter_map(move |i| contact_point_at(model, solver, c, i)));
    let hits = solver.strikes.iter().map(move |s| ContactPoint {
        between: pressers(model, s.pair),
        point: s.point,
        height: None,
        normal: level(-s.normal),
        impulse: s.impulse,
        friction: level(-s.friction),
    });
    hits.chain(pressed)
}

/// Both of a pair.
fn pressers(model: &Model, pair: Pair) -> [Presser; 2] {
    let wall = pair.b.checked_sub(WALL_BASE).map(|part| model.wall_numbers[part as usize]);
    let body = |slot| Presser::Body(model.layout.id(slot).unwrap_or_default());
    [body(pair.a), wall.map_or_else(|| body(pair.b), Presser::Wall)]
}

fn level(v: Vec2) -> Vec3 {
    Vec3::new(v.x, v.y, 0.0)
}

/// A point of a contact, if it pressed.
fn contact_point_at(model: &Model, solver: &Solver, c: &Contact, i: usize) -> Option<ContactPoint> {
    let impulse = solver.impulse(model, c, i);
    let a = &solver.bodies[c.a as usize];
    let [arm_a, arm_b] = c.arms(i);
    // A wall does not move, a body has moved on by now and took the point along.
    let point = if c.b == 0 { arm_b } else { a.pose.position + arm_a };
    // Two points rub as one; each has its share by how it presses.
    let all = c.points[..c.count].iter().map(|p| p.normal).sum::<f64>();
    let rubs = if all > 0.0 { c.tangent * (c.points[i].normal / all) } else { 0.0 };
    let n = c.normal_direction;
    (impulse > 0.0).then(|| ContactPoint {
        between: pressers(model, c.pair),
        point,
        height: None,
        normal: level(-n),
        impulse,
        friction: level(n.perp() * -rubs),
    })
}
