//! A whole fan of rays at once.
//!
//! Surfaces are drawn into a buffer of inverse distances over the beams, nearest cells first. A
//! cell is looked into only while some beam that could pass it is still open there.

mod draw;
mod visit;

use super::bodies::Bodies;
use super::fan::Fan;
use super::walls::PlaneWalls;
use core::f64::consts::TAU;
use draw::ROUGH;
use rolima_math::{Pose2, Vec2, smaller};
use rolima_model::BodyId;

/// Beams drawn at a time.
const LANES: usize = 8;
type Lanes = [f64; LANES];

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

/// Memory of scans, reused from one to the next.
#[derive(Clone, Debug, Default)]
pub struct ScanScratch {
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
    s: &'a mut ScanScratch,
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

impl ScanScratch {
    /// Draws walls and bodies and leaves the inverse distances in the buffers.
    #[inline(always)]
    pub(crate) fn sweep<const CODES: bool>(
        &mut self,
        (walls, bodies): (&PlaneWalls, &Bodies),
        (pose, fan): (Pose2, &Fan),
        range: f64,
        skip: Option<BodyId>,
    ) {
        self.begin::<CODES>(pose, fan, walls.edges.len(), bodies.placed.len());
        let beams = fan.beams();
        let step = fan.step_angle().abs().max(rolima_model::SMALLEST_BEAM_STEP);
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
