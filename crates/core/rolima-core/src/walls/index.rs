//! Which walls lie near a line, without a look at all the others.
//!
//! The entries of the grid, in an order in which neighbours are near one another, with boxes around
//! runs of them, boxes around runs of boxes, and so on up to one. Walls that cross half the world
//! are in the list cell by cell, so a box is never much larger than what is in it.

use super::{MARGIN, WallGrid};
use rolima_math::Vec2;
use rolima_model::Part;

/// Entries, or boxes, in a box.
const RUN: usize = 8;

/// Boxes that may wait to be looked into: as many as remain of each level, of which eleven hold more
/// entries than can be numbered.
const MOST_WAITING: usize = 11 * RUN;

/// An upright rectangle.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    min: Vec2,
    max: Vec2,
}

impl Bounds {
    fn around(self, other: Self) -> Self {
        Self {
            min: Vec2::new(self.min.x.min(other.min.x), self.min.y.min(other.min.y)),
            max: Vec2::new(self.max.x.max(other.max.x), self.max.y.max(other.max.y)),
        }
    }
}

/// A line from which walls are looked for.
struct Line {
    ends: [Vec2; 2],
    low: Vec2,
    high: Vec2,
    along: Vec2,
    length: f64,
}

impl Line {
    fn new(ends: [Vec2; 2]) -> Self {
        let [a, b] = ends;
        let along = b - a;
        Self {
            ends,
            low: Vec2::new(a.x.min(b.x), a.y.min(b.y)),
            high: Vec2::new(a.x.max(b.x), a.y.max(b.y)),
            along,
            length: along.length(),
        }
    }

    /// Whether a box may be so near, m: no axis, and not that across the line, parts them.
    fn is_near(&self, bounds: &Bounds, reach: f64) -> bool {
        let (min, max) = (bounds.min, bounds.max);
        let (middle, half) = ((min + max) * 0.5, (max - min) * 0.5);
        let across = self.along.cross(middle - self.ends[0]).abs();
        let shadow = half.x * self.along.y.abs() + half.y * self.along.x.abs();
        min.x - reach <= self.high.x
            && max.x + reach >= self.low.x
            && min.y - reach <= self.high.y
            && max.y + reach >= self.low.y
            && across <= shadow + reach * self.length
    }

    /// Square of the distance of a box's middle, m2: which of several to look into first.
    fn order(&self, bounds: &Bounds) -> f64 {
        let p = (bounds.min + bounds.max) * 0.5 - self.ends[0];
        let square = self.along.length_squared();
        let share = if square > 0.0 { (p.dot(self.along) / square).clamp(0.0, 1.0) } else { 0.0 };
        (p - self.along * share).length_squared()
    }
}

/// Walls by place.
#[derive(Clone, Debug, Default)]
pub struct WallIndex {
    /// Numbers of walls; one is there for every cell that it touches.
    entries: Vec<u32>,
    /// Boxes around runs of entries, around runs of those, and so on.
    levels: Vec<Vec<Bounds>>,
    /// Looked at every time.
    large: Vec<u32>,
    bounds: Option<Bounds>,
}

impl WallIndex {
    /// The index of some walls, made with cells of this size, m.
    pub fn of(walls: &[Part], size: f64) -> Self {
        WallGrid::of(walls, size).index
    }

    /// From the entries of a grid: cell and wall.
    pub(super) fn over(
        walls: &[Part],
        cells: &[([i32; 2], u32)],
        size: f64,
        large: &[u32],
    ) -> Self {
        let boxes: Vec<Bounds> = walls
            .iter()
            .map(|wall| wall.bounding_box())
            .map(|(min, max)| Bounds { min, max })
            .collect();
        let mut sorted: Vec<(u64, u32)> =
            cells.iter().zip(0..).map(|((cell, _), i)| (zigzag(*cell), i)).collect();
        sorted.sort_unstable();
        let margin = Vec2::new(2.0 * MARGIN * size, 2.0 * MARGIN * size);
        // What of a wall lies in a cell.
        let inside = |&(_, i): &(u64, u32)| {
            let ([x, y], wall) = cells[i as usize];
            let low = Vec2::new(f64::from(x), f64::from(y)) * size;
            let (own, high) = (boxes[wall as usize], low + Vec2::new(size, size));
            Bounds {
                min: Vec2::new(own.min.x.max(low.x), own.min.y.max(low.y)) - margin,
                max: Vec2::new(own.max.x.min(high.x), own.max.y.min(high.y)) + margin,
            }
        };
        let mut levels = vec![];
        let mut level: Vec<Bounds> = sorted
            .chunks(RUN)
            .filter_map(|run| run.iter().map(inside).reduce(Bounds::around))
            .collect();
        while level.len() > 1 {
            let above =
                level.chunks(RUN).filter_map(|run| run.iter().copied().reduce(Bounds::around));
            let above = above.collect();
            levels.push(std::mem::replace(&mut level, above));
        }
        levels.push(level);
        Self {
            entries: sorted.into_iter().map(|(_, i)| cells[i as usize].1).collect(),
            levels,
            large: large.to_vec(),
            bounds: boxes.into_iter().reduce(Bounds::around),
        }
    }

    /// How many entries it has: a wall has one for every cell that it touches.
    pub fn entries(&self) -> usize {
        self.entries.len() + self.large.len()
    }

    /// Lower left and upper right corner of the rectangle around all walls, m; none without walls.
    pub fn bounds(&self) -> Option<(Vec2, Vec2)> {
        self.bounds.map(|bounds| (bounds.min, bounds.max))
    }

    /// Calls `each` with the number of every wall within `reach` of a line, m, the near ones rather
    /// first; with some that are farther, and with some more than once. It returns how far to look
    /// from now on, m: less than zero ends the search. Returns how many walls and boxes were looked
    /// at: the effort.
    pub fn visit(&self, line: [Vec2; 2], reach: f64, mut each: impl FnMut(u32) -> f64) -> usize {
        let line = Line::new(line);
        // Beyond all worlds; without end, zero times it would not be a number.
        let mut reach = reach.min(1e9);
        let mut looked = 0;
        for &wall in &self.large {
            looked += 1;
            reach = each(wall).min(reach);
            if reach < 0.0 {
                return looked;
            }
        }
        let mut waiting = [(0u8, 0u32); MOST_WAITING];
        let mut count = usize::from(!self.entries.is_empty());
        waiting[0] = (self.levels.len().saturating_sub(1) as u8, 0);
        while count > 0 {
            count -= 1;
            let (level, number) = waiting[count];
            looked += 1;
            if !line.is_near(&self.levels[usize::from(level)][number as usize], reach) {
                continue;
            }
            let from = number as usize * RUN;
            if let Some(below) = usize::from(level).checked_sub(1) {
                let to = (from + RUN).min(self.levels[below].len());
                count += self.push_near(&line, reach, (below, from..to), &mut waiting[count..]);
                looked += to - from;
                continue;
            }
            for &wall in self.entries[from..].iter().take(RUN) {
                looked += 1;
                reach = each(wall).min(reach);
                if reach < 0.0 {
                    return looked;
                }
            }
        }
        looked
    }

    /// Lets those boxes of a level wait that are near a line, the nearest last. Returns how many.
    fn push_near(
        &self,
        line: &Line,
        reach: f64,
        (level, range): (usize, std::ops::Range<usize>),
        waiting: &mut [(u8, u32)],
    ) -> usize {
        let mut orders = [0.0; RUN];
        let mut count = 0;
        for number in range {
            let bounds = &self.levels[level][number];
            if !line.is_near(bounds, reach) || count >= waiting.len() {
                continue;
            }
            let order = line.order(bounds);
            let mut at = count;
            while at > 0 && orders[at - 1] < order {
                (orders[at], waiting[at]) = (orders[at - 1], waiting[at - 1]);
                at -= 1;
            }
            (orders[at], waiting[at]) = (order, (level as u8, number as u32));
            count += 1;
        }
        count
    }
}

/// The place of a cell in an order in which near numbers are near cells: the bits of both, in turns.
fn zigzag(cell: [i32; 2]) -> u64 {
    let spread = |number: i32| {
        let mut bits = u64::from((number as u32) ^ (1 << 31));
        for (by, mask) in [
            (16, 0x0000_FFFF_0000_FFFF),
            (8, 0x00FF_00FF_00FF_00FF),
            (4, 0x0F0F_0F0F_0F0F_0F0F),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            bits = (bits | (bits << by)) & mask;
        }
        bits
    };
    spread(cell[0]) | (spread(cell[1]) << 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::{Pose2, Stream, larger, smaller};

    fn wall(random: &mut Stream, extent: f64, longest: f64) -> Part {
        let mut at = || random.between(-extent, extent);
        let (x, y) = (at(), at());
        let half = Vec2::new(random.between(0.01, longest), random.between(0.0, 0.2));
        match random.next_u64() % 8 {
            0 => Part::Circle { center: Vec2::new(x, y), radius: half.y },
            _ => Part::Box { pose: Pose2::new(x, y, random.between(-4.0, 4.0)), half },
        }
    }

    /// Whether some point of a line is nearer than `reach` to a wall, by many looks.
    fn is_within(wall: &Part, line: [Vec2; 2], reach: f64) -> bool {
        (0..=200).any(|i| {
            let p = line[0] + (line[1] - line[0]) * (f64::from(i) / 200.0);
            wall.least_distance(p) <= reach
        })
    }

    #[test]
    fn every_wall_near_a_line_is_visited_and_few_that_are_far() {
        let mut random = Stream::new(11, 0, "walls");
        for (count, extent, longest) in
            [(0, 1.0, 1.0), (7, 5.0, 3.0), (400, 20.0, 2.0), (3000, 60.0, 1.0), (600, 30.0, 1e5)]
        {
            let walls: Vec<Part> = (0..count).map(|_| wall(&mut random, extent, longest)).collect();
            let index = WallIndex::of(&walls, 1.0);
            let mut effort = 0;
            for _ in 0..60 {
                let mut point =
                    || Vec2::new(random.between(-extent, extent), random.between(-extent, extent));
                let a = point();
                let line = [a, a + (point() - a) * 0.2];
                let reach = random.between(0.0, 3.0);
                let mut visited = vec![false; walls.len()];
                effort += index.visit(line, reach, |i| {
                    visited[i as usize] = true;
                    reach
                });
                for (wall, visited) in walls.iter().zip(&visited) {
                    assert!(*visited || !is_within(wall, line, reach), "{wall:?} {line:?}");
                }
            }
            assert!(count < 3000 || effort < 60 * count / 4, "{effort} looks in {count} walls");
        }
    }

    #[test]
    fn a_search_that_narrows_finds_the_nearest_and_one_that_ends_stops() {
        let mut random = Stream::new(12, 0, "walls");
        let walls: Vec<Part> = (0..2000).map(|_| wall(&mut random, 50.0, 3.0)).collect();
        let index = WallIndex::of(&walls, 1.0);
        let (min, max) = index.bounds().unwrap();
        for part in &walls {
            let (low, high) = part.bounding_box();
            assert!(low.x >= min.x && low.y >= min.y && high.x <= max.x && high.y <= max.y);
        }
        let mut effort = 0;
        for _ in 0..200 {
            let p = Vec2::new(random.between(-80.0, 80.0), random.between(-80.0, 80.0));
            let mut nearest = f64::INFINITY;
            effort += index.visit([p, p], f64::INFINITY, |i| {
                nearest = smaller(nearest, walls[i as usize].least_distance(p));
                larger(nearest, 0.0)
            });
            let brute = walls.iter().map(|w| w.least_distance(p)).fold(f64::INFINITY, f64::min);
            assert_eq!(nearest.to_bits(), brute.to_bits(), "{p:?}");
        }
        assert!(effort < 200 * 300, "{effort}");
        let mut calls = 0;
        index.visit([min, max], 1e6, |_| {
            calls += 1;
            -1.0
        });
        assert_eq!(calls, 1);
    }
}
