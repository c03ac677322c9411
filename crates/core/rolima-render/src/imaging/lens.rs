//! Where the pixels of a distorted picture come from.

use super::rows_of;
use crate::camera::Lens;
use crate::rects::PictureRect;
use rolima_math::{atan, tan};
use rolima_model::ImagingSpec;

/// Parts of a pixel that places are rounded to.
const PARTS: f64 = 256.0;
/// Points of a rectangle's edge whose places are looked up are at most so far apart, pixels. Between them the edge
/// bends by far less than the margin.
const EDGE_STEP: u32 = 8;
const MARGIN: f64 = 2.0;

/// Where a pixel comes from: the upper left of four pixels of the source, and how far to the right and down of it.
#[derive(Clone, Copy)]
struct Tap {
    at: u32,
    x: u8,
    y: u8,
}

/// Where each pixel of a distorted picture comes from.
pub(super) struct Remap {
    /// Of the picture that it is drawn from.
    pub(super) source: Lens,
    imaging: ImagingSpec,
    size: [u32; 2],
    focal: [f64; 2],
    taps: Vec<Tap>,
}

impl Remap {
    /// Of a lens whose opening and distortion were checked.
    pub(super) fn new(imaging: &ImagingSpec, lens: &Lens) -> Self {
        let (width, height) = (f64::from(lens.width), f64::from(lens.height));
        let focal = [
            0.5 * width / tan(0.5 * lens.horizontal_fov),
            0.5 * height / tan(0.5 * lens.vertical_fov),
        ];
        let (mut places, mut far) = (vec![], [0.5 * width, 0.5 * height]);
        for row in 0..lens.height {
            for column in 0..lens.width {
                let x = (f64::from(column) + 0.5 - 0.5 * width) / focal[0];
                let y = (f64::from(row) + 0.5 - 0.5 * height) / focal[1];
                let [x, y] = imaging.undistorted([x, y]).unwrap_or([x, y]);
                let place = [x * focal[0], y * focal[1]];
                for axis in 0..2 {
                    far[axis] = rolima_math::larger(far[axis], place[axis].abs());
                }
                places.push(place);
            }
        }
        // A pixel more on each side, so that there are always four to take the mean of.
        let wide = far.map(|half| 2 * (half + 2.0).ceil() as u32);
        let opening = [0, 1].map(|i| 2.0 * atan(0.5 * f64::from(wide[i]) / focal[i]));
        let source = Lens {
            width: wide[0],
            height: wide[1],
            horizontal_fov: opening[0],
            vertical_fov: opening[1],
            near: lens.near,
        };
        let tap = |[x, y]: [f64; 2]| {
            let place = |at: f64, size: u32| {
                let at = ((at + 0.5 * f64::from(size) - 0.5) * PARTS + 0.5).floor() as u32;
                (at / PARTS as u32, (at % PARTS as u32) as u8)
            };
            let ((column, x), (row, y)) = (place(x, wide[0]), place(y, wide[1]));
            Tap { at: row * wide[0] + column, x, y }
        };
        let taps = places.into_iter().map(tap).collect();
        Self { source, imaging: *imaging, size: [lens.width, lens.height], focal, taps }
    }

    /// Where something is seen that is within a rectangle of the source.
    pub(super) fn seen_in(&self, rect: &PictureRect) -> PictureRect {
        if rect.is_empty() {
            return *rect;
        }
        // A pixel is made of its neighbours in the source.
        let rect = rect.grown(1, self.source.width, self.source.height);
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let mut see = |column: u32, row: u32| {
            let place =
                |at: u32, size: u32, focal: f64| (f64::from(at) - 0.5 * f64::from(size)) / focal;
            let x = place(column, self.source.width, self.focal[0]);
            let y = place(row, self.source.height, self.focal[1]);
            let seen = self.imaging.distorted([x, y]);
            for axis in 0..2 {
                let at = seen[axis] * self.focal[axis] + 0.5 * f64::from(self.size[axis]);
                low[axis] = rolima_math::smaller(low[axis], at);
                high[axis] = rolima_math::larger(high[axis], at);
            }
        };
        let along = |from: u32, to: u32| (from..to).step_by(EDGE_STEP as usize).chain([to]);
        for column in along(rect.left, rect.right) {
            see(column, rect.top);
            see(column, rect.bottom);
        }
        for row in along(rect.top, rect.bottom) {
            see(rect.left, row);
            see(rect.right, row);
        }
        // The casts saturate.
        let first = |axis: usize| ((low[axis] - MARGIN).floor() as u32).min(self.size[axis]);
        let end = |axis: usize| ((high[axis] + MARGIN).ceil() as u32).min(self.size[axis]);
        PictureRect { left: first(0), top: first(1), right: end(0), bottom: end(1) }
    }

    /// What of the source a rectangle is made from.
    pub(super) fn needed(&self, rect: &PictureRect) -> PictureRect {
        let mut needed = PictureRect { left: u32::MAX, top: u32::MAX, right: 0, bottom: 0 };
        for row in rows_of(rect, self.size[0]) {
            for tap in &self.taps[row.start / 3..row.end / 3] {
                let (column, row) = (tap.at % self.source.width, tap.at / self.source.width);
                needed.left = needed.left.min(column);
                needed.right = needed.right.max(column + 2);
                needed.top = needed.top.min(row);
                needed.bottom = needed.bottom.max(row + 2);
            }
        }
        needed
    }

    /// Adds the distorted pixels of a rectangle to a list.
    pub(super) fn warp(&self, rect: &PictureRect, source: &[u8], out: &mut Vec<u8>) {
        let below = 3 * self.source.width as usize;
        for row in rows_of(rect, self.size[0]) {
            for tap in &self.taps[row.start / 3..row.end / 3] {
                let at = 3 * tap.at as usize;
                let (upper, lower) = (&source[at..at + 6], &source[at + below..at + below + 6]);
                let (x, y) = (u32::from(tap.x), u32::from(tap.y));
                let mean = |c: usize| {
                    let across =
                        |row: &[u8]| u32::from(row[c]) * (256 - x) + u32::from(row[c + 3]) * x;
                    ((across(upper) * (256 - y) + across(lower) * y + (1 << 15)) >> 16) as u8
                };
                out.extend_from_slice(&[mean(0), mean(1), mean(2)]);
            }
        }
    }

    /// What lies nearest to each pixel in the source.
    pub(super) fn pick<T: Copy>(&self, source: &[T], out: &mut [T]) {
        for (tap, out) in self.taps.iter().zip(out) {
            let right = usize::from(tap.x >= 128);
            let down = if tap.y >= 128 { self.source.width as usize } else { 0 };
            *out = source[tap.at as usize + right + down];
        }
    }
}
