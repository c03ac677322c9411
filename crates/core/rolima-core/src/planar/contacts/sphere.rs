//! The paper's section 3.2: colliding bodies as spheres of their masses.
//!
//! At a contact, each body is a sphere of its mass moving with the velocity of its contact point,
//! v_lin + v_rot; along the normal both exchange velocity by equation 12, generalised to a
//! restitution e (as printed it is the elastic case, e = 1, although the text says inelastic):
//!
//! ```text
//! v1' = vc + e m2/(m1+m2) (v2 - v1),  v2' = vc + e m1/(m1+m2) (v1 - v2)
//! ```
//!
//! with vc the velocity of the common centre of mass; walls have infinite mass. The paper leaves
//! open how the change of the point's velocity is split back into v and omega. Our choice: the
//! change D n is projected on both directions in which a robot can move its contact point,
//! dv = D (n . heading) and domega = D (n . k)/d, with d the distance of the point from the
//! centre and k the direction in which turning moves it; where the two together would give the
//! point more than D they are scaled down to it. What neither reaches (side-slip) is lost, so
//! robots keep rolling without it. Balls take the whole of D n; loose objects too, without
//! turning. The response is there for fidelity to the paper: it gains and loses energy, and the
//! state keeps the sum of both.

use super::solver::{Solver, SolverBody};
use rolima_math::Vec2;
use rolima_model::{BodyKind, Model};

/// Most rounds over the contacts in a substep.
const ROUNDS: usize = 4;

/// Normal velocities after a collision of two spheres (eq 12 with restitution).
///
/// An infinite mass is written as an inverse mass of zero.
pub fn exchange(inverse_masses: [f64; 2], v: [f64; 2], e: f64) -> [f64; 2] {
    let sum = inverse_masses[0] + inverse_masses[1];
    if sum <= 0.0 {
        return v;
    }
    // m2/(m1+m2) = inverse m1 / sum, and the other way round.
    let (share1, share2) = (inverse_masses[0] / sum, inverse_masses[1] / sum);
    let center = share2 * v[0] + share1 * v[1];
    [center + e * share1 * (v[1] - v[0]), center + e * share2 * (v[0] - v[1])]
}

/// Lets every contact that closes in this substep respond; adds up energy gained and lost.
pub(crate) fn respond(model: &Model, solver: &mut Solver, h: f64, energy: &mut [f64; 2]) {
    for _ in 0..ROUNDS {
        let mut any = false;
        for i in 0..solver.contacts.len() {
            any |= respond_to(model, solver, i, h, energy);
        }
        if !any {
            break;
        }
    }
}

fn respond_to(model: &Model, solver: &mut Solver, i: usize, h: f64, energy: &mut [f64; 2]) -> bool {
    let Solver { contacts, bodies, .. } = solver;
    let c = &mut contacts[i];
    let (a, b) = (bodies[c.a as usize], bodies[c.b as usize]);
    let u = c.relative_velocities(&a, &b);
    // The point that closes fastest stands for the contact: the paper knows only one.
    let mut hit: Option<(usize, f64)> = None;
    for k in 0..c.count {
        let approach = -u[k];
        let closes = approach > 1e-9 && c.points[k].gap - approach * h <= 0.0;
        if closes && hit.is_none_or(|(_, most)| approach > most) {
            hit = Some((k, approach));
        }
    }
    let Some((k, approach)) = hit else { return false };
    let e = if approach > model.contact.restitution_threshold { c.restitution } else { 0.0 };
    let n = c.normal_direction;
    let [arm_a, arm_b] = c.arms(k);
    let p = &mut c.points[k];
    let normal_speed = |body: &SolverBody, lever: f64| n.dot(body.velocity) + lever * body.omega;
    let before = [normal_speed(&a, p.lever_a), normal_speed(&b, p.lever_b)];
    let after = exchange([a.inverse_mass, b.inverse_mass], before, e);
    p.approach = p.approach.max(approach);
    p.normal = 1.0;
    let mut change = 0.0;
    for (number, arm, d) in [(c.a, arm_a, after[0] - before[0]), (c.b, arm_b, after[1] - before[1])]
    {
        if number != 0 {
            let body = &mut bodies[number as usize];
            let old = kinetic(body);
            split(body, n, arm, d);
            body.touched = true;
            change += kinetic(body) - old;
        }
    }
    energy[usize::from(change < 0.0)] += change.abs();
    true
}

/// Splits the change `d` n of the contact point's velocity into v and omega.
fn split(body: &mut SolverBody, n: Vec2, arm: Vec2, d: f64) {
    if body.kind != BodyKind::Robot {
        body.velocity += n * d;
        return;
    }
    let heading = body.pose.rotation.x_axis();
    let along = n.dot(heading);
    let distance = arm.length();
    let around = if distance > 1e-9 { n.dot(arm.perp()) / distance } else { 0.0 };
    // Where both directions lie near the normal, their sum would change the point's velocity by up
    // to twice what it should: then they share it.
    let share = d / (along * along + around * around).max(1.0);
    body.velocity += heading * (share * along);
    if distance > 1e-9 {
        body.omega += share * around / distance;
    }
}

fn kinetic(body: &SolverBody) -> f64 {
    0.5 * body.velocity.length_squared() / body.inverse_mass
        + 0.5 * body.omega * body.omega / body.inverse_inertia
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_of_robot_and_golf_ball_equal_the_oracle() {
        let (m1, m2) = (0.352, 0.04593);
        let elastic = exchange([1.0 / m1, 1.0 / m2], [1.0, 0.0], 1.0);
        assert!((elastic[0] - 0.7691553790867739).abs() < 1e-12, "{elastic:?}");
        assert!((elastic[1] - 1.769155379086774).abs() < 1e-12);
        let dull = exchange([1.0 / m1, 1.0 / m2], [1.0, 0.0], 0.7);
        assert!((dull[0] - 0.8037820722).abs() < 1e-9 && (dull[1] - 1.5037820722).abs() < 1e-9);
    }

    #[test]
    fn a_wall_returns_e_times_the_speed() {
        let after = exchange([1.0 / 0.352, 0.0], [-2.0, 0.0], 0.5);
        assert!((after[0] - 1.0).abs() < 1e-15 && after[1] == 0.0);
    }
}
