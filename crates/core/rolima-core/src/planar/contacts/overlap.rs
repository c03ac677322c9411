//! Pushing apart what overlaps, by moving poses only: velocities, and so energy, stay.
//!
//! Contacts keep gaps from closing, so there is hardly ever an overlap; bodies that start inside
//! one another or were put there by hand are moved apart over some steps.

use super::solver::Solver;

/// Overlaps up to this depth are left alone, m.
pub(crate) const SLOP: f64 = 2e-5;

/// Share of an overlap that is removed in a substep.
const SHARE: f64 = 0.3;

/// Largest push in a substep, m.
const MOST: f64 = 4e-3;

/// Moves overlapping bodies apart.
pub(crate) fn push_apart(solver: &mut Solver, h: f64) {
    let Solver { contacts, bodies, .. } = solver;
    for c in contacts.iter() {
        let n = c.normal_direction;
        for p in &c.points[..c.count] {
            if p.gap >= -SLOP {
                continue;
            }
            let (a, b) = (bodies[c.a as usize], bodies[c.b as usize]);
            // Where the velocities have already brought the points in this substep.
            let moved =
                n.dot(a.velocity - b.velocity) + (p.lever_a * a.omega - p.lever_b * b.omega);
            let depth = -(p.gap + moved * h) - SLOP;
            let k = a.inverse_mass
                + b.inverse_mass
                + p.lever_a * p.lever_a * a.inverse_inertia
                + p.lever_b * p.lever_b * b.inverse_inertia;
            if depth <= 0.0 || k <= 0.0 {
                continue;
            }
            // Half for each of two points, so that together they do not overshoot.
            let push = (SHARE * depth).min(MOST) / (k * c.count as f64);
            for (number, sign, lever) in [(c.a, 1.0, p.lever_a), (c.b, -1.0, p.lever_b)] {
                if number != 0 {
                    let body = &mut bodies[number as usize];
                    body.pose.position += n * (sign * push * body.inverse_mass);
                    let turn = sign * push * lever * body.inverse_inertia;
                    body.pose.rotation = body.pose.rotation.turned(turn.clamp(-0.1, 0.1));
                    body.touched = true;
                }
            }
        }
    }
}
