//! The friction of two tyres on the ground: an impulse within a circle each, against the slip.
//!
//! Coulomb's law for a tyre that slides: the force has the size of the limit and the direction
//! opposite to the slip velocity. Over a step the slip changes, by the very impulses that are looked
//! for, so the law is solved for the slip at the end of the step: of all impulses p within the
//! circles, those that take most energy,
//!
//! ```text
//! minimise p . K p / 2 + p . u  over  |p_i| <= limit_i
//! ```
//!
//! with u the slips without p and K how they answer to p. The slip of a tyre that reaches its circle
//! is then -alpha_i p_i with alpha_i > 0: opposite to the impulse, however different the answers
//! along and across the wheel are. So (K + alpha) p = -u, and the two alphas are found by Newton's
//! method on 1/|p_i|, which is nearly straight in alpha_i. (Cutting the impulse that would stop all slip down to
//! the circle is not the same: a light wheel answers to the drive direction some 80 times as much as
//! the body does to the side, and the cut impulse would hardly act against spinning at all.)

use rolima_math::Vec2;
use rolima_model::DriveModel;

/// Most Newton steps for both tyres together; two to five are usual.
const ROUNDS: u32 = 10;

/// Most sweeps over the tyres, one by one, where that does not do.
const SWEEPS: u32 = 1000;

/// Impulses this much beyond their limits are cut, as a share.
const EXCESS: f64 = 1e-7;

/// Both tyres stop the same slip across, and one could do it alone: this share of the answer makes
/// them share it evenly.
const EVENLY: f64 = 1e-7;

/// Tyres that can give less than this give nothing, N s: without weight (no gravity), or without time
/// (the last instant of a step). Ratios to smaller limits would overflow.
const LEAST: f64 = 1e-30;

/// How the slips of the two tyres (right, left) of a robot answer to their impulses, 1/kg.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answers {
    /// Along: each tyre's to its own impulse, and both to the other's.
    pub along: [f64; 2],
    pub along_other: f64,
    /// Across: both to either impulse.
    pub across: f64,
}

impl Answers {
    /// Those of a robot that nothing holds.
    #[inline]
    pub(crate) fn of(drive: &DriveModel) -> Self {
        let per_wheel = drive.wheels.map(|w| 1.0 / w.inertia);
        Self::with(drive, 1.0 / drive.spec.mass, 1.0 / drive.spec.inertia, per_wheel)
    }

    /// Those of one whose body and wheels change by so much with an impulse, 1/kg, 1/(kg m2).
    #[inline]
    pub(crate) fn with(drive: &DriveModel, m: f64, j: f64, per_wheel: [f64; 2]) -> Self {
        let [right, left] = &drive.wheels;
        let along = [0, 1].map(|i| {
            let w = &drive.wheels[i];
            m + w.left * w.left * j + w.radius * w.radius * per_wheel[i]
        });
        Self { along, along_other: m + right.left * left.left * j, across: m }
    }
}

/// What both tyres give.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friction {
    /// Impulses (along, across), N s.
    pub impulses: [Vec2; 2],
    /// Which of them slide.
    pub slides: [bool; 2],
}

/// The impulses of two tyres within their limits, N s, for the slip velocities (along, across), m/s,
/// that there would be without them.
#[inline(always)]
pub(crate) fn friction_of_pair(slips: [Vec2; 2], answers: &Answers, limits: [f64; 2]) -> Friction {
    if limits[0].min(limits[1]) < LEAST {
        return one_by_one(slips, answers, limits);
    }
    let mut alpha = [0.0; 2];
    for _ in 0..ROUNDS {
        let holding = Holding::new(slips, answers, alpha);
        let excess = [0, 1].map(|i| holding.impulses[i].length() / limits[i] - 1.0);
        if (0..2).all(|i| excess[i] <= EXCESS && (alpha[i] == 0.0 || excess[i] >= -EXCESS)) {
            let impulses = [0, 1].map(|i| within(holding.impulses[i], limits[i]));
            return Friction { impulses, slides: alpha.map(|alpha| alpha > 0.0) };
        }
        let add = holding.newton(excess, [0, 1].map(|i| alpha[i] > 0.0 || excess[i] > EXCESS));
        // A tyre that needs less than its limit does not slide.
        alpha = [0, 1].map(|i| (alpha[i] + add[i]).max(0.0));
    }
    one_by_one(slips, answers, limits)
}

/// An impulse cut to its limit.
fn within(p: Vec2, limit: f64) -> Vec2 {
    let size = p.length();
    if size > limit { p * (limit / size) } else { p }
}

/// The same, tyre by tyre while the other's impulse stays: always converges, if slowly.
#[cold]
fn one_by_one(slips: [Vec2; 2], k: &Answers, limits: [f64; 2]) -> Friction {
    let mut found = Friction { impulses: [Vec2::ZERO; 2], slides: [false; 2] };
    for _ in 0..SWEEPS {
        let mut change = 0.0f64;
        for i in 0..2 {
            let (old, other) = (found.impulses[i], found.impulses[1 - i]);
            let slip = slips[i] + Vec2::new(k.along_other * other.x, k.across * other.y);
            let (p, slides) = friction_of_one(slip, Vec2::new(k.along[i], k.across), limits[i]);
            (found.impulses[i], found.slides[i]) = (p, slides);
            change = change.max((p - old).length() / limits[i].max(LEAST));
        }
        if change <= EXCESS {
            break;
        }
    }
    found
}

/// The impulse of one tyre, and whether it slides.
fn friction_of_one(slip: Vec2, answer: Vec2, limit: f64) -> (Vec2, bool) {
    let stop = |alpha: f64| -Vec2::new(slip.x / (answer.x + alpha), slip.y / (answer.y + alpha));
    let mut p = stop(0.0);
    if p.length() <= limit {
        return (p, false);
    }
    if limit < LEAST {
        return (Vec2::ZERO, true);
    }
    let mut alpha = 0.0;
    for _ in 0..2 * ROUNDS {
        let excess = p.length() / limit - 1.0;
        if excess <= EXCESS {
            break;
        }
        let slope = p.x * p.x / (answer.x + alpha) + p.y * p.y / (answer.y + alpha);
        alpha += p.length_squared() / slope * excess;
        p = stop(alpha);
    }
    (within(p, limit), true)
}

/// The solution of (K + alpha) p = -u.
struct Holding {
    impulses: [Vec2; 2],
    /// (K + alpha)^-1 along and across: right right, left left, right left.
    inverse: [[f64; 3]; 2],
}

impl Holding {
    #[inline(always)]
    fn new(slips: [Vec2; 2], k: &Answers, alpha: [f64; 2]) -> Self {
        let evenly = EVENLY * k.across;
        let invert = |a: f64, b: f64, other: f64| {
            let inverse = 1.0 / (a * b - other * other);
            [b * inverse, a * inverse, -other * inverse]
        };
        let x = invert(k.along[0] + alpha[0], k.along[1] + alpha[1], k.along_other);
        let y = invert(k.across + alpha[0] + evenly, k.across + alpha[1] + evenly, k.across);
        let [u, v] = slips;
        Self {
            impulses: [
                -Vec2::new(x[0] * u.x + x[2] * v.x, y[0] * u.y + y[2] * v.y),
                -Vec2::new(x[2] * u.x + x[1] * v.x, y[2] * u.y + y[1] * v.y),
            ],
            inverse: [x, y],
        }
    }

    /// A Newton step for the alphas of the tyres that slide, on 1/|p_i| = 1/limit_i.
    #[inline(always)]
    fn newton(&self, excess: [f64; 2], slides: [bool; 2]) -> [f64; 2] {
        let [p, q] = self.impulses;
        let [x, y] = &self.inverse;
        // The rate of |p_i|^2/2 by alpha_j, without its sign.
        let (pp, qq) = (x[0] * p.x * p.x + y[0] * p.y * p.y, x[1] * q.x * q.x + y[1] * q.y * q.y);
        let pq = x[2] * p.x * q.x + y[2] * p.y * q.y;
        let (f, g) = (excess[0] * p.length_squared(), excess[1] * q.length_squared());
        match slides {
            [true, false] => [f / pp, 0.0],
            [false, true] => [0.0, g / qq],
            _ => {
                let inverse = 1.0 / (pp * qq - pq * pq).max(1e-12 * pp * qq);
                [(qq * f - pq * g) * inverse, (pp * g - pq * f) * inverse]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    /// A hit at the very end of a step leaves tyres no time, and a world without gravity no weight.
    #[test]
    fn tyres_without_grip_slide_and_give_nothing() {
        let answers = Answers { along: [3.0, 4.0], along_other: 0.5, across: 2.0 };
        let slips = [Vec2::new(0.3, -0.2), Vec2::new(-0.1, -0.2)];
        for limit in [0.0, f64::MIN_POSITIVE / 1e10, f64::MIN_POSITIVE, 1e-100, 1e-31] {
            let Friction { impulses, slides } = friction_of_pair(slips, &answers, [limit; 2]);
            assert_eq!((impulses, slides), ([Vec2::ZERO; 2], [true; 2]), "{limit}");
            let Friction { impulses: [p, q], slides } =
                friction_of_pair(slips, &answers, [limit, 0.05]);
            assert_eq!((p, slides), (Vec2::ZERO, [true; 2]), "{limit}");
            assert!((q.length() - 0.05).abs() < 1e-12 && q.dot(slips[1]) < 0.0, "{limit}: {q:?}");
            let at_rest = friction_of_pair([Vec2::ZERO; 2], &answers, [limit; 2]);
            assert_eq!((at_rest.impulses, at_rest.slides), ([Vec2::ZERO; 2], [false; 2]));
        }
        for limit in [1e-29, 1e-20, 1e-12] {
            let Friction { impulses, slides } = friction_of_pair(slips, &answers, [limit; 2]);
            assert_eq!(slides, [true; 2], "{limit}");
            for (p, slip) in impulses.into_iter().zip(slips) {
                assert!((p.length() / limit - 1.0).abs() < 1e-6, "{limit}: {p:?}");
                assert!(p.dot(slip) < -0.999_999 * limit * slip.length(), "{limit}: {p:?}");
            }
        }
    }

    /// Over robots of any mass and inertia, wheels of any lightness, slips of any size and direction.
    #[test]
    fn a_sliding_tyre_pushes_against_what_is_left_of_its_slip() {
        let mut rng = Stream::new(3, 0, "test");
        let mut slid = [0; 3];
        for case in 0..100_000 {
            let scale = |r: &mut Stream, most: f64| rolima_math::exp(r.between(-most, most));
            let m = scale(&mut rng, 2.0);
            let turning = m * scale(&mut rng, 2.0);
            let wheels = [scale(&mut rng, 5.0), scale(&mut rng, 5.0)];
            let answers = Answers {
                along: wheels.map(|w| m + turning + w),
                along_other: m - turning,
                across: m,
            };
            let side = rng.between(-1.0, 1.0) * scale(&mut rng, 4.0);
            let slips =
                [0, 1].map(|_| Vec2::new(rng.between(-1.0, 1.0) * scale(&mut rng, 4.0), side));
            let limits = [0, 1].map(|_| 0.1 * scale(&mut rng, 3.0));
            let Friction { impulses: [p, q], slides } = friction_of_pair(slips, &answers, limits);
            let across = answers.across * (p.y + q.y);
            let left = [
                slips[0] + Vec2::new(answers.along[0] * p.x + answers.along_other * q.x, across),
                slips[1] + Vec2::new(answers.along[1] * q.x + answers.along_other * p.x, across),
            ];
            slid[usize::from(slides[0]) + usize::from(slides[1])] += 1;
            let most = slips[0].length().max(slips[1].length());
            for (i, p) in [p, q].into_iter().enumerate() {
                let what = format!("case {case}, tyre {i}: {slips:?} leave {left:?}, given {p:?}");
                assert!(p.length() <= limits[i] * (1.0 + 1e-12), "{what}");
                if slides[i] {
                    assert!(p.length() > limits[i] * (1.0 - 1e-3), "{what}");
                    assert!(left[i].cross(p).abs() <= 1e-4 * most * p.length(), "{what}");
                    assert!(left[i].dot(p) <= 1e-4 * most * p.length(), "{what}");
                } else {
                    assert!(left[i].length() <= 1e-4 * most, "{what}");
                }
            }
        }
        assert!(slid.iter().all(|n| *n > 3_000), "{slid:?}");
    }
}
