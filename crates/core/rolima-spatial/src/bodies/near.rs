//! Who can touch whom until the next contact resolution.
//!
//! Boxes around vehicles and bodies, grown by how far they may get, are compared. What moves, and
//! what it can reach, and what that can reach in turn, takes part; a body that sleeps out of reach
//! and a vehicle that is alone do not.

use super::solid::CollisionModel;
use super::state::ContactState;
use crate::model::SpatialModel;
use crate::world::Vehicle;
use rolima_math::{Quat, Vec3, larger, smaller};

/// How much nearer than touching things may come unseen, m: what contacts look ahead is below it.
pub(crate) const MARGIN: f64 = 0.03;

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
}

impl Bounds {
    /// Around a box with this centre and these half sizes in a body's frame.
    pub(crate) fn around(at: (Vec3, Quat), centre: Vec3, half: Vec3, grown: f64) -> Self {
        let [n, t, b] = at.1.axes();
        let middle = at.0 + n * centre.x + t * centre.y + b * centre.z;
        let reach =
            |x: f64, y: f64, z: f64| x.abs() * half.x + y.abs() * half.y + z.abs() * half.z + grown;
        let r = Vec3::new(reach(n.x, t.x, b.x), reach(n.y, t.y, b.y), reach(n.z, t.z, b.z));
        Self { low: middle - r, high: middle + r }
    }

    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let apart = larger(self.low.x - other.high.x, other.low.x - self.high.x);
        let apart = larger(apart, larger(self.low.y - other.high.y, other.low.y - self.high.y));
        larger(apart, larger(self.low.z - other.high.z, other.low.z - self.high.z)) <= 0.0
    }
}

/// Memory for the comparison.
#[derive(Clone, Debug)]
pub(crate) struct BroadPhase {
    /// Bounds of vehicles, then of bodies.
    bounds: Vec<Bounds>,
    /// Who takes part: vehicles, then bodies.
    pub(crate) active: Vec<bool>,
    queue: Vec<u32>,
}

impl BroadPhase {
    pub(crate) fn new(vehicles: usize, bodies: usize) -> Self {
        let all = vehicles + bodies;
        let nowhere = Bounds { low: Vec3::ZERO, high: Vec3::ZERO };
        Self {
            bounds: vec![nowhere; all],
            active: vec![false; all],
            queue: Vec::with_capacity(all),
        }
    }
}

/// Finds who takes part; whether anybody does.
pub(crate) fn find(
    model: &SpatialModel,
    resolve_contacts: &CollisionModel,
    vehicles: &[Vehicle],
    contact_state: &mut ContactState,
    dt: f64,
) -> bool {
    let ContactState { bodies, broad_phase, vehicles: before, .. } = contact_state;
    let BroadPhase { bounds, active, queue } = broad_phase;
    let count = vehicles.len();
    active.fill(false);
    queue.clear();
    for (i, (vehicle, &(old, _))) in vehicles.iter().zip(before.iter()).enumerate() {
        let (now, r) = (vehicle.state.position, resolve_contacts.reach[i] + MARGIN);
        let reach = Vec3::new(r, r, r);
        let low =
            |a: Vec3, b: Vec3| Vec3::new(smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z));
        let high =
            |a: Vec3, b: Vec3| Vec3::new(larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z));
        bounds[i] = Bounds { low: low(old, now) - reach, high: high(old, now) + reach };
        queue.push(i as u32);
    }
    let fall = 0.5 * model.spec.gravity * dt * dt;
    for (i, (solid, body)) in resolve_contacts.solids.iter().zip(bodies.iter()).enumerate() {
        let at = (body.position, body.orientation);
        if solid.is_fixed() {
            bounds[count + i] = solid.fixed_bounds;
            continue;
        }
        let travel = dt * (body.velocity.length() + body.omega.length() * solid.radius) + fall;
        bounds[count + i] = Bounds::around(at, solid.centre, solid.half, MARGIN + travel);
        if !body.asleep && !body.left_terrain {
            active[count + i] = true;
            queue.push((count + i) as u32);
        }
    }
    let mut any = queue.len() > count;
    let mut next = 0;
    while let Some(&one) = queue.get(next) {
        next += 1;
        let (one, own) = (one as usize, bounds[one as usize]);
        for other in 0..bounds.len() {
            if other == one || !own.overlaps(&bounds[other]) {
                continue;
            }
            // A body that is gone meets nobody.
            if other >= count && bodies[other - count].left_terrain {
                continue;
            }
            (active[one], any) = (true, true);
            if !active[other] {
                active[other] = true;
                let moves = other >= count && !resolve_contacts.solids[other - count].is_fixed();
                if moves {
                    queue.push(other as u32);
                }
            }
        }
    }
    any
}
