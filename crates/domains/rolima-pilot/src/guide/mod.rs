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
/// What an entry that is out of date costs to take away, in looks.
const OUTDATED: usize = 4;
/// So much more than what the rest of a way costs at least it is taken to cost: a search goes rather
/// straight for its goal, and its way costs at most so many times that of the best.
const EAGER: f32 = 1.5;
/// So many cells are made ready with the effort of looking at one.
const LAID: usize = 128;
/// Nearer than so many radii to a wall a way is dearer.
const DEAR: f64 = 2.5;
/// Near both ends it may be nearer to walls than anywhere else: it must get away from one, or to one.
const NEAR_ENDS: f64 = 2.0;
/// The least distance from walls there, in radii. A cell is half a radius wide, so no step leaps a
/// wall; in wide worlds cells are larger, and steps are looked at one by one where they might.
const LEAST_ROOM: f64 = 0.4;
/// Width of a cell, in radii, unless there would be too many.
const CELL: f64 = 0.5;

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
    /// Cells of both ends.
    ends: [usize; 2],
    /// Distance of the nearest wall from each cell's middle, m, up to [`Guide::most_room`]; not a
    /// number where nobody has looked yet.
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
            ends: [0; 2],
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
        self.cell = larger(CELL * self.radius, wide / MOST_SIDE as f64);
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
        self.ends = [self.index_of(from), self.index_of(to)];
        self.cost[self.ends[0]] = 0.0;
        let promise = self.promise(self.ends[0]);
        self.open.push(Reverse((promise, self.ends[0] as u32)));
        self.stage = Stage::Spread;
        cells / LAID
    }

    /// How far from a cell walls are looked for, m: as far as they make ways dearer, and so far that
    /// most steps need no look of their own.
    fn most_room(&self) -> f64 {
        larger(DEAR * self.radius, self.cell)
    }

    /// Distance of the nearest wall, or of one that stands, from a cell's middle, m, up to
    /// [`Guide::most_room`].
    fn room_of(&mut self, walls: &Walls<'_>, index: usize) -> f64 {
        if self.room[index].is_nan() {
            let (middle, most) = (self.middle(index), self.most_room());
            let room = walls.room_at(middle, most, &mut self.looked);
            let room = self.others.iter().fold(room, |least, o| smaller(least, o.distance(middle)));
            self.looked += self.others.len();
            self.room[index] = room as f32;
        }
        f64::from(self.room[index])
    }

    /// Goes on from the cell that promises most. Returns the effort.
    fn spread(&mut self, walls: &Walls<'_>) -> usize {
        let Some(Reverse((promise, at))) = self.open.pop() else {
            self.search = Search::Nowhere;
            return 1;
        };
        let at = at as usize;
        if promise > self.promise(at) {
            // A cheaper way to this cell was found meanwhile, and gone on from.
            self.looked += OUTDATED;
            return 0;
        }
        if at == self.ends[1] {
            return self.collect();
        }
        let (width, height) = (self.size[0] as i32, self.size[1] as i32);
        let (column, row) = (at as i32 % width, at as i32 / width);
        for (dx, dy, length) in NEIGHBOURS {
            let (x, y) = (column + dx, row + dy);
            if x < 0 || y < 0 || x >= width || y >= height {
                continue;
            }
            self.step(walls, at, (y * width + x) as usize, length);
        }
        1
    }

    /// Goes from a cell to one beside it, so many cells away, where that is cheaper than before.
    fn step(&mut self, walls: &Walls<'_>, at: usize, next: usize, length: f32) {
        let here = self.cost[at];
        if here + length >= self.cost[next] {
            return;
        }
        let room = self.room_of(walls, next) / self.radius;
        if room < self.keep / self.radius && room < self.needed(next) {
            return;
        }
        let tight = larger(DEAR - room, 0.0) as f32;
        let cost = here + length * (1.0 + tight * tight);
        if cost < self.cost[next] && self.is_step_clear(walls, [at, next], length) {
            self.cost[next] = cost;
            self.before[next] = at as u32;
            self.open.push(Reverse((self.promise(next), next as u32)));
        }
    }

    /// Whether nothing stands between a cell and one beside it, so many cells away.
    fn is_step_clear(&mut self, walls: &Walls<'_>, cells: [usize; 2], length: f32) -> bool {
        let is_wide = self.cell > 1.01 * CELL * self.radius;
        let is_end = cells[0] == self.ends[0] || cells[1] == self.ends[1];
        // Two circles without walls that cover the step.
        let room = self.room_of(walls, cells[0]) + self.room_of(walls, cells[1]);
        if !is_wide || !is_end && room >= f64::from(length) * self.cell {
            return true;
        }
        let [mut from, mut to] = cells.map(|cell| self.middle(cell));
        if cells[0] == self.ends[0] {
            from = self.from;
        }
        if cells[1] == self.ends[1] {
            to = self.to;
        }
        let (sees, looked) = self.sees(walls, from, to);
        self.looked += looked;
        sees
    }

    /// Distance from walls that a cell must have, in radii.
    fn needed(&self, index: usize) -> f64 {
        let p = self.middle(index);
        let near = NEAR_ENDS * self.radius;
        let is_near = |end: Vec2| (p - end).length_squared() < near * near;
        if is_near(self.from) || is_near(self.to) { LEAST_ROOM } else { self.keep / self.radius }
    }

    /// What a way through a cell costs at least, or a little more; its bits, which are in the order of
    /// the numbers, as costs are positive.
    fn promise(&self, index: usize) -> u32 {
        let (goal, width) = (self.ends[1] as u32, self.size[0] as u32);
        let index = index as u32;
        let dx = (index % width).abs_diff(goal % width) as f32;
        let dy = (index / width).abs_diff(goal / width) as f32;
        // Straight and diagonal, in cells.
        let rest = dx.max(dy) + (std::f32::consts::SQRT_2 - 1.0) * dx.min(dy);
        (self.cost[index as usize] + EAGER * rest).to_bits()
    }

    fn middle(&self, index: usize) -> Vec2 {
        let (column, row) = (index % self.size[0], index / self.size[0]);
        self.origin + Vec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.cell
    }

    fn index_of(&self, p: Vec2) -> usize {
        let own = (p - self.origin) * (1.0 / self.cell);
        let clamp = |x: f64, count: usize| (x.max(0.0) as usize).min(count - 1);
        clamp(own.y, self.size[1]) * self.size[0] + clamp(own.x, self.size[0])
    }

    /// The cells from the start to the goal. Returns the effort.
    fn collect(&mut self) -> usize {
        self.cells.clear();
        self.cells.push(self.to);
        let mut at = self.before[self.ends[1]];
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
        if anchor != here {
            let (sees, looked) = self.sees(walls, anchor, next);
            self.looked += looked;
            if !sees {
                self.way.push(here);
            }
        }
        self.stage = Stage::Straighten(at + 1);
        if at + 1 == self.cells.len() {
            self.way.push(self.to);
            self.search = Search::Found;
        }
        1
    }

    /// Whether a straight piece keeps its distance from walls, and from others that stood when the way
    /// was asked for, or as much of it as its ends have; and how many of them were looked at.
    pub(crate) fn sees(&self, walls: &Walls<'_>, a: Vec2, b: Vec2) -> (bool, usize) {
        let mut looked = self.others.len();
        let passes = |other: &Barrier| {
            let ends = smaller(other.distance(a), other.distance(b));
            other.is_beyond([a, b], self.keep)
                || other.distance_to([a, b]) >= smaller(self.keep, ends) - 1e-9
        };
        let sees =
            self.others.iter().all(passes) && walls.are_clear([a, b], self.keep, &mut looked);
        (sees, looked)
    }
}
