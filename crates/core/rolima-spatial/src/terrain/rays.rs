//! Rays on the terrain: the very surface that wheels feel, saddle by saddle.
//!
//! A ray walks through the cells; in each, its height over the bilinear surface is a quadratic of
//! the distance, whose first root within the cell is the hit. Where the ray is surely above all
//! ground around it, cells are passed over; that changes no bit of the hit.

use super::{Edge, Terrain};
use rolima_math::{Vec2, Vec3, larger, smaller};

/// Cells that are walked until it is tried again to pass some over.
const TRY_EVERY: u32 = 16;

/// Fewest cells that are passed over.
const FEWEST_PASSED: f64 = 4.0;

/// Most looks for cells to pass over at a time.
const MOST_LOOKS: u32 = 24;

/// Where a ray meets the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TerrainHit {
    /// Distance from the origin, m (in lengths of the direction).
    pub distance: f64,
    /// The point, m.
    pub point: Vec3,
    /// Unit normal of the ground there, upwards.
    pub normal: Vec3,
}

impl Terrain {
    /// First point of the ground on a ray of at most `range` lengths of `direction`, from above or
    /// below. Where the terrain ends at its edge, there is nothing to hit beyond.
    pub fn cast(&self, origin: Vec3, direction: Vec3, range: f64) -> Option<TerrainHit> {
        self.walk(origin, direction, range, true)
    }

    /// The walk, which passes cells over or not.
    fn walk(&self, origin: Vec3, direction: Vec3, range: f64, passes: bool) -> Option<TerrainHit> {
        if !(origin.is_finite() && direction.is_finite() && range >= 0.0) {
            return None;
        }
        let min = self.spec().min;
        let inverse = self.inverse_cell();
        let grid = &self.spec().heights;
        let cells = [grid.nx as i64 - 1, grid.ny as i64 - 1];
        let start = [(origin.x - min.x) * inverse[0], (origin.y - min.y) * inverse[1]];
        let cells_per_metre = [direction.x * inverse[0], direction.y * inverse[1]];
        // Beyond the border lies one more cell each way, without end.
        let cell_at = |distance: f64| {
            [0, 1].map(|a| {
                let place = start[a] + cells_per_metre[a] * distance;
                let clamped = smaller(larger(place, -1.0), cells[a] as f64);
                let floor = clamped as i64 - i64::from((clamped as i64) as f64 > clamped);
                floor.clamp(-1, cells[a])
            })
        };
        let mut cell = cell_at(0.0);
        let mut from = 0.0;
        let mut to_try = 0;
        for _ in 0..cells[0] + cells[1] + 8 {
            if passes && to_try == 0 {
                to_try = TRY_EVERY;
                let clear = self.clear_until(origin, direction, (from, range));
                if clear >= range {
                    return None;
                }
                if clear > from {
                    // A hair before, so that rounding does not lead into the next cell.
                    cell = cell_at(clear * (1.0 - 1e-12));
                    // Where the ray enters that cell, as the walk would have it.
                    for a in 0..2 {
                        let border = if cells_per_metre[a] > 0.0 { cell[a] } else { cell[a] + 1 };
                        if cells_per_metre[a] != 0.0 && border >= 0 && border <= cells[a] {
                            from = larger(from, (border as f64 - start[a]) / cells_per_metre[a]);
                        }
                    }
                }
            }
            to_try -= 1;
            // Where the ray leaves the cell, and through which side.
            let mut leaves = [f64::INFINITY; 2];
            for a in 0..2 {
                let border = if cells_per_metre[a] > 0.0 { cell[a] + 1 } else { cell[a] };
                let inside = border >= 0 && border <= cells[a];
                if cells_per_metre[a] != 0.0 && inside {
                    leaves[a] = (border as f64 - start[a]) / cells_per_metre[a];
                }
            }
            let axis = usize::from(leaves[1] < leaves[0]);
            let to = smaller(larger(leaves[axis], from), range);
            let within = cell[0] >= 0 && cell[1] >= 0 && cell[0] < cells[0] && cell[1] < cells[1];
            if (within || self.spec().edge == Edge::Extended)
                && let Some(distance) = self.first_root(origin, direction, cell, (from, to))
            {
                let point = origin + direction * distance;
                return Some(TerrainHit { distance, point, normal: self.normal(point.x, point.y) });
            }
            if leaves[axis] >= range {
                return None;
            }
            from = to;
            cell[axis] += if cells_per_metre[axis] > 0.0 { 1 } else { -1 };
            if cell[axis] < -1 || cell[axis] > cells[axis] {
                return None;
            }
        }
        None
    }

    /// How far a ray that has come to a distance is surely above the ground; at most to the range.
    fn clear_until(&self, origin: Vec3, direction: Vec3, (from, range): (f64, f64)) -> f64 {
        let inverse = self.inverse_cell();
        let rate = larger((direction.x * inverse[0]).abs(), (direction.y * inverse[1]).abs());
        let at = |distance: f64| origin + direction * distance;
        let (mut clear, mut length) = (from, range - from);
        for _ in 0..MOST_LOOKS {
            let end = smaller(clear + length, range);
            let (a, b) = (at(clear), at(end));
            let low = Vec2::new(smaller(a.x, b.x), smaller(a.y, b.y));
            let high = Vec2::new(larger(a.x, b.x), larger(a.y, b.y));
            let top = self.slopes(low, high).top;
            if smaller(a.z, b.z) > top + 1e-9 * (1.0 + top.abs()) {
                clear = end;
                if clear >= range {
                    return range;
                }
                length *= 2.0;
            } else {
                length *= 0.5;
                if length * rate < FEWEST_PASSED {
                    return clear;
                }
            }
        }
        clear
    }

    /// Where the ray first meets the surface of one cell (which goes on beyond the border, level
    /// outwards), between two distances.
    fn first_root(
        &self,
        origin: Vec3,
        direction: Vec3,
        cell: [i64; 2],
        (from, to): (f64, f64),
    ) -> Option<f64> {
        let grid = &self.spec().heights;
        let (min, inverse) = (self.spec().min, self.inverse_cell());
        let last = [grid.nx as i64 - 2, grid.ny as i64 - 2];
        let [i, j] = [0, 1].map(|a| cell[a].clamp(0, last[a]) as usize);
        let at = j * grid.nx + i;
        let z = [0, 1, grid.nx, grid.nx + 1].map(|o| grid.values[at + o]);
        let (a, b, c) = (z[1] - z[0], z[2] - z[0], (z[3] - z[2]) - (z[1] - z[0]));
        // Place in the cell at `from`, and its change with distance; constant beyond the border.
        let place = |axis: usize, x: f64, dx: f64, low: f64, index: usize| {
            let free = (x + dx * from - low) * inverse[axis] - index as f64;
            if cell[axis] < 0 {
                (0.0, 0.0)
            } else if cell[axis] > last[axis] {
                (1.0, 0.0)
            } else {
                (smaller(larger(free, 0.0), 1.0), dx * inverse[axis])
            }
        };
        let (u, du) = place(0, origin.x, direction.x, min.x, i);
        let (v, dv) = place(1, origin.y, direction.y, min.y, j);
        // Height of the ray over the surface: p + q s + r s s, with s from 0 to `to - from`.
        let p = origin.z + direction.z * from - (z[0] + a * u + (b + c * u) * v);
        let q = direction.z - ((a + c * v) * du + (b + c * u) * dv);
        let r = -c * du * dv;
        let length = to - from;
        if p == 0.0 {
            return Some(from);
        }
        let discriminant = q * q - 4.0 * p * r;
        if discriminant < 0.0 {
            return None;
        }
        // The stable pair of roots.
        let k = -0.5 * (q + discriminant.sqrt().copysign(q));
        let roots =
            [if k != 0.0 { p / k } else { f64::NAN }, if r != 0.0 { k / r } else { f64::NAN }];
        let slack = 1e-12 * (1.0 + length);
        let good = roots.into_iter().filter(|s| *s >= 0.0 && *s <= length + slack);
        good.reduce(smaller).map(|s| from + s)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Hills, TerrainSpec};
    use super::*;
    use rolima_math::Stream;

    fn hills() -> Terrain {
        Terrain::new(Hills { nodes: 60, ..Hills::default() }.terrain().unwrap()).unwrap()
    }

    #[test]
    fn a_ray_hits_the_surface_that_wheels_feel_and_nothing_before() {
        let terrain = hills();
        let mut random = Stream::new(9, 0, "rays");
        let mut hits = 0;
        for _ in 0..3_000 {
            let mut between = |a: f64, b: f64| random.between(a, b);
            let origin = Vec3::new(between(-25.0, 25.0), between(-25.0, 25.0), between(-1.0, 4.0));
            let direction = Vec3::new(between(-1.0, 1.0), between(-1.0, 1.0), between(-0.3, 0.1))
                .unit_or(Vec3::new(1.0, 0.0, 0.0));
            let over = |s: f64| {
                let p = origin + direction * s;
                p.z - terrain.height(p.x, p.y)
            };
            let found = terrain.cast(origin, direction, 30.0);
            let end = found.map_or(30.0, |hit| hit.distance);
            if let Some(hit) = found {
                hits += 1;
                assert!(over(hit.distance).abs() < 1e-9, "{}", over(hit.distance));
                assert!((hit.normal.length() - 1.0).abs() < 1e-12 && hit.normal.z > 0.0);
            }
            for k in 0..400 {
                let s = end * (f64::from(k) + 0.5) / 400.0 - 1e-7;
                assert!(s <= 0.0 || over(s) * over(0.0) > 0.0, "passed through at {s} of {end}");
            }
        }
        assert!(hits > 1_500, "{hits}");
    }

    #[test]
    fn passing_cells_over_changes_no_bit() {
        let terrain = hills();
        let mut random = Stream::new(5, 0, "rays");
        let mut hits = 0;
        for _ in 0..20_000 {
            let mut within = |most: f64| random.between(-most, most);
            let origin = Vec3::new(within(9.0), within(9.0), within(2.0));
            let direction = Vec3::new(within(1.0), within(1.0), within(0.2));
            let direction = direction.unit_or(Vec3::new(1.0, 0.0, 0.0));
            let hit = terrain.cast(origin, direction, 15.0);
            assert_eq!(hit, terrain.walk(origin, direction, 15.0, false));
            hits += u32::from(hit.is_some());
        }
        assert!((5_000..19_000).contains(&hits), "{hits}");
    }

    #[test]
    fn straight_down_is_the_height() {
        let terrain = hills();
        let hit =
            terrain.cast(Vec3::new(1.23, -4.56, 9.0), Vec3::new(0.0, 0.0, -1.0), 20.0).unwrap();
        assert!((9.0 - hit.distance - terrain.height(1.23, -4.56)).abs() < 1e-12);
    }

    #[test]
    fn beyond_an_edge_that_ends_there_is_nothing() {
        let mut spec = TerrainSpec::flat(2.0);
        let down = |spec: &TerrainSpec, x: f64| {
            let terrain = Terrain::new(spec.clone()).unwrap();
            terrain.cast(Vec3::new(x, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0), 5.0).map(|h| h.distance)
        };
        assert_eq!((down(&spec, 0.5), down(&spec, 1.5)), (Some(1.0), Some(1.0)));
        spec.edge = Edge::Ends;
        assert_eq!((down(&spec, 0.5), down(&spec, 1.5)), (Some(1.0), None));
        // From outside onto it.
        let terrain = Terrain::new(spec).unwrap();
        let hit = terrain.cast(Vec3::new(-3.0, 0.0, 1.0), Vec3::new(1.0, 0.0, -0.4), 9.0).unwrap();
        assert!((hit.point - Vec3::new(-0.5, 0.0, 0.0)).length() < 1e-12);
        let _ = Vec2::ZERO;
    }
}
