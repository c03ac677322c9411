//! One ray through the cells of a grid.

use super::grid::Grid;
use super::surface::Nearest;
use super::walls::{WIDTH, Walls};
use rolima_math::{Vec2, larger, smaller};

/// Components of directions below this are treated as none: the cells are left by the other axis.
const NO_PART: f64 = 1e-30;

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
        let over = Vec2::new(inverse(direction.x), inverse(direction.y));
        let (min, max) = (grid.min - origin, grid.max() - origin);
        let (start, mut end) = (enter_and_leave(min.x, max.x, direction.x, over.x), range);
        let other = enter_and_leave(min.y, max.y, direction.y, over.y);
        let begin = larger(larger(start.0, other.0), 0.0);
        end = smaller(end, smaller(start.1, other.1));
        if begin > end {
            return None;
        }
        let at = (direction * begin - min) * grid.over_cell;
        let clamp = |x: f64, count: i64| (x as i64).clamp(0, count - 1);
        let (x, y) = (clamp(at.x, grid.columns), clamp(at.y, grid.rows));
        let border = |cell: i64, min: f64, d: f64, over: f64| {
            let line = (cell + i64::from(d > 0.0)) as f64 * grid.cell + min;
            if d.abs() < NO_PART { f64::INFINITY } else { line * over }
        };
        Some(Self {
            cell: y * grid.columns + x,
            next: [border(x, min.x, direction.x, over.x), border(y, min.y, direction.y, over.y)],
            across: [grid.cell * over.x.abs(), grid.cell * over.y.abs()],
            stride: [
                if direction.x > 0.0 { 1 } else { -1 },
                if direction.y > 0.0 { grid.columns } else { -grid.columns },
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
fn inverse(d: f64) -> f64 {
    if d.abs() < NO_PART { 1.0 / NO_PART } else { 1.0 / d }
}

/// Where a ray enters and leaves the slab from `min` to `max`, relative to its origin.
#[inline(always)]
fn enter_and_leave(min: f64, max: f64, d: f64, over: f64) -> (f64, f64) {
    if d.abs() < NO_PART {
        let inside = min <= 0.0 && max >= 0.0;
        return if inside { (0.0, f64::INFINITY) } else { (1.0, -1.0) };
    }
    let (a, b) = (min * over, max * over);
    (smaller(a, b), larger(a, b))
}

impl Walls {
    /// Inverse distance of the nearest wall along a ray, at least `least`.
    #[inline(always)]
    pub(crate) fn cast(&self, origin: Vec2, direction: Vec2, range: f64) -> f64 {
        if self.block_ranges.is_empty() {
            return 0.0;
        }
        let Some(mut walk) = Walk::enter(&self.grid, origin, direction, range) else { return 0.0 };
        let mut lanes = [0.0; WIDTH];
        let mut best = 0.0;
        while let Some(&(from, to)) = self.block_ranges.get(walk.cell as usize) {
            let blocks = self.blocks.get(from as usize..to as usize).unwrap_or(&[]);
            for block in blocks {
                for l in 0..WIDTH {
                    let (ax, ay) = (block.from_x[l] - origin.x, block.from_y[l] - origin.y);
                    let (bx, by) = (block.to_x[l] - origin.x, block.to_y[l] - origin.y);
                    let h = ax * block.along_y[l] - ay * block.along_x[l];
                    let met = (h < block.most_h[l])
                        & (bx * direction.y - by * direction.x >= 0.0)
                        & (ax * direction.y - ay * direction.x < 0.0);
                    let over_h = 1.0 / h;
                    let inverse = direction.x * (block.along_y[l] * over_h)
                        - direction.y * (block.along_x[l] * over_h);
                    let inverse = if met { inverse } else { 0.0 };
                    lanes[l] = larger(inverse, lanes[l]);
                }
            }
            if !blocks.is_empty() {
                best = larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]));
            }
            if !self.discs.is_empty() {
                for &disc in self.disc_lists.of(walk.cell as usize) {
                    let disc = &self.discs[disc as usize];
                    lanes[0] = larger(disc.inverse_distance(origin, direction), lanes[0]);
                }
                best = larger(lanes[0], best);
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
        let Some(mut walk) = Walk::enter(&self.grid, origin, direction, range) else { return };
        loop {
            for &edge in self.edge_lists.of(walk.cell as usize) {
                let edge = &self.edges[edge as usize];
                let inverse = edge.inverse_distance(origin, direction);
                nearest.offer(inverse, edge.code, edge.normal());
            }
            for &disc in self.disc_lists.of(walk.cell as usize) {
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
