//! The law of one impact: compression and restitution, friction through both.
//!
//! **One point.** Everything happens at one place and in no time, so the normal impulse p is the
//! clock. Relative velocities (u_n, u_t) change with the impulses (p_n, p_t) as
//!
//! ```text
//! du_n = k_nn dp_n + k_nt dp_t        du_t = k_nt dp_n + k_tt dp_t
//! ```
//!
//! While the point slides, dp_t = -mu sign(u_t) dp_n (Coulomb). When sliding ends it sticks,
//! dp_t = -(k_nt/k_tt) dp_n, if |k_nt| <= mu k_tt, and else slides on to where it is pushed.
//! Compression ends with u_n = 0; restitution when the normal impulse has given back e^2 of the work
//! that it took (Stronge), which never gains energy. All of it is straight between these instants,
//! and solved piece by piece (Routh).
//!
//! **Two points**, a face that meets another flat: the impulses that bring both to rest, then those
//! that give each e times its approach speed, with Coulomb's friction for the slip at the end of
//! either phase. What restitution gives back is cut to e^2 of what compression took.

use super::contact::{Contact, Rows};
use super::solver::SolverBody;

/// Most pieces of an impact: slide, stick or slide on, in each of two phases, and what rounding adds.
const MOST_PIECES: u32 = 8;

/// Answers below this count as none, 1/kg: a robot hit from the side while its tyres hold.
const NO_ANSWER: f64 = 1e-9;

/// Most rounds over the rows of a face.
const ROUNDS: u32 = 64;

/// Relative velocity, answers and laws at a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    /// Normal (positive is apart) and tangential velocity, m/s.
    pub velocity: [f64; 2],
    /// Answers n n, n t, t t, 1/kg.
    pub answers: [f64; 3],
    pub friction: f64,
    pub restitution: f64,
}

impl Point {
    /// Impulses along normal and tangent, N s.
    pub(crate) fn strike(&self) -> [f64; 2] {
        let [k_nn, k_nt, k_tt] = self.answers;
        let [mut u_n, mut u_t] = self.velocity;
        let (mut p_n, mut p_t) = (0.0, 0.0);
        if k_nn <= NO_ANSWER || u_n >= 0.0 {
            return [0.0; 2];
        }
        let mut compresses = true;
        let (mut taken, mut to_give) = (0.0, 0.0);
        // Which way it slides; 0 sticks.
        let mut slides = if u_t == 0.0 { self.after_sliding() } else { sign(u_t) };
        for _ in 0..MOST_PIECES {
            let ratio = match slides {
                0.0 if k_tt > NO_ANSWER => -k_nt / k_tt,
                _ => -self.friction * slides,
            };
            let (by_n, by_t) = (k_nn + ratio * k_nt, k_nt + ratio * k_tt);
            let until_stop = if slides * by_t < 0.0 { -u_t / by_t } else { f64::INFINITY };
            let until_end = if compresses {
                if by_n > 0.0 { -u_n / by_n } else { f64::INFINITY }
            } else {
                until_given(u_n, by_n, to_give)
            };
            let p = until_stop.min(until_end);
            if !p.is_finite() {
                break;
            }
            let work = p * (u_n + 0.5 * by_n * p);
            p_n += p;
            p_t += ratio * p;
            u_n += by_n * p;
            u_t += by_t * p;
            if compresses {
                taken -= work;
            } else {
                to_give -= work;
            }
            if until_stop <= until_end {
                u_t = 0.0;
                slides = self.after_sliding();
            }
            if until_end <= until_stop {
                if !compresses {
                    break;
                }
                compresses = false;
                u_n = 0.0;
                to_give = self.restitution * self.restitution * taken.max(0.0);
                if to_give == 0.0 {
                    break;
                }
            }
        }
        [p_n, p_t]
    }

    /// Which way a point slides on that has stopped; 0 if it sticks.
    fn after_sliding(&self) -> f64 {
        let [_, k_nt, k_tt] = self.answers;
        if k_nt.abs() <= self.friction * k_tt { 0.0 } else { sign(k_nt) }
    }
}

fn sign(x: f64) -> f64 {
    if x > 0.0 { 1.0 } else { -1.0 }
}

/// Normal impulse that gives back this much work, from the velocity u, which changes by k an impulse.
fn until_given(u: f64, k: f64, work: f64) -> f64 {
    let root = u * u + 2.0 * k * work;
    let sum = u + root.max(0.0).sqrt();
    // Where it cannot be given, because pushing lowers u, the end is where u is zero.
    if root < 0.0 { -u / k } else { 2.0 * work / sum }
}

/// Lets a contact whose points all touch strike: the impulses of its rows, N s.
pub(crate) fn strike(c: &mut Contact, bodies: &mut [SolverBody]) -> Rows {
    let u = c.relative_velocities(&bodies[c.a as usize], &bodies[c.b as usize]);
    let [k11, _, _, k1t, _, ktt] = c.coupling;
    if c.count == 1 {
        let point = Point {
            velocity: [u[0], u[2]],
            answers: [k11, k1t, ktt],
            friction: c.friction,
            restitution: c.restitution,
        };
        let [n, t] = point.strike();
        c.apply(bodies, [n, 0.0, t]);
        return [n, 0.0, t];
    }
    let squeeze = settle(c, bodies, [0.0; 2]);
    let lost = c.normal_work(u, squeeze);
    let at_rest = c.relative_velocities(&bodies[c.a as usize], &bodies[c.b as usize]);
    let hit = [0, 1].map(|i| if squeeze[i] > 0.0 { c.restitution * (-u[i]).max(0.0) } else { 0.0 });
    if hit == [0.0; 2] {
        return squeeze;
    }
    let give = settle(c, bodies, hit);
    let share = affordable(c, at_rest, give, (lost, c.work(u, squeeze)));
    let taken_back = give.map(|p| (share - 1.0) * p);
    c.apply(bodies, taken_back);
    [0, 1, 2].map(|i| squeeze[i] + share * give[i])
}

/// Brings both normals to at least these velocities, with friction within the cone of the impulses
/// that this takes. Returns the impulses.
fn settle(c: &mut Contact, bodies: &mut [SolverBody], at_least: [f64; 2]) -> Rows {
    c.tangent = 0.0;
    for (p, wanted) in c.points.iter_mut().zip(at_least) {
        (p.normal, p.allowance) = (0.0, -wanted);
    }
    for _ in 0..ROUNDS {
        if c.solve(bodies) < 1e-12 {
            break;
        }
    }
    c.keep_cone(bodies);
    c.impulses()
}

/// The share of the impulses of restitution, `give`, whose normals give back at most e^2 of what they
/// took (`lost`, negative), and which does not gain more than compression took in all.
fn affordable(c: &Contact, at_rest: Rows, give: Rows, (lost, lost_in_all): (f64, f64)) -> f64 {
    // The work of s times the impulses is linear s + quadratic s^2.
    let largest = |whole: f64, half: f64, budget: f64| {
        if whole <= budget {
            return 1.0;
        }
        let quadratic = 2.0 * (whole - 2.0 * half);
        let linear = whole - quadratic;
        let root = (linear * linear + 4.0 * quadratic * budget).max(0.0).sqrt();
        if quadratic > 0.0 { ((root - linear) / (2.0 * quadratic)).clamp(0.0, 1.0) } else { 0.0 }
    };
    let half = give.map(|p| 0.5 * p);
    let budget = c.restitution * c.restitution * (-lost).max(0.0);
    let normal = largest(c.normal_work(at_rest, give), c.normal_work(at_rest, half), budget);
    let all = largest(c.work(at_rest, give), c.work(at_rest, half), (-lost_in_all).max(0.0));
    normal.min(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same law, a million small impulses one after the other.
    fn integrated(point: &Point) -> [f64; 2] {
        let [k_nn, k_nt, k_tt] = point.answers;
        let [mut u_n, mut u_t] = point.velocity;
        let dp = -u_n / k_nn * 2e-6;
        let (mut p_n, mut p_t, mut taken, mut given) = (0.0, 0.0, 0.0, 0.0);
        while p_n * k_nn < -100.0 * point.velocity[0] {
            let cone = point.friction * dp;
            // What would stop it, within the cone.
            let dt = (-(u_t + k_nt * dp) / k_tt).clamp(-cone, cone);
            let before = u_n;
            u_n += k_nn * dp + k_nt * dt;
            u_t += k_nt * dp + k_tt * dt;
            p_n += dp;
            p_t += dt;
            let work = 0.5 * (before + u_n) * dp;
            if work < 0.0 {
                taken -= work;
            } else {
                given += work;
                if given >= point.restitution * point.restitution * taken {
                    break;
                }
            }
        }
        [p_n, p_t]
    }

    #[test]
    fn impulses_equal_the_integrated_law_for_any_answers_slip_friction_and_restitution() {
        let mut rng = rolima_math::Stream::new(5, 0, "test");
        let (mut stuck, mut reversed) = (0, 0);
        for case in 0..rolima_testing::samples(100, 400) {
            let (k_nn, k_tt) = (rng.between(0.5, 5.0), rng.between(0.5, 5.0));
            let k_nt = rng.between(-0.95, 0.95) * (k_nn * k_tt).sqrt();
            let point = Point {
                velocity: [-rng.between(0.1, 2.0), rng.between(-2.0, 2.0)],
                answers: [k_nn, k_nt, k_tt],
                friction: rng.between(0.0, 1.5),
                restitution: rng.uniform(),
            };
            let (got, want) = (point.strike(), integrated(&point));
            let scale = -point.velocity[0] / k_nn;
            for i in 0..2 {
                let error = (got[i] - want[i]).abs();
                assert!(
                    error < 1e-3 * scale.max(want[0]),
                    "case {case}: {got:?}, {want:?}, {point:?}"
                );
            }
            let u_t = point.velocity[1] + k_nt * got[0] + k_tt * got[1];
            stuck += u32::from(u_t.abs() < 1e-9);
            reversed += u32::from(u_t * point.velocity[1] < -1e-9);
        }
        assert!(stuck > 5 && reversed > 5, "{stuck} stuck, {reversed} reversed");
    }
}
