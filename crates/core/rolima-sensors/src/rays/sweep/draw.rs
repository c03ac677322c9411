//! Surfaces into the buffer of inverse distances.

use super::{LANES, Lanes, Sweep};
use crate::rays::surface::{Disc, OutlineEdge};
use core::f64::consts::{FRAC_PI_2, PI, TAU};
use rolima_math::{Vec2, larger, smaller};

/// Upper bounds that let through lanes from the k-th on, or up to the k-th.
const FROM: [Lanes; LANES] = caps(true);
const UP_TO: [Lanes; LANES] = caps(false);

const fn caps(from: bool) -> [Lanes; LANES] {
    let mut table = [[0.0; LANES]; LANES];
    let mut k = 0;
    while k < LANES {
        let mut lane = 0;
        while lane < LANES {
            if (from && lane >= k) || (!from && lane <= k) {
                table[k][lane] = f64::INFINITY;
            }
            lane += 1;
        }
        k += 1;
    }
    table
}

/// Error of [`rough_angle`], rad, with room to spare.
pub(super) const ROUGH: f64 = 1e-7;

/// Angle of a vector from 0 to a full turn, to some 2e-8 rad: only to find beams, which are then
/// tested exactly. The polynomial is 4.4.49 of Abramowitz and Stegun's handbook.
#[inline(always)]
pub(super) fn rough_angle(x: f64, y: f64) -> f64 {
    let (across, up) = (x.abs(), y.abs());
    let z = smaller(across, up) / larger(larger(across, up), 1e-300);
    let s = z * z;
    let mut p = 0.002_866_225_7;
    for c in [
        -0.016_165_736_7,
        0.042_909_613_8,
        -0.075_289_64,
        0.106_562_639_3,
        -0.142_088_994_4,
        0.199_935_508_5,
        -0.333_331_452_8,
        1.0,
    ] {
        p = p * s + c;
    }
    let a = z * p;
    let a = if up > across { FRAC_PI_2 - a } else { a };
    let a = if x < 0.0 { PI - a } else { a };
    if y < 0.0 { TAU - a } else { a }
}

impl<const CODES: bool> Sweep<'_, CODES> {
    /// Where between the beams a vector from the origin points, roughly: 0 to a full turn.
    #[inline(always)]
    fn beam_of(&self, v: Vec2) -> f64 {
        rough_angle(v.dot(self.first), self.first.cross(v)) * self.over_step
    }

    /// Ranges of beams from `low` to `high`, which may pass the beginning or the end of a turn.
    #[inline(always)]
    pub(super) fn spans(&self, low: f64, high: f64) -> [Option<(i64, i64)>; 3] {
        let cut = |low: f64, high: f64| {
            let (from, to) = (larger(low.ceil(), 0.0) as i64, high.floor() as i64);
            let to = to.min(self.beams - 1);
            (from <= to).then_some((from, to))
        };
        [
            if high >= 0.0 { cut(low, high) } else { None },
            if high >= self.turn { cut(low - self.turn, high - self.turn) } else { None },
            if low < 0.0 { cut(low + self.turn, high + self.turn) } else { None },
        ]
    }

    /// Takes an edge that faces the origin.
    #[inline(always)]
    pub(super) fn push(&mut self, edge: &OutlineEdge) {
        let (a, b) = (edge.from() - self.origin, edge.to() - self.origin);
        let h = a.cross(edge.along());
        if h >= edge.most_h() {
            return;
        }
        let batch = &mut self.s.batch;
        let l = batch.len % LANES;
        (batch.ax[l], batch.ay[l], batch.bx[l], batch.by[l]) = (a.x, a.y, b.x, b.y);
        (batch.ex[l], batch.ey[l], batch.h[l]) = (edge.along().x, edge.along().y, h);
        batch.code[l] = edge.code();
        batch.len = l + 1;
        if l + 1 == LANES {
            self.flush();
        }
    }

    /// Draws the edges of the batch.
    #[inline(always)]
    pub(super) fn flush(&mut self) {
        let len = self.s.batch.len;
        if len == 0 {
            return;
        }
        self.s.batch.len = 0;
        let batch = &self.s.batch;
        let (mut mx, mut my) = ([0.0; LANES], [0.0; LANES]);
        let (mut left, mut right) = ([0.0; LANES], [0.0; LANES]);
        let (fx, fy) = (self.first.x, self.first.y);
        for l in 0..LANES {
            let over_h = 1.0 / batch.h[l];
            mx[l] = batch.ey[l] * over_h;
            my[l] = batch.ex[l] * over_h;
            let (ax, ay, bx, by) = (batch.ax[l], batch.ay[l], batch.bx[l], batch.by[l]);
            left[l] = rough_angle(ax * fx + ay * fy, ay * fx - ax * fy) * self.over_step;
            right[l] = rough_angle(bx * fx + by * fy, by * fx - bx * fy) * self.over_step;
        }
        for l in 0..len {
            // From the right end counter-clockwise to the left one, less than half a turn.
            let width = left[l] - right[l];
            let width = if width < 0.0 { width + self.turn } else { width };
            let width = if width > 0.5 * self.turn + 1.0 + self.rough { 0.0 } else { width };
            let (low, high) = (right[l] - self.rough, right[l] + width + self.rough);
            let a = Vec2::new(self.s.batch.ax[l], self.s.batch.ay[l]);
            let b = Vec2::new(self.s.batch.bx[l], self.s.batch.by[l]);
            let code = self.s.batch.code[l];
            for (from, to) in self.spans(low, high).into_iter().flatten() {
                self.draw((a, b), (mx[l], my[l]), code, (from, to));
            }
        }
    }

    #[inline(always)]
    fn direction(&self, beam: i64) -> Vec2 {
        let (g, l) = (beam as usize / LANES, beam as usize % LANES);
        Vec2::new(self.s.dx[g][l], self.s.dy[g][l])
    }

    /// Draws an edge into the beams from `from` to `to`, but for those at the ends that miss it.
    #[inline(always)]
    fn draw(&mut self, (a, b): (Vec2, Vec2), m: (f64, f64), code: u32, ends: (i64, i64)) {
        let (mut from, mut to) = ends;
        while from <= to && b.cross(self.direction(from)) < 0.0 {
            from += 1;
        }
        while from <= to && a.cross(self.direction(to)) >= 0.0 {
            to -= 1;
        }
        if from > to {
            return;
        }
        let (from, to) = (from as usize, to as usize);
        let (first, last) = (from / LANES, to / LANES);
        for g in first..=last {
            let mut inverse = [0.0; LANES];
            for l in 0..LANES {
                inverse[l] = self.s.dx[g][l] * m.0 - self.s.dy[g][l] * m.1;
            }
            if g == first {
                cap(&mut inverse, &FROM[from % LANES]);
            }
            if g == last {
                cap(&mut inverse, &UP_TO[to % LANES]);
            }
            self.keep_nearest(g, &inverse, code);
        }
    }

    #[inline(always)]
    fn keep_nearest(&mut self, g: usize, inverse: &Lanes, code: u32) {
        let best = &mut self.s.inverse[g];
        if CODES {
            let codes = &mut self.s.codes[g];
            let code = u64::from(code);
            for l in 0..LANES {
                let nearer = (inverse[l] > best[l])
                    | ((inverse[l] == best[l]) & (code < codes[l]) & (inverse[l] > 0.0));
                codes[l] = if nearer { code } else { codes[l] };
            }
        }
        for l in 0..LANES {
            best[l] = larger(inverse[l], best[l]);
        }
    }

    #[inline(always)]
    pub(super) fn disc(&mut self, disc: &Disc) {
        let to_center = disc.center - self.origin;
        let power = disc.power(to_center);
        if power <= disc.least_power() {
            return;
        }
        let over_power = 1.0 / power;
        let half = rough_angle(power.sqrt(), disc.radius) * self.over_step + 2.0 * self.rough;
        let middle = self.beam_of(to_center);
        for (from, to) in self.spans(middle - half, middle + half).into_iter().flatten() {
            // Whole groups: beams that miss it get nothing.
            for g in from as usize / LANES..=to as usize / LANES {
                let mut inverse = [0.0; LANES];
                for l in 0..LANES {
                    let d = Vec2::new(self.s.dx[g][l], self.s.dy[g][l]);
                    inverse[l] = disc.inverse_along(to_center, over_power, d);
                }
                self.keep_nearest(g, &inverse, disc.code);
            }
        }
    }
}

#[inline(always)]
fn cap(lanes: &mut Lanes, caps: &Lanes) {
    for l in 0..LANES {
        lanes[l] = smaller(lanes[l], caps[l]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::{atan2, wrap_angle};

    #[test]
    fn rough_angles_are_good_to_a_tenth_of_their_bound() {
        for i in 0..100_000 {
            let angle = f64::from(i) * 6.283e-5;
            let (y, x) = rolima_math::sin_cos(angle);
            let off = wrap_angle(rough_angle(3.0 * x, 3.0 * y) - atan2(y, x));
            assert!(off.abs() < 0.3 * ROUGH, "{angle}: {off:e}");
        }
        assert_eq!(rough_angle(0.0, 0.0), 0.0);
    }
}
