//! The energy of an island: contacts that press never gain any.
//!
//! Every row that is solved takes energy, but a warm start with the impulses of a passing jam need
//! not. A last check over an island finds where its contacts would have gained together: the island
//! is then solved again from nothing, and what would still be gained after that (hardly ever
//! anything) is scaled back. Hits have their own law (`impact`), which never gains.

use super::island::Island;
use super::solver::SolverBody;
use rolima_math::Vec2;
use rolima_model::BodyKind;

/// The share of all impulses (which must have been summed) that gains no energy: 1 where they do
/// not gain together.
///
/// The energy that impulses add is the sum over the bodies of impulse times the mean of the
/// velocities before and after; scaled by s it is a parabola in s that starts at 0. Where tyres
/// have let go, their impulses count too, from the motion before.
#[inline(always)]
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
