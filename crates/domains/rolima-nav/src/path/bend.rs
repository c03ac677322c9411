//! Where a curve bends most: quickly for the choice among curves, surely for what is told of one.
//!
//! Curvature is P' x P'' over the cube of the speed, so between points that are looked at a sharp bend
//! or a cusp hides only where the curve gets slower and then faster. The square of the speed is of fourth
//! degree: there are at most two such places, and half its slope, P' . P'', is of third degree.
//! Beyond the thesis.

use super::cubic::Cubic;
use rolima_math::{Vec2, larger, smaller};

/// Points at which the curvature is compared.
const LOOKS: usize = 12;

/// From one of them to the next.
const GAP: f64 = 1.0 / (LOOKS - 1) as f64;

/// A dip is worth another look if it lowers the square of the speed by this share: without it a bend
/// is believed to be 1.7 times as gentle as it is, at most.
const MUCH: f64 = 0.3;

/// How far from a point its dips are looked for, in gaps: some more than half, as Newton's method
/// guesses that distance.
const BESIDE: f64 = 0.55;

/// What a cusp counts as, as the square of a curvature times the distance: how close to standing still
/// the search for it comes means nothing.
const CUSP: f64 = 1e16;

/// Bernstein's weights of second degree at the points looked at: (1-l)^2, 2 l (1-l), l^2.
const WEIGHTS: [[f64; LOOKS]; 3] = {
    let mut w = [[0.0; LOOKS]; 3];
    let mut i = 0;
    while i < LOOKS {
        let l = i as f64 / (LOOKS - 1) as f64;
        w[0][i] = (1.0 - l) * (1.0 - l);
        w[1][i] = 2.0 * l * (1.0 - l);
        w[2][i] = l * l;
        i += 1;
    }
    w
};

/// Those of third degree.
const WEIGHTS_3: [[f64; LOOKS]; 4] = {
    let mut w = [[0.0; LOOKS]; 4];
    let mut i = 0;
    while i < LOOKS {
        let l = i as f64 / (LOOKS - 1) as f64;
        w[0][i] = (1.0 - l) * (1.0 - l) * (1.0 - l);
        w[1][i] = 3.0 * l * (1.0 - l) * (1.0 - l);
        w[2][i] = 3.0 * l * l * (1.0 - l);
        w[3][i] = l * l * l;
        i += 1;
    }
    w
};

/// The curve from (0, 0) to (1, 0) with these derivatives.
#[inline]
pub(super) fn unit_curve(d0: Vec2, d2: Vec2) -> Cubic {
    let d1 = Vec2::new(3.0 - d0.x - d2.x, -d0.y - d2.y);
    Cubic { start: Vec2::ZERO, end: Vec2::new(1.0, 0.0), d0, d1, d2 }
}

/// Square of the largest curvature of the curve from (0, 0) to (1, 0) with these derivatives, as
/// far as [`LOOKS`] points and the slow places between them tell; huge for cusps. Infinite
/// where it is above `bound`: most are sorted out early.
#[inline]
pub(super) fn largest_bend(d0: Vec2, d2: Vec2, bound: f64) -> f64 {
    let curve = unit_curve(d0, d2);
    let d1 = curve.d1;
    let (x01, x02, x12) = (d0.cross(d1), 0.5 * d0.cross(d2), d1.cross(d2));
    // Most curves that bend too much do so at an end.
    let too_much = |cross: f64, d: Vec2| {
        let speed = d.length_squared();
        4.0 * cross * cross >= bound * speed * speed * speed
    };
    if too_much(x01, d0) || too_much(x12, d2) {
        return f64::INFINITY;
    }
    let mut bends = [0.0; LOOKS];
    let mut speeds = [0.0; LOOKS];
    // Squares and cubes are compared before anything is divided.
    let mut excess = [0.0; LOOKS];
    for i in 0..LOOKS {
        let [w0, w1, w2] = [WEIGHTS[0][i], WEIGHTS[1][i], WEIGHTS[2][i]];
        let dx = w0 * d0.x + w1 * d1.x + w2 * d2.x;
        let dy = w0 * d0.y + w1 * d1.y + w2 * d2.y;
        let bend = 2.0 * (w0 * x01 + w1 * x02 + w2 * x12);
        let speed = dx * dx + dy * dy;
        speeds[i] = speed;
        bends[i] = bend * bend;
        excess[i] = bend * bend - bound * (speed * speed * speed);
    }
    if largest(&excess) >= 0.0 {
        return f64::INFINITY;
    }
    let mut squares = [0.0; LOOKS];
    for i in 0..LOOKS {
        let speed = speeds[i];
        squares[i] = bends[i] / (speed * speed * speed + 1e-100);
    }
    let mut worst = largest(&squares);
    let slowing = curve_slowing(&curve);
    let dips = dips_beside(slowing, &speeds);
    if largest(&dips) >= 0.0 {
        let slowing = Slowing::new(slowing);
        let mut last = -1.0;
        for (i, &dip) in dips.iter().enumerate() {
            let from = i as f64 * GAP;
            // Both points beside a dip tell of it.
            if dip >= 0.0 && from - last > BESIDE * GAP {
                let at = slowing.least_near(from);
                last = at;
                let speed = curve.derivative(at).length_squared();
                let bend = curve.bend(at);
                // A straight line driven back and forth has no bend and still a cusp.
                let square = (bend * bend + 1e-12) / (speed * speed * speed + 1e-36);
                worst = larger(worst, smaller(square, CUSP));
            }
        }
    }
    worst
}

#[inline]
fn largest(of: &[f64; LOOKS]) -> f64 {
    of.iter().fold(f64::NEG_INFINITY, |most, &x| larger(most, x))
}

/// At which of the points looked at a curve gets much slower closely beside it, from P' . P'' in
/// Bernstein form and the squares of its speed: zero or above there, negative elsewhere.
///
/// Newton's method tells: with P' . P'' = m and its slope n, the least square of the speed is
/// m / n away and lower by m^2 / n. Next to a cusp that is two thirds of it or more.
#[inline]
fn dips_beside([m0, m1, m2, m3]: [f64; 4], speeds: &[f64; LOOKS]) -> [f64; LOOKS] {
    let [n0, n1, n2] = [3.0 * (m1 - m0), 3.0 * (m2 - m1), 3.0 * (m3 - m2)];
    let mut dips = [0.0; LOOKS];
    for i in 0..LOOKS {
        let [w0, w1, w2] = [WEIGHTS[0][i], WEIGHTS[1][i], WEIGHTS[2][i]];
        let [v0, v1, v2, v3] = [WEIGHTS_3[0][i], WEIGHTS_3[1][i], WEIGHTS_3[2][i], WEIGHTS_3[3][i]];
        let miss = v0 * m0 + v1 * m1 + v2 * m2 + v3 * m3;
        let slope = w0 * n0 + w1 * n1 + w2 * n2;
        let close = BESIDE * GAP * slope - miss.abs();
        dips[i] = smaller(close, miss * miss - MUCH * (speeds[i] * slope));
    }
    dips
}

/// P' . P'' in Bernstein form.
#[inline]
fn curve_slowing(curve: &Cubic) -> [f64; 4] {
    let (d0, d1, d2) = (curve.d0, curve.d1, curve.d2);
    let (e0, e1) = (d1 - d0, d2 - d1);
    [
        2.0 * d0.dot(e0),
        (2.0 / 3.0) * (d0.dot(e1) + 2.0 * d1.dot(e0)),
        (2.0 / 3.0) * (2.0 * d1.dot(e1) + d2.dot(e0)),
        2.0 * d2.dot(e1),
    ]
}

/// P' . P'' as a + 3 b l + 3 c l^2 + d l^3: below zero where the curve gets slower.
#[derive(Clone, Copy)]
struct Slowing {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
}

impl Slowing {
    #[inline]
    fn new([m0, m1, m2, m3]: [f64; 4]) -> Self {
        Self { a: m0, b: m1 - m0, c: m0 - 2.0 * m1 + m2, d: m3 - m0 + 3.0 * (m1 - m2) }
    }

    #[inline]
    fn value(&self, at: f64) -> f64 {
        self.a + at * (3.0 * self.b + at * (3.0 * self.c + at * self.d))
    }

    #[inline]
    fn slope(&self, at: f64) -> f64 {
        3.0 * (self.b + at * (2.0 * self.c + at * self.d))
    }

    /// Where the speed is least, from a point close by.
    #[inline]
    fn least_near(&self, mut at: f64) -> f64 {
        for _ in 0..5 {
            let slope = self.slope(at);
            if slope <= 1e-12 {
                break;
            }
            let step = self.value(at) / slope;
            at = smaller(larger(at - step, 0.0), 1.0);
            // What is left after it is some square of it.
            if step.abs() < 3e-3 {
                break;
            }
        }
        at
    }

    /// Where the speed is least, given that it falls at `low`, grows at `high` and has one such place
    /// between: Newton's steps, or half of what is left where one leads outside.
    fn least_between(&self, mut low: f64, mut high: f64) -> f64 {
        let mut at = 0.5 * (low + high);
        for _ in 0..60 {
            let miss = self.value(at);
            if miss < 0.0 {
                low = at;
            } else {
                high = at;
            }
            let next = at - miss / self.slope(at);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            if (next - at).abs() < 1e-15 {
                break;
            }
            at = next;
        }
        at
    }
}

/// Parameters inside (0, 1) at which a curve is slower than just before and just after. None is missed:
/// P' . P'' is monotonous between its own extrema.
pub(super) fn slow_places(curve: &Cubic) -> [Option<f64>; 2] {
    let slowing = Slowing::new(curve_slowing(curve));
    let Slowing { b, c, d, .. } = slowing;
    // Its extrema: b + 2 c l + d l^2 = 0, in the stable form of both roots; the end where none is inside.
    let square = c * c - b * d;
    let mut cuts = [1.0; 2];
    if square > 0.0 {
        let far = -(c + square.sqrt().copysign(c));
        for (cut, (over, under)) in cuts.iter_mut().zip([(b, far), (far, d)]) {
            if over * under > 0.0 && over.abs() < under.abs() {
                *cut = over / under;
            }
        }
        cuts = [smaller(cuts[0], cuts[1]), larger(cuts[0], cuts[1])];
    }
    let mut found = [None; 2];
    let mut places = found.iter_mut();
    let mut low = 0.0;
    for high in [cuts[0], cuts[1], 1.0] {
        if slowing.value(low) < 0.0
            && slowing.value(high) > 0.0
            && let Some(place) = places.next()
        {
            *place = Some(slowing.least_between(low, high));
        }
        low = high;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::hermite::SHARP;
    use super::*;
    use rolima_math::Stream;

    /// Derivatives at both ends of a curve from (0, 0) to (1, 0) that nearly stands still at a parameter.
    fn with_near_stop(random: &mut Stream) -> (Vec2, Vec2) {
        loop {
            let l = random.between(0.0, 1.0);
            let size = if random.uniform() < 0.3 { 0.05 } else { 3.0 };
            let mut v =
                |most: f64| Vec2::new(random.between(-most, most), random.between(-most, most));
            let (d0, rest) = (v(size), v(0.03));
            let (w0, w1, w2) = ((1.0 - l) * (1.0 - l), 2.0 * l * (1.0 - l), l * l);
            let both = rest - d0 * w0 - (Vec2::new(3.0, 0.0) - d0) * w1;
            let d2 = both * (1.0 / (w2 - w1));
            if d2.length() < 3.0 {
                return if random.uniform() < 0.5 { (d0, d2) } else { (d0 * 0.1, d2 * 0.1) };
            }
        }
    }

    #[test]
    fn slow_places_are_those_of_a_finely_sampled_curve() {
        let mut random = Stream::new(1, 0, "bend");
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let (d0, d2) = with_near_stop(&mut random);
            let curve = unit_curve(d0, d2);
            let speed = |at: f64| curve.derivative(at).length_squared();
            let found = slow_places(&curve);
            for at in found.into_iter().flatten() {
                let (p, q) = (curve.derivative(at), curve.second_derivative(at));
                assert!(at > 0.0 && at < 1.0 && p.dot(q).abs() < 1e-10, "{curve:?} {at}");
            }
            let looks: Vec<f64> = (0..=2000).map(|i| speed(f64::from(i) / 2000.0)).collect();
            let mut sampled = 0;
            for i in 1..2000 {
                if looks[i] < looks[i - 1] && looks[i] < looks[i + 1] {
                    sampled += 1;
                    let near = |at: f64| (at - i as f64 / 2000.0).abs() < 1.0 / 2000.0;
                    assert!(found.into_iter().flatten().any(near), "{curve:?} {found:?} {i}");
                }
            }
            let count = found.iter().flatten().count();
            // Two within a sample are one there, and so is one beside an end.
            let apart = |at: &f64| *at > 0.001 && *at < 0.999;
            assert!(
                sampled <= count
                    && found.iter().flatten().filter(|at| apart(at)).count() <= sampled + 1
            );
            seen[count] += 1;
        }
        assert!(seen[1] > 100 && seen[2] > 100, "{seen:?}");
    }

    #[test]
    fn no_near_stop_is_believed_to_bend_gently() {
        let mut random = Stream::new(2, 0, "bend");
        let (mut sharp, mut off) = (0, 0);
        for _ in 0..200_000 {
            let (d0, d2) = with_near_stop(&mut random);
            let believed = largest_bend(d0, d2, f64::MAX).sqrt();
            let truth = unit_curve(d0, d2).largest_curvature().0;
            assert!(
                believed > SHARP || truth < 2.0 * SHARP,
                "{truth} for {believed}: {d0:?} {d2:?}"
            );
            sharp += usize::from(truth > 100.0);
            // Beyond some bend all are as bad.
            off += usize::from(truth.min(1e4) > 1.8 * believed);
        }
        // Off are those that begin or end almost at rest and almost straight.
        assert!(sharp > 50_000 && off < 50, "{sharp}, {off}");
    }
}
