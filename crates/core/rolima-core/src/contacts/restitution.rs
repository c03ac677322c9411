//! Bouncing that never gains energy.
//!
//! The sweeps have brought every contact to rest (compression). A contact that was hit now gets
//! back speed: Newton's rule u' = -e u, but never more energy than e^2 of what its normals took up
//! while it was compressed, which is Stronge's rule. Newton's rule alone gains energy in every
//! fourth oblique hit with friction. A last check over all contacts scales the impulses back where
//! coupled contacts together would have gained (rounding aside, this hardly ever happens).

use super::contact::Contact;
use super::island::Island;
use super::solver::SolverBody;

/// Second half of a collision: gives back speed, then settles the neighbours.
///
/// Returns how often the last check had to scale back (0 or 1).
pub(crate) fn bounce(island: &mut Island<'_>, iterations: u32) -> u32 {
    let mut bounced = false;
    island.mark_changed(0);
    for &i in island.order {
        let c = &mut island.contacts[i as usize];
        let pressed = c.points[..c.count].iter().any(|p| p.normal > 0.0);
        let bounces = c.bounces && pressed;
        for p in &mut c.points {
            // A hit is over after it: only lasting pressure is worth a warm start.
            p.kept = if bounces { [0.0; 2] } else { [p.normal, p.tangent] };
        }
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
    guard_energy(island)
}

/// Gives a contact its speed back.
fn rebound(c: &mut Contact, bodies: &mut [SolverBody]) {
    let u = c.relative_velocities(&bodies[c.a as usize], &bodies[c.b as usize]);
    // Normal velocities wanted after the hit.
    let mut wanted = [0.0; 2];
    for i in 0..c.count {
        let p = &c.points[i];
        wanted[i] = (c.restitution * p.approach).max(u[2 * i]);
        if p.normal <= 0.0 || p.approach <= 0.0 {
            wanted[i] = u[2 * i];
        }
    }
    let need = [wanted[0] - u[0], wanted[1] - u[2]];
    let mut add = if c.count == 2 { both(c, need) } else { [need[0] * c.inverse[0], 0.0] };
    // Where compression stopped short of the surface, finish it first: that is absorbed too.
    let rest = [(-u[0]).max(0.0), (-u[2]).max(0.0)];
    let finish = if c.count == 2 { both(c, rest) } else { [rest[0] * c.inverse[0], 0.0] };
    let work = |x: [f64; 2]| c.normal_work(u, [x[0], 0.0, x[1], 0.0]);
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
    c.apply(bodies, [add[0], 0.0, add[1], 0.0]);
}

/// Impulses (not negative) of both normals for the changes of velocity that are needed.
fn both(c: &Contact, need: [f64; 2]) -> [f64; 2] {
    let (a, b, d) = (c.coupling[0][0], c.coupling[0][2], c.coupling[2][2]);
    let det = a * d - b * b;
    if det > 1e-9 * a * d {
        let x = (need[0] * d - need[1] * b) / det;
        let y = (need[1] * a - need[0] * b) / det;
        if x >= 0.0 && y >= 0.0 {
            return [x, y];
        }
    }
    // One of them suffices.
    let x = (need[0] * c.inverse[0]).max(0.0);
    let y = (need[1] * c.inverse[2]).max(0.0);
    if x * a >= y * d { [x, 0.0] } else { [0.0, y] }
}

/// The share of the way from `finish` to `full` that gives back just `budget`.
fn scale_for(c: &Contact, u: [f64; 4], finish: [f64; 2], full: [f64; 2], budget: f64) -> f64 {
    // Work along the way is a parabola: linear * s + 0.5 * quadratic * s^2.
    let step = [full[0] - finish[0], full[1] - finish[1]];
    let k = [c.coupling[0][0], c.coupling[0][2], c.coupling[2][2]];
    let at = [u[0] + k[0] * finish[0] + k[1] * finish[1], u[2] + k[1] * finish[0] + k[2] * finish[1]];
    let linear = step[0] * at[0] + step[1] * at[1];
    let quadratic =
        k[0] * step[0] * step[0] + 2.0 * k[1] * step[0] * step[1] + k[2] * step[1] * step[1];
    if quadratic <= 0.0 {
        return 0.0;
    }
    let root = (linear * linear + 2.0 * quadratic * budget).max(0.0).sqrt();
    ((root - linear) / quadratic).clamp(0.0, 1.0)
}

/// Scales all impulses back where they would have gained energy together.
///
/// The energy that impulses add is the sum over the bodies of impulse times the mean of the
/// velocities before and after; scaled by s it is a parabola in s that starts at 0.
fn guard_energy(island: &mut Island<'_>) -> u32 {
    island.sum_impulses();
    let (mut linear, mut quadratic) = (0.0, 0.0);
    for &m in island.members {
        let b = &island.bodies[m as usize];
        linear += b.impulse.dot(b.free_velocity) + b.angular_impulse * b.free_omega;
        quadratic += b.impulse.dot(b.velocity - b.free_velocity)
            + b.angular_impulse * (b.omega - b.free_omega);
    }
    let gained = linear + 0.5 * quadratic;
    if gained <= 1e-15 || quadratic <= 0.0 {
        return 0;
    }
    let share = (-2.0 * linear / quadratic).clamp(0.0, 1.0);
    for &m in island.members {
        let body = &mut island.bodies[m as usize];
        body.velocity = body.free_velocity + (body.velocity - body.free_velocity) * share;
        body.omega = body.free_omega + (body.omega - body.free_omega) * share;
        body.impulse = body.impulse * share;
        body.angular_impulse *= share;
    }
    for &i in island.order {
        for p in &mut island.contacts[i as usize].points {
            p.normal *= share;
            p.tangent *= share;
        }
    }
    1
}
