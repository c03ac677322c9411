//! The bare chassis on the ground: springs at its corners, with friction that sticks.
//!
//! Each point that is in the ground is pushed out along the ground's normal by a spring and a
//! damper, never pulled; along the ground a spring from where it first touched holds it, up to the
//! friction, beyond which it slides (Cundall and Strack's rule). A vehicle on its roof stays.

use crate::model::VehicleModel;
use crate::search::Frame;
use crate::terrain::Terrain;
use crate::wheels::{Load, Motion};
use rolima_math::{Vec2, Vec3, larger};

/// Room for what a chassis may move until the next look, m, beyond its speed times the period.
const MARGIN: f64 = 2e-3;

/// Whether any point may touch the ground within `ahead` metres of motion.
pub(crate) fn is_near(
    terrain: &Terrain,
    vehicle: &VehicleModel,
    frame: &Frame,
    ahead: f64,
) -> bool {
    let [n, t, b] = frame.axes;
    let at = frame.position;
    let c = &vehicle.spec.chassis;
    // Lowest point of the box, without looking at every corner.
    let low = |axis: f64, [plus, minus]: [f64; 2]| larger(-axis * plus, axis * minus);
    let lowest = at.z - (low(n.z, c.length) + low(t.z, c.width) + low(b.z, c.height));
    let reach = |n: f64, t: f64, b: f64| {
        let half = |[a, b]: [f64; 2]| larger(a.abs(), b.abs());
        n.abs() * half(c.length) + t.abs() * half(c.width) + b.abs() * half(c.height) + ahead
    };
    let extent = Vec2::new(reach(n.x, t.x, b.x), reach(n.y, t.y, b.y));
    let middle = Vec2::new(at.x, at.y);
    let slopes = terrain.slopes(middle - extent, middle + extent);
    if lowest - ahead - MARGIN > slopes.top {
        return false;
    }
    let steepest = slopes.least.iter().chain(&slopes.most).fold(0.0, |m: f64, g| m.max(g.abs()));
    let margin = (ahead + MARGIN) * (1.0 + 2.0 * steepest);
    vehicle.hull.iter().any(|p| {
        let q = at + n * p.x + t * p.y + b * p.z;
        q.z - terrain.height(q.x, q.y) < margin
    })
}

/// Forces of all touching points, in the chassis' frame.
pub(crate) fn forces(
    terrain: &Terrain,
    vehicle: &VehicleModel,
    motion: &Motion,
    shifts: &mut [Vec3],
    dt: f64,
) -> Load {
    let [n, t, b] = motion.axes;
    let c = &vehicle.spec.chassis;
    let to_body = |v: Vec3| Vec3::new(n.dot(v), t.dot(v), b.dot(v));
    let to_world = |v: Vec3| n * v.x + t * v.y + b * v.z;
    let mut load = Load::default();
    // Explicit damping must not turn a velocity round in one step.
    let most_damping = 0.25 / (dt * vehicle.per_mass);
    let damping = c.contact_damping.min(most_damping);
    for (p, shift) in vehicle.hull.iter().zip(shifts) {
        let q = motion.position + to_world(*p);
        let patch = terrain.patch(q.x, q.y);
        let over = q.z - patch.z;
        if over >= 0.0 {
            *shift = Vec3::ZERO;
            continue;
        }
        let normal = Vec3::new(-patch.gx, -patch.gy, 1.0).unit_or(Vec3::new(0.0, 0.0, 1.0));
        let depth = -over * normal.z;
        let velocity = to_world(motion.velocity + motion.omega.cross(*p));
        let closing = -velocity.dot(normal);
        let push = larger(c.contact_stiffness * depth + damping * closing, 0.0);
        let slide = velocity + normal * closing;
        *shift += slide * dt;
        *shift -= normal * shift.dot(normal);
        let mut hold = *shift * -c.contact_stiffness - slide * damping;
        let (size, most) = (hold.length(), c.friction * push);
        if size > most {
            hold = hold * (most / size);
            *shift = (hold + slide * damping) * (-1.0 / c.contact_stiffness.max(1e-9));
        }
        let force = to_body(normal * push + hold);
        load.force += force;
        load.torque += p.cross(force);
    }
    load
}
