//! From a convex polygon of the camera frame to the pixels it covers.
//!
//! Corners are rounded to 1/256 pixel; from there on everything is done in whole numbers. A pixel
//! belongs to a polygon if its centre is inside, or on a left or upper edge: polygons that share
//! corners share no pixel and leave none out.

use crate::camera::CameraView;
use crate::pose::{Point3, add, scale, sub};
use crate::solid::MOST_CORNERS;

/// Parts of a pixel that corners are rounded to, as a power of two.
const SUBPIXEL_BITS: i32 = 8;
const ONE: i64 = 1 << SUBPIXEL_BITS;
const HALF: i32 = 1 << (SUBPIXEL_BITS - 1);
/// Polygons are cut this many pixels beside the picture, so that whole numbers suffice.
const GUARD_PIXELS: f64 = 524_288.0;

/// Each of the five planes can add a corner.
pub(crate) const MOST_CLIPPED: usize = MOST_CORNERS + 5;

/// A polygon that cutting may change, without allocation.
#[derive(Clone, Copy)]
pub(crate) struct Corners {
    pub(crate) at: [Point3; MOST_CLIPPED],
    pub(crate) count: usize,
}

impl Corners {
    pub(crate) const EMPTY: Self = Self { at: [[0.0; 3]; MOST_CLIPPED], count: 0 };

    #[inline]
    pub(crate) fn push(&mut self, p: Point3) {
        if let Some(slot) = self.at.get_mut(self.count) {
            *slot = p;
            self.count += 1;
        }
    }

    /// Cuts away what is before the near plane or far beside the picture.
    pub(crate) fn clip(&mut self, view: &CameraView) {
        let (gx, gy) = (GUARD_PIXELS / view.fx, GUARD_PIXELS / view.fy);
        let near = view.near;
        if self.at[..self.count].iter().any(|p| p[2] < near) {
            self.cut(|p| p[2] - near);
        }
        let beside = |p: &Point3| p[0].abs() > gx * p[2] || p[1].abs() > gy * p[2];
        if self.at[..self.count].iter().any(beside) {
            self.cut(|p| gx * p[2] - p[0]);
            self.cut(|p| gx * p[2] + p[0]);
            self.cut(|p| gy * p[2] - p[1]);
            self.cut(|p| gy * p[2] + p[1]);
        }
    }

    pub(crate) fn any(&self, is: impl Fn(Point3) -> bool) -> bool {
        self.at[..self.count].iter().any(|&p| is(p))
    }

    /// Keeps the side where `inside` is not negative.
    pub(crate) fn cut(&mut self, inside: impl Fn(&Point3) -> f64) {
        let old = *self;
        self.count = 0;
        for i in 0..old.count {
            let (a, b) = (old.at[i], old.at[(i + 1) % old.count]);
            let (va, vb) = (inside(&a), inside(&b));
            if va >= 0.0 {
                self.push(a);
            }
            // Always from the inner end: both neighbours of an edge find the same point.
            if va >= 0.0 && vb < 0.0 {
                self.push(add(a, scale(sub(b, a), va / (va - vb))));
            } else if va < 0.0 && vb >= 0.0 {
                self.push(add(b, scale(sub(a, b), vb / (vb - va))));
            }
        }
    }

    /// Corners in the picture, in 1/256 pixel, of a clipped polygon.
    #[inline]
    pub(crate) fn project(&self, view: &CameraView, out: &mut Flat) {
        out.count = self.count;
        for (p, corner) in self.at[..self.count].iter().zip(&mut out.at) {
            let inverse = 1.0 / p[2];
            let place =
                |x: f64, f: f64, c: f64| ((x * inverse * f + c) * 256.0 + 0.5).floor() as i32;
            *corner = [place(p[0], view.fx, view.cx), place(p[1], view.fy, view.cy)];
        }
    }
}

/// A polygon in the picture.
#[derive(Clone, Copy)]
pub(crate) struct Flat {
    pub(crate) at: [[i32; 2]; MOST_CLIPPED],
    pub(crate) count: usize,
}

impl Flat {
    pub(crate) const EMPTY: Self = Self { at: [[0; 2]; MOST_CLIPPED], count: 0 };

    /// Pixels (left, top, right, bottom; the last two exclusive) around the covered ones, or nothing
    /// if none is in a picture of the given size.
    pub(crate) fn bounds(&self, width: usize, height: usize) -> Option<[i32; 4]> {
        let points = self.at[..self.count].iter();
        let [mut l, mut t, mut r, mut b] = [i32::MAX, i32::MAX, i32::MIN, i32::MIN];
        for &[x, y] in points {
            (l, t, r, b) = (l.min(x), t.min(y), r.max(x), b.max(y));
        }
        if self.count < 3 {
            return None;
        }
        let [l, r] = [l, r].map(|x| pixel(x).clamp(0, width as i32));
        let [t, b] = [t, b].map(|y| pixel(y).clamp(0, height as i32));
        (l < r && t < b).then_some([l, t, r, b])
    }

    /// Twice the area, negative for polygons that run counter-clockwise to the eye.
    pub(crate) fn area(&self) -> i64 {
        let n = self.count;
        let term = |i: usize| {
            let ([x0, y0], [x1, y1]) = (self.at[i], self.at[(i + 1) % n]);
            i64::from(x0) * i64::from(y1) - i64::from(x1) * i64::from(y0)
        };
        (0..n).map(term).sum()
    }

    /// True if the outline goes down once and up once, so that every row has one span.
    pub(crate) fn is_monotonous(&self) -> bool {
        let n = self.count;
        let (mut turns, mut last, mut first) = (0, 0, 0);
        for i in 0..n {
            let step = (self.at[(i + 1) % n][1] - self.at[i][1]).signum();
            if step != 0 {
                turns += i32::from(last != 0 && step != last);
                first = if first == 0 { step } else { first };
                last = step;
            }
        }
        turns + i32::from(first != last) <= 2
    }

    /// The triangle of corner 0 and two others.
    pub(crate) fn fan(&self, i: usize) -> Self {
        let mut out = Self { count: 3, ..Self::EMPTY };
        out.at[..3].copy_from_slice(&[self.at[0], self.at[i], self.at[i + 1]]);
        out
    }

    /// Writes first and end column of every covered row, for a polygon that runs counter-clockwise
    /// to the eye; columns may lie outside of the picture. Rows are `spans`' own. Returns the rows.
    pub(crate) fn scan(&self, spans: &mut [[i32; 2]]) -> std::ops::Range<usize> {
        let n = self.count;
        let (mut top, mut bottom) = (i32::MAX, i32::MIN);
        for i in 0..n {
            let (a, b) = (self.at[i], self.at[(i + 1) % n]);
            (top, bottom) = (top.min(a[1]), bottom.max(a[1]));
            if a[1] < b[1] {
                walk(a, b, 0, spans);
            } else if a[1] > b[1] {
                walk(b, a, 1, spans);
            }
        }
        let row = |y: i32| pixel(y).clamp(0, spans.len() as i32) as usize;
        if n < 3 { 0..0 } else { row(top)..row(bottom) }
    }
}

/// The first pixel whose centre is not before a coordinate.
#[inline(always)]
fn pixel(x: i32) -> i32 {
    (x + HALF - 1) >> SUBPIXEL_BITS
}

/// Writes, for every row whose centre an edge crosses, the first column not left of the crossing.
#[inline]
fn walk(top: [i32; 2], bottom: [i32; 2], side: usize, spans: &mut [[i32; 2]]) {
    let (first, end) = (pixel(top[1]).max(0), pixel(bottom[1]).min(spans.len() as i32));
    if first >= end {
        return;
    }
    let [x, y] = top.map(i64::from);
    let (dx, dy) = (i64::from(bottom[0]) - x, i64::from(bottom[1]) - y);
    // The column is the ceiling of n / d; quotient and remainder are then carried from row to row.
    let d = dy * ONE;
    let n =
        (x - i64::from(HALF)) * dy + (i64::from(first) * ONE + i64::from(HALF) - y) * dx + d - 1;
    let (mut quotient, mut remainder) = (n.div_euclid(d), n.rem_euclid(d));
    let (whole, part) = (dx.div_euclid(dy), dx.rem_euclid(dy) * ONE);
    for span in &mut spans[first as usize..end as usize] {
        span[side] = quotient as i32;
        quotient += whole;
        remainder += part;
        if remainder >= d {
            remainder -= d;
            quotient += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    const SIDE: i32 = 64;

    fn covered(points: &[[i32; 2]], count: &mut [u8]) {
        let mut flat = Flat { count: points.len(), ..Flat::EMPTY };
        flat.at[..points.len()].copy_from_slice(points);
        if flat.area() == 0 {
            return;
        }
        if flat.area() > 0 {
            flat.at[..points.len()].reverse();
        }
        let mut spans = [[0; 2]; SIDE as usize];
        for row in flat.scan(&mut spans) {
            for column in spans[row][0].max(0)..spans[row][1].min(SIDE) {
                count[row * SIDE as usize + column as usize] += 1;
            }
        }
    }

    /// A square split into triangles around random points, many of them on pixel centres.
    #[test]
    fn triangles_that_share_edges_cover_every_pixel_once() {
        let mut random = Stream::new(7, 0, "watertight");
        for case in 0..2_000 {
            let grid = if case % 2 == 0 { 128 } else { 1 };
            let end = SIDE * 256;
            let mut place = || {
                let at = random.between(0.0, f64::from(end)) as i32;
                (at / grid * grid).clamp(1, end - 1)
            };
            let mut triangles =
                vec![[[0, 0], [end, 0], [end, end]], [[0, 0], [end, end], [0, end]]];
            for _ in 0..20 {
                let p = [place(), place()];
                let side = |a: [i32; 2], b: [i32; 2]| {
                    let f = |v: i32| i64::from(v);
                    (f(b[0]) - f(a[0])) * (f(p[1]) - f(a[1]))
                        - (f(b[1]) - f(a[1])) * (f(p[0]) - f(a[0]))
                };
                // Splits the triangle around p, if p is strictly within one.
                let Some(i) =
                    triangles.iter().position(|t| (0..3).all(|i| side(t[i], t[(i + 1) % 3]) > 0))
                else {
                    continue;
                };
                let [a, b, c] = triangles.swap_remove(i);
                triangles.extend([[a, b, p], [b, c, p], [c, a, p]]);
            }
            let mut count = vec![0; (SIDE * SIDE) as usize];
            triangles.iter().for_each(|t| covered(t, &mut count));
            assert!(count.iter().all(|&c| c == 1), "case {case}: {triangles:?}");
        }
    }

    #[test]
    fn left_and_upper_edges_belong_to_a_polygon_and_right_and_lower_ones_do_not() {
        // From the centre of pixel (2, 3) to that of (5, 7).
        let (l, t, r, b) = (2 * 256 + 128, 3 * 256 + 128, 5 * 256 + 128, 7 * 256 + 128);
        let mut count = vec![0; (SIDE * SIDE) as usize];
        covered(&[[l, t], [r, t], [r, b], [l, b]], &mut count);
        for (i, &c) in count.iter().enumerate() {
            let (x, y) = (i as i32 % SIDE, i as i32 / SIDE);
            assert_eq!(c, u8::from((2..5).contains(&x) && (3..7).contains(&y)), "{x} {y}");
        }
    }

    #[test]
    fn an_edge_that_begins_far_outside_crosses_rows_where_it_should() {
        let far = -(1 << 27);
        let mut spans = [[0; 2]; 64];
        walk([far, far], [-far, -far], 0, &mut spans);
        for (row, span) in spans.iter().enumerate() {
            assert_eq!(span[0], row as i32);
        }
    }
}
