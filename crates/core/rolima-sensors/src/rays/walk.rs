//! One ray through the cells of a grid.

use super::grid::Grid;
use super::lookout::List;
use super::surface::{Nearest, OutlineEdge};
use super::walls::{EdgeBlock, PlaneWalls, WIDTH};
use rolima_math::{Vec2, larger, smaller};

/// Components of directions are at least this large for the walk, so that none divides by zero.
const LEAST_PART: f64 = 1e-30;

/// A ray on its way through a grid.
pub(crate) struct Walk {
    /// Number of the cell; may be anything once the ray has left.
    pub(crate) cell: i64,
    next: [f64; 2],
    across: [f64; 2],
    stride: [i64; 2],
    limit: f64,
}

impl Walk {
    /// From where the ray meets the grid; none if it passes by.
    #[inline(always)]
    pub(crate) fn enter(grid: &Grid, origin: Vec2, direction: Vec2, range: f64) -> Option<Self> {
        let over = Vec2::new(1.0 / not_zero(direction.x), 1.0 / not_zero(direction.y));
        let (min, max) = (grid.min - origin, grid.max - origin);
        let (x0, x1, y0, y1) = (min.x * over.x, max.x * over.x, min.y * over.y, max.y * over.y);
        let begin = larger(larger(smaller(x0, x1), smaller(y0, y1)), 0.0);
        let end = smaller(smaller(larger(x0, x1), larger(y0, y1)), range);
        if begin > end || grid.columns == 0 {
            return None;
        }
        let at = (direction * begin - min) * grid.over_cell;
        let x = (at.x as i64).clamp(0, grid.columns - 1);
        let y = (at.y as i64).clamp(0, grid.rows - 1);
        let border = |cell: i64, min: f64, d: f64, over: f64| {
            ((cell + i64::from(d > 0.0)) as f64 * grid.cell + min) * over
        };
        Some(Self {
            cell: y * grid.columns + x,
            next: [border(x, min.x, over.x, over.x), border(y, min.y, over.y, over.y)],
            across: [grid.cell * over.x.abs(), grid.cell * over.y.abs()],
            stride: [
                if over.x > 0.0 { 1 } else { -1 },
                if over.y > 0.0 { grid.columns } else { -grid.columns },
            ],
            limit: end,
        })
    }

    /// Where the ray leaves the cell.
    #[inline(always)]
    pub(crate) fn leaves(&self) -> f64 {
        smaller(self.next[0], self.next[1])
    }

    /// On to the next cell; false at the end of the grid or of the range.
    #[inline(always)]
    pub(crate) fn step(&mut self) -> bool {
        let along_y = self.next[1] < self.next[0];
        let leaves = self.leaves();
        // Selected, not branched: which way it goes is not to be foretold.
        self.cell += if along_y { self.stride[1] } else { self.stride[0] };
        self.next[0] += if along_y { 0.0 } else { self.across[0] };
        self.next[1] += if along_y { self.across[1] } else { 0.0 };
        leaves < self.limit
    }
}

#[inline(always)]
fn not_zero(d: f64) -> f64 {
    if d.abs() < LEAST_PART { LEAST_PART } else { d }
}

/// The portable way of testing a block of edges.
pub(super) mod portable {
    use super::*;

    /// Which edges the ray meets, a bit each.
    #[inline(always)]
    pub(in super::super) fn met(block: &EdgeBlock, o: Vec2, d: Vec2) -> u32 {
        let mut bits = 0;
        for l in 0..WIDTH {
            let (ax, ay) = (block.from_x[l] - o.x, block.from_y[l] - o.y);
            let (bx, by) = (block.to_x[l] - o.x, block.to_y[l] - o.y);
            let h = ax * block.along_y[l] - ay * block.along_x[l];
            let met =
                (h < block.most_h[l]) & (bx * d.y - by * d.x >= 0.0) & (ax * d.y - ay * d.x < 0.0);
            bits |= u32::from(met) << l;
        }
        bits
    }

    /// Inverse distance of the nearest wall, by a walk; out of line, as few rays need it.
    #[inline(never)]
    pub(in super::super) fn walk(walls: &PlaneWalls, o: Vec2, d: Vec2, range: f64) -> f64 {
        walls.walk(o, d, range, met)
    }

    /// Inverse distance of the nearest edge of a list; zero for none.
    #[inline(always)]
    pub(in super::super) fn nearest(edges: &[OutlineEdge], list: &List, o: Vec2, d: Vec2) -> f64 {
        let mut best = 0.0;
        for &edge in &list.edges {
            best = larger(edges[usize::from(edge)].inverse_distance(o, d), best);
        }
        best
    }
}

/// The same with 256-bit vectors, written out: the compiler would make halves of them.
#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    use super::*;
    use core::arch::x86_64::*;

    /// Which edges the ray meets, a bit each.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn met(block: &EdgeBlock, o: Vec2, d: Vec2) -> u32 {
        let load = |a: &[f64; WIDTH]| _mm256_setr_pd(a[0], a[1], a[2], a[3]);
        let (ox, oy) = (_mm256_set1_pd(o.x), _mm256_set1_pd(o.y));
        let (dx, dy) = (_mm256_set1_pd(d.x), _mm256_set1_pd(d.y));
        let cross = |ax, ay, bx, by| _mm256_sub_pd(_mm256_mul_pd(ax, by), _mm256_mul_pd(ay, bx));
        let ax = _mm256_sub_pd(load(&block.from_x), ox);
        let ay = _mm256_sub_pd(load(&block.from_y), oy);
        let bx = _mm256_sub_pd(load(&block.to_x), ox);
        let by = _mm256_sub_pd(load(&block.to_y), oy);
        let h = cross(ax, ay, load(&block.along_x), load(&block.along_y));
        let zero = _mm256_setzero_pd();
        let met = _mm256_and_pd(
            _mm256_cmp_pd::<_CMP_LT_OQ>(h, load(&block.most_h)),
            _mm256_and_pd(
                _mm256_cmp_pd::<_CMP_GE_OQ>(cross(bx, by, dx, dy), zero),
                _mm256_cmp_pd::<_CMP_LT_OQ>(cross(ax, ay, dx, dy), zero),
            ),
        );
        _mm256_movemask_pd(met) as u32
    }

    /// Inverse distance of the nearest wall, by a walk; out of line, as few rays need it.
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn walk(walls: &PlaneWalls, o: Vec2, d: Vec2, range: f64) -> f64 {
        walls.walk(o, d, range, |block, o, d| met(block, o, d))
    }

    /// Inverse distance of the nearest of four edges, in one of the lanes.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn four(edges: [&OutlineEdge; 4], o: Vec2, d: Vec2) -> __m256d {
        let [a, b, c, e] = edges;
        let row = |e: &OutlineEdge, half: usize| {
            #[allow(unsafe_code)]
            // SAFETY: a reference to four numbers is a pointer to as many bytes as are loaded.
            unsafe {
                _mm256_loadu_pd(e.halves[half].as_ptr())
            }
        };
        let rows = |half| transposed([row(a, half), row(b, half), row(c, half), row(e, half)]);
        let [from_x, from_y, to_x, to_y] = rows(0);
        let [ex, ey, most_h, _] = rows(1);
        let (ox, oy) = (_mm256_set1_pd(o.x), _mm256_set1_pd(o.y));
        let (dx, dy) = (_mm256_set1_pd(d.x), _mm256_set1_pd(d.y));
        let cross = |ax, ay, bx, by| _mm256_sub_pd(_mm256_mul_pd(ax, by), _mm256_mul_pd(ay, bx));
        let (ax, ay) = (_mm256_sub_pd(from_x, ox), _mm256_sub_pd(from_y, oy));
        let (bx, by) = (_mm256_sub_pd(to_x, ox), _mm256_sub_pd(to_y, oy));
        let h = cross(ax, ay, ex, ey);
        let zero = _mm256_setzero_pd();
        let met = _mm256_and_pd(
            _mm256_cmp_pd::<_CMP_LT_OQ>(h, most_h),
            _mm256_and_pd(
                _mm256_cmp_pd::<_CMP_GE_OQ>(cross(bx, by, dx, dy), zero),
                _mm256_cmp_pd::<_CMP_LT_OQ>(cross(ax, ay, dx, dy), zero),
            ),
        );
        let over_h = _mm256_div_pd(_mm256_set1_pd(1.0), h);
        let inverse = cross(dx, dy, _mm256_mul_pd(ex, over_h), _mm256_mul_pd(ey, over_h));
        _mm256_and_pd(inverse, met)
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn transposed([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
        let (ab0, ab1) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (cd0, cd1) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(ab0, cd0),
            _mm256_permute2f128_pd::<0x20>(ab1, cd1),
            _mm256_permute2f128_pd::<0x31>(ab0, cd0),
            _mm256_permute2f128_pd::<0x31>(ab1, cd1),
        ]
    }

    /// Inverse distance of the nearest edge of a list; zero for none.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(in super::super) fn nearest(edges: &[OutlineEdge], list: &List, o: Vec2, d: Vec2) -> f64 {
        let edge = |i: usize| &edges[usize::from(list.edges[i])];
        let low = four([edge(0), edge(1), edge(2), edge(3)], o, d);
        let high = four([edge(4), edge(5), edge(6), edge(7)], o, d);
        let both = _mm256_max_pd(low, high);
        let pairs = _mm_max_pd(_mm256_castpd256_pd128(both), _mm256_extractf128_pd::<1>(both));
        _mm_cvtsd_f64(_mm_max_sd(pairs, _mm_unpackhi_pd(pairs, pairs)))
    }
}

impl EdgeBlock {
    /// Inverse distance at which a ray meets the nearest of these edges, all of which it meets.
    #[inline(always)]
    fn nearest(&self, mut met: u32, o: Vec2, d: Vec2) -> f64 {
        let mut best = 0.0;
        while met != 0 {
            let l = met.trailing_zeros() as usize % WIDTH;
            let (ax, ay) = (self.from_x[l] - o.x, self.from_y[l] - o.y);
            let over_h = 1.0 / (ax * self.along_y[l] - ay * self.along_x[l]);
            let inverse = d.x * (self.along_y[l] * over_h) - d.y * (self.along_x[l] * over_h);
            best = larger(inverse, best);
            met &= met - 1;
        }
        best
    }
}

impl PlaneWalls {
    /// The list of what may be seen from a place in a direction.
    #[inline(always)]
    pub(crate) fn lookout(&self, origin: Vec2, direction: Vec2) -> Option<&List> {
        let at = (origin - self.fine.grid.min) * self.fine.grid.over_cell;
        // Saturating to 32 bits takes fewer instructions than to 64.
        let (x, y) = (at.x as i32, at.y as i32);
        let inside = (at.x >= 0.0)
            & (at.y >= 0.0)
            & (i64::from(x) < self.fine.grid.columns)
            & (i64::from(y) < self.fine.grid.rows);
        if !inside {
            return None;
        }
        let cell = i64::from(y) * self.fine.grid.columns + i64::from(x);
        self.lookouts.list(cell as usize, direction)
    }

    /// Inverse distance of the nearest wall along a ray; zero for none. `met` tells which edges of
    /// a block the ray meets, in whatever vectors the caller has.
    #[inline(always)]
    fn walk(
        &self,
        origin: Vec2,
        direction: Vec2,
        range: f64,
        met: impl Fn(&EdgeBlock, Vec2, Vec2) -> u32,
    ) -> f64 {
        let Some(mut walk) = Walk::enter(&self.fine.grid, origin, direction, range) else {
            return 0.0;
        };
        let mut best = 0.0;
        while let Some(&(from, to)) = self.block_ranges.get(walk.cell as usize) {
            for block in self.blocks.get(from as usize..to as usize).unwrap_or(&[]) {
                // Few blocks are met before the last: distances wait until one is.
                let met = met(block, origin, direction);
                if met != 0 {
                    best = larger(block.nearest(met, origin, direction), best);
                }
            }
            if !self.discs.is_empty() {
                for &disc in self.fine.discs.of(walk.cell as usize) {
                    let disc = &self.discs[disc as usize];
                    best = larger(disc.inverse_distance(origin, direction), best);
                }
            }
            if best * walk.leaves() >= 1.0 || !walk.step() {
                break;
            }
        }
        best
    }

    /// The nearest wall along a ray.
    #[inline(always)]
    pub(crate) fn cast_thing(
        &self,
        (origin, direction): (Vec2, Vec2),
        range: f64,
        nearest: &mut Nearest,
    ) {
        if self.block_ranges.is_empty() {
            return;
        }
        let Some(mut walk) = Walk::enter(&self.fine.grid, origin, direction, range) else { return };
        loop {
            for &edge in self.fine.edges.of(walk.cell as usize) {
                let edge = &self.edges[edge as usize];
                let inverse = edge.inverse_distance(origin, direction);
                nearest.offer(inverse, edge.code(), edge.normal());
            }
            for &disc in self.fine.discs.of(walk.cell as usize) {
                let disc = &self.discs[disc as usize];
                let inverse = disc.inverse_distance(origin, direction);
                if inverse > 0.0 {
                    let normal = disc.normal(origin, direction, inverse);
                    nearest.offer(inverse, disc.code, normal);
                }
            }
            // A little farther than the hit: what lies as near counts too, by its code.
            if nearest.inverse * walk.leaves() > 1.0 + 1e-9 || !walk.step() {
                return;
            }
        }
    }
}
