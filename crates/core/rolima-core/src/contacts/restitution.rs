//! Bouncing that never gains energy.
//!
//! The sweeps have brought every contact to rest (compression). A contact that was hit now gets
//! back speed: Newton's rule u' = -e u, but never more energy than e^2 of what its normals took up
//! while it was compressed, which is Stronge's rule. Newton's rule alone gains energy in every
//! fourth oblique hit with friction. A last check over an island finds where its contacts would have
//! gained together, which comes from a warm start with the impulses of a passing jam: the island is
//! then solved again from nothing, where every row takes energy, and what would still be gained
//! after that (hardly ever anything) is scaled back.

use super::contact::{Contact, Rows};
use super::island::Island;
use super::solver::SolverBody;
use rolima_math::Vec2;
use rolima_model::BodyKind;

/// Second half of a collision: gives back speed, then settles the neighbours. Leaves the bodies'
/// impulses summed.
pub(crate) fn bounce(island: &mut Island<'_>, iterations: u32) {
    let mut bounced = false;
    island.mark_changed(0);
    for &i in island.order {
        let c = &mut island.contacts[i as usize];
        let bounces = c.bounces && c.presses();
        // A hit is over after it: only lasting pressure is worth a warm start.
        for p in &mut c.points {
            p.kept = if bounces { 0.0 } else { p.normal };
        }
        c.tangent_kept = if bounces { 0.0 } else { c.tangent };
        if bounces {
            rebound(c, island.bodies);
            island.bodies[c.a as usize].changed = 1;
            island.bodies[c.b as usize].changed = 1;
            bounced = true;
        }
    }
    if bounced && island.order.len() > 1 {
        // What was given must not be taken back, so normal impulses may only grow from here.
        for &i in island.order {
            for p in &mut island.contacts[i as usize].points {
                p.floor = p.normal;
            }
        }
        island.bodies[0].changed = 0;
        island.sweep(iterations, false);
    }
    if bounced {
        island.sum_impulses();
    }
}

/// Gives a contact its speed back.
fn rebound(c: &mut Contact, bodies: &mut [SolverBody]) {
    let u = c.relative_velocities(&bodies[c.a as usize], &bodies[c.b as usize]);
    // Normal velocities wanted after the hit.
    let mut wanted = [u[0], u[1]];
    for i in 0..c.count {
        let p = &c.points[i];
        if p.normal > 0.0 && p.approach > 0.0 {
            wanted[i] = (c.restitution * p.approach).max(u[i]);
        }
    }
    let mut add = both(c, [wanted[0] - u[0], wanted[1] - u[1]]);
    // Where compression stopped short of the surface, finish it first: that is absorbed too.
    let finish = both(c, [(-u[0]).max(0.0), (-u[1]).max(0.0)]);
    let work = |x: [f64; 2]| c.normal_work(u, [x[0], x[1], 0.0]);
    let absorbed = c.absorbed - work(finish);
    let budget = c.restitution * c.restitution * absorbed.max(0.0);
    // From `finish` on, energy is given back: keep it within the budget.
    let given = work(add) - work(finish);
    if given > budget {
        let share = scale_for(c, u, finish, add, budget);
        for i in 0..2 {
            add[i] = finish[i] + share * (add[i] - finish[i]);
        }
    }
    for i in 0..c.count {
        c.points[i].normal += add[i];
    }
    c.apply(bodies, [add[0], add[1], 0.0]);
}

/// Impulses (not negative) of both normals for the changes of velocity that are needed.
fn both(c: &Contact, need: [f64; 2]) -> [f64; 2] {
    if c.count == 1 {
        return [need[0] * c.inverse[0], 0.0];
    }
    let [i, j, k] = c.inverse_normals;
    let (x, y) = (i * need[0] + j * need[1], j * need[0] + k * need[1]);
    if i > 0.0 && x >= 0.0 && y >= 0.0 {
        return [x, y];
    }
    // One of them suffices.
    let x = (need[0] * c.inverse[0]).max(0.0);
    let y = (need[1] * c.inverse[1]).max(0.0);
    if x * c.coupling[0] >= y * c.coupling[2] { [x, 0.0] } else { [0.0, y] }
}

/// The share of the way from `finish` to `full` that gives back just `budget`.
fn scale_for(c: &Contact, u: Rows, finish: [f64; 2], full: [f64; 2], budget: f64) -> f64 {
    // Work along the way is a parabola: linear * s + 0.5 * quadratic * s^2.
    let step = [full[0] - finish[0], full[1] - finish[1]];
    let k = c.coupling;
    let at =
        [u[0] + k[0] * finish[0] + k[1] * finish[1], u[1] + k[1] * finish[0] + k[2] * finish[1]];
    let linear = step[0] * at[0] + step[1] * at[1];
    let quadratic =
        k[0] * step[0] * step[0] + 2.0 * k[1] * step[0] * step[1] + k[2] * step[1] * step[1];
    if quadratic <= 0.0 {
        return 0.0;
    }
    let root = (linear * linear + 2.0 * quadratic * budget).max(0.0).sqrt();
    ((root - linear) / quadratic).clamp(0.0, 1.0)
}

/// The share of all impulses (which must have been summed) that gains no energy: 1 where they do
/// not gain together.
///
/// The energy that impulses add is the sum over the bodies of impulse times the mean of the
/// velocities before and after; scaled by s it is a parabola in s that starts at 0. Where tyres
/// have let go, their impulses count too, from the motion before.
pub(crate) fn harmless_share(island: &Island<'_>) -> f64 {
    let (mut linear, mut quadratic) = (0.0, 0.0);
    for &m in island.members {
        let b = &island.bodies[m as usize];
        if b.released {
            continue;
        }
        if b.kind == BodyKind::Object {
            // The ground has acted on it too.
            let (l, q) = energy_from(b, b.free_velocity, b.free_omega);
            linear += l;
            quadratic += q;
        } else {
            linear += b.impulse.dot(b.free_velocity) + b.angular_impulse * b.free_omega;
            quadratic += b.impulse.dot(b.velocity - b.free_velocity)
                + b.angular_impulse * (b.omega - b.free_omega);
        }
    }
    for tyres in island.sliding.iter() {
        let (l, q) = tyres.energy(&island.bodies[tyres.body as usize]);
        linear += l;
        quadratic += q;
    }
    if linear + 0.5 * quadratic <= 1e-15 || quadratic <= 0.0 {
        return 1.0;
    }
    (-2.0 * linear / quadratic).clamp(0.0, 1.0)
}

/// Takes back all but a share of all impulses.
pub(crate) fn scale_back(island: &mut Island<'_>, share: f64) {
    for &m in island.members {
        let b = &mut island.bodies[m as usize];
        b.velocity = b.free_velocity + (b.velocity - b.free_velocity) * share;
        b.omega = b.free_omega + (b.omega - b.free_omega) * share;
    }
    for tyres in island.sliding.iter_mut() {
        tyres.scale_back(share);
    }
    for &i in island.order {
        let c = &mut island.contacts[i as usize];
        c.tangent *= share;
        for p in &mut c.points {
            p.normal *= share;
        }
    }
}

/// Energy that a free body's change of velocity from these takes, scaled by s: (l, q) of
/// l s + q s^2/2.
pub(crate) fn energy_from(b: &SolverBody, velocity: Vec2, omega: f64) -> (f64, f64) {
    let (v, w) = (b.velocity - velocity, b.omega - omega);
    let (mass, inertia) = (1.0 / b.inverse_mass, 1.0 / b.inverse_inertia);
    (mass * velocity.dot(v) + inertia * omega * w, mass * v.length_squared() + inertia * w * w)
}
