//! Walls by place: a grid for what touches them, an index for what looks for them.
//!
//! Both follow from the model alone: they are made with the world and never change.

mod index;

pub use index::WallIndex;

use rolima_math::Vec2;
use rolima_model::{Coverage, Model, Part};

/// The cell of a point in a grid of cells of this size, m.
#[inline(always)]
pub(crate) fn cell_of(p: Vec2, size: f64) -> [i32; 2] {
    // The cast saturates, so bodies absurdly far away share the last cells.
    [(p.x / size).floor() as i32, (p.y / size).floor() as i32]
}

/// Walls by the cells that they touch.
pub(crate) struct WallGrid {
    size: f64,
    /// (cell, wall), sorted.
    cells: Vec<([i32; 2], u32)>,
    /// Walls that touch very many cells: looked at every time.
    large: Vec<u32>,
    index: WallIndex,
}

/// A wall over more cells than this is kept in the list that is always looked at.
const MOST_CELLS: f64 = 4096.0;

/// Most walls in that list; where more are as long, cells are larger instead.
const MOST_LARGE: usize = 64;

/// So few walls are all in that list.
const FEW: usize = 16;

/// How far around cells walls are entered, as a share of a cell: far more than the rounding of
/// positions.
const MARGIN: f64 = 1e-4;

impl WallGrid {
    pub(crate) fn new(model: &Model) -> Self {
        Self::of(&model.walls, (4.0 * model.largest_radius).max(0.25))
    }

    /// The grid of some walls, with cells of this size, m, or larger ones where there would be too
    /// many entries.
    fn of(walls: &[Part], size: f64) -> Self {
        let is_large = |part: &Part| {
            let mut alone = Coverage::default();
            alone.add(part);
            alone.cells(size) > MOST_CELLS
        };
        let mut large: Vec<u32> = vec![];
        if walls.len() <= FEW {
            large.extend(0..walls.len() as u32);
        } else {
            let numbered = walls.iter().zip(0..).filter(|(part, _)| is_large(part));
            large.extend(numbered.map(|(_, i)| i));
            if large.len() > MOST_LARGE {
                large.clear();
            }
        }
        let mut rest = large.iter().peekable();
        let gridded: Vec<u32> =
            (0..walls.len() as u32).filter(|i| rest.next_if_eq(&i).is_none()).collect();
        let mut covered = Coverage::default();
        gridded.iter().for_each(|&i| covered.add(&walls[i as usize]));
        let size = covered.cell_within(size);
        let mut cells = vec![];
        for i in gridded {
            touched(&walls[i as usize], size, |cell| cells.push((cell, i)));
        }
        cells.sort_unstable();
        let index = WallIndex::over(walls, &cells, size, &large);
        Self { size, cells, large, index }
    }

    /// The same walls, to look for.
    pub(crate) fn index(&self) -> &WallIndex {
        &self.index
    }

    /// Calls `found` for every wall within `reach` of a point (some more than once).
    pub(crate) fn find(&self, model: &Model, point: Vec2, reach: f64, mut found: impl FnMut(u32)) {
        let mut look = |wall: u32| {
            if model.walls[wall as usize].least_distance(point) <= reach {
                found(wall);
            }
        };
        self.large.iter().for_each(|&wall| look(wall));
        if self.cells.is_empty() {
            return;
        }
        let r = Vec2::new(reach, reach);
        let (low, high) = (cell_of(point - r, self.size), cell_of(point + r, self.size));
        if reach > self.size * model.walls.len() as f64 {
            // Something is so fast that looking into cells would take longer than into all walls.
            (0..model.walls.len() as u32).for_each(look);
            return;
        }
        for x in low[0]..=high[0] {
            let from = self.cells.partition_point(|c| c.0 < [x, low[1]]);
            for (_, wall) in self.cells[from..].iter().take_while(|c| c.0 <= [x, high[1]]) {
                look(*wall);
            }
        }
    }
}

/// Calls with every cell that a part touches, and some beside it.
fn touched(part: &Part, size: f64, mut each: impl FnMut([i32; 2])) {
    let (min, max) = part.bounding_box();
    let margin = MARGIN * size;
    let (low, high) = (cell_of(min, size)[1], cell_of(max, size)[1]);
    for y in low..=high {
        let foot = f64::from(y) * size;
        let span = part.span_between(foot - margin, foot + size + margin);
        let Some((from, to)) = span else { continue };
        let row = |x: f64| cell_of(Vec2::new(x, foot), size)[0];
        (row(from - margin)..=row(to + margin)).for_each(|x| each([x, y]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::{Pose2, Stream};

    #[test]
    fn entries_are_bounded_by_the_number_of_walls_however_long_and_far_apart_they_are() {
        let mut random = Stream::new(7, 0, "walls");
        for (count, extent, longest) in
            [(16, 1e5, 9e5), (3_000, 100.0, 1.0), (3_000, 1e5, 9e5), (3_000, 9e5, 0.5)]
        {
            let mut wall = || {
                let mut at = || random.between(-extent, extent);
                let pose = Pose2::new(at(), at(), at());
                Part::Box { pose, half: Vec2::new(random.between(0.01, longest), 0.1) }
            };
            let walls: Vec<Part> = (0..count).map(|_| wall()).collect();
            let grid = WallGrid::of(&walls, 0.25);
            assert!(grid.cells.len() <= 12 * count + 65_536, "{} entries", grid.cells.len());
            assert_eq!(grid.index.entries(), grid.cells.len() + grid.large.len());
        }
    }
}
