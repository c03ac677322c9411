//! The bare chassis on the ground: springs at its corners, with friction that sticks.
//!
//! Each point that is in the ground is pushed out along the ground's normal by a spring and a
//! damper, never pulled; along the ground a spring from where it first touched holds it, up to the
//! friction, beyond which it slides (Cundall and Strack's rule). A vehicle on its roof stays.

use crate::model::VehicleModel;
use crate::search::ChassisFrame;
use crate::terrain::Terrain;
use crate::wheels::{Load, Motion};
use rolima_math::{Vec2, Vec3, larger, smaller};

/// How far ahead slopes are looked at, m.
const LOOK_AHEAD: f64 = 0.2;

/// How far any point of the chassis may move before it can touch the ground, m; negative if one
/// does already.
///
/// A point that is c above the ground needs at least c / (1 + g) to reach it, where g is the
/// steepest slope within its way.
#[inline(never)]
pub(crate) fn clearance(terrain: &Terrain, vehicle: &VehicleModel, frame: &ChassisFrame) -> f64 {
    let [n, t, b] = frame.axes;
    let at = frame.position;
    let reach = vehicle.hull_radius + LOOK_AHEAD;
    let (middle, extent) = (Vec2::new(at.x, at.y), Vec2::new(reach, reach));
    let slopes = terrain.slopes(middle - extent, middle + extent);
    let steepest = slopes.least.iter().chain(&slopes.most).fold(0.0, |m: f64, g| m.max(g.abs()));
    let mut least = f64::MAX;
    for p in &vehicle.hull {
        let q = at + n * p.x + t * p.y + b * p.z;
        least = smaller(least, q.z - terrain.height(q.x, q.y));
    }
    // Slopes are known only so far ahead.
    smaller(least / (1.0 + 2.0 * steepest), LOOK_AHEAD)
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
    let damping = c.contact_damping.min(1.0 / (dt * vehicle.hull_answer));
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
        let (size, most) = (hold.length(), c.friction * terrain.friction(q.x, q.y) * push);
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
