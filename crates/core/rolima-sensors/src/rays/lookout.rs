//! What can be seen from a cell in about one direction, worked out beforehand.
//!
//! A walk through cells is short but hard to foretell, and a processor that guesses wrong loses
//! more time than all the arithmetic takes. So for each cell of the grid and each class of
//! directions there is a list of up to [`MOST`] edges that a ray from there may meet first, and
//! how far that list is complete. A ray tests all of them without a branch; if the nearest lies
//! within that distance it is the answer, and else the ray walks.

use super::surface::{Disc, OutlineEdge};
use super::walls::PlaneWalls;
use core::f64::consts::TAU;
use rolima_math::{Rot2, Vec2};

/// Edges of a list.
pub(crate) const MOST: usize = 8;

/// The square around the circle of directions is cut into this many strips each way.
const STRIPS: usize = 8;

/// Farthest ring of cells whose edges are listed.
const RINGS: i64 = 6;

/// How far regions are widened against rounding, as a share of a cell.
const MARGIN: f64 = 1e-6;

/// A list of edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct List {
    /// Numbers of edges; the last one of all stands for none.
    pub(crate) edges: [u16; MOST],
    /// How far from the origin the list is complete, m.
    pub(crate) complete: f64,
}

/// The lists of all cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lookouts {
    /// Class of each square of directions.
    classes: Vec<u8>,
    /// How many classes there are.
    count: usize,
    lists: Vec<List>,
}

/// The square that a direction falls into.
#[inline(always)]
fn square(d: Vec2) -> usize {
    let strip = |x: f64| ((x + 1.0) * (0.5 * STRIPS as f64)) as i32 as usize;
    strip(d.x) * (STRIPS + 1) + strip(d.y)
}

impl Lookouts {
    /// The list for a cell and a direction, if there is one.
    #[inline(always)]
    pub(crate) fn list(&self, cell: usize, direction: Vec2) -> Option<&List> {
        let class = usize::from(*self.classes.get(square(direction))?);
        if class < self.count { self.lists.get(cell * self.count + class) } else { None }
    }

    /// Whether none were worked out.
    pub(crate) fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Works out the lists. None where edges are too many to be numbered in a list.
    pub(crate) fn new(walls: &PlaneWalls) -> Self {
        if walls.edges.len() >= usize::from(u16::MAX) || walls.fine.grid.cells() > 1 << 16 {
            return Self::default();
        }
        let arcs = arcs();
        let mut out = Self { count: arcs.len(), ..Self::default() };
        out.classes = vec![u8::MAX; (STRIPS + 1) * (STRIPS + 1)];
        for (class, arc) in arcs.iter().enumerate() {
            out.classes[arc.square] = class as u8;
        }
        let mut candidates = vec![];
        let mut seen = vec![u32::MAX; walls.edges.len()];
        for cell in 0..walls.fine.grid.cells() {
            let place = LookoutCell::new(walls, cell);
            place.candidates(walls, cell as u32, &mut seen, &mut candidates);
            out.lists.extend(arcs.iter().map(|arc| place.list(walls, arc, &candidates)));
        }
        out
    }
}

/// Directions of one square, with the ends of their arc.
struct Arc {
    square: usize,
    ends: [Vec2; 2],
}

/// The arcs into which the squares cut the circle, a little longer than they are.
fn arcs() -> Vec<Arc> {
    const SAMPLES: usize = 1 << 14;
    let at = |i: usize| Rot2::from_angle(TAU * i as f64 / SAMPLES as f64).x_axis();
    let mut arcs: Vec<Arc> = vec![];
    // Begins at the first change of squares, so that no arc is cut in two.
    let start = (1..SAMPLES).find(|&i| square(at(i)) != square(at(i - 1))).unwrap_or(0);
    let mut i = start;
    while i < start + SAMPLES {
        let first = i;
        while i < start + SAMPLES && square(at(i % SAMPLES)) == square(at(first % SAMPLES)) {
            i += 1;
        }
        // One sample more on both sides, as the arc ends between two.
        let (from, to) = ((first + SAMPLES - 1) % SAMPLES, i % SAMPLES);
        arcs.push(Arc { square: square(at(first % SAMPLES)), ends: [at(from), at(to)] });
    }
    // A square that a tiny arc is in, or two arcs, would need a list for both: leave it to walks.
    let twice = |arc: &Arc| arcs.iter().filter(|a| a.square == arc.square).count() > 1;
    let keep: Vec<bool> = arcs.iter().map(|arc| !twice(arc)).collect();
    let mut keep = keep.into_iter();
    arcs.retain(|_| keep.next() == Some(true));
    arcs
}

/// A cell as a place to look from.
struct LookoutCell {
    corners: [Vec2; 4],
    min: Vec2,
    max: Vec2,
    margin: f64,
    /// How far all edges are among the candidates, m.
    reach: f64,
    column: i64,
    row: i64,
}

impl LookoutCell {
    fn new(walls: &PlaneWalls, cell: usize) -> Self {
        let grid = &walls.fine.grid;
        let (column, row) = (cell as i64 % grid.columns, cell as i64 / grid.columns);
        let margin = MARGIN * grid.cell;
        let low = grid.min + Vec2::new(column as f64 * grid.cell, row as f64 * grid.cell);
        let min = low - Vec2::new(margin, margin);
        let max = low + Vec2::new(grid.cell + margin, grid.cell + margin);
        let corners = [min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
        let reach = RINGS as f64 * grid.cell * (1.0 - 1e-9) - margin;
        Self { corners, min, max, margin, reach, column, row }
    }

    /// Edges near by that face some point of the cell, nearest first, with their distances.
    fn candidates(
        &self,
        walls: &PlaneWalls,
        cell: u32,
        seen: &mut [u32],
        out: &mut Vec<(f64, u32)>,
    ) {
        out.clear();
        let grid = &walls.fine.grid;
        for y in (self.row - RINGS).max(0)..=(self.row + RINGS).min(grid.rows - 1) {
            for x in (self.column - RINGS).max(0)..=(self.column + RINGS).min(grid.columns - 1) {
                for &index in walls.fine.edges.of((y * grid.columns + x) as usize) {
                    let edge = &walls.edges[index as usize];
                    let faces = |o: &Vec2| (edge.from() - *o).cross(edge.along()) < 0.0;
                    if seen[index as usize] != cell && self.corners.iter().any(faces) {
                        out.push((self.distance(edge), index));
                    }
                    seen[index as usize] = cell;
                }
            }
        }
        out.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// At most the distance between the cell and an edge.
    fn distance(&self, edge: &OutlineEdge) -> f64 {
        let inside = |p: Vec2| {
            p.x >= self.min.x && p.x <= self.max.x && p.y >= self.min.y && p.y <= self.max.y
        };
        let to_box = |p: Vec2| {
            let x = (self.min.x - p.x).max(p.x - self.max.x).max(0.0);
            let y = (self.min.y - p.y).max(p.y - self.max.y).max(0.0);
            Vec2::new(x, y).length()
        };
        let to_edge = |p: Vec2| {
            let share = (p - edge.from()).dot(edge.along()) / edge.along().length_squared();
            (edge.from() + edge.along() * share.clamp(0.0, 1.0) - p).length()
        };
        let sides = self.corners.map(|c| (c - edge.from()).cross(edge.along()));
        let crosses = sides.iter().any(|&s| s <= 0.0) && sides.iter().any(|&s| s >= 0.0);
        let near = to_box(edge.from()).min(to_box(edge.to()));
        if inside(edge.from()) || (crosses && self.spans(edge)) {
            return 0.0;
        }
        self.corners.iter().map(|&c| to_edge(c)).fold(near, f64::min) * (1.0 - 1e-9)
    }

    /// Whether the boxes around the cell and an edge overlap.
    fn spans(&self, edge: &OutlineEdge) -> bool {
        let (a, b) = (edge.from(), edge.to());
        a.x.min(b.x) <= self.max.x
            && a.x.max(b.x) >= self.min.x
            && a.y.min(b.y) <= self.max.y
            && a.y.max(b.y) >= self.min.y
    }

    /// The list for one arc of directions.
    fn list(&self, walls: &PlaneWalls, arc: &Arc, candidates: &[(f64, u32)]) -> List {
        let none = (walls.edges.len() - 1) as u16;
        let mut list = List { edges: [none; MOST], complete: self.reach };
        let mut count = 0;
        let mut blocked = f64::INFINITY;
        for &(near, index) in candidates {
            if near > blocked || near > self.reach {
                break;
            }
            let edge = &walls.edges[index as usize];
            if !self.may_meet(arc, edge) {
                continue;
            }
            if count == MOST {
                list.complete = near;
                break;
            }
            list.edges[count] = index as u16;
            count += 1;
            blocked = blocked.min(self.blocks(arc, edge));
        }
        if blocked <= list.complete {
            list.complete = f64::INFINITY;
        }
        let discs = walls.discs.iter().filter(|disc| self.may_meet_disc(disc));
        let near = discs.map(|disc| self.disc_distance(disc)).fold(f64::INFINITY, f64::min);
        list.complete = list.complete.min(near);
        list
    }

    /// Whether some ray from the cell in the arc may meet an edge from its front.
    fn may_meet(&self, arc: &Arc, edge: &OutlineEdge) -> bool {
        let facing = |d: Vec2| d.cross(edge.along()) < 1e-9 * edge.along().length();
        if !arc.ends.iter().any(|&d| facing(d)) {
            return false;
        }
        // The region is the cell moved along the cone: convex, so the edge is clipped to it.
        let (mut from, mut to) = (0.0f64, 1.0f64);
        let axes = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
        let backs = axes.map(|(x, y)| Vec2::new(x, y));
        let sides = [-arc.ends[0].perp(), arc.ends[1].perp()];
        for normal in backs.into_iter().chain(sides) {
            if arc.ends.iter().any(|d| d.dot(normal) > 1e-12) {
                continue;
            }
            let limit = self.corners.iter().map(|c| c.dot(normal)).fold(f64::MIN, f64::max);
            let (start, slope) =
                (edge.from().dot(normal) - limit - self.margin, edge.along().dot(normal));
            if slope.abs() < 1e-15 {
                if start > 0.0 {
                    return false;
                }
            } else if slope > 0.0 {
                to = to.min(-start / slope);
            } else {
                from = from.max(-start / slope);
            }
        }
        from <= to + 1e-9
    }

    /// How far the farthest ray of the arc gets, if all of them end at this edge or before.
    fn blocks(&self, arc: &Arc, edge: &OutlineEdge) -> f64 {
        let mut farthest = 0.0f64;
        for &corner in &self.corners {
            for d in arc.ends {
                let a = edge.from() - corner;
                let (h, speed) = (a.cross(edge.along()), d.cross(edge.along()));
                if h >= 2.0 * edge.most_h() || speed >= 0.0 {
                    return f64::INFINITY;
                }
                let t = h / speed;
                let share = (d * t - a).dot(edge.along()) / edge.along().length_squared();
                if !(1e-6..=1.0 - 1e-6).contains(&share) {
                    return f64::INFINITY;
                }
                farthest = farthest.max(t);
            }
        }
        farthest * (1.0 + 1e-9)
    }

    fn may_meet_disc(&self, disc: &Disc) -> bool {
        self.disc_distance(disc) <= self.reach
    }

    fn disc_distance(&self, disc: &Disc) -> f64 {
        let x = (self.min.x - disc.center.x).max(disc.center.x - self.max.x).max(0.0);
        let y = (self.min.y - disc.center.y).max(disc.center.y - self.max.y).max(0.0);
        ((Vec2::new(x, y).length() - disc.radius) * (1.0 - 1e-9) - self.margin).max(0.0)
    }
}
