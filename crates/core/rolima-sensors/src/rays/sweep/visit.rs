//! Which cells and bodies are looked at: ring by ring, while beams are open.

use super::draw::rough_angle;
use super::{LANES, Lanes, Sweep};
use crate::rays::bodies::Bodies;
use crate::rays::grid::Rings;
use crate::rays::surface::{Disc, OutlineEdge, Thing};
use crate::rays::walls::PlaneWalls;
use rolima_math::{Vec2, smaller};
use rolima_model::BodyId;

/// Things that wait to be looked at: cells or bodies, with discs around them.
struct Waiting {
    x: Lanes,
    y: Lanes,
    radius: f64,
    index: [u32; LANES],
    len: usize,
}

impl Waiting {
    #[inline(always)]
    fn new(radius: f64) -> Self {
        Self { x: [1.0; LANES], y: [0.0; LANES], radius, index: [0; LANES], len: 0 }
    }
    #[inline(always)]
    fn push(&mut self, index: u32, center: Vec2) {
        let l = self.len % LANES;
        (self.x[l], self.y[l], self.index[l]) = (center.x, center.y, index);
        self.len = l + 1;
    }
}

impl<const CODES: bool> Sweep<'_, CODES> {
    #[inline(always)]
    pub(super) fn walls(&mut self, walls: &PlaneWalls) {
        let grid = &walls.coarse.grid;
        let rings = grid.rings(self.origin);
        for ring in rings.first..=rings.last {
            let Some(culls) = self.goes_on(&rings, ring) else { break };
            let mut waiting = Waiting::new(0.7073 * grid.cell);
            for (x, y, along_row, count) in rings.runs(grid, ring) {
                for i in 0..count {
                    let (cx, cy) = if along_row { (x + i, y) } else { (x, y + i) };
                    let cell = (cy * grid.columns + cx) as usize;
                    let empty = walls.coarse.edges.of(cell).is_empty()
                        && (walls.discs.is_empty() || walls.coarse.discs.of(cell).is_empty());
                    if empty {
                        continue;
                    }
                    let at = Vec2::new(cx as f64 + 0.5, cy as f64 + 0.5) * grid.cell;
                    waiting.push(cell as u32, grid.min + at - self.origin);
                    if waiting.len == LANES {
                        self.wall_cells(walls, &mut waiting, culls);
                    }
                }
            }
            self.wall_cells(walls, &mut waiting, culls);
            self.flush();
        }
    }

    /// Looks into the cells that wait and are not hidden.
    #[inline(always)]
    fn wall_cells(&mut self, walls: &PlaneWalls, waiting: &mut Waiting, culls: bool) {
        let seen = self.which_are_seen(waiting, culls);
        for i in 0..waiting.len {
            if seen[i] {
                self.wall_cell(walls, waiting.index[i] as usize);
            }
        }
        waiting.len = 0;
    }

    #[inline(always)]
    fn wall_cell(&mut self, walls: &PlaneWalls, cell: usize) {
        for &index in walls.coarse.edges.of(cell) {
            let seen = &mut self.s.seen_edges[index as usize];
            if *seen == self.s.scan {
                continue;
            }
            *seen = self.s.scan;
            self.push(&walls.edges[index as usize]);
        }
        if !walls.discs.is_empty() {
            for &index in walls.coarse.discs.of(cell) {
                self.disc(&walls.discs[index as usize]);
            }
        }
    }

    #[inline(always)]
    pub(super) fn bodies(&mut self, bodies: &Bodies, skip: Option<BodyId>) {
        let rings = bodies.grid.rings(self.origin);
        for ring in rings.first..=rings.last {
            let Some(culls) = self.goes_on(&rings, ring) else { break };
            let mut waiting = Waiting::new(bodies.most_reach);
            for (x, y, along_row, count) in rings.runs(&bodies.grid, ring) {
                for i in 0..count {
                    let (cx, cy) = if along_row { (x + i, y) } else { (x, y + i) };
                    let cell = (cy * bodies.grid.columns + cx) as usize;
                    for &index in bodies.lists.of(cell) {
                        let seen = &mut self.s.seen_bodies[index as usize];
                        if *seen == self.s.scan {
                            continue;
                        }
                        *seen = self.s.scan;
                        let body = &bodies.placed[index as usize];
                        if Some(body.body) != skip {
                            waiting.push(index, body.pose.position - self.origin);
                        }
                        if waiting.len == LANES {
                            self.waiting_bodies(bodies, &mut waiting, culls);
                        }
                    }
                }
            }
            self.waiting_bodies(bodies, &mut waiting, culls);
            self.flush();
        }
    }

    /// Draws the bodies that wait and are not hidden.
    #[inline(always)]
    fn waiting_bodies(&mut self, bodies: &Bodies, waiting: &mut Waiting, culls: bool) {
        let seen = self.which_are_seen(waiting, culls);
        for i in 0..waiting.len {
            if seen[i] {
                self.body(bodies, waiting.index[i] as usize);
            }
        }
        waiting.len = 0;
    }

    #[inline(always)]
    fn body(&mut self, bodies: &Bodies, index: usize) {
        let body = &bodies.placed[index];
        let section = &bodies.sections[body.outline as usize];
        let code = Thing::Body(body.body).code();
        for polygon in &section.polygons {
            let mut from = body.pose.transform(polygon.last());
            for (corner, most_h) in polygon.corners() {
                let to = body.pose.transform(corner);
                self.push(&OutlineEdge::with_most_h(from, to, most_h, code));
                from = to;
            }
        }
        for &(center, radius) in &section.discs {
            self.disc(&Disc { center: body.pose.transform(center), radius, code });
        }
    }

    /// Whether anything in a ring or beyond can still be the nearest; if so, whether it pays to
    /// ask for single cells.
    #[inline(always)]
    fn goes_on(&mut self, rings: &Rings, ring: i64) -> Option<bool> {
        let distance = rings.distance(ring);
        if distance > self.range {
            return None;
        }
        if distance <= 0.0 {
            return Some(false);
        }
        let mut least = [f64::INFINITY; LANES];
        for (open, lanes) in self.s.open.iter_mut().zip(&self.s.inverse) {
            let mut low = f64::INFINITY;
            for l in 0..LANES {
                least[l] = smaller(lanes[l], least[l]);
                low = smaller(lanes[l], low);
            }
            *open = low;
        }
        let least = least.iter().fold(f64::INFINITY, |a, &b| smaller(b, a));
        // As near as a surface of this ring is not enough: the code would decide.
        if least * distance > 1.0 + 1e-9 { None } else { Some(ring > rings.first.max(1)) }
    }

    /// Which of the discs around things that wait some beam could still reach, as of the beginning
    /// of the ring; all of them if it does not pay to ask.
    #[inline(always)]
    fn which_are_seen(&self, waiting: &Waiting, culls: bool) -> [bool; LANES] {
        let mut seen = [true; LANES];
        if !culls {
            return seen;
        }
        let (fx, fy, radius) = (self.first.x, self.first.y, waiting.radius);
        let (mut distance, mut middle) = ([0.0; LANES], [0.0; LANES]);
        let (mut half, mut near) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            let (x, y) = (waiting.x[l], waiting.y[l]);
            distance[l] = (x * x + y * y).sqrt();
            middle[l] = rough_angle(x * fx + y * fy, y * fx - x * fy) * self.over_step;
            // asin s <= 1.1 s up to s = 0.65.
            half[l] = 1.1 * radius / distance[l] * self.over_step + self.rough;
            near[l] = 1.0 / (distance[l] - radius) * (1.0 + 1e-9);
        }
        for l in 0..waiting.len {
            if distance[l] < 1.6 * radius {
                continue;
            }
            seen[l] = false;
            if distance[l] - radius > self.range * (1.0 + 1e-9) {
                continue;
            }
            for (from, to) in
                self.spans(middle[l] - half[l], middle[l] + half[l]).into_iter().flatten()
            {
                let groups = self.s.open.get(from as usize / LANES..=to as usize / LANES);
                seen[l] |= groups.is_some_and(|groups| groups.iter().any(|&open| open <= near[l]));
            }
        }
        seen
    }
}
