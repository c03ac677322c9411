//! A way among walls: straight pieces from point to point, found on a grid.
//!
//! The thesis plans between two poses; what it calls local avoidance goes around one obstacle. Walls
//! that must be gone around in several turns need a search first: A* over cells, dearer near walls,
//! then as few straight pieces as keep their distance. Navigation drives from piece to piece.
//!
//! A search may take long, and who asks must not wait: it is done in portions whose effort is counted,
//! not timed, so that the same search takes the same number of frames everywhere. Of the walls only
//! those near cells that the search comes to are looked at.

mod clearance;
mod restored;
#[cfg(test)]
mod tests;

pub use clearance::ClearanceMap;

use crate::walls::Walls;
use clearance::CellLayout;
use rolima_math::{Vec2, larger, smaller};
use rolima_nav::{Barrier, Obstacle};
use serde::{Deserialize, Serialize};
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
const LEAST_CLEARANCE: f64 = 0.4;
/// Width of a cell, in radii, unless there would be too many.
const CELL: f64 = 0.5;

/// How a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Stage {
    /// Makes its cells ready.
    Lay,
    /// Goes from cell to cell.
    Spread,
    /// Makes straight pieces of the cells found; so many are done.
    Straighten(usize),
}

/// Finds a way among walls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GridPlanner {
    radius: f64,
    /// Distance to keep from walls, m.
    keep: f64,
    search: Search,
    stage: Stage,
    from: Vec2,
    to: Vec2,
    /// Others that stand.
    others: Vec<Barrier>,
    layout: CellLayout,
    /// Cells of both ends.
    ends: [usize; 2],
    cost: Vec<f32>,
    before: Vec<u32>,
    /// Cells that were gone on from; that is not done twice.
    is_done: Vec<bool>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// Middles of the cells that were found, from the start to the goal.
    cells: Vec<Vec2>,
    path: Vec<Vec2>,
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

impl GridPlanner {
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
            layout: CellLayout::default(),
            ends: [0; 2],
            cost: vec![],
            before: vec![],
            is_done: vec![],
            open: BinaryHeap::new(),
            cells: vec![],
            path: vec![],
            looked: 0,
        }
    }

    /// How the search goes.
    pub fn search(&self) -> Search {
        self.search
    }

    /// The way that was found: from the start over corners to the goal.
    pub fn path(&self) -> &[Vec2] {
        if self.search == Search::Found { &self.path } else { &[] }
    }

    /// Forgets what was asked.
    pub fn rest(&mut self) {
        self.search = Search::Idle;
    }

    /// Asks for a way between walls and around others that stand; [`GridPlanner::work`] finds it.
    pub fn seek(&mut self, from: Vec2, to: Vec2, others: &[Obstacle]) {
        (self.from, self.to) = (from, to);
        let disc = |other: &Obstacle| Barrier { ends: [other.position; 2], radius: other.radius };
        self.others.clear();
        self.others.extend(others.iter().map(disc));
        (self.search, self.stage, self.looked) = (Search::Working, Stage::Lay, 0);
    }

    /// A portion of the search, of about this effort, with what others found out about the same walls.
    /// Returns what it was.
    pub fn work(
        &mut self,
        walls: &Walls<'_>,
        clearances: &mut ClearanceMap,
        effort: usize,
    ) -> usize {
        if self.search == Search::Working && self.stage == Stage::Spread {
            clearances.lay(&self.layout);
        }
        let mut done = 0;
        while self.search == Search::Working && done < effort {
            done += match self.stage {
                Stage::Lay => self.lay_grid(walls, clearances),
                Stage::Spread => self.spread(walls, clearances),
                Stage::Straighten(at) => self.straighten(walls, at),
            };
            done += self.looked / LOOKS;
            self.looked %= LOOKS;
        }
        done
    }

    /// A grid over the walls and both ends, as far as a way may lead; nothing in it yet. Returns the
    /// effort.
    fn lay_grid(&mut self, walls: &Walls<'_>, clearances: &mut ClearanceMap) -> usize {
        let (from, to) = (self.from, self.to);
        let clearance = Vec2::new(1.0, 1.0) * (4.0 * self.radius);
        let low = |a: Vec2, b: Vec2| Vec2::new(smaller(a.x, b.x), smaller(a.y, b.y));
        let high = |a: Vec2, b: Vec2| Vec2::new(larger(a.x, b.x), larger(a.y, b.y));
        let (least, most) = walls.bounds().unwrap_or((from, from));
        let least = low(least, low(from, to));
        let most = high(most, high(from, to));
        let far = larger(40.0 * self.radius, (to - from).length());
        let far = Vec2::new(far, far);
        let least = high(least - clearance, low(from, to) - far);
        let most = low(most + clearance, high(from, to) + far);
        let wide = larger(most.x - least.x, most.y - least.y);
        let cell = larger(CELL * self.radius, wide / MOST_SIDE as f64);
        let count = |length: f64| ((length / cell) as usize + 1).min(MOST_SIDE + 1);
        self.layout = CellLayout {
            origin: least,
            cell,
            size: [count(most.x - least.x), count(most.y - least.y)],
            radius: self.radius,
            keep: self.keep,
            // As far as walls make ways dearer, and so far that most steps need no look of their own.
            most: larger(DEAR * self.radius, cell),
        };
        clearances.lay(&self.layout);
        let cells = self.layout.cells();
        self.cost.clear();
        self.cost.resize(cells, f32::INFINITY);
        self.before.clear();
        self.before.resize(cells, u32::MAX);
        self.is_done.clear();
        self.is_done.resize(cells, false);
        self.open.clear();
        self.ends = [from, to].map(|end| self.layout.index_of(end));
        self.cost[self.ends[0]] = 0.0;
        let promise = self.promise(self.ends[0]);
        self.open.push(Reverse((promise, self.ends[0] as u32)));
        self.stage = Stage::Spread;
        cells / LAID
    }

    /// Goes on from the cell that promises most. Returns the effort.
    fn spread(&mut self, walls: &Walls<'_>, clearances: &mut ClearanceMap) -> usize {
        let Some(Reverse((_, at))) = self.open.pop() else {
            self.search = Search::Nowhere;
            return 1;
        };
        let at = at as usize;
        if std::mem::replace(&mut self.is_done[at], true) {
            self.looked += OUTDATED;
            return 0;
        }
        if at == self.ends[1] {
            return self.collect();
        }
        let (width, height) = (self.layout.size[0] as i32, self.layout.size[1] as i32);
        let (column, row) = (at as i32 % width, at as i32 / width);
        for (number, (dx, dy, length)) in NEIGHBOURS.into_iter().enumerate() {
            let (x, y) = (column + dx, row + dy);
            if x < 0 || y < 0 || x >= width || y >= height {
                continue;
            }
            let next = (y * width + x) as usize;
            let cost = self.cost_of(walls, clearances, [at, next], length);
            if cost < self.cost[next] && self.is_open(walls, clearances, [at, next], number) {
                self.cost[next] = cost;
                self.before[next] = at as u32;
                self.open.push(Reverse((self.promise(next), next as u32)));
            }
        }
        1
    }

    /// What a way over a cell to one beside it, so many cells away, costs up to there; without end
    /// where the way may not lead there.
    fn cost_of(
        &mut self,
        walls: &Walls<'_>,
        clearances: &mut ClearanceMap,
        [at, next]: [usize; 2],
        length: f32,
    ) -> f32 {
        let here = self.cost[at];
        if self.is_done[next] || here + length >= self.cost[next] {
            return f32::INFINITY;
        }
        let mut clearance = clearances.clearance_of(walls, next, &mut self.looked);
        if !self.others.is_empty() {
            let middle = self.layout.middle(next);
            clearance =
                self.others.iter().fold(clearance, |least, o| smaller(least, o.distance(middle)));
            self.looked += self.others.len();
        }
        let clearance = clearance / self.radius;
        if clearance < self.keep / self.radius && clearance < self.needed(next) {
            return f32::INFINITY;
        }
        let tight = larger(DEAR - clearance, 0.0) as f32;
        here + length * (1.0 + tight * tight)
    }

    /// Whether nothing stands between a cell and one beside it, which is its `number`th neighbour.
    fn is_open(
        &mut self,
        walls: &Walls<'_>,
        clearances: &mut ClearanceMap,
        cells: [usize; 2],
        number: usize,
    ) -> bool {
        if self.layout.cell <= 1.01 * CELL * self.radius {
            return true;
        }
        let [mut from, mut to] = cells.map(|cell| self.layout.middle(cell));
        let is_end = [cells[0] == self.ends[0], cells[1] == self.ends[1]];
        if is_end == [false; 2] {
            self.looked += self.others.len();
            return self.others.iter().all(|other| self.passes(other, [from, to]))
                && clearances.is_open(walls, cells, number, &mut self.looked);
        }
        if is_end[0] {
            from = self.from;
        }
        if is_end[1] {
            to = self.to;
        }
        let (sees, looked) = self.sees(walls, from, to);
        self.looked += looked;
        sees
    }

    /// Distance from walls that a cell must have, in radii.
    fn needed(&self, index: usize) -> f64 {
        let p = self.layout.middle(index);
        let near = NEAR_ENDS * self.radius;
        let is_near = |end: Vec2| (p - end).length_squared() < near * near;
        if is_near(self.from) || is_near(self.to) {
            LEAST_CLEARANCE
        } else {
            self.keep / self.radius
        }
    }

    /// What a way through a cell costs at least, or a little more; its bits, which are in the order of
    /// the numbers, as costs are positive.
    fn promise(&self, index: usize) -> u32 {
        let (goal, width) = (self.ends[1] as u32, self.layout.size[0] as u32);
        let index = index as u32;
        let dx = (index % width).abs_diff(goal % width) as f32;
        let dy = (index / width).abs_diff(goal / width) as f32;
        // Straight and diagonal, in cells.
        let rest = dx.max(dy) + (std::f32::consts::SQRT_2 - 1.0) * dx.min(dy);
        (self.cost[index as usize] + EAGER * rest).to_bits()
    }

    /// The cells from the start to the goal. Returns the effort.
    fn collect(&mut self) -> usize {
        self.cells.clear();
        self.cells.push(self.to);
        let mut at = self.before[self.ends[1]];
        while at != u32::MAX && self.before[at as usize] != u32::MAX {
            self.cells.push(self.layout.middle(at as usize));
            at = self.before[at as usize];
        }
        self.cells.push(self.from);
        self.cells.reverse();
        self.path.clear();
        self.path.push(self.from);
        self.stage = Stage::Straighten(1);
        1 + self.cells.len() / LOOKS
    }

    /// The way along the cells, as few pieces as keep their distance from the walls: one cell more.
    /// Returns the effort.
    fn straighten(&mut self, walls: &Walls<'_>, at: usize) -> usize {
        let anchor = self.path.last().copied().unwrap_or(self.from);
        let (here, next) = (self.cells[at - 1], self.cells[at]);
        if anchor != here {
            let (sees, looked) = self.sees(walls, anchor, next);
            self.looked += looked;
            if !sees {
                self.path.push(here);
            }
        }
        self.stage = Stage::Straighten(at + 1);
        if at + 1 == self.cells.len() {
            self.path.push(self.to);
            self.search = Search::Found;
        }
        1
    }

    /// Whether a straight piece keeps its distance from walls, and from others that stood when the way
    /// was asked for, or as much of it as its ends have; and how many of them were looked at.
    pub(crate) fn sees(&self, walls: &Walls<'_>, a: Vec2, b: Vec2) -> (bool, usize) {
        let mut looked = self.others.len();
        let passes = self.others.iter().all(|other| self.passes(other, [a, b]));
        (passes && walls.are_clear([a, b], self.keep, &mut looked), looked)
    }

    /// Whether a straight piece keeps its distance from another that stands, or as much of it as its
    /// ends have.
    fn passes(&self, other: &Barrier, path: [Vec2; 2]) -> bool {
        let ends = smaller(other.distance(path[0]), other.distance(path[1]));
        other.is_beyond(path, self.keep)
            || other.distance_to(path) >= smaller(self.keep, ends) - 1e-9
    }
}
