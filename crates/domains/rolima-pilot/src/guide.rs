//! A way among walls: straight pieces from point to point, found on a grid.
//!
//! The thesis plans between two poses; what it calls local avoidance goes around one obstacle. Walls
//! that must be gone around in several turns need a search first: A* over cells, dearer near walls,
//! then as few straight pieces as keep their distance. Navigation drives from piece to piece.
//!
//! A search may take long, and who asks must not wait: it is done in portions of equal work, so that
//! the same search takes the same number of frames everywhere.

use crate::walls::is_clear;
use rolima_math::{Vec2, larger, smaller};
use rolima_nav::{Barrier, Obstacle};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most cells along a side.
const MOST_SIDE: usize = 200;
/// Cells that are looked at in a portion: a tenth of a millisecond's work or so.
const PORTION: usize = 3000;
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

/// Finds a way among walls.
#[derive(Clone, Debug)]
pub struct Guide {
    radius: f64,
    /// Distance to keep from walls, m.
    keep: f64,
    search: Search,
    from: Vec2,
    to: Vec2,
    origin: Vec2,
    cell: f64,
    size: [usize; 2],
    /// Walls that are in the grid.
    drawn: usize,
    /// Distance of the nearest wall from each cell's middle, m, up to [`DEAR`] radii.
    room: Vec<f32>,
    cost: Vec<f32>,
    before: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    way: Vec<Vec2>,
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
            from: Vec2::ZERO,
            to: Vec2::ZERO,
            origin: Vec2::ZERO,
            cell: radius,
            size: [0; 2],
            drawn: 0,
            room: vec![],
            cost: vec![],
            before: vec![],
            open: BinaryHeap::new(),
            way: vec![],
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
    pub fn seek(&mut self, from: Vec2, to: Vec2, walls: &[Barrier], others: &[Obstacle]) {
        (self.from, self.to) = (from, to);
        self.lay_grid(walls);
        for other in others {
            let disc = Barrier { ends: [other.position; 2], radius: other.radius };
            self.draw(&disc);
        }
        self.search = Search::Working;
    }

    /// A portion of the search.
    pub fn work(&mut self, walls: &[Barrier]) {
        if self.search != Search::Working {
            return;
        }
        let mut done = 0;
        while self.drawn < walls.len() {
            if done >= PORTION {
                return;
            }
            done += self.draw(&walls[self.drawn]);
            self.drawn += 1;
            if self.drawn == walls.len() {
                self.begin();
            }
        }
        if walls.is_empty() && self.open.is_empty() {
            self.begin();
        }
        while done < PORTION {
            done += 1;
            let Some(Reverse((_, at))) = self.open.pop() else {
                self.search = Search::Nowhere;
                return;
            };
            if at == self.index_of(self.to) {
                self.straighten(walls);
                return;
            }
            self.expand(at);
        }
    }

    /// A grid over the walls and both ends, as far as a way may lead; nothing in it yet.
    fn lay_grid(&mut self, walls: &[Barrier]) {
        let (from, to) = (self.from, self.to);
        let all = walls.iter().flat_map(|wall| wall.ends).chain([from, to]);
        let room = Vec2::new(1.0, 1.0) * (4.0 * self.radius);
        let low = |a: Vec2, b: Vec2| Vec2::new(smaller(a.x, b.x), smaller(a.y, b.y));
        let high = |a: Vec2, b: Vec2| Vec2::new(larger(a.x, b.x), larger(a.y, b.y));
        let (least, most) = all.fold((from, from), |(l, m), p| (low(l, p), high(m, p)));
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
        self.room.resize(cells, (DEAR * self.radius) as f32);
        self.cost.clear();
        self.cost.resize(cells, f32::INFINITY);
        self.before.clear();
        self.before.resize(cells, u32::MAX);
        self.open.clear();
        self.drawn = 0;
    }

    /// Draws a wall into the grid; returns how many cells were looked at.
    fn draw(&mut self, wall: &Barrier) -> usize {
        let reach = DEAR * self.radius + wall.radius;
        let [a, b] = wall.ends;
        let column = |x: f64| ((x / self.cell).max(0.0)) as usize;
        let low = Vec2::new(smaller(a.x, b.x) - reach, smaller(a.y, b.y) - reach) - self.origin;
        let high = Vec2::new(larger(a.x, b.x) + reach, larger(a.y, b.y) + reach) - self.origin;
        if high.x < 0.0 || high.y < 0.0 {
            return 1;
        }
        let columns = column(low.x)..(column(high.x) + 1).min(self.size[0]);
        let rows = column(low.y)..(column(high.y) + 1).min(self.size[1]);
        let mut looked = 1;
        for row in rows {
            for column in columns.clone() {
                let index = row * self.size[0] + column;
                let distance = wall.distance(self.middle(index)) as f32;
                self.room[index] = self.room[index].min(distance);
                looked += 1;
            }
        }
        looked
    }

    fn begin(&mut self) {
        let start = self.index_of(self.from);
        self.cost[start as usize] = 0.0;
        self.open.push(Reverse((0, start)));
    }

    fn expand(&mut self, at: u32) {
        let width = self.size[0] as i32;
        let (column, row) = (at as i32 % width, at as i32 / width);
        let here = self.cost[at as usize];
        for (dx, dy, length) in NEIGHBOURS {
            let (x, y) = (column + dx, row + dy);
            if x < 0 || y < 0 || x >= width || y >= self.size[1] as i32 {
                continue;
            }
            let next = (y * width + x) as usize;
            let room = f64::from(self.room[next]) / self.radius;
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

    /// The way along the cells, as few pieces as keep their distance from the walls.
    fn straighten(&mut self, walls: &[Barrier]) {
        let mut cells = vec![self.to];
        let mut at = self.before[self.index_of(self.to) as usize];
        while at != u32::MAX && self.before[at as usize] != u32::MAX {
            cells.push(self.middle(at as usize));
            at = self.before[at as usize];
        }
        cells.push(self.from);
        cells.reverse();
        self.way.clear();
        self.way.push(self.from);
        let mut anchor = self.from;
        for pair in cells.windows(2) {
            if anchor != pair[0] && !self.sees(walls, anchor, pair[1]) {
                anchor = pair[0];
                self.way.push(anchor);
            }
        }
        self.way.push(self.to);
        self.search = Search::Found;
    }

    /// Whether a straight piece is good enough: clear of walls, and of what else is in the grid, which
    /// is others that stood when the way was asked for.
    pub(crate) fn sees(&self, walls: &[Barrier], a: Vec2, b: Vec2) -> bool {
        let length = (b - a).length();
        let looks = (length / self.cell) as usize + 1;
        let is_free = |i: usize| {
            let index = self.index_of(a + (b - a) * (i as f64 / looks as f64)) as usize;
            f64::from(self.room[index]) / self.radius >= self.needed(index)
        };
        (1..=looks).all(is_free) && is_clear(walls, [a, b], self.keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    fn wall(a: (f64, f64), b: (f64, f64)) -> Barrier {
        Barrier { ends: [Vec2::new(a.0, a.1), Vec2::new(b.0, b.1)], radius: 0.02 }
    }

    fn found(guide: &mut Guide, walls: &[Barrier]) -> usize {
        for portion in 1..1000 {
            guide.work(walls);
            if guide.search() != Search::Working {
                return portion;
            }
        }
        panic!("never done");
    }

    fn length(way: &[Vec2]) -> f64 {
        way.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum()
    }

    #[test]
    fn a_way_leads_out_of_a_dead_end_and_keeps_its_distance() {
        // A cup that opens to the left, around the start; the goal is behind its bottom.
        let walls = [
            wall((-1.0, 1.0), (1.0, 1.0)),
            wall((1.0, 1.0), (1.0, -1.0)),
            wall((1.0, -1.0), (-1.0, -1.0)),
        ];
        let mut guide = Guide::new(0.15, 0.02);
        guide.seek(Vec2::ZERO, Vec2::new(2.0, 0.0), &walls, &[]);
        found(&mut guide, &walls);
        assert_eq!(guide.search(), Search::Found);
        let way = guide.way();
        assert_eq!((way[0], way[way.len() - 1]), (Vec2::ZERO, Vec2::new(2.0, 0.0)));
        assert!(way.windows(2).all(|pair| is_clear(&walls, [pair[0], pair[1]], 0.17)), "{way:?}");
        assert!(way.len() <= 7 && length(way) < 6.5, "{} {way:?}", length(way));
        // Something stands in the upper way around: the lower one is taken.
        let up = way[1].y > 0.0;
        let side = if up { 1.0 } else { -1.0 };
        let others =
            [Obstacle { position: Vec2::new(0.5, 1.3 * side), radius: 0.5, ..Obstacle::default() }];
        guide.seek(Vec2::ZERO, Vec2::new(2.0, 0.0), &walls, &others);
        found(&mut guide, &walls);
        assert!(guide.way()[1].y * side < 0.0 || guide.way().len() > 4, "{:?}", guide.way());
    }

    #[test]
    fn a_closed_room_is_nowhere_to_go() {
        let corners = [(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0)];
        let walls: Vec<Barrier> = (0..4).map(|i| wall(corners[i], corners[(i + 1) % 4])).collect();
        let mut guide = Guide::new(0.1, 0.01);
        guide.seek(Vec2::ZERO, Vec2::new(2.0, 2.0), &walls, &[]);
        found(&mut guide, &walls);
        assert_eq!(guide.search(), Search::Nowhere);
        assert!(guide.way().is_empty());
        guide.seek(Vec2::ZERO, Vec2::new(0.5, 2.0), &walls, &[]);
        found(&mut guide, &walls);
        assert_eq!(guide.search(), Search::Found);
    }

    #[test]
    fn no_way_crosses_a_wall_and_the_largest_search_ends_soon() {
        let mut random = Stream::new(3, 0, "walls");
        let mut ways = 0;
        for _ in 0..40 {
            let mut place = || Vec2::new(random.between(-5.0, 5.0), random.between(-5.0, 5.0));
            let walls: Vec<Barrier> = (0..25)
                .map(|_| {
                    let (a, b) = (place(), place());
                    Barrier { ends: [a, a + (b - a) * 0.3], radius: 0.0 }
                })
                .collect();
            let (from, to) = (place(), place());
            let room = crate::walls::room_at(&walls, from).min(crate::walls::room_at(&walls, to));
            if room < 0.1 {
                continue;
            }
            let mut guide = Guide::new(0.1, 0.01);
            guide.seek(from, to, &walls, &[]);
            assert!(found(&mut guide, &walls) <= 40, "at most 40,000 cells and what walls draw");
            for pair in guide.way().windows(2) {
                let way = [pair[0], pair[1]];
                let room = walls.iter().fold(1.0, |r, wall| smaller(r, wall.distance_to(way)));
                assert!(room > 0.02, "{room}");
                ways += 1;
            }
        }
        assert!(ways > 40, "{ways}");
    }
}
