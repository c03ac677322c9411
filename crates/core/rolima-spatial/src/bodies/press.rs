//! Who pressed on whom in rapier's world.

use super::solid::ours;
use super::{Party, Touch};
use rapier3d_f64::prelude::{Collider, ColliderHandle, PhysicsWorld};
use rolima_math::Vec3;

/// Colliders know whom they belong to.
pub(crate) fn tag(party: Option<Party>) -> u128 {
    match party {
        None => 0,
        Some(Party::Body(i)) => (1 << 32) | u128::from(i),
        Some(Party::Vehicle(i)) => (2 << 32) | u128::from(i),
    }
}

pub(crate) fn party(tag: u128) -> Option<Party> {
    let index = tag as u32;
    match tag >> 32 {
        1 => Some(Party::Body(index)),
        2 => Some(Party::Vehicle(index)),
        _ => None,
    }
}

/// Two colliders that pressed on one another.
pub(crate) struct Press {
    pub(crate) a: Option<Party>,
    pub(crate) b: Option<Party>,
    /// Impulse, N s, and sums of points and of normals from a to b, by impulse.
    pub(crate) impulse: f64,
    point: Vec3,
    normal: Vec3,
}

impl Press {
    pub(crate) fn is_ground_of(&self, body: usize) -> bool {
        let own = Some(Party::Body(body as u32));
        (self.a == own && self.b.is_none()) || (self.b == own && self.a.is_none())
    }
}

pub(crate) fn presses(world: &PhysicsWorld) -> Vec<Press> {
    let mut all = vec![];
    for pair in world.narrow_phase.contact_pairs() {
        let Some(contacts) = pair.rigid() else { continue };
        let of =
            |c: ColliderHandle| world.colliders.get(c).and_then(|c: &Collider| party(c.user_data));
        let (a, b) = (of(pair.collider1), of(pair.collider2));
        let mut press = Press { a, b, impulse: 0.0, point: Vec3::ZERO, normal: Vec3::ZERO };
        for manifold in contacts.solver_manifolds() {
            for contact in &manifold.data.solver_contacts {
                let id = (contact.contact_id[0] & 0x7FFF_FFFF) as usize;
                let Some(impulse) = manifold.points.get(id).map(|p| p.data.impulse) else {
                    continue;
                };
                let (one, other) =
                    manifold.data.solver_contact_world_points(contact, &world.bodies);
                press.impulse += impulse;
                press.point += ours((one + other) * (0.5 * impulse));
                press.normal += ours(manifold.data.normal * impulse);
            }
        }
        if press.impulse > 0.0 {
            all.push(press);
        }
    }
    all
}

/// One report for each two that touched, in their order.
pub(crate) fn touches(presses: &[Press], out: &mut Vec<Touch>) {
    for press in presses {
        let (Some(a), Some(b)) = (press.a, press.b) else { continue };
        let (first, second, sign) = if a < b { (a, b, 1.0) } else { (b, a, -1.0) };
        let normal = press.normal * sign;
        match out.iter_mut().find(|t| t.a == first && t.b == second) {
            Some(t) => {
                t.impulse += press.impulse;
                t.point += press.point;
                t.normal += normal;
            }
            None => out.push(Touch {
                a: first,
                b: second,
                point: press.point,
                normal,
                impulse: press.impulse,
            }),
        }
    }
    for touch in out.iter_mut() {
        touch.point = touch.point * (1.0 / touch.impulse);
        touch.normal = touch.normal.unit_or(Vec3::new(0.0, 0.0, 1.0));
    }
    out.sort_by_key(|t| (t.a, t.b));
}
