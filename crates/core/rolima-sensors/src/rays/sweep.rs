//! A whole fan of rays at once.
//!
//! Surfaces are drawn into a buffer of inverse distances over the beams, nearest cells first. A
//! cell is looked into only while some beam that could pass it is still open there.

use super::bodies::Bodies;
use super::fan::Fan;
use super::grid::Rings;
use super::surface::{Disc, Edge, Thing};
use super::walls::Walls;
use core::f64::consts::{FRAC_PI_2, PI, TAU};
use rolima_math::{Pose2, Vec2, larger, smaller};

/// Beams drawn at a time.
const LANES: usize = 8;
type Lanes = [f64; LANES];

/// Upper bounds that let through lanes from the k-th on, or up to the k-th.
const FROM: [Lanes; LANES] = caps(true);
const UP_TO: [Lanes; LANES] = caps(false);

const fn caps(from: bool) -> [Lanes; LANES] {
    let mut table = [[0.0; LANES]; LANES];
    let mut k = 0;
    while k < LANES {
        let mut lane = 0;
        while lane < LANES {
            if (from && lane >= k) || (!from && lane <= k) {
                table[k][lane] = f64::INFINITY;
            }
            lane += 1;
        }
        k += 1;
    }
    table
}

/// Error of [`rough_angle`], rad, with room to spare.
const ROUGH: f64 = 1e-7;

/// Angle of a vector from 0 to a full turn, to some 2e-8 rad: only to find beams, which are then
/// tested exactly. The polynomial is 4.4.49 of Abramowitz and Stegun's handbook.
#[inline(always)]
fn rough_angle(x: f64, y: f64) -> f64 {
    let (across, up) = (x.abs(), y.abs());
    let z = smaller(across, up) / larger(larger(across, up), 1e-300);
    let s = z * z;
    let mut p = 0.002_866_225_7;
    for c in [
        -0.016_165_736_7,
        0.042_909_613_8,
        -0.075_289_64,
        0.106_562_639_3,
        -0.142_088_994_4,
        0.199_935_508_5,
        -0.333_331_452_8,
        1.0,
    ] {
        p = p * s + c;
    }
    let a = z * p;
    let a = if up > across { FRAC_PI_2 - a } else { a };
    let a = if x < 0.0 { PI - a } else { a };
    if y < 0.0 { TAU - a } else { a }
}

/// Edges on their way into the buffer, an array a quantity.
#[derive(Clone, Debug, Default)]
#[repr(C, align(64))]
struct Batch {
    ax: Lanes,
    ay: Lanes,
    bx: Lanes,
    by: Lanes,
    ex: Lanes,
    ey: Lanes,
    h: Lanes,
    code: [u32; LANES],
    len: usize,
}

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

/// Memory of scans, reused from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// Directions of the beams, counter-clockwise.
    dx: Vec<Lanes>,
    dy: Vec<Lanes>,
    /// Inverse distances.
    inverse: Vec<Lanes>,
    /// Codes of things, if they are asked for.
    codes: Vec<[u64; LANES]>,
    /// Least inverse distance of each group of beams.
    open: Vec<f64>,
    /// The scan in which each edge of a wall and each body was looked at last.
    seen_edges: Vec<u32>,
    seen_bodies: Vec<u32>,
    scan: u32,
    batch: Batch,
}

/// One scan: where beams are, and the buffers.
struct Sweep<'a, const CODES: bool> {
    s: &'a mut Scratch,
    origin: Vec2,
    range: f64,
    beams: i64,
    /// Direction of the first beam, counter-clockwise.
    first: Vec2,
    over_step: f64,
    /// Beams that would make a full turn.
    turn: f64,
    /// How many beams a rough angle may be off.
    rough: f64,
}

impl Scratch {
    /// Draws walls and bodies and leaves the inverse distances in the buffers.
    #[inline(always)]
    pub(crate) fn sweep<const CODES: bool>(
        &mut self,
        (walls, bodies): (&Walls, &Bodies),
        (pose, fan): (Pose2, &Fan),
        range: f64,
        skip: Option<u32>,
    ) {
        self.begin::<CODES>(pose, fan, walls.edges.len(), bodies.placed.len());
        let beams = fan.beams();
        let step = fan.step_angle().abs().max(super::fan::SMALLEST_STEP);
        let first =
            fan.direction(if fan.step_angle() < 0.0 { beams - 1 } else { 0 }, pose.rotation);
        let mut sweep = Sweep::<CODES> {
            s: self,
            origin: pose.position,
            range,
            beams: beams as i64,
            first,
            over_step: 1.0 / step,
            turn: TAU / step,
            rough: ROUGH / step + 1e-6,
        };
        if !walls.block_ranges.is_empty() {
            sweep.walls(walls);
        }
        if !bodies.placed.is_empty() {
            sweep.bodies(bodies, skip);
        }
    }

    #[inline(always)]
    fn begin<const CODES: bool>(&mut self, pose: Pose2, fan: &Fan, edges: usize, bodies: usize) {
        let beams = fan.beams();
        let groups = beams.div_ceil(LANES);
        if self.dx.len() != groups {
            self.dx.resize(groups, [0.0; LANES]);
            self.dy.resize(groups, [0.0; LANES]);
            self.inverse.resize(groups, [0.0; LANES]);
            self.open.resize(groups, 0.0);
        }
        let backwards = fan.step_angle() < 0.0;
        let directions = fan.directions();
        for g in 0..groups {
            let mut local = [Vec2::ZERO; LANES];
            let from = g * LANES;
            let count = LANES.min(beams - from);
            if backwards {
                let end = beams - from;
                local[..count].copy_from_slice(&directions[end - count..end]);
                local[..count].reverse();
            } else {
                local[..count].copy_from_slice(&directions[from..from + count]);
            }
            for l in 0..LANES {
                let d = pose.rotation.rotate(local[l]);
                self.dx[g][l] = d.x;
                self.dy[g][l] = d.y;
            }
        }
        self.inverse.fill([0.0; LANES]);
        if let Some(last) = self.inverse.last_mut() {
            // Lanes beyond the last beam count as closed.
            for l in 0..LANES {
                if (groups - 1) * LANES + l >= beams {
                    last[l] = f64::INFINITY;
                }
            }
        }
        if CODES {
            self.codes.clear();
            self.codes.resize(groups, [u64::from(super::NOTHING); LANES]);
        }
        if self.seen_edges.len() < edges || self.seen_bodies.len() < bodies || self.scan == u32::MAX
        {
            self.seen_edges.clear();
            self.seen_edges.resize(edges, 0);
            self.seen_bodies.clear();
            self.seen_bodies.resize(bodies, 0);
            self.scan = 0;
        }
        self.scan += 1;
    }

    /// Writes the distances in the order of the readings.
    #[inline(always)]
    pub(crate) fn distances(&self, fan: &Fan, range: f64, out: &mut [f64]) {
        let beams = fan.beams();
        let groups = out.chunks_mut(LANES).zip(&self.inverse);
        for (chunk, inverse) in groups {
            let mut lanes = [0.0; LANES];
            for l in 0..LANES {
                lanes[l] = smaller(1.0 / inverse[l], range);
            }
            chunk.copy_from_slice(&lanes[..chunk.len()]);
        }
        if fan.step_angle() < 0.0 {
            out[..beams].reverse();
        }
    }

    /// Writes the codes of what was hit within the range, in the order of the readings.
    pub(crate) fn codes(&self, fan: &Fan, range: f64, out: &mut [u32]) {
        for (i, code) in out.iter_mut().enumerate() {
            let beam = if fan.step_angle() < 0.0 { fan.beams() - 1 - i } else { i };
            let (g, l) = (beam / LANES, beam % LANES);
            let hit = 1.0 / self.inverse[g][l] < range;
            *code = if hit { self.codes[g][l] as u32 } else { super::NOTHING };
        }
    }
}

impl<const CODES: bool> Sweep<'_, CODES> {
    #[inline(always)]
    fn walls(&mut self, walls: &Walls) {
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
    fn wall_cells(&mut self, walls: &Walls, waiting: &mut Waiting, culls: bool) {
        let seen = self.which_are_seen(waiting, culls);
        for i in 0..waiting.len {
            if seen[i] {
                self.wall_cell(walls, waiting.index[i] as usize);
            }
        }
        waiting.len = 0;
    }

    #[inline(always)]
    fn wall_cell(&mut self, walls: &Walls, cell: usize) {
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
    fn bodies(&mut self, bodies: &Bodies, skip: Option<u32>) {
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
                        if Some(body.slot) != skip {
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
        let code = Thing::Body(body.slot).code();
        for polygon in &section.polygons {
            let mut from = body.pose.transform(polygon.last());
            for (corner, most_h) in polygon.corners() {
                let to = body.pose.transform(corner);
                self.push(&Edge::with_most_h(from, to, most_h, code));
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

    /// Where between the beams a vector from the origin points, roughly: 0 to a full turn.
    #[inline(always)]
    fn beam_of(&self, v: Vec2) -> f64 {
        rough_angle(v.dot(self.first), self.first.cross(v)) * self.over_step
    }

    /// Ranges of beams from `low` to `high`, which may pass the beginning or the end of a turn.
    #[inline(always)]
    fn spans(&self, low: f64, high: f64) -> [Option<(i64, i64)>; 3] {
        let cut = |low: f64, high: f64| {
            let (from, to) = (larger(low.ceil(), 0.0) as i64, high.floor() as i64);
            let to = to.min(self.beams - 1);
            (from <= to).then_some((from, to))
        };
        [
            if high >= 0.0 { cut(low, high) } else { None },
            if high >= self.turn { cut(low - self.turn, high - self.turn) } else { None },
            if low < 0.0 { cut(low + self.turn, high + self.turn) } else { None },
        ]
    }

    /// Takes an edge that faces the origin.
    #[inline(always)]
    fn push(&mut self, edge: &Edge) {
        let (a, b) = (edge.from() - self.origin, edge.to() - self.origin);
        let h = a.cross(edge.along());
        if h >= edge.most_h() {
            return;
        }
        let batch = &mut self.s.batch;
        let l = batch.len % LANES;
        (batch.ax[l], batch.ay[l], batch.bx[l], batch.by[l]) = (a.x, a.y, b.x, b.y);
        (batch.ex[l], batch.ey[l], batch.h[l]) = (edge.along().x, edge.along().y, h);
        batch.code[l] = edge.code();
        batch.len = l + 1;
        if l + 1 == LANES {
            self.flush();
        }
    }

    /// Draws the edges of the batch.
    #[inline(always)]
    fn flush(&mut self) {
        let len = self.s.batch.len;
        if len == 0 {
            return;
        }
        self.s.batch.len = 0;
        let batch = &self.s.batch;
        let (mut mx, mut my) = ([0.0; LANES], [0.0; LANES]);
        let (mut left, mut right) = ([0.0; LANES], [0.0; LANES]);
        let (fx, fy) = (self.first.x, self.first.y);
        for l in 0..LANES {
            let over_h = 1.0 / batch.h[l];
            mx[l] = batch.ey[l] * over_h;
            my[l] = batch.ex[l] * over_h;
            let (ax, ay, bx, by) = (batch.ax[l], batch.ay[l], batch.bx[l], batch.by[l]);
            left[l] = rough_angle(ax * fx + ay * fy, ay * fx - ax * fy) * self.over_step;
            right[l] = rough_angle(bx * fx + by * fy, by * fx - bx * fy) * self.over_step;
        }
        for l in 0..len {
            // From the right end counter-clockwise to the left one, less than half a turn.
            let width = left[l] - right[l];
            let width = if width < 0.0 { width + self.turn } else { width };
            let width = if width > 0.5 * self.turn + 1.0 + self.rough { 0.0 } else { width };
            let (low, high) = (right[l] - self.rough, right[l] + width + self.rough);
            let a = Vec2::new(self.s.batch.ax[l], self.s.batch.ay[l]);
            let b = Vec2::new(self.s.batch.bx[l], self.s.batch.by[l]);
            let code = self.s.batch.code[l];
            for (from, to) in self.spans(low, high).into_iter().flatten() {
                self.draw((a, b), (mx[l], my[l]), code, (from, to));
            }
        }
    }

    #[inline(always)]
    fn direction(&self, beam: i64) -> Vec2 {
        let (g, l) = (beam as usize / LANES, beam as usize % LANES);
        Vec2::new(self.s.dx[g][l], self.s.dy[g][l])
    }

    /// Draws an edge into the beams from `from` to `to`, but for those at the ends that miss it.
    #[inline(always)]
    fn draw(&mut self, (a, b): (Vec2, Vec2), m: (f64, f64), code: u32, ends: (i64, i64)) {
        let (mut from, mut to) = ends;
        while from <= to && b.cross(self.direction(from)) < 0.0 {
            from += 1;
        }
        while from <= to && a.cross(self.direction(to)) >= 0.0 {
            to -= 1;
        }
        if from > to {
            return;
        }
        let (from, to) = (from as usize, to as usize);
        let (first, last) = (from / LANES, to / LANES);
        for g in first..=last {
            let mut inverse = [0.0; LANES];
            for l in 0..LANES {
                inverse[l] = self.s.dx[g][l] * m.0 - self.s.dy[g][l] * m.1;
            }
            if g == first {
                cap(&mut inverse, &FROM[from % LANES]);
            }
            if g == last {
                cap(&mut inverse, &UP_TO[to % LANES]);
            }
            self.keep_nearest(g, &inverse, code);
        }
    }

    #[inline(always)]
    fn keep_nearest(&mut self, g: usize, inverse: &Lanes, code: u32) {
        let best = &mut self.s.inverse[g];
        if CODES {
            let codes = &mut self.s.codes[g];
            let code = u64::from(code);
            for l in 0..LANES {
                let nearer = (inverse[l] > best[l])
                    | ((inverse[l] == best[l]) & (code < codes[l]) & (inverse[l] > 0.0));
                codes[l] = if nearer { code } else { codes[l] };
            }
        }
        for l in 0..LANES {
            best[l] = larger(inverse[l], best[l]);
        }
    }

    #[inline(always)]
    fn disc(&mut self, disc: &Disc) {
        let to_center = disc.center - self.origin;
        let power = disc.power(to_center);
        if power <= disc.least_power() {
            return;
        }
        let over_power = 1.0 / power;
        let half = rough_angle(power.sqrt(), disc.radius) * self.over_step + 2.0 * self.rough;
        let middle = self.beam_of(to_center);
        for (from, to) in self.spans(middle - half, middle + half).into_iter().flatten() {
            // Whole groups: beams that miss it get nothing.
            for g in from as usize / LANES..=to as usize / LANES {
                let mut inverse = [0.0; LANES];
                for l in 0..LANES {
                    let d = Vec2::new(self.s.dx[g][l], self.s.dy[g][l]);
                    inverse[l] = disc.inverse_along(to_center, over_power, d);
                }
                self.keep_nearest(g, &inverse, disc.code);
            }
        }
    }
}

#[inline(always)]
fn cap(lanes: &mut Lanes, caps: &Lanes) {
    for l in 0..LANES {
        lanes[l] = smaller(lanes[l], caps[l]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::{atan2, wrap_angle};

    #[test]
    fn rough_angles_are_good_to_a_tenth_of_their_bound() {
        for i in 0..100_000 {
            let angle = f64::from(i) * 6.283e-5;
            let (y, x) = rolima_math::sin_cos(angle);
            let off = wrap_angle(rough_angle(3.0 * x, 3.0 * y) - atan2(y, x));
            assert!(off.abs() < 0.3 * ROUGH, "{angle}: {off:e}");
        }
        assert_eq!(rough_angle(0.0, 0.0), 0.0);
    }
}
