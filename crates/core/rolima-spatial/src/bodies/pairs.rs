//! Who pressed on whom.

use super::contact::Contact;
use super::{BodyRef, ContactPair, SpatialContact};
use rolima_math::Vec3;

impl SpatialContact {
    pub(crate) fn of(contact: &Contact) -> Option<Self> {
        let f = &contact.found;
        let (between, impulse, friction) = (f.body_refs, contact.pressed, contact.rubbed);
        let press = || Self { between, point: f.point, normal: f.normal, impulse, friction };
        (impulse > 0.0).then(press)
    }

    /// Who pressed on this one here, if it did press; the ground is none.
    pub(crate) fn on(&self, body_ref: BodyRef) -> Option<Option<BodyRef>> {
        let [a, b] = self.between;
        match (a == Some(body_ref), b == Some(body_ref)) {
            (true, _) => Some(b),
            (_, true) => Some(a),
            _ => None,
        }
    }
}

/// One report for each two that touched, in their order.
pub(crate) fn touches(presses: &[SpatialContact], out: &mut Vec<ContactPair>) {
    for press in presses {
        let [Some(a), Some(b)] = press.between else { continue };
        let (first, second, sign) = if a < b { (a, b, 1.0) } else { (b, a, -1.0) };
        let impulse = press.impulse;
        let (point, normal) = (press.point * impulse, press.normal * (sign * impulse));
        match out.iter_mut().find(|t| t.a == first && t.b == second) {
            Some(t) => {
                t.impulse += impulse;
                t.point += point;
                t.normal += normal;
            }
            None => out.push(ContactPair { a: first, b: second, point, normal, impulse }),
        }
    }
    for touch in out.iter_mut() {
        touch.point = touch.point * (1.0 / touch.impulse);
        touch.normal = touch.normal.unit_or(Vec3::new(0.0, 0.0, 1.0));
    }
    out.sort_by_key(|t| (t.a, t.b));
}
