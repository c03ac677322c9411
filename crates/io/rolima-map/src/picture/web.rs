//! Walls between vertices: what goes straight on through a vertex is one wall.

use super::graph::Sets;
use rolima_math::Vec2;

/// How far vertices may lie from the straight wall that goes through them, pixels.
const ASIDE: f64 = 0.8;
/// Least cosine of the turn of a wall that goes straight on.
const STRAIGHT: f64 = 0.9;

/// A wall between two vertices, and those that it goes through.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    pub(crate) ends: [usize; 2],
    pub(crate) kind: Kind,
    through: Vec<usize>,
}

/// What the walls of a way have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// Half the width of the pen, pixels.
    pub(crate) half: f64,
    /// The thing of ink that they belong to, by a number.
    pub(crate) group: usize,
    /// Whether they stay as they are.
    pub(crate) is_fixed: bool,
}

/// Walls that meet at vertices.
pub(crate) struct Web {
    places: Vec<Vec2>,
    walls: Vec<Option<Wall>>,
    nodes: usize,
}

impl Web {
    /// A web without walls whose first vertices are at `places`.
    pub(crate) fn new(places: Vec<Vec2>) -> Self {
        let nodes = places.len();
        Self { places, walls: vec![], nodes }
    }

    /// Adds walls end to end, by way of `corners`.
    pub(crate) fn add(&mut self, ends: [usize; 2], corners: &[Vec2], kind: Kind) {
        let mut from = ends[0];
        for corner in corners {
            self.places.push(*corner);
            let to = self.places.len() - 1;
            self.walls.push(Some(Wall { ends: [from, to], kind, through: vec![] }));
            from = to;
        }
        self.walls.push(Some(Wall { ends: [from, ends[1]], kind, through: vec![] }));
    }

    pub(crate) fn place(&self, vertex: usize) -> Vec2 {
        self.places[vertex]
    }

    pub(crate) fn walls(&self) -> impl Iterator<Item = &Wall> {
        self.walls.iter().flatten()
    }

    /// Makes one wall of two that go straight on through a vertex, and puts the ends of others
    /// there onto it.
    pub(crate) fn straighten(&mut self) {
        let mut at: Vec<Vec<usize>> = vec![vec![]; self.places.len()];
        for (i, wall) in self.walls.iter().enumerate() {
            for wall in wall.iter().flat_map(|wall| wall.ends) {
                at[wall].push(i);
            }
        }
        let mut sets = Sets::new(self.walls.len());
        // Nodes first: corners within a way were chosen to be there.
        for (vertex, walls) in at.iter().enumerate().take(self.nodes) {
            let mut here: Vec<usize> = walls.iter().map(|wall| sets.root(*wall)).collect();
            here.sort_unstable();
            here.dedup();
            while let Some((a, b)) = self.straightest(vertex, &here) {
                if let Some(both) = self.united(a, b, vertex) {
                    (self.walls[a], self.walls[b]) = (None, None);
                    self.walls[a.min(b)] = Some(both);
                    sets.unite(a, b);
                }
                here.retain(|wall| *wall != a && *wall != b);
            }
        }
        // Vertices that walls go through are put onto them; a few rounds, as one moves another.
        for _ in 0..3 {
            self.settle();
        }
    }

    /// The two walls that go on as one another best, of those with an end at `vertex`.
    fn straightest(&self, vertex: usize, walls: &[usize]) -> Option<(usize, usize)> {
        let mut best: Option<(f64, (usize, usize))> = None;
        for (k, &a) in walls.iter().enumerate() {
            for &b in &walls[k + 1..] {
                let cosine = self.turn(a, b, vertex);
                let is_better = best.is_none_or(|(before, _)| cosine > before);
                if cosine > STRAIGHT && is_better && self.united(a, b, vertex).is_some() {
                    best = Some((cosine, (a, b)));
                }
            }
        }
        best.map(|(_, pair)| pair)
    }

    /// The other end of a wall with an end at `vertex`.
    fn far(&self, wall: usize, vertex: usize) -> Option<usize> {
        match self.walls[wall].as_ref()?.ends {
            [a, b] if a == vertex && b != vertex => Some(b),
            [a, b] if b == vertex && a != vertex => Some(a),
            _ => None,
        }
    }

    /// Cosine of the turn from one wall to the other: 1 is straight on.
    fn turn(&self, a: usize, b: usize, vertex: usize) -> f64 {
        let along = |wall: usize| {
            let far = self.far(wall, vertex)?;
            Some((self.places[far] - self.places[vertex]).unit_or(Vec2::ZERO))
        };
        match (along(a), along(b)) {
            (Some(u), Some(v)) => -u.dot(v),
            _ => -1.0,
        }
    }

    /// One wall for two, if all vertices on it lie near to it.
    fn united(&self, a: usize, b: usize, vertex: usize) -> Option<Wall> {
        let (from, to) = (self.far(a, vertex)?, self.far(b, vertex)?);
        let (first, second) = (self.walls[a].as_ref()?, self.walls[b].as_ref()?);
        if first.kind.is_fixed || second.kind.is_fixed {
            return None;
        }
        let along = (self.places[to] - self.places[from]).unit_or(Vec2::ZERO);
        let mut through = first.through.clone();
        through.push(vertex);
        through.extend(&second.through);
        let near = |v: &usize| along.cross(self.places[*v] - self.places[from]).abs() <= ASIDE;
        let half = 0.5 * (first.kind.half + second.kind.half);
        (from != to && along != Vec2::ZERO && through.iter().all(near)).then_some(Wall {
            ends: [from, to],
            kind: Kind { half, ..first.kind },
            through,
        })
    }

    fn settle(&mut self) {
        let mut lines: Vec<Vec<(Vec2, Vec2)>> = vec![vec![]; self.places.len()];
        for wall in self.walls.iter().flatten() {
            let [from, to] = wall.ends.map(|end| self.places[end]);
            let along = (to - from).unit_or(Vec2::new(1.0, 0.0));
            wall.through.iter().for_each(|vertex| lines[*vertex].push((from, along)));
        }
        for (place, lines) in self.places.iter_mut().zip(lines) {
            *place = match lines[..] {
                [(p, u), (q, v), ..] if u.cross(v).abs() > 0.3 => {
                    p + u * ((q - p).cross(v) / u.cross(v))
                }
                [(p, u), ..] => p + u * (*place - p).dot(u),
                [] => *place,
            };
        }
    }
}
