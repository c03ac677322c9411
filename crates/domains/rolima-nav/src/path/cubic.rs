//! A third-degree curve (section 5.4.2 of the thesis), kept so that its ends are exact.
//!
//! The thesis writes x = a0 + a1 l + a2 l^2 + a3 l^3 and y with b0..b3, and gets the heading from
//! the ratio of derivatives. Here the derivative is kept in Bernstein form,
//!
//! ```text
//! P'(l) = d0 (1-l)^2 + 2 d1 l (1-l) + d2 l^2,   d0 + d1 + d2 = 3 (P(1) - P(0))
//! (a1, b1) = d0,  (a2, b2) = d1 - d0,  (a3, b3) = (d0 - 2 d1 + d2) / 3
//! ```
//!
//! so that the headings at both ends are those of d0 and d2 to the last bit, however short they
//! are, and so that "no extremum inside" can be read off the signs (see [`Cubic::extrema`]).
//!
//! | here | thesis |
//! |---|---|
//! | l | lambda of 5.4 |
//! | [`Cubic::coefficients`] | a0..a3, b0..b3 of B.1 |
//! | [`Cubic::direction`] | theta(lambda) of 5.4.2, with atan2 |
//! | [`Cubic::extrema`] | the roots of dx/dlambda and dy/dlambda of 5.5 |
//! | curvature, loops, Bernstein form | beyond the thesis |

use super::bend;
use rolima_math::{Rot2, Vec2};
use serde::{Deserialize, Serialize};

/// A third-degree curve of a parameter from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cubic {
    /// Where it begins, m.
    pub start: Vec2,
    /// Where it ends, m.
    pub end: Vec2,
    /// Derivative at the start, m; the thesis's (a1, b1).
    pub d0: Vec2,
    /// Middle Bernstein coefficient of the derivative, m.
    pub d1: Vec2,
    /// Derivative at the end, m; the thesis's (a1 + 2 a2 + 3 a3, ...).
    pub d2: Vec2,
}

/// The coefficients as the thesis writes them: constant, linear, quadratic, cubic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficients {
    /// a0..a3 of x, m.
    pub a: [f64; 4],
    /// b0..b3 of y, m.
    pub b: [f64; 4],
}

impl Cubic {
    /// From both ends and the derivatives there (a Hermite curve).
    pub fn hermite(start: Vec2, d0: Vec2, end: Vec2, d2: Vec2) -> Self {
        let d1 = (end - start) * 3.0 - d0 - d2;
        Self { start, end, d0, d1, d2 }
    }

    /// From the thesis's coefficients.
    pub fn from_coefficients(c: &Coefficients) -> Self {
        let [k0, k1, k2, k3] = core::array::from_fn(|i| Vec2::new(c.a[i], c.b[i]));
        let d1 = k1 + k2;
        Self { start: k0, end: k0 + k1 + k2 + k3, d0: k1, d1, d2: k1 + k2 * 2.0 + k3 * 3.0 }
    }

    /// The thesis's coefficients.
    pub fn coefficients(&self) -> Coefficients {
        let [k2, k3] = self.higher();
        Coefficients {
            a: [self.start.x, self.d0.x, k2.x, k3.x],
            b: [self.start.y, self.d0.y, k2.y, k3.y],
        }
    }

    #[inline]
    fn higher(&self) -> [Vec2; 2] {
        [self.d1 - self.d0, (self.d0 - self.d1 * 2.0 + self.d2) * (1.0 / 3.0)]
    }

    /// The point at the parameter, m. The ends are exact.
    #[inline]
    pub fn point(&self, at: f64) -> Vec2 {
        if at >= 1.0 {
            return self.end;
        }
        let [k2, k3] = self.higher();
        self.start + (self.d0 + (k2 + k3 * at) * at) * at
    }

    /// First derivative by the parameter, m.
    #[inline]
    pub fn derivative(&self, at: f64) -> Vec2 {
        let left = 1.0 - at;
        self.d0 * (left * left) + self.d1 * (2.0 * at * left) + self.d2 * (at * at)
    }

    /// Second derivative by the parameter, m.
    #[inline]
    pub fn second_derivative(&self, at: f64) -> Vec2 {
        (self.d1 - self.d0) * (2.0 * (1.0 - at)) + (self.d2 - self.d1) * (2.0 * at)
    }

    /// The direction of travel at the parameter. Where the derivative vanishes (a cusp, or a
    /// printed form with a1 = 0), the direction that it has just after, or just before the end.
    pub fn direction(&self, at: f64) -> Rot2 {
        let towards = |v: Vec2| {
            let u = v.unit_or(Vec2::ZERO);
            (u.length_squared() > 0.5).then_some(Rot2 { c: u.x, s: u.y })
        };
        let side = if at >= 1.0 { -1.0 } else { 1.0 };
        towards(self.derivative(at))
            .or_else(|| towards(self.second_derivative(at) * side))
            .or_else(|| towards(self.d0 - self.d1 * 2.0 + self.d2))
            .unwrap_or(Rot2::IDENTITY)
    }

    /// P' x P'', the numerator of the curvature: of second degree, not third.
    #[inline]
    pub fn bend(&self, at: f64) -> f64 {
        let left = 1.0 - at;
        2.0 * (self.d0.cross(self.d1) * left * left
            + self.d0.cross(self.d2) * at * left
            + self.d1.cross(self.d2) * at * at)
    }

    /// Signed curvature, 1/m; zero where the curve stands still (a cusp).
    #[inline]
    pub fn curvature(&self, at: f64) -> f64 {
        let square = self.derivative(at).length_squared();
        let cube = square * square.sqrt();
        if cube > 0.0 { self.bend(at) / cube } else { 0.0 }
    }

    /// Parameters inside (0, 1) at which x (first) or y (second) turns back, if any.
    ///
    /// The criterion of section 5.5 is that there are none. With p, q, r the Bernstein
    /// coefficients of the derivative it holds exactly when p, r >= 0 and q >= -sqrt(p r), or all
    /// of that with the signs turned: the thesis replaces the parabola in it by a line (B.9), and
    /// so keeps a proper subset.
    pub fn extrema(&self) -> [Option<f64>; 2] {
        [turning(self.d0.x, self.d1.x, self.d2.x), turning(self.d0.y, self.d1.y, self.d2.y)]
    }

    /// Whether it crosses itself between its ends.
    ///
    /// P(s) = P(t) with s != t means A (s^2 + s t + t^2) + B (s + t) + C = 0 for the vector
    /// coefficients A, B, C: two linear equations for s + t and s t.
    pub fn crosses_itself(&self) -> bool {
        let [b, a] = self.higher();
        let c = self.d0;
        let across = b.cross(a);
        let size = a.length_squared();
        // A parabola, or a straight line: neither crosses itself.
        if across == 0.0 || size == 0.0 {
            return false;
        }
        let sum = -c.cross(a) / across;
        let product = sum * sum + (b * sum + c).dot(a) / size;
        let square = sum * sum - 4.0 * product;
        // Both roots of t^2 - sum t + product in [0, 1], and apart.
        square > 1e-12 && product >= 0.0 && 1.0 - sum + product >= 0.0 && sum > 0.0 && sum < 2.0
    }

    /// Largest absolute curvature, 1/m, to some 1e-3 relative, and where it is; infinite at cusps.
    ///
    /// For reports: it looks at 256 points and the slow places between them, where alone a cusp can
    /// hide, and narrows down the best.
    pub fn largest_curvature(&self) -> (f64, f64) {
        self.peak(f64::abs)
    }

    /// Least and largest curvature, 1/m, positive to the left, found likewise.
    pub fn curvature_bounds(&self) -> [f64; 2] {
        [-self.peak(|k| -k).0, self.peak(|k| k).0]
    }

    /// The largest of something of the curvature, and where it is; infinite at cusps.
    fn peak(&self, of: impl Fn(f64) -> f64) -> (f64, f64) {
        let value = |at: f64| {
            // Rounding leaves something of a cusp's speed, and of a straight line that turns back no bend.
            let (speed, change) = (self.derivative(at), self.second_derivative(at));
            let still = speed.length_squared() <= 1e-28 * change.length_squared();
            if still { f64::INFINITY } else { of(self.curvature(at)) }
        };
        let mut best = (value(0.0), 0.0);
        let slow = bend::slow_places(self).into_iter().flatten();
        for at in (1..=256).map(|i| f64::from(i) / 256.0).chain(slow) {
            let here = value(at);
            if here > best.0 {
                best = (here, at);
            }
        }
        let mut step = 1.0 / 512.0;
        for _ in 0..30 {
            for at in [best.1 - step, best.1 + step] {
                if (0.0..=1.0).contains(&at) && value(at) > best.0 {
                    best = (value(at), at);
                }
            }
            step *= 0.5;
        }
        best
    }
}

/// Where p (1-l)^2 + 2 q l (1-l) + r l^2 changes its sign inside (0, 1).
fn turning(p: f64, q: f64, r: f64) -> Option<f64> {
    // With l = t / (1 + t): p + 2 q t + r t^2 = 0 for a t > 0.
    let square = q * q - p * r;
    if p * r < 0.0 || (p == 0.0 && q * r < 0.0) || (r == 0.0 && q * p < 0.0) {
        // One change of sign; the stable form of the positive root.
        let root = square.max(0.0).sqrt();
        let t = if r == 0.0 {
            -p / (2.0 * q)
        } else if p == 0.0 {
            -2.0 * q / r
        } else if q * r > 0.0 {
            -p / (q + root * r.signum())
        } else {
            (-q + root * r.signum()) / r
        };
        Some(t / (1.0 + t))
    } else if p * r > 0.0 && q * p < 0.0 && square > 0.0 {
        let t = p / (-q + square.sqrt() * p.signum());
        Some(t / (1.0 + t))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    fn random(stream: &mut Stream) -> Cubic {
        let mut v = || Vec2::new(stream.between(-1.0, 1.0), stream.between(-1.0, 1.0));
        Cubic::hermite(v(), v(), v(), v())
    }

    #[test]
    fn coefficients_read_back_as_the_same_curve() {
        let mut stream = Stream::new(1, 0, "cubic");
        for _ in 0..1000 {
            let curve = random(&mut stream);
            let again = Cubic::from_coefficients(&curve.coefficients());
            for i in 0..=10 {
                let at = f64::from(i) / 10.0;
                assert!((curve.point(at) - again.point(at)).length() < 1e-14);
                assert!((curve.derivative(at) - again.derivative(at)).length() < 1e-13);
            }
        }
    }

    #[test]
    fn derivatives_and_curvature_agree_with_differences() {
        let mut stream = Stream::new(2, 0, "cubic");
        for _ in 0..1000 {
            let curve = random(&mut stream);
            let (at, h) = (stream.between(0.1, 0.9), 1e-5);
            let slope = (curve.point(at + h) - curve.point(at - h)) * (0.5 / h);
            assert!((slope - curve.derivative(at)).length() < 1e-8);
            let bend = (curve.derivative(at + h) - curve.derivative(at - h)) * (0.5 / h);
            assert!((bend - curve.second_derivative(at)).length() < 1e-8);
            let p = curve.derivative(at);
            assert!((p.cross(curve.second_derivative(at)) - curve.bend(at)).abs() < 1e-12);
        }
    }

    #[test]
    fn extrema_are_found_exactly_when_the_coordinate_turns_back() {
        let mut stream = Stream::new(3, 0, "cubic");
        let mut seen = [0, 0];
        for _ in 0..20_000 {
            let curve = random(&mut stream);
            let values: [f64; 401] = core::array::from_fn(|i| curve.derivative(i as f64 / 400.0).x);
            let changes = values.windows(2).any(|w| w[0] * w[1] < 0.0);
            match curve.extrema()[0] {
                Some(at) => {
                    assert!(at > 0.0 && at < 1.0);
                    assert!(curve.derivative(at).x.abs() < 1e-12, "{:?}", curve.derivative(at));
                    seen[0] += 1;
                }
                None => {
                    assert!(!changes, "{curve:?}");
                    seen[1] += 1;
                }
            }
        }
        assert!(seen.iter().all(|&n| n > 1000));
    }

    #[test]
    fn a_cusp_between_the_points_looked_at_bends_infinitely() {
        let mut stream = Stream::new(5, 0, "cubic");
        for i in 0..1000 {
            // P' = (l - cusp) (start + slope l), with all of it on one line now and then.
            let (cusp, v) = (stream.between(0.01, 0.99), random(&mut stream));
            let (start, slope) = (v.start, if i % 3 == 0 { v.start * v.end.x } else { v.end });
            let d0 = start * -cusp;
            let d2 = (start + slope) * (1.0 - cusp);
            let d1 = d0 + (start - slope * cusp) * 0.5;
            let end = (d0 + d1 + d2) * (1.0 / 3.0);
            let (most, at) = (Cubic { start: Vec2::ZERO, end, d0, d1, d2 }).largest_curvature();
            let other = start.length() < 1.5 * slope.length();
            assert!(most > 1e9 && (other || (at - cusp).abs() < 1e-9), "{cusp} {most} {at}");
        }
    }

    #[test]
    fn a_loop_is_seen_exactly_when_the_sampled_curve_crosses_itself() {
        let mut stream = Stream::new(4, 0, "cubic");
        let (mut loops, mut clear) = (0, 0);
        for _ in 0..3000 {
            let mut curve = random(&mut stream);
            curve = Cubic::hermite(curve.start, curve.d0 * 3.0, curve.end, curve.d2 * 3.0);
            let points: Vec<Vec2> = (0..=200).map(|i| curve.point(i as f64 / 200.0)).collect();
            let cross = |i: usize, j: usize| {
                let (a, b, c, d) = (points[i], points[i + 1], points[j], points[j + 1]);
                let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).cross(r - p);
                side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
            };
            let sampled = (0..200).any(|i| (i + 2..200).any(|j| cross(i, j)));
            if sampled {
                loops += 1;
                assert!(curve.crosses_itself(), "{curve:?}");
            }
            // Clearly none: pieces that are not neighbours stay further apart than any is long,
            // and none turns back among its neighbours, where a loop could be smaller than they are.
            const NEIGHBOURS: usize = 10;
            let longest = points.windows(2).map(|w| (w[1] - w[0]).length()).fold(0.0, f64::max);
            let apart = |i: usize, j: usize| (points[i] - points[j]).length() > 2.0 * longest;
            let ahead = |i: usize, j: usize| {
                (points[i + 1] - points[i]).dot(points[j + 1] - points[j]) > 0.0
            };
            if (0..200).all(|i| (i + NEIGHBOURS..=200).all(|j| apart(i, j)))
                && (0..200).all(|i| (i + 1..200.min(i + NEIGHBOURS)).all(|j| ahead(i, j)))
            {
                clear += 1;
                assert!(!curve.crosses_itself(), "{curve:?}");
            }
        }
        assert!(loops > 100 && clear > 1000, "{loops} {clear}");
    }
}
