//! Convex polygons of a plane, sorted by place: which of them lie over a point.
//!
//! Paint lies on rough ground where its polygon lies in plan; so a pixel's place decides, and the
//! paint can neither float over the surface nor sink into it.

use rolima_math::{larger, smaller};

/// Cells along a side at most.
const MOST_CELLS: f64 = 512.0;
/// Marks entries of polygons that cover the whole cell: no need to look at their sides.
const WHOLE: u32 = 1 << 31;

/// How finely polygons are sorted: entries of all cells at most, about, and how many more for each
/// polygon. What stays is sorted more finely than what is sorted anew for every picture.
pub(crate) const FINE: [f64; 2] = [262_144.0, 64.0];
pub(crate) const COARSE: [f64; 2] = [1024.0, 8.0];

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
        drape.sort(FINE);
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
    pub(crate) fn sort(&mut self, [entries, each]: [f64; 2]) {
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
        let most_entries = entries + each * boxes.len() as f64;
        let mut side = MOST_CELLS;
        let covered = |side: f64| -> f64 {
            let along = |b: &[[f64; 2]; 2], a: usize| (b[1][a] - b[0][a]) / size[a] * side + 2.0;
            boxes.iter().map(|b| along(b, 0) * along(b, 1)).sum()
        };
        while side > 1.0 && covered(side) > most_entries {
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
        assert!(boxes.len() < WHOLE as usize, "fewer polygons than memory holds");
        for (polygon, [low, high]) in boxes.iter().enumerate().rev() {
            let index = |at: f64, a: usize| {
                (((at - self.min[a]) * self.per_metre[a]) as usize).min(self.cells[a] - 1)
            };
            for j in index(low[1], 1)..=index(high[1], 1) {
                for i in index(low[0], 0)..=index(high[0], 0) {
                    let [some, all] = self.covers(polygon, [i, j]);
                    if some {
                        let mark = if all { WHOLE } else { 0 };
                        found(j * self.cells[0] + i, polygon as u32 | mark);
                    }
                }
            }
        }
    }

    /// Whether a polygon may cover some of a cell (it has no side with the whole cell outside of
    /// it), and whether it covers all of it.
    fn covers(&self, polygon: usize, cell: [usize; 2]) -> [bool; 2] {
        // A little larger than it is, for rounding may put points of its rim into it.
        let size = self.per_metre.map(|p| 1.0 / p);
        let low = [0, 1].map(|a| self.min[a] + (cell[a] as f64 - 1e-6) * size[a]);
        let high = [0, 1].map(|a| low[a] + 1.000_002 * size[a]);
        let mut found = [true; 2];
        for [a, b, c] in self.sides_of(polygon) {
            let ends = [[a * low[0], a * high[0]], [b * low[1], b * high[1]]];
            let most = larger(ends[0][0], ends[0][1]) + larger(ends[1][0], ends[1][1]) + c;
            let least = smaller(ends[0][0], ends[0][1]) + smaller(ends[1][0], ends[1][1]) + c;
            found = [found[0] && most >= 0.0, found[1] && least >= 0.0];
        }
        found
    }

    fn sides_of(&self, polygon: usize) -> &[Side] {
        let first = if polygon == 0 { 0 } else { self.ends[polygon - 1] as usize };
        &self.sides[first..self.ends[polygon] as usize]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The first of the polygons over a point, the last one foremost, that `good` likes.
    #[inline(always)]
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
        let over = |entry: u32| {
            let mut sides = self.sides_of((entry & !WHOLE) as usize).iter();
            entry & WHOLE != 0 || sides.all(|[a, b, c]| a * x + b * y + c >= 0.0)
        };
        let found = entries.iter().find(|&&e| over(e) && good((e & !WHOLE) as usize));
        found.map(|entry| (entry & !WHOLE) as usize)
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
