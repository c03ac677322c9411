//! A uniform grid: which things lie in which cells.

use rolima_math::Vec2;

/// How far things are registered beyond their cells, as a share of a cell: far more than the
/// rounding of positions along a ray, so that no ray passes a cell corner on the wrong side.
const MARGIN: f64 = 1e-4;

/// Cells of a rectangle, row by row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Grid {
    pub(crate) min: Vec2,
    pub(crate) max: Vec2,
    pub(crate) cell: f64,
    pub(crate) over_cell: f64,
    pub(crate) columns: i64,
    pub(crate) rows: i64,
}

impl Grid {
    /// A grid over a rectangle with cells of about `cell` m, larger ones if there would be more
    /// than `most` of them.
    pub(crate) fn over(min: Vec2, max: Vec2, cell: f64, most: usize) -> Self {
        let size = Vec2::new((max.x - min.x).max(1e-6), (max.y - min.y).max(1e-6));
        let mut cell = cell.max(1e-6);
        while (size.x / cell + 1.0) * (size.y / cell + 1.0) > most.max(4) as f64 {
            cell *= 1.25;
        }
        // A margin all around, in which nothing begins exactly at the border.
        let border = 2.0 * MARGIN * cell;
        let count = |length: f64| ((length + 2.0 * border) / cell).ceil().max(1.0) as i64;
        let (columns, rows) = (count(size.x), count(size.y));
        let min = Vec2::new(min.x - border, min.y - border);
        let max = min + Vec2::new(columns as f64 * cell, rows as f64 * cell);
        Self { min, max, cell, over_cell: 1.0 / cell, columns, rows }
    }

    pub(crate) fn cells(&self) -> usize {
        (self.columns * self.rows) as usize
    }

    /// Column and row of a point, which may lie outside.
    #[inline(always)]
    pub(crate) fn place(&self, point: Vec2) -> (i64, i64) {
        let at = (point - self.min) * self.over_cell;
        // So far away that no cell comes near, and sums of places stay whole numbers.
        let far = 1e12;
        (at.x.floor().clamp(-far, far) as i64, at.y.floor().clamp(-far, far) as i64)
    }

    /// Number of the cell of a point, if it lies inside.
    #[inline]
    pub(crate) fn cell_at(&self, point: Vec2) -> Option<usize> {
        let (x, y) = self.place(point);
        let inside = x >= 0 && y >= 0 && x < self.columns && y < self.rows;
        inside.then(|| (y * self.columns + x) as usize)
    }

    /// Calls with every cell that a rectangle touches: number, middle, half length.
    #[inline]
    pub(crate) fn covered(&self, min: Vec2, max: Vec2, each: impl FnMut(usize, Vec2, f64)) {
        self.touched((min.y, max.y), |_, _| Some((min.x, max.x)), each);
    }

    /// Calls with every cell that a shape touches: number, middle, half length. The shape lies
    /// between `low` and `high` in y, m, and `span` says from where to where it lies in x, m,
    /// between two values of y.
    #[inline]
    pub(crate) fn touched(
        &self,
        (low, high): (f64, f64),
        span: impl Fn(f64, f64) -> Option<(f64, f64)>,
        mut each: impl FnMut(usize, Vec2, f64),
    ) {
        let margin = MARGIN * self.cell;
        let row = |y: f64| self.place(Vec2::new(self.min.x, y)).1;
        let column = |x: f64| self.place(Vec2::new(x, self.min.y)).0;
        let half = (0.5 + MARGIN) * self.cell;
        for y in row(low - margin).max(0)..=row(high + margin).min(self.rows - 1) {
            let foot = self.min.y + y as f64 * self.cell;
            let Some((from, to)) = span(foot - margin, foot + self.cell + margin) else { continue };
            for x in column(from - margin).max(0)..=column(to + margin).min(self.columns - 1) {
                let middle = Vec2::new((x as f64 + 0.5) * self.cell, (y as f64 + 0.5) * self.cell);
                each((y * self.columns + x) as usize, self.min + middle, half);
            }
        }
    }

    /// Rings of cells around a point.
    #[inline]
    pub(crate) fn rings(&self, origin: Vec2) -> Rings {
        let (x, y) = self.place(origin);
        let outside = |i: i64, count: i64| (-i).max(i - (count - 1)).max(0);
        let beyond = |i: i64, count: i64| i.max(count - 1 - i);
        let low = self.min + Vec2::new(x as f64 * self.cell, y as f64 * self.cell);
        let inset = (origin.x - low.x)
            .min(low.x + self.cell - origin.x)
            .min(origin.y - low.y)
            .min(low.y + self.cell - origin.y);
        Rings {
            column: x,
            row: y,
            first: outside(x, self.columns).max(outside(y, self.rows)),
            last: beyond(x, self.columns).max(beyond(y, self.rows)),
            inset: inset.max(0.0),
            cell: self.cell,
        }
    }
}

/// Square rings of cells around the one that holds a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rings {
    pub(crate) column: i64,
    pub(crate) row: i64,
    /// The first ring that meets the grid.
    pub(crate) first: i64,
    /// The last ring that meets it.
    pub(crate) last: i64,
    inset: f64,
    cell: f64,
}

impl Rings {
    /// Distance that the cells of a ring keep at least, m.
    #[inline(always)]
    pub(crate) fn distance(&self, ring: i64) -> f64 {
        if ring == 0 { 0.0 } else { (ring - 1) as f64 * self.cell + self.inset }
    }

    /// The up to four straight runs of a ring inside the grid: first column and row, whether it
    /// goes along a row, number of cells.
    #[inline(always)]
    pub(crate) fn runs(&self, grid: &Grid, ring: i64) -> [(i64, i64, bool, i64); 4] {
        let (x, y, k) = (self.column, self.row, ring);
        let left = (x - k).max(0);
        let wide = (x + k).min(grid.columns - 1) - left + 1;
        let low = (y - k + 1).max(0);
        let high = (y + k - 1).min(grid.rows - 1) - low + 1;
        let row = |y: i64| if y >= 0 && y < grid.rows { wide.max(0) } else { 0 };
        let column = |x: i64| if x >= 0 && x < grid.columns { high.max(0) } else { 0 };
        if k == 0 {
            let none = (0, 0, true, 0);
            return [(left, y, true, if wide > 0 { row(y) } else { 0 }), none, none, none];
        }
        [
            (left, y - k, true, row(y - k)),
            (left, y + k, true, row(y + k)),
            (x - k, low, false, column(x - k)),
            (x + k, low, false, column(x + k)),
        ]
    }
}

/// Lists of items by cell, end to end.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lists {
    /// Where each cell's list begins; one more than there are cells.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Makes room for lists of so many cells and items.
    pub(crate) fn reserve(&mut self, cells: usize, items: usize) {
        self.starts.clear();
        self.starts.reserve(cells + 1);
        self.items.clear();
        self.items.reserve(items);
    }

    /// Sorts pairs of cell and item by cell, items of a cell in the order given. Allocates only
    /// while it grows.
    pub(crate) fn fill(&mut self, cells: usize, pairs: &[(u32, u32)]) {
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for &(cell, _) in pairs {
            self.starts[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.items.clear();
        self.items.resize(pairs.len(), 0);
        // From the back, each start moves down to where its list begins.
        for &(cell, item) in pairs.iter().rev() {
            let start = &mut self.starts[cell as usize];
            *start -= 1;
            self.items[*start as usize] = item;
        }
    }

    /// Entries of all lists.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The items of a cell; none for cells that are not there.
    #[inline(always)]
    pub(crate) fn of(&self, cell: usize) -> &[u32] {
        match (self.starts.get(cell), self.starts.get(cell.wrapping_add(1))) {
            (Some(&from), Some(&to)) => self.items.get(from as usize..to as usize).unwrap_or(&[]),
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_of_their_items() {
        let mut lists = Lists::default();
        lists.fill(3, &[(2, 5), (0, 1), (2, 4), (0, 9)]);
        assert_eq!((lists.of(0), lists.of(1), lists.of(2)), (&[1, 9][..], &[][..], &[5, 4][..]));
        assert!(lists.of(3).is_empty());
    }

    #[test]
    fn rings_visit_every_cell_once_from_inside_and_outside() {
        let grid = Grid::over(Vec2::ZERO, Vec2::new(7.0, 4.0), 1.0, 1000);
        for origin in [(3.5, 2.5), (0.1, 3.9), (-5.2, 2.0), (20.0, -9.0)] {
            let origin = Vec2::new(origin.0, origin.1);
            let rings = grid.rings(origin);
            let mut seen = vec![0; grid.cells()];
            for ring in rings.first..=rings.last {
                for (x, y, along_row, count) in rings.runs(&grid, ring) {
                    for i in 0..count {
                        let (cx, cy) = if along_row { (x + i, y) } else { (x, y + i) };
                        seen[(cy * grid.columns + cx) as usize] += 1;
                    }
                }
            }
            assert!(seen.iter().all(|&n| n == 1), "{origin:?}: {seen:?}");
        }
    }
}
