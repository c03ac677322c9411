//! Slices of both rims of a wheel, solved side by side.

use crate::search::RimSearch;
use rolima_math::{larger, smaller};

/// Compressions of four neighbouring slices, as far as they are known already.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    first: usize,
    h: [f64; 4],
    good: [bool; 4],
}

impl Known {
    #[cfg(test)]
    pub(crate) const NOTHING: Self = Self { first: 0, h: [0.0; 4], good: [false; 4] };

    #[inline(always)]
    pub(crate) fn get(&self, k: usize, solve: impl FnOnce() -> f64) -> f64 {
        let at = k.wrapping_sub(self.first);
        if at < 4 && self.good[at & 3] { self.h[at & 3] } else { solve() }
    }
}

/// Points of both rims that are solved at once: four each.
const BATCH: usize = 8;

/// Solves the guessed slices of both rims, their neighbours and one more, side by side: in
/// vectors but for the loads. What leaves its cell on the way is left to [`RimSearch::solve`].
#[inline(always)]
pub(crate) fn batch(rims: &[RimSearch<'_>; 2], starts: [usize; 2]) -> [Known; 2] {
    let terrain = rims[0].terrain;
    let last = rims[0].rim.slices - 1;
    let starts = starts.map(|s| s.clamp(1, last - 1));
    let mut slices = [0usize; BATCH];
    let first = starts.map(|start| (start - 1).min(last - 3));
    for (i, first) in first.into_iter().enumerate() {
        slices[4 * i..4 * i + 4].copy_from_slice(&[first, first + 1, first + 2, first + 3]);
    }
    let (n, b) = (rims[0].n, rims[0].b);
    let mut sin = [0.0; BATCH];
    let mut cos = [0.0; BATCH];
    for l in 0..BATCH {
        sin[l] = rims[0].radius * rims[0].rim.sin[slices[l]];
        cos[l] = rims[0].radius * rims[0].rim.cos[slices[l]];
    }
    // In cells from the terrain's corner.
    let cells = terrain.cells();
    let [kx, ky] = cells.per_metre;
    let centre = [0, 1].map(|i| {
        let c = rims[i].centre;
        [(c.x - cells.corner[0]) * kx, (c.y - cells.corner[1]) * ky, c.z]
    });
    let (nx, ny, bx, by) = (n.x * kx, n.y * ky, b.x * kx, b.y * ky);
    let mut place = [[0.0; BATCH]; 5];
    let mut index = [[0u64; BATCH]; 2];
    for l in 0..BATCH {
        let c = if l < 4 { centre[0] } else { centre[1] };
        let x = c[0] + nx * sin[l] - bx * cos[l];
        let y = c[1] + ny * sin[l] - by * cos[l];
        let (cell_x, i) = whole_part(x, cells.most[0]);
        let (cell_y, j) = whole_part(y, cells.most[1]);
        (place[0][l], place[1][l]) = (x - cell_x, y - cell_y);
        place[2][l] = c[2] + n.z * sin[l] - b.z * cos[l];
        (index[0][l], index[1][l]) = (i, j);
    }
    let mut corners = [[0.0; BATCH]; 4];
    for l in 0..BATCH {
        let four = cells.corners(index[0][l], index[1][l]);
        for c in 0..4 {
            corners[c][l] = four[c];
        }
    }
    let mut h = [0.0; BATCH];
    let mut inside = [false; BATCH];
    for l in 0..BATCH {
        let [z00, z10, z01, z11] = [corners[0][l], corners[1][l], corners[2][l], corners[3][l]];
        let (u, v) = (place[0][l], place[1][l]);
        let (a, c) = (z10 - z00, z01 - z00);
        let twist = (z11 - z01) - a;
        let over = place[2][l] - (z00 + a * u + (c + twist * u) * v);
        let rise = b.z - ((a + twist * v) * bx + (c + twist * u) * by);
        let bend = twist * bx * by;
        let root = larger(rise * rise + 4.0 * bend * over, 0.0).sqrt();
        let step = -2.0 * over / (rise + root);
        let (u1, v1) = (u + step * bx, v + step * by);
        h[l] = step;
        let low = smaller(smaller(u, v), smaller(u1, v1));
        let high = larger(larger(u, v), larger(u1, v1));
        inside[l] = low >= 0.0 && high <= 1.0 && rise > 0.05;
    }
    [0, 1].map(|i| {
        let at = |l: usize| 4 * i + l;
        Known {
            first: first[i],
            h: core::array::from_fn(|l| h[at(l)]),
            good: core::array::from_fn(|l| inside[at(l)]),
        }
    })
}

/// The whole part of `x`, from 0 to `most`, as both kinds of number. Added to 1.5 2^52, a number
/// is rounded to a whole one, whose low bits are then those of an integer.
#[inline(always)]
fn whole_part(x: f64, most: f64) -> (f64, u64) {
    const ROUND: f64 = 6_755_399_441_055_744.0;
    let shifted = smaller(larger(x - 0.5, 0.0), most) + ROUND;
    (shifted - ROUND, shifted.to_bits() & 0xFFFF_FFFF)
}
