//! Shortest paths of arcs and straight lines: Dubins (forwards) and Reeds-Shepp (both ways).
//!
//! The classic approach of section 5.2, figure 5.1, of which the thesis then takes radius 0; words,
//! letters and the search among them are beyond it. A path is a word of up to five letters, L, S or R, each
//! with a signed length in radii (negative: backwards). Formulae after L. E. Dubins (1957) and
//! J. A. Reeds and L. A. Shepp, Pacific Journal of Mathematics 145 (1990), section 8; their list is
//! completed by three symmetries: driving the word backwards in time, mirroring it, and reading it
//! from the end.

use core::f64::consts::{FRAC_PI_2, PI, TAU};
use rolima_math::{acos, asin, atan2, sin_cos, wrap_angle};

/// What the steering does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// Left.
    L,
    /// Straight.
    S,
    /// Right.
    R,
}

/// Up to five letters with signed lengths in radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathWord {
    /// Letters; those beyond `count` mean nothing.
    pub letters: [Letter; 5],
    /// Signed lengths, in radii; negative ones are driven backwards.
    pub lengths: [f64; 5],
    /// How many letters count.
    pub count: usize,
}

impl PathWord {
    fn new(letters: &[Letter], lengths: &[f64]) -> Self {
        let mut word = Self { letters: [Letter::S; 5], lengths: [0.0; 5], count: letters.len() };
        word.letters[..letters.len()].copy_from_slice(letters);
        word.lengths[..letters.len()].copy_from_slice(lengths);
        word
    }

    /// Whole length, in radii.
    pub fn length(&self) -> f64 {
        self.lengths[..self.count].iter().map(|l| l.abs()).sum()
    }

    fn flipped(mut self) -> Self {
        self.lengths.iter_mut().for_each(|l| *l = -*l);
        self
    }

    fn mirrored(mut self) -> Self {
        for letter in &mut self.letters {
            *letter = match letter {
                Letter::L => Letter::R,
                Letter::R => Letter::L,
                Letter::S => Letter::S,
            };
        }
        self
    }

    fn read_backwards(mut self) -> Self {
        self.letters[..self.count].reverse();
        self.lengths[..self.count].reverse();
        self
    }
}

/// Where a word leads from (0, 0, 0): x, y in radii, heading in rad.
pub fn end_of(word: &PathWord) -> (f64, f64, f64) {
    let (mut x, mut y, mut phi) = (0.0, 0.0, 0.0);
    for i in 0..word.count {
        let l = word.lengths[i];
        let (s0, c0) = sin_cos(phi);
        match word.letters[i] {
            Letter::S => {
                x += l * c0;
                y += l * s0;
            }
            Letter::L => {
                let (s, c) = sin_cos(phi + l);
                x += s - s0;
                y += c0 - c;
                phi += l;
            }
            Letter::R => {
                let (s, c) = sin_cos(phi - l);
                x += s0 - s;
                y += c - c0;
                phi -= l;
            }
        }
    }
    (x, y, phi)
}

/// The angle in [0, 2 pi); one that is a full turn but for rounding is none.
fn turn(x: f64) -> f64 {
    let t = x - TAU * (x / TAU).floor();
    if t >= TAU - 1e-12 { 0.0 } else { t }
}

/// The shortest word of forward letters to (x, y, phi), in radii.
pub fn dubins(x: f64, y: f64, phi: f64) -> PathWord {
    use Letter::{L, R, S};
    let d = (x * x + y * y).sqrt();
    let along = atan2(y, x);
    let (a, b) = (turn(-along), turn(phi - along));
    let ((sa, ca), (sb, cb)) = (sin_cos(a), sin_cos(b));
    let cab = ca * cb + sa * sb;
    let mut best: Option<PathWord> = None;
    let mut offer = |letters: [Letter; 3], lengths: [f64; 3]| {
        let word = PathWord::new(&letters, &lengths);
        if best.is_none_or(|old| word.length() < old.length()) {
            best = Some(word);
        }
    };
    let p2 = 2.0 + d * d - 2.0 * cab + 2.0 * d * (sa - sb);
    if p2 >= 0.0 {
        let t = atan2(cb - ca, d + sa - sb);
        offer([L, S, L], [turn(t - a), p2.sqrt(), turn(b - t)]);
    }
    let p2 = 2.0 + d * d - 2.0 * cab + 2.0 * d * (sb - sa);
    if p2 >= 0.0 {
        let t = atan2(ca - cb, d - sa + sb);
        offer([R, S, R], [turn(a - t), p2.sqrt(), turn(t - b)]);
    }
    let p2 = d * d - 2.0 + 2.0 * cab + 2.0 * d * (sa + sb);
    if p2 >= 0.0 {
        let p = p2.sqrt();
        let t = atan2(-ca - cb, d + sa + sb) - atan2(-2.0, p);
        offer([L, S, R], [turn(t - a), p, turn(t - b)]);
    }
    let p2 = d * d - 2.0 + 2.0 * cab - 2.0 * d * (sa + sb);
    if p2 >= 0.0 {
        let p = p2.sqrt();
        let t = atan2(ca + cb, d - sa - sb) - atan2(2.0, p);
        offer([R, S, L], [turn(a - t), p, turn(b - t)]);
    }
    let q = (6.0 - d * d + 2.0 * cab + 2.0 * d * (sa - sb)) / 8.0;
    if q.abs() <= 1.0 {
        let p = turn(TAU - acos(q));
        let t = turn(a - atan2(ca - cb, d - sa + sb) + 0.5 * p);
        offer([R, L, R], [t, p, turn(a - b - t + p)]);
    }
    let q = (6.0 - d * d + 2.0 * cab + 2.0 * d * (sb - sa)) / 8.0;
    if q.abs() <= 1.0 {
        let p = turn(TAU - acos(q));
        let t = turn(-a + atan2(cb - ca, d + sa - sb) + 0.5 * p);
        offer([L, R, L], [t, p, turn(b - a - t + p)]);
    }
    // LSL exists for every pair; p2 below zero is rounding at d = 0.
    best.unwrap_or_else(|| PathWord::new(&[L, S, L], &[0.0, d, 0.0]))
}

/// Lengths of a base word, or none.
type Base = fn(f64, f64, f64) -> Option<[f64; 5]>;

fn polar(x: f64, y: f64) -> (f64, f64) {
    ((x * x + y * y).sqrt(), atan2(y, x))
}

/// 8.1: L+ S+ L+
fn csc_same(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (u, t) = polar(x - sp, y - 1.0 + cp);
    let v = wrap_angle(phi - t);
    (t >= 0.0 && v >= 0.0).then_some([t, u, v, 0.0, 0.0])
}

/// 8.2: L+ S+ R+
fn csc_other(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (u1, t1) = polar(x + sp, y - 1.0 - cp);
    let square = u1 * u1 - 4.0;
    if square < 0.0 {
        return None;
    }
    let u = square.sqrt();
    let t = wrap_angle(t1 + atan2(2.0, u));
    let v = wrap_angle(t - phi);
    (t >= 0.0 && v >= 0.0).then_some([t, u, v, 0.0, 0.0])
}

/// 8.3 and 8.4: L+ R- L
fn ccc(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (u1, theta) = polar(x - sp, y - 1.0 + cp);
    if u1 > 4.0 {
        return None;
    }
    let u = -2.0 * asin(0.25 * u1);
    let t = wrap_angle(theta + 0.5 * u + PI);
    let v = wrap_angle(phi - t + u);
    (t >= 0.0 && u <= 0.0).then_some([t, u, v, 0.0, 0.0])
}

/// Shared by both kinds of four arcs: the outer lengths.
fn tau_omega(u: f64, v: f64, xi: f64, eta: f64, phi: f64) -> (f64, f64) {
    let ((su, cu), (_, cv)) = (sin_cos(u), sin_cos(v));
    let delta = wrap_angle(u - v);
    let (sd, cd) = sin_cos(delta);
    let (a, b) = (su - sd, cu - cd - 1.0);
    let t1 = atan2(eta * a - xi * b, xi * a + eta * b);
    let t2 = 2.0 * (cd - cv - cu) + 3.0;
    let tau = if t2 < 0.0 { wrap_angle(t1 + PI) } else { wrap_angle(t1) };
    (tau, wrap_angle(tau - u + v - phi))
}

/// 8.7: L+ R+ L- R-, the middle arcs of equal length
fn cccc_together(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (xi, eta) = (x + sp, y - 1.0 - cp);
    let rho = 0.25 * (2.0 + (xi * xi + eta * eta).sqrt());
    if rho > 1.0 {
        return None;
    }
    let u = acos(rho);
    let (t, v) = tau_omega(u, -u, xi, eta, phi);
    (t >= 0.0 && v <= 0.0).then_some([t, u, -u, v, 0.0])
}

/// 8.8: L+ R- L- R+
fn cccc_apart(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (xi, eta) = (x + sp, y - 1.0 - cp);
    let rho = (20.0 - xi * xi - eta * eta) / 16.0;
    if !(0.0..=1.0).contains(&rho) {
        return None;
    }
    let u = -acos(rho);
    if u < -FRAC_PI_2 {
        return None;
    }
    let (t, v) = tau_omega(u, u, xi, eta, phi);
    (t >= 0.0 && v >= 0.0).then_some([t, u, u, v, 0.0])
}

/// 8.9: L+ R-(90) S- L-
fn ccsc_same(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (rho, theta) = polar(x - sp, y - 1.0 + cp);
    if rho < 2.0 {
        return None;
    }
    let r = (rho * rho - 4.0).sqrt();
    let u = 2.0 - r;
    let t = wrap_angle(theta + atan2(r, -2.0));
    let v = wrap_angle(phi - FRAC_PI_2 - t);
    (t >= 0.0 && u <= 0.0 && v <= 0.0).then_some([t, -FRAC_PI_2, u, v, 0.0])
}

/// 8.10: L+ R-(90) S- R-
fn ccsc_other(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (rho, theta) = polar(-(y - 1.0 - cp), x + sp);
    if rho < 2.0 {
        return None;
    }
    let t = theta;
    let u = 2.0 - rho;
    let v = wrap_angle(t + FRAC_PI_2 - phi);
    (t >= 0.0 && u <= 0.0 && v <= 0.0).then_some([t, -FRAC_PI_2, u, v, 0.0])
}

/// 8.11: L+ R-(90) S- L-(90) R+
fn ccscc(x: f64, y: f64, phi: f64) -> Option<[f64; 5]> {
    let (sp, cp) = sin_cos(phi);
    let (xi, eta) = (x + sp, y - 1.0 - cp);
    let (rho, _) = polar(xi, eta);
    if rho < 2.0 {
        return None;
    }
    let u = 4.0 - (rho * rho - 4.0).sqrt();
    if u > 0.0 {
        return None;
    }
    let t = wrap_angle(atan2((4.0 - u) * xi - 2.0 * eta, -2.0 * xi + (u - 4.0) * eta));
    let v = wrap_angle(t - phi);
    (t >= 0.0 && v >= 0.0).then_some([t, -FRAC_PI_2, u, -FRAC_PI_2, v])
}

/// The base words and how many letters they have; the last says whether reading the word from the
/// end gives a new one.
const BASES: [(Base, &[Letter], bool); 8] = {
    use Letter::{L, R, S};
    [
        (csc_same, &[L, S, L], false),
        (csc_other, &[L, S, R], false),
        (ccc, &[L, R, L], true),
        (cccc_together, &[L, R, L, R], false),
        (cccc_apart, &[L, R, L, R], false),
        (ccsc_same, &[L, R, S, L], true),
        (ccsc_other, &[L, R, S, R], true),
        (ccscc, &[L, R, S, L, R], false),
    ]
};

/// The shortest word with both directions of travel to (x, y, phi), in radii.
pub fn reeds_shepp(x: f64, y: f64, phi: f64) -> PathWord {
    let mut best = dubins(x, y, phi);
    let mut least = best.length();
    let mut offer = |word: PathWord| {
        let length = word.length();
        if length < least {
            // Formulae of this kind have branches where rounding decides: only what arrives counts.
            let (ex, ey, ephi) = end_of(&word);
            let off = (ex - x).abs() + (ey - y).abs() + wrap_angle(ephi - phi).abs();
            if off < 1e-9 * (1.0 + x.abs() + y.abs()) {
                best = word;
                least = length;
            }
        }
    };
    let (sp, cp) = sin_cos(phi);
    // The goal as seen when the word is read from its end.
    let (bx, by) = (x * cp + y * sp, x * sp - y * cp);
    for (base, letters, both_ways) in BASES {
        for from_end in [false, true] {
            if from_end && !both_ways {
                continue;
            }
            let (x, y) = if from_end { (bx, by) } else { (x, y) };
            for (flip, mirror) in [(false, false), (true, false), (false, true), (true, true)] {
                let (fx, fy) = (if flip { -x } else { x }, if mirror { -y } else { y });
                let turned = if flip != mirror { -phi } else { phi };
                let Some(lengths) = base(fx, fy, turned) else { continue };
                let mut word = PathWord::new(letters, &lengths[..letters.len()]);
                if from_end {
                    word = word.read_backwards();
                }
                if flip {
                    word = word.flipped();
                }
                if mirror {
                    word = word.mirrored();
                }
                offer(word);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    fn arrives(word: &PathWord, x: f64, y: f64, phi: f64) {
        let (ex, ey, ephi) = end_of(word);
        let off = (ex - x).abs() + (ey - y).abs() + wrap_angle(ephi - phi).abs();
        assert!(off < 1e-8, "{word:?} misses ({x}, {y}, {phi}) by {off}");
    }

    #[test]
    fn both_words_arrive_and_reversing_never_lengthens() {
        let mut random = Stream::new(1, 0, "words");
        let mut shorter = 0;
        for _ in 0..100_000 {
            let (x, y) = (random.between(-6.0, 6.0), random.between(-6.0, 6.0));
            let phi = random.between(-PI, PI);
            let (forwards, both) = (dubins(x, y, phi), reeds_shepp(x, y, phi));
            arrives(&forwards, x, y, phi);
            arrives(&both, x, y, phi);
            assert!(forwards.lengths.iter().all(|&l| l >= 0.0));
            assert!(both.length() >= (x * x + y * y).sqrt() - 1e-9);
            assert!(both.length() <= forwards.length());
            shorter += u32::from(both.length() < forwards.length() - 1e-9);
        }
        assert!(shorter > 50_000, "{shorter}");
    }

    #[test]
    fn the_way_back_is_as_long_as_the_way_there() {
        // The set of Reeds-Shepp words is closed under reversal: a missing family would break it.
        let mut random = Stream::new(2, 0, "words");
        for _ in 0..50_000 {
            let (x, y) = (random.between(-4.0, 4.0), random.between(-4.0, 4.0));
            let phi = random.between(-PI, PI);
            let (s, c) = sin_cos(phi);
            let there = reeds_shepp(x, y, phi).length();
            let back = reeds_shepp(-x * c - y * s, x * s - y * c, -phi).length();
            assert!((there - back).abs() < 1e-7, "({x}, {y}, {phi}): {there} and {back}");
        }
    }

    #[test]
    fn lengths_that_are_known_in_closed_form() {
        // Straight lines; a turn about by three arcs of 60 degrees; a half circle.
        assert!((reeds_shepp(3.0, 0.0, 0.0).length() - 3.0).abs() < 1e-12);
        assert!((reeds_shepp(-3.0, 0.0, 0.0).length() - 3.0).abs() < 1e-12);
        assert!((reeds_shepp(0.0, 0.0, PI).length() - PI).abs() < 1e-9);
        assert!((dubins(0.0, 2.0, PI).length() - PI).abs() < 1e-12);
    }
}
