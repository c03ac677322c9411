//! Bounds of slopes and heights over rectangles: what lets the contact search skip most of a rim.
//!
//! A pyramid over the cells: level 0 has one entry a cell, every further level one for 2 x 2 of the
//! level below. In a cell the slope along x is linear in y, so its bounds are those of two edges.

use super::Grid;
use rolima_math::{larger, smaller};

/// Bounds of slopes and heights over a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slopes {
    /// Least slopes along x and y.
    pub least: [f64; 2],
    /// Largest slopes along x and y.
    pub most: [f64; 2],
    /// Largest height, m.
    pub top: f64,
}

impl Slopes {
    /// The most that the surface can rise along `way`, m, within the rectangle.
    #[inline(always)]
    pub fn rise(&self, [x, y]: [f64; 2]) -> f64 {
        larger(self.least[0] * x, self.most[0] * x) + larger(self.least[1] * y, self.most[1] * y)
    }
}

/// Single precision, rounded outwards: half the memory, and still bounds.
#[derive(Clone, Copy, Debug)]
struct Entry {
    least: [f32; 2],
    most: [f32; 2],
    top: f32,
}

const NOTHING: Entry = Entry { least: [f32::MAX; 2], most: [f32::MIN; 2], top: f32::MIN };

impl Entry {
    #[inline(always)]
    fn joined(self, o: Self) -> Self {
        let low = |a: f32, b: f32| if a < b { a } else { b };
        let high = |a: f32, b: f32| if a > b { a } else { b };
        Self {
            least: [low(self.least[0], o.least[0]), low(self.least[1], o.least[1])],
            most: [high(self.most[0], o.most[0]), high(self.most[1], o.most[1])],
            top: high(self.top, o.top),
        }
    }
}

#[derive(Clone, Debug)]
struct Level {
    nx: usize,
    ny: usize,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
pub(super) struct Bounds {
    levels: Vec<Level>,
}

impl Bounds {
    pub(super) fn new(grid: &Grid, inverse_cell: [f64; 2]) -> Self {
        let (nx, ny) = (grid.nx - 1, grid.ny - 1);
        let mut entries = Vec::with_capacity(nx * ny);
        for j in 0..ny {
            for i in 0..nx {
                let at = j * grid.nx + i;
                let z = [0, 1, grid.nx, grid.nx + 1].map(|o| grid.values[at + o]);
                let along_x = [z[1] - z[0], z[3] - z[2]].map(|d| d * inverse_cell[0]);
                let along_y = [z[2] - z[0], z[3] - z[1]].map(|d| d * inverse_cell[1]);
                // A little more than rounding can be off, then outwards to single precision.
                let down = |a: f64, b: f64| outwards(smaller(a, b), -1.0);
                let up = |a: f64, b: f64| outwards(larger(a, b), 1.0);
                entries.push(Entry {
                    least: [down(along_x[0], along_x[1]), down(along_y[0], along_y[1])],
                    most: [up(along_x[0], along_x[1]), up(along_y[0], along_y[1])],
                    top: up(larger(z[0], z[1]), larger(z[2], z[3])),
                });
            }
        }
        let mut levels = vec![Level { nx, ny, entries }];
        while let Some(below) = levels.last().filter(|l| l.nx > 1 || l.ny > 1) {
            let (nx, ny) = (below.nx.div_ceil(2), below.ny.div_ceil(2));
            let mut entries = vec![NOTHING; nx * ny];
            for j in 0..below.ny {
                for i in 0..below.nx {
                    let into = &mut entries[(j / 2) * nx + i / 2];
                    *into = into.joined(below.entries[j * below.nx + i]);
                }
            }
            levels.push(Level { nx, ny, entries });
        }
        Self { levels }
    }

    /// Over the rectangle between two points, in cells. Beyond the border the surface is level in
    /// one direction, so there zero is a slope too.
    #[inline]
    pub(super) fn over(&self, min: [f64; 2], max: [f64; 2]) -> Slopes {
        let extent = larger(max[0] - min[0], max[1] - min[1]);
        // A level on which the rectangle spans at most three entries each way.
        let mut level = 0;
        let mut span = extent;
        while span > 2.0 && level + 1 < self.levels.len() {
            span *= 0.5;
            level += 1;
        }
        let Level { nx, ny, ref entries } = self.levels[level];
        let index = |x: f64, n: usize| (larger(x, 0.0) as u32 as usize >> level).min(n - 1);
        let (i0, i1) = (index(min[0], nx), index(max[0], nx));
        let (j0, j1) = (index(min[1], ny), index(max[1], ny));
        let mut all = NOTHING;
        for j in j0..=j1 {
            for entry in &entries[j * nx + i0..=j * nx + i1] {
                all = all.joined(*entry);
            }
        }
        let cells = [self.levels[0].nx, self.levels[0].ny].map(|n| n as f64);
        let outside = min[0] < 0.0 || min[1] < 0.0 || max[0] > cells[0] || max[1] > cells[1];
        let margin = if outside { 0.0 } else { f64::MAX };
        Slopes {
            least: all.least.map(|g| smaller(f64::from(g), margin)),
            most: all.most.map(|g| larger(f64::from(g), -margin)),
            top: f64::from(all.top),
        }
    }
}

/// The next single-precision number beyond `x` in the direction of `sign`, with room for rounding.
fn outwards(x: f64, sign: f64) -> f32 {
    let moved = x + sign * (x.abs() * 1e-14 + 1e-14);
    let near = moved as f32;
    if sign > 0.0 { near.next_up() } else { near.next_down() }
}

#[cfg(test)]
mod tests {
    use super::super::{Terrain, TerrainSpec};
    use rolima_math::{Stream, Vec2};

    #[test]
    fn no_rise_between_two_points_exceeds_the_bound() {
        let mut random = Stream::new(3, 0, "bounds");
        let mut heights = Stream::new(4, 0, "heights");
        let (min, max) = (Vec2::new(-3.0, -2.0), Vec2::new(4.0, 3.0));
        let mut spec = TerrainSpec::from_function(min, max, 37, 23, |_, _| 0.0);
        spec.heights.values.iter_mut().for_each(|z| *z = heights.between(-0.2, 0.3));
        let terrain = Terrain::new(spec).unwrap();
        for _ in 0..20_000 {
            // Some rectangles reach beyond the border.
            let corner = Vec2::new(random.between(-3.5, 4.0), random.between(-2.5, 3.0));
            let size = Vec2::new(random.between(0.0, 0.9), random.between(0.0, 0.5));
            let slopes = terrain.slopes(corner, corner + size);
            let mut point =
                || corner + Vec2::new(size.x * random.uniform(), size.y * random.uniform());
            let (a, b) = (point(), point());
            let rise = terrain.height(b.x, b.y) - terrain.height(a.x, a.y);
            assert!(rise <= slopes.rise([b.x - a.x, b.y - a.y]) + 1e-12);
            assert!(terrain.height(a.x, a.y) <= slopes.top);
        }
    }
}
