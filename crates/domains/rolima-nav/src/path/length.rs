//! Arc length by quadrature, and its inverse by a bracketing solver (section 5.6).
//!
//! The thesis replaces s(l), the integral of |P'|, by its Taylor polynomial of third degree around
//! 0. That is good for small l only: at l = 1 it says 1.59 m for a way of 0.724 m. It is kept here
//! as [`taylor`] for comparison.
//!
//! | here | thesis (section 5.6) |
//! |---|---|
//! | [`between`] | s(lambda), the integral |
//! | [`taylor`] | s(lambda) by beta_1, beta_2, beta_3 |
//! | [`parameter_at`] | lambda of s(lambda) - alpha = 0 |

use super::cubic::Cubic;

/// Gauss-Legendre nodes and weights of five points on (-1, 1): exact to degree nine.
const NODES: [(f64, f64); 5] = [
    (-0.906_179_845_938_663_992_8, 0.236_926_885_056_189_087_5),
    (-0.538_469_310_105_683_091_0, 0.478_628_670_499_366_468_0),
    (0.0, 0.568_888_888_888_888_888_9),
    (0.538_469_310_105_683_091_0, 0.478_628_670_499_366_468_0),
    (0.906_179_845_938_663_992_8, 0.236_926_885_056_189_087_5),
];

/// How often an interval is halved at most; 1e-13 of the way is reached long before, except at
/// cusps, where the error then is some 1e-7 of it.
const DEEPEST: u32 = 20;

/// One application of the rule.
#[inline]
pub(crate) fn rule(curve: &Cubic, from: f64, to: f64) -> f64 {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    NODES.iter().map(|(x, w)| w * curve.derivative(middle + half * x).length()).sum::<f64>() * half
}

fn halved(curve: &Cubic, from: f64, to: f64, whole: f64, depth: u32) -> f64 {
    let middle = 0.5 * (from + to);
    let (left, right) = (rule(curve, from, middle), rule(curve, middle, to));
    let sum = left + right;
    if depth >= DEEPEST || (sum - whole).abs() <= 1e-13 * (sum + 1e-3) {
        return sum;
    }
    halved(curve, from, middle, left, depth + 1) + halved(curve, middle, to, right, depth + 1)
}

/// Length of the curve between two parameters, m.
pub fn between(curve: &Cubic, from: f64, to: f64) -> f64 {
    if to <= from {
        return 0.0;
    }
    halved(curve, from, to, rule(curve, from, to), 0)
}

/// The parameter at which the length from `from` on is `arc_length` m; 1 where the curve is
/// shorter, `from` for what is no length.
///
/// Newton's steps, each checked against a bracket that only shrinks; a step that leaves the
/// bracket is replaced by halving it.
pub fn parameter_at(curve: &Cubic, from: f64, arc_length: f64) -> f64 {
    if arc_length.is_nan() || arc_length <= 0.0 {
        return from;
    }
    let whole = between(curve, from, 1.0);
    if arc_length >= whole {
        return 1.0;
    }
    let (mut low, mut high) = (from, 1.0);
    let (mut low_arc_length, mut at) = (0.0, from + (1.0 - from) * arc_length / whole);
    for _ in 0..60 {
        let here = low_arc_length + between(curve, low, at);
        let miss = here - arc_length;
        if miss.abs() <= 1e-14 * (1.0 + whole) {
            return at;
        }
        if miss < 0.0 {
            low = at;
            low_arc_length = here;
        } else {
            high = at;
        }
        let speed = curve.derivative(at).length();
        let next = if speed > 0.0 { at - miss / speed } else { f64::NAN };
        at = if next > low && next < high { next } else { 0.5 * (low + high) };
        if high - low <= 1e-15 {
            break;
        }
    }
    at
}

/// The thesis's Taylor polynomial of the length from the start to the parameter, m. None where the
/// derivative at the start vanishes, as with the printed a1 = 0: it divides by it.
pub fn taylor(curve: &Cubic, at: f64) -> Option<f64> {
    let c = curve.coefficients();
    let beta1 = curve.d0.length();
    if beta1 == 0.0 {
        return None;
    }
    let dot = |i: usize, j: usize| c.a[i] * c.a[j] + c.b[i] * c.b[j];
    let beta2 = 2.0 * dot(1, 2) / beta1;
    let beta3 = 2.0 * (2.0 * dot(2, 2) + 3.0 * dot(1, 3)) / beta1
        - 4.0 * dot(1, 2) * dot(1, 2) / (beta1 * beta1 * beta1);
    Some(at * (beta1 + at * (0.5 * beta2 + at * beta3 / 6.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::thesis::Problem;
    use rolima_math::Pose2;

    /// The spec's lengths of (0, 0, 0) to (0.5, 0.5, +50, 0, -50 degrees) with (a1, a2) = (dx, 0).
    const ORACLE: [(f64, f64, f64); 3] =
        [(50.0, 0.724140, 1.59), (0.0, 0.728620, 3.5), (-50.0, 0.787583, 6.36)];

    #[test]
    fn lengths_equal_the_oracle_where_the_taylor_form_is_far_off() {
        for (degrees, length, series) in ORACLE {
            let goal = Pose2::new(0.5, 0.5, f64::to_radians(degrees));
            let problem = Problem::new(Pose2::IDENTITY, goal).unwrap();
            let curve = problem.curve(problem.centroid_choice());
            let got = between(&curve, 0.0, 1.0);
            assert!((got - length).abs() < 5e-7, "{degrees}: {got}");
            let taylor_says = taylor(&curve, 1.0).unwrap();
            assert!((taylor_says / series - 1.0).abs() < 0.005, "{degrees}: {taylor_says}");
        }
    }

    #[test]
    fn the_parameter_at_a_length_has_that_length() {
        let mut random = rolima_math::Stream::new(5, 0, "length");
        for _ in 0..2000 {
            let mut v =
                || rolima_math::Vec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0));
            let curve = Cubic::hermite(v(), v(), v(), v());
            let whole = between(&curve, 0.0, 1.0);
            let arc_length = whole * random.uniform();
            let at = parameter_at(&curve, 0.0, arc_length);
            assert!((between(&curve, 0.0, at) - arc_length).abs() < 1e-9 * whole);
            assert_eq!(parameter_at(&curve, 0.0, 2.0 * whole), 1.0);
            assert_eq!(parameter_at(&curve, 0.3, 0.0), 0.3);
        }
    }
}
