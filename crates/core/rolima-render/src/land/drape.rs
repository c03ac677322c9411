//! Convex polygons of a plane, sorted by place: which of them lie over a point.
//!
//! Paint lies on rough ground where its polygon lies in plan; so a pixel's place decides, and the
//! paint can neither float over the surface nor sink into it.

use rolima_math::{larger, smaller};

/// Entries of all cells at most, besides one a polygon.
const MOST_ENTRIES: f64 = 4e6;
/// Cells along a side at most.
const MOST_CELLS: f64 = 512.0;

/// A side: a x + b y + c is not negative inside.
type Side = [f64; 3];

#[derive(Clone, Debug, Default)]
pub(crate) struct Drape {
    sides: Vec<Side>,
    /// End of each polygon's sides.
    ends: Vec<u32>,
    /// Smallest and largest coordinates of each.
    boxes: Vec<[[f64; 2]; 2]>,
    min: [f64; 2],
    per_metre: [f64; 2],
    cells: [usize; 2],
    /// Where each cell's polygons begin in `entries`, and the end of the last.
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Drape {
    /// Of polygons that run counter-clockwise.
    pub(crate) fn new<'a>(polygons: impl Iterator<Item = &'a [[f64; 2]]>) -> Self {
        let mut drape = Self::default();
        polygons.for_each(|polygon| drape.push(polygon));
        drape.sort();
        drape
    }

    /// Forgets all polygons, but not their memory.
    pub(crate) fn clear(&mut self) {
        self.sides.clear();
        self.ends.clear();
        self.boxes.clear();
        self.starts.clear();
        self.entries.clear();
        self.cells = [0; 2];
    }

    /// Adds a polygon that runs counter-clockwise, to be found after [`Drape::sort`].
    pub(crate) fn push(&mut self, polygon: &[[f64; 2]]) {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (i, a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % polygon.len()];
            let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
            // A little wider than it is, so that polygons that share a side leave no gap.
            let slack = 1e-9 * (dx.abs() + dy.abs()) + 1e-12;
            self.sides.push([-dy, dx, dy * a[0] - dx * a[1] + slack]);
            for axis in 0..2 {
                low[axis] = smaller(low[axis], a[axis]);
                high[axis] = larger(high[axis], a[axis]);
            }
        }
        self.ends.push(self.sides.len() as u32);
        self.boxes.push([low, high]);
    }

    /// Sorts all polygons by place.
    pub(crate) fn sort(&mut self) {
        if self.boxes.is_empty() {
            return;
        }
        let boxes = std::mem::take(&mut self.boxes);
        let fold = |corner: usize, axis: usize, pick: fn(f64, f64) -> f64, start: f64| {
            boxes.iter().map(|b| b[corner][axis]).fold(start, pick)
        };
        let min = [0, 1].map(|a| fold(0, a, smaller, f64::INFINITY));
        let max = [0, 1].map(|a| fold(1, a, larger, f64::NEG_INFINITY));
        let size = [0, 1].map(|a| (max[a] - min[a]).max(1e-6));
        // A few cells to a polygon, fewer if polygons are so large that entries would be too many.
        let mut side = (8.0 * boxes.len() as f64).sqrt().ceil().clamp(1.0, MOST_CELLS);
        let covered = |side: f64| -> f64 {
            let along = |b: &[[f64; 2]; 2], a: usize| (b[1][a] - b[0][a]) / size[a] * side + 2.0;
            boxes.iter().map(|b| along(b, 0) * along(b, 1)).sum()
        };
        while side > 1.0 && covered(side) > MOST_ENTRIES {
            side = (side / 2.0).ceil();
        }
        self.min = min;
        self.cells = [side as usize; 2];
        self.per_metre = size.map(|s| side / s);
        // Counts, then places: entry `starts[cell]` of each cell's polygons is the next free one.
        let mut starts = std::mem::take(&mut self.starts);
        starts.clear();
        starts.resize(self.cells[0] * self.cells[1] + 1, 0);
        self.each_entry(&boxes, |cell, _| starts[cell + 1] += 1);
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut entries = std::mem::take(&mut self.entries);
        entries.clear();
        entries.resize(starts[starts.len() - 1] as usize, 0);
        self.each_entry(&boxes, |cell, polygon| {
            entries[starts[cell] as usize] = polygon;
            starts[cell] += 1;
        });
        // Every start has moved to the next cell's.
        starts.rotate_right(1);
        starts[0] = 0;
        (self.boxes, self.starts, self.entries) = (boxes, starts, entries);
    }

    /// Calls `found` for every polygon of every cell: those that come later first, for later paint
    /// covers earlier paint.
    fn each_entry(&self, boxes: &[[[f64; 2]; 2]], mut found: impl FnMut(usize, u32)) {
        for (polygon, [low, high]) in boxes.iter().enumerate().rev() {
            let index = |at: f64, a: usize| {
                (((at - self.min[a]) * self.per_metre[a]) as usize).min(self.cells[a] - 1)
            };
            for j in index(low[1], 1)..=index(high[1], 1) {
                for i in index(low[0], 0)..=index(high[0], 0) {
                    if self.reaches(polygon, [i, j]) {
                        found(j * self.cells[0] + i, polygon as u32);
                    }
                }
            }
        }
    }

    /// False if a polygon has a side with a whole cell outside of it.
    fn reaches(&self, polygon: usize, cell: [usize; 2]) -> bool {
        let low = [0, 1].map(|a| self.min[a] + cell[a] as f64 / self.per_metre[a]);
        let size = self.per_metre.map(|p| 1.0 / p);
        self.sides_of(polygon).iter().all(|[a, b, c]| {
            let most = |k: f64, at: f64, size: f64| larger(k * (at - 1e-6 * size), k * (at + size));
            most(*a, low[0], size[0] * 1.000_001) + most(*b, low[1], size[1] * 1.000_001) + c >= 0.0
        })
    }

    fn sides_of(&self, polygon: usize) -> &[Side] {
        let first = if polygon == 0 { 0 } else { self.ends[polygon - 1] as usize };
        &self.sides[first..self.ends[polygon] as usize]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The first of the polygons over a point, the last one foremost, that `good` likes.
    #[inline]
    pub(crate) fn find(&self, [x, y]: [f64; 2], good: impl Fn(usize) -> bool) -> Option<usize> {
        let i = (x - self.min[0]) * self.per_metre[0];
        let j = (y - self.min[1]) * self.per_metre[1];
        // Also what is not a number is nowhere.
        let inside = i >= 0.0 && j >= 0.0 && i <= self.cells[0] as f64 && j <= self.cells[1] as f64;
        if !inside || self.ends.is_empty() {
            return None;
        }
        let [i, j] = [(i, 0), (j, 1)].map(|(at, a)| (at as usize).min(self.cells[a] - 1));
        let cell = j * self.cells[0] + i;
        let entries = &self.entries[self.starts[cell] as usize..self.starts[cell + 1] as usize];
        let over = |polygon: usize| {
            self.sides_of(polygon).iter().all(|[a, b, c]| a * x + b * y + c >= 0.0)
        };
        entries.iter().map(|&p| p as usize).find(|&p| over(p) && good(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    #[test]
    fn the_last_polygon_over_a_point_is_found_whatever_their_sizes() {
        let mut random = Stream::new(5, 0, "drape");
        let mut polygons: Vec<Vec<[f64; 2]>> = vec![];
        for i in 0..300 {
            let size = if i % 50 == 0 { 20.0 } else { 1.0 };
            let (x, y) = (random.between(-30.0, 30.0), random.between(-9.0, 9.0));
            let corner = |k: u32| {
                let (s, c) = rolima_math::sin_cos(f64::from(k) * 1.1 + x);
                [x + size * c, y + 0.5 * size * s]
            };
            polygons.push((0..5).map(corner).collect());
        }
        let drape = Drape::new(polygons.iter().map(|p| &p[..]));
        let inside = |polygon: &[[f64; 2]], p: [f64; 2]| {
            (0..polygon.len()).all(|i| {
                let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
                (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0
            })
        };
        let mut found = 0;
        for _ in 0..20_000 {
            let p = [random.between(-40.0, 40.0), random.between(-15.0, 15.0)];
            let expected = polygons.iter().rposition(|polygon| inside(polygon, p));
            assert_eq!(drape.find(p, |_| true), expected, "{p:?}");
            found += usize::from(expected.is_some());
        }
        assert!(found > 5_000, "{found}");
        assert_eq!(drape.find([f64::NAN, 0.0], |_| true), None);
        assert_eq!(Drape::default().find([0.0, 0.0], |_| true), None);
    }
}
