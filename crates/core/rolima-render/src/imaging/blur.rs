//! A lens that is not quite sharp: a Gaussian over neighbouring pixels.

use super::rows_of;
use crate::rects::PictureRect;
use rolima_math::exp;

/// Standard deviations after which a Gaussian ends.
const ENDS: f64 = 3.0;
/// Sum of the weights: a power of two.
const WHOLE_BITS: u32 = 12;
/// Bits beyond a byte that are kept between the two directions.
const KEPT_BITS: u32 = 8;

/// Weights of neighbouring pixels.
pub(super) struct Blur {
    /// From the pixel itself outwards.
    weights: Vec<u32>,
    /// Rows that are blurred across, not yet down.
    across: Vec<u16>,
}

impl Blur {
    /// Of a standard deviation, pixels.
    pub(super) fn new(sigma: f64) -> Self {
        let reach = (ENDS * sigma).ceil() as u32;
        let share = |i: u32| exp(-0.5 * f64::from(i) * f64::from(i) / (sigma * sigma));
        let sum = share(0) + 2.0 * (1..=reach).map(share).sum::<f64>();
        let whole = 1 << WHOLE_BITS;
        let weight = |i: u32| (share(i) / sum * f64::from(whole)).round() as u32;
        let mut weights: Vec<u32> = (0..=reach).map(weight).collect();
        // What rounding leaves goes to the pixel itself, so that even light stays as bright.
        weights[0] = whole - 2 * weights[1..].iter().sum::<u32>();
        Self { weights, across: vec![] }
    }

    /// How far a pixel is mixed with others.
    pub(super) fn reach(&self) -> u32 {
        self.weights.len() as u32 - 1
    }

    /// Mixes the pixels of a rectangle, with those around it, into a picture so many pixels wide. At the picture's
    /// edges the last pixel goes on.
    pub(super) fn mix(
        &mut self,
        pixels: &[u8],
        (around, rect): (&PictureRect, &PictureRect),
        picture_width: u32,
        rgb: &mut [u8],
    ) {
        let (wide, high) = (around.width() as usize, around.height() as usize);
        let (width, left) = (rect.width() as usize, (rect.left - around.left) as usize);
        let top = (rect.top - around.top) as usize;
        self.across.clear();
        for row in pixels.chunks_exact(3 * wide) {
            for column in left..left + width {
                for c in 0..3 {
                    let at = |column: usize| u32::from(row[3 * column + c]);
                    let mut sum = self.weights[0] * at(column);
                    for (i, weight) in self.weights.iter().enumerate().skip(1) {
                        let (before, after) =
                            (column.saturating_sub(i), (column + i).min(wide - 1));
                        sum += weight * (at(before) + at(after));
                    }
                    self.across.push((sum >> (WHOLE_BITS - KEPT_BITS)) as u16);
                }
            }
        }
        let half = 1 << (WHOLE_BITS + KEPT_BITS - 1);
        for (i, out) in rows_of(rect, picture_width).enumerate() {
            let row = top + i;
            let line = |row: usize| &self.across[3 * width * row..3 * width * (row + 1)];
            for (k, out) in rgb[out].iter_mut().enumerate() {
                let mut sum = self.weights[0] * u32::from(line(row)[k]);
                for (i, weight) in self.weights.iter().enumerate().skip(1) {
                    let (before, after) = (row.saturating_sub(i), (row + i).min(high - 1));
                    sum += weight * (u32::from(line(before)[k]) + u32::from(line(after)[k]));
                }
                *out = ((sum + half) >> (WHOLE_BITS + KEPT_BITS)) as u8;
            }
        }
    }
}
