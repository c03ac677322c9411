//! Broad phase: which pairs may touch soon, at a cost linear in the number of bodies.
//!
//! Three sieves, each conservative, so that none of them changes a bit of the outcome:
//! - a list of pairs whose bounding circles are within a margin; rebuilt from a grid only when a
//!   body may have moved by half the margin;
//! - for each pair a limit on what both bodies may sweep together before they could touch, so that
//!   most pairs cost one comparison a step;
//! - the circles themselves.
//!
//! The list is sorted by bodies, so contacts come in an order that does not depend on when the
//! list was built: a restored snapshot goes on bit for bit.

use super::SKIN;
use crate::planar::dynamics::Reach;
use crate::planar::{Block, place};
use crate::walls::{WallGrid, cell_of};
use rolima_math::Vec2;
use rolima_model::Model;
use std::sync::Arc;

/// Second members of a pair from here on are walls.
pub const WALL_BASE: u32 = 1 << 30;

/// Two bodies, or a body and a wall, that may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// Slot of the first body.
    pub a: u32,
    /// Slot of the second body (above the first's), or [`WALL_BASE`] + number of a wall's part.
    pub b: u32,
}

/// A body in the grid.
#[derive(Clone, Copy, Default)]
struct Entry {
    position: Vec2,
    radius: f64,
    cell: [i32; 2],
    slot: u32,
}

/// Which pairs may touch.
pub struct Broad {
    /// Pairs, sorted.
    pub(crate) pairs: Vec<Pair>,
    /// For each pair, where the sweeps of both stand.
    pub(crate) sweepers: Vec<[u32; 2]>,
    /// For each pair, the sum of both bodies' sweeps below which it cannot touch, m.
    pub(crate) limits: Vec<f64>,
    /// For each pair, the sum of both bodies' sweeps at which they stood side by side at rest.
    pub(crate) quiet: Vec<f64>,
    /// Numbers of the pairs that may touch in this step.
    pub(crate) awake: Vec<u32>,
    /// Sum over the steps since the last build of how far a body got at most, m.
    travel: f64,
    /// How far circles may be apart and still be listed, m.
    margin: f64,
    valid: bool,
    slots: Vec<(u32, f64)>,
    largest_radius: f64,
    walls: Arc<WallGrid>,
    entries: Vec<Entry>,
    sorted: Vec<Entry>,
    buckets: Vec<u32>,
}

/// Fewer bodies than this are compared each with each.
const GRID_FROM: usize = 24;

impl Broad {
    /// A broad phase among walls that are laid out already.
    pub(crate) fn among(walls: Arc<WallGrid>, model: &Model) -> Self {
        let slots: Vec<_> = model.bodies().map(|b| (b.slot, b.radius)).collect();
        let count = slots.len();
        Self {
            pairs: Vec::with_capacity(8 * count + 64),
            sweepers: Vec::with_capacity(8 * count + 64),
            limits: Vec::with_capacity(8 * count + 64),
            quiet: Vec::with_capacity(8 * count + 64),
            awake: Vec::with_capacity(8 * count + 64),
            travel: 0.0,
            margin: 0.0,
            valid: false,
            slots,
            largest_radius: model.largest_radius,
            walls,
            entries: Vec::with_capacity(count),
            sorted: vec![Entry::default(); count],
            buckets: vec![0; (2 * count).next_power_of_two() + 1],
        }
    }

    /// Forgets the list: somebody has moved a body by hand.
    pub(crate) fn invalidate(&mut self) {
        self.valid = false;
    }

    /// Makes sure that every pair that may touch in this step is listed.
    ///
    /// Returns how far any body gets in this step at most, without contacts.
    pub(crate) fn update(&mut self, model: &Model, before: &[Block], reach: Reach) -> f64 {
        let distance = reach.distance_squared.sqrt();
        // What a pair needs in this step: its own two ways and a push by a third body.
        let needed = 4.0 * distance + SKIN;
        if !self.valid || 2.0 * self.travel + needed > self.margin {
            self.margin = (self.largest_radius * 1.5).max(24.0 * distance + 2.0 * SKIN);
            self.build(model, before);
        }
        distance
    }

    /// Makes sure that every pair is listed whose circles are within `needed` m: what a hit throws may
    /// fly farther than anything moves by itself.
    pub(crate) fn widen(&mut self, model: &Model, before: &[Block], needed: f64) {
        if 2.0 * self.travel + needed > self.margin {
            self.margin = self.margin.max(6.0 * needed);
            self.build(model, before);
        }
    }

    /// Lists the pairs that may touch in this step: `sweeps` already hold its motion, and a third
    /// body may push by `push`.
    pub(crate) fn wake(&mut self, sweeps: &[f64], push: f64) {
        // Written without a branch on what is as good as random.
        self.awake.resize(self.pairs.len(), 0);
        let mut count = 0;
        for (i, (&[a, b], &limit)) in self.sweepers.iter().zip(&self.limits).enumerate() {
            self.awake[count] = i as u32;
            let sleeps = sweeps[a as usize] + sweeps[b as usize] + push < limit;
            count += usize::from(!sleeps);
        }
        self.awake.truncate(count);
    }

    /// Counts how far bodies really got in a step.
    pub(crate) fn advance(&mut self, distance: f64) {
        self.travel += distance;
    }

    fn build(&mut self, model: &Model, before: &[Block]) {
        self.valid = true;
        self.travel = 0.0;
        self.pairs.clear();
        self.entries.clear();
        let cell_size = 2.0 * self.largest_radius + self.margin;
        for &(slot, radius) in &self.slots {
            let (block, lane) = place(slot);
            let position = before[block].pose(lane).position;
            self.entries.push(Entry { position, radius, cell: cell_of(position, cell_size), slot });
        }
        if self.entries.len() < GRID_FROM {
            self.pair_all();
        } else {
            self.pair_by_grid();
        }
        for e in &self.entries {
            self.walls.find(model, e.position, e.radius + self.margin, |wall| {
                self.pairs.push(Pair { a: e.slot, b: WALL_BASE + wall });
            });
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
        // Walls share the sweep behind the last body's, which stays zero.
        let walls = model.layout.bodies.len() as u32;
        let sweepers = |p: &Pair| [p.a, if p.b < WALL_BASE { p.b } else { walls }];
        self.sweepers.clear();
        self.sweepers.extend(self.pairs.iter().map(sweepers));
        self.limits.clear();
        self.limits.resize(self.pairs.len(), f64::NEG_INFINITY);
        self.quiet.clear();
        self.quiet.resize(self.pairs.len(), f64::NAN);
    }

    fn pair_all(&mut self) {
        for (i, p) in self.entries.iter().enumerate() {
            for q in &self.entries[i + 1..] {
                if near(p, q, self.margin) {
                    self.pairs.push(ordered(p.slot, q.slot));
                }
            }
        }
    }

    /// Counting sort of the bodies into hashed cells, then every cell against itself and four of
    /// its neighbours, which meets each pair of cells once.
    fn pair_by_grid(&mut self) {
        let mask = self.buckets.len() - 2;
        self.buckets.fill(0);
        for e in &self.entries {
            self.buckets[bucket(e.cell, mask) + 1] += 1;
        }
        for i in 1..self.buckets.len() {
            self.buckets[i] += self.buckets[i - 1];
        }
        // Filled from the back, after which each bucket's start stands where its end stood.
        for e in self.entries.iter().rev() {
            let end = &mut self.buckets[bucket(e.cell, mask) + 1];
            *end -= 1;
            self.sorted[*end as usize] = *e;
        }
        let start = |b: usize| self.buckets[b + 1] as usize;
        let end =
            |b: usize| if b == mask { self.sorted.len() } else { self.buckets[b + 2] as usize };
        for (i, p) in self.sorted.iter().enumerate() {
            let own = bucket(p.cell, mask);
            for q in &self.sorted[i + 1..end(own)] {
                if q.cell == p.cell && near(p, q, self.margin) {
                    self.pairs.push(ordered(p.slot, q.slot));
                }
            }
            for offset in [[1, -1], [1, 0], [1, 1], [0, 1]] {
                let cell = [p.cell[0].wrapping_add(offset[0]), p.cell[1].wrapping_add(offset[1])];
                let b = bucket(cell, mask);
                for q in &self.sorted[start(b)..end(b)] {
                    if q.cell == cell && near(p, q, self.margin) {
                        self.pairs.push(ordered(p.slot, q.slot));
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn ordered(p: u32, q: u32) -> Pair {
    Pair { a: p.min(q), b: p.max(q) }
}

#[inline(always)]
fn near(p: &Entry, q: &Entry, margin: f64) -> bool {
    let limit = p.radius + q.radius + margin;
    (p.position - q.position).length_squared() <= limit * limit
}

#[inline(always)]
fn bucket(cell: [i32; 2], mask: usize) -> usize {
    let h = (cell[0] as u32).wrapping_mul(0x9E37_79B1) ^ (cell[1] as u32).wrapping_mul(0x85EB_CA77);
    ((h ^ (h >> 15)) as usize) & mask
}
