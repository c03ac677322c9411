//! A way among walls: straight pieces from point to point, found on a grid.
//!
//! The thesis plans between two poses; what it calls local avoidance goes around one obstacle. Walls
//! that must be gone around in several turns need a search first: A* over cells, dearer near walls,
//! then as few straight pieces as keep their distance. Navigation drives from piece to piece.
//!
//! A search may take long, and who asks must not wait: it is done in portions whose effort is counted,
//! not timed, so that the same search takes the same number of frames everywhere. Of the walls only
//! those near cells that the search comes to are looked at.

#[cfg(test)]
mod tests;

use crate::walls::Walls;
use rolima_math::{Vec2, larger, smaller};
use rolima_nav::{Barrier, Obstacle};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most cells along a side.
const MOST_SIDE: usize = 200;
/// The effort of a portion, if few others search. A cell that is looked at counts as one.
pub const PORTION: usize = 3000;
/// So many looks at walls are as much effort as one at a cell.
const LOOKS: usize = 32;
/// So many cells are made ready with the effort of looking at one.
const LAID: usize = 128;
/// Nearer than so many radii to a wall a way is dearer.
const DEAR: f64 = 2.5;
/// Near both ends it may be nearer to walls than anywhere else: it must get away from one, or to one.
const NEAR_ENDS: f64 = 2.0;
/// The least distance from walls there, in radii. A cell is half a radius wide, so no way leaps a wall.
const LEAST_ROOM: f64 = 0.4;

/// How a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Nothing was asked.
    Idle,
    /// Not done yet.
    Working,
    /// There is a way.
    Found,
    /// There is none.
    Nowhere,
}

/// What a search does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Makes its cells ready.
    Lay,
    /// Goes from cell to cell.
    Spread,
    /// Makes straight pieces of the cells found; so many are done.
    Straighten(usize),
}

/// Finds a way among walls.
#[derive(Clone, Debug)]
pub struct Guide {
    radius: f64,
    /// Distance to keep from walls, m.
    keep: f64,
    search: Search,
    stage: Stage,
    from: Vec2,
    to: Vec2,
    /// Others that stand.
    others: Vec<Barrier>,
    origin: Vec2,
    cell: f64,
    size: [usize; 2],
    /// Distance of the nearest wall from each cell's middle, m, up to [`DEAR`] radii; not a number
    /// where nobody has looked yet.
    room: Vec<f32>,
    cost: Vec<f32>,
    before: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// Middles of the cells that were found, from the start to the goal.
    cells: Vec<Vec2>,
    way: Vec<Vec2>,
    /// Looks that do not make up a cell's effort yet.
    looked: usize,
}

const NEIGHBOURS: [(i32, i32, f32); 8] = [
    (1, 0, 1.0),
    (-1, 0, 1.0),
    (0, 1, 1.0),
    (0, -1, 1.0),
    (1, 1, std::f32::consts::SQRT_2),
    (1, -1, std::f32::consts::SQRT_2),
    (-1, 1, std::f32::consts::SQRT_2),
    (-1, -1, std::f32::consts::SQRT_2),
];

impl Guide {
    /// For a robot of a radius, m, that keeps this much more distance, m.
    pub fn new(radius: f64, margin: f64) -> Self {
        Self {
            radius,
            keep: radius + margin,
            search: Search::Idle,
            stage: Stage::Lay,
            from: Vec2::ZERO,
            to: Vec2::ZERO,
            others: vec![],
            origin: Vec2::ZERO,
            cell: radius,
            size: [0; 2],
            room: vec![],
            cost: vec![],
            before: vec![],
            open: BinaryHeap::new(),
            cells: vec![],
            way: vec![],
            looked: 0,
        }
    }

    /// How the search goes.
    pub fn search(&self) -> Search {
        self.search
    }

    /// The way that was found: from the start over corners to the goal.
    pub fn way(&self) -> &[Vec2] {
        if self.search == Search::Found { &self.way } else { &[] }
    }

    /// Forgets what was asked.
    pub fn rest(&mut self) {
        self.search = Search::Idle;
    }

    /// Asks for a way between walls and around others that stand; [`Guide::work`] finds it.
    pub fn seek(&mut self, from: Vec2, to: Vec2, others: &[Obstacle]) {
        (self.from, self.to) = (from, to);
        let disc = |other: &Obstacle| Barrier { ends: [other.position; 2], radius: other.radius };
        self.others.clear();
        self.others.extend(others.iter().map(disc));
        (self.search, self.stage, self.looked) = (Search::Working, Stage::Lay, 0);
    }

    /// A portion of the search, of about this effort. Returns what it was.
    pub fn work(&mut self, walls: &Walls<'_>, effort: usize) -> usize {
        let mut done = 0;
        while self.search == Search::Working && done < effort {
            done += match self.stage {
                Stage::Lay => self.lay_grid(walls),
                Stage::Spread => self.spread(walls),
                Stage::Straighten(at) => self.straighten(walls, at),
            };
            done += self.looked / LOOKS;
            self.looked %= LOOKS;
        }
        done
    }

    /// A grid over the walls and both ends, as far as a way may lead; nothing in it yet. Returns the
    /// effort.
    fn lay_grid(&mut self, walls: &Walls<'_>) -> usize {
        let (from, to) = (self.from, self.to);
        let room = Vec2::new(1.0, 1.0) * (4.0 * self.radius);
        let low = |a: Vec2, b: Vec2| Vec2::new(smaller(a.x, b.x), smaller(a.y, b.y));
        let high = |a: Vec2, b: Vec2| Vec2::new(larger(a.x, b.x), larger(a.y, b.y));
        let (least, most) = walls.bounds().unwrap_or((from, from));
        let least = low(least, low(from, to));
        let most = high(most, high(from, to));
        let far = larger(40.0 * self.radius, (to - from).length());
        let far = Vec2::new(far, far);
        let least = high(least - room, low(from, to) - far);
        let most = low(most + room, high(from, to) + far);
        let wide = larger(most.x - least.x, most.y - least.y);
        self.cell = larger(0.5 * self.radius, wide / MOST_SIDE as f64);
        let count = |length: f64| ((length / self.cell) as usize + 1).min(MOST_SIDE + 1);
        self.origin = least;
        self.size = [count(most.x - least.x), count(most.y - least.y)];
        let cells = self.size[0] * self.size[1];
        self.room.clear();
        self.room.resize(cells, f32::NAN);
        self.cost.clear();
        self.cost.resize(cells, f32::INFINITY);
        self.before.clear();
        self.before.resize(cells, u32::MAX);
        self.open.clear();
        let start = self.index_of(from);
        self.cost[start as usize] = 0.0;
        self.open.push(Reverse((0, start)));
        self.stage = Stage::Spread;
        cells / LAID
    }

    /// Distance of the nearest wall, or of one that stands, from a cell's middle, m, up to [`DEAR`]
    /// radii.
    fn room_of(&mut self, walls: &Walls<'_>, index: usize) -> f32 {
        if self.room[index].is_nan() {
            let (middle, most) = (self.middle(index), DEAR * self.radius);
            let room = walls.room_at(middle, most, &mut self.looked);
            let room = self.others.iter().fold(room, |least, o| smaller(least, o.distance(middle)));
            self.looked += self.others.len();
            self.room[index] = room as f32;
        }
        self.room[index]
    }

    /// Goes on from the cell that promises most. Returns the effort.
    fn spread(&mut self, walls: &Walls<'_>) -> usize {
        let Some(Reverse((_, at))) = self.open.pop() else {
            self.search = Search::Nowhere;
            return 1;
        };
        if at == self.index_of(self.to) {
            return self.collect();
        }
        let width = self.size[0] as i32;
        let (column, row) = (at as i32 % width, at as i32 / width);
        let here = self.cost[at as usize];
        for (dx, dy, length) in NEIGHBOURS {
            let (x, y) = (column + dx, row + dy);
            if x < 0 || y < 0 || x >= width || y >= self.size[1] as i32 {
                continue;
            }
            let next = (y * width + x) as usize;
            let room = f64::from(self.room_of(walls, next)) / self.radius;
            if room < self.needed(next) {
                continue;
            }
            let tight = larger(DEAR - room, 0.0) as f32;
            let cost = here + length * (1.0 + tight * tight);
            if cost < self.cost[next] {
                self.cost[next] = cost;
                self.before[next] = at;
                // Costs are positive: their bits are in the order of the numbers.
                let whole = cost + self.at_least(next);
                self.open.push(Reverse((whole.to_bits(), next as u32)));
            }
        }
        1
    }

    /// Distance from walls that a cell must have, in radii.
    fn needed(&self, index: usize) -> f64 {
        let p = self.middle(index);
        let near = NEAR_ENDS * self.radius;
        let is_near = |end: Vec2| (p - end).length_squared() < near * near;
        if is_near(self.from) || is_near(self.to) { LEAST_ROOM } else { self.keep / self.radius }
    }

    /// The cost of the rest of the way at least: straight and diagonal, in cells.
    fn at_least(&self, index: usize) -> f32 {
        let goal = self.index_of(self.to) as usize;
        let width = self.size[0];
        let dx = (index % width).abs_diff(goal % width) as f32;
        let dy = (index / width).abs_diff(goal / width) as f32;
        dx.max(dy) + (std::f32::consts::SQRT_2 - 1.0) * dx.min(dy)
    }

    fn middle(&self, index: usize) -> Vec2 {
        let (column, row) = (index % self.size[0], index / self.size[0]);
        self.origin + Vec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.cell
    }

    fn index_of(&self, p: Vec2) -> u32 {
        let own = (p - self.origin) * (1.0 / self.cell);
        let clamp = |x: f64, count: usize| (x.max(0.0) as usize).min(count - 1);
        (clamp(own.y, self.size[1]) * self.size[0] + clamp(own.x, self.size[0])) as u32
    }

    /// The cells from the start to the goal. Returns the effort.
    fn collect(&mut self) -> usize {
        self.cells.clear();
        self.cells.push(self.to);
        let mut at = self.before[self.index_of(self.to) as usize];
        while at != u32::MAX && self.before[at as usize] != u32::MAX {
            self.cells.push(self.middle(at as usize));
            at = self.before[at as usize];
        }
        self.cells.push(self.from);
        self.cells.reverse();
        self.way.clear();
        self.way.push(self.from);
        self.stage = Stage::Straighten(1);
        1 + self.cells.len() / LOOKS
    }

    /// The way along the cells, as few pieces as keep their distance from the walls: one cell more.
    /// Returns the effort.
    fn straighten(&mut self, walls: &Walls<'_>, at: usize) -> usize {
        let anchor = self.way.last().copied().unwrap_or(self.from);
        let (here, next) = (self.cells[at - 1], self.cells[at]);
        if anchor != here && !self.sees(walls, anchor, next) {
            self.way.push(here);
        }
        self.stage = Stage::Straighten(at + 1);
        if at + 1 == self.cells.len() {
            self.way.push(self.to);
            self.search = Search::Found;
        }
        1
    }

    /// Whether a straight piece is good enough: clear of walls, and of what else is in the grid, which
    /// is others that stood when the way was asked for.
    fn sees(&mut self, walls: &Walls<'_>, a: Vec2, b: Vec2) -> bool {
        let length = (b - a).length();
        let looks = (length / self.cell) as usize + 1;
        for i in 1..=looks {
            let index = self.index_of(a + (b - a) * (i as f64 / looks as f64)) as usize;
            self.looked += 1;
            if f64::from(self.room_of(walls, index)) / self.radius < self.needed(index) {
                return false;
            }
        }
        walls.are_clear([a, b], self.keep, &mut self.looked)
    }

    /// Whether a straight piece is good enough, once a way is found, and how many walls were looked at.
    pub(crate) fn sees_now(&mut self, walls: &Walls<'_>, a: Vec2, b: Vec2) -> (bool, usize) {
        self.looked = 0;
        let sees = self.sees(walls, a, b);
        (sees, std::mem::take(&mut self.looked))
    }
}
