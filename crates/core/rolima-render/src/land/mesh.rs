//! The terrain as a tree of triangles: coarse ones where they are good enough, fine ones elsewhere.
//!
//! Square roots of cells are split along a diagonal into two right triangles, each of which can be
//! split at the middle of its longest side, again and again: first down to cells, whose corners
//! are the terrain's nodes, and below, where the middle of a cell bends the two halves to its
//! saddle. A triangle is split if the vertex in the middle of its longest side is wanted. That is
//! a matter of the vertex alone, so both triangles at that side agree and leave no gap; and what a
//! vertex may be off includes all that its descendants may be off, so that whoever wants a vertex
//! has got its ancestors already.

use crate::pose::Point3;
use rolima_math::{larger, smaller};
use rolima_spatial::{Edge, Terrain};
use std::sync::Arc;

/// Cells are split into this many parts each way at most, as a power of two.
const PARTS_BITS: u32 = 6;
/// Index units of a cell's side.
pub(crate) const UNIT: i32 = 1 << PARTS_BITS;
/// Cells along the side of a root at most.
const MOST_SIDE: usize = 64;
/// Levels below the halves of cells.
const LEVELS_BELOW: u32 = 2 * PARTS_BITS - 1;
/// How far the descendants of a vertex lie from it at most, in halves of the side that it splits:
/// the sum of 2^(-n/2) from n = 1 on.
const REACH: f64 = 2.414_213_563;
/// The surface need not be nearer to the true one than this, m.
pub(crate) const FINEST_M: f64 = 2e-4;

/// A place on the lattice, in [`UNIT`]s of a cell.
pub(crate) type LatticePoint = [i32; 2];
/// Apex, left and right end of the longest side: counter-clockwise from above.
pub(crate) type Triangle = [LatticePoint; 3];

#[inline(always)]
pub(super) fn middle(a: LatticePoint, b: LatticePoint) -> LatticePoint {
    [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}

/// A terrain, and how far its coarser triangles are off.
#[derive(Clone, Debug)]
pub(crate) struct Mesh {
    terrain: Arc<Terrain>,
    /// Cells along the side of a root: a power of two.
    side: i32,
    /// Roots along x and y. They may stick out of the terrain, whose border goes on there.
    roots: [i32; 2],
    /// Level of the triangles that are halves of cells.
    cell_level: u32,
    /// By node of the roots: how far triangles that this node splits are off the surface, m.
    errors: Vec<f32>,
    /// By cell of the roots: how much cells are bent (or a quarter of their neighbours' bend), m.
    bends: Vec<f32>,
    /// By level: how far the descendants of a vertex lie from it at most, m, in plan.
    reaches: Vec<f64>,
    corner: [f64; 2],
    cell: [f64; 2],
    /// Lowest and highest ground, m.
    pub(crate) heights: [f64; 2],
}

impl Mesh {
    pub(crate) fn new(terrain: Arc<Terrain>) -> Self {
        let spec = terrain.spec();
        let cells = [spec.heights.nx - 1, spec.heights.ny - 1];
        let side = cells[0].min(cells[1]).next_power_of_two().min(MOST_SIDE);
        let roots = cells.map(|n| n.div_ceil(side) as i32);
        let size = terrain.cell();
        let zs = &spec.heights.values;
        let heights = [
            zs.iter().copied().fold(f64::INFINITY, smaller),
            zs.iter().copied().fold(f64::NEG_INFINITY, larger),
        ];
        let cell_level = 2 * side.trailing_zeros();
        // Half of the longest side of a root's triangle; every level's is shorter by root 2.
        let half = side as f64 * std::f64::consts::FRAC_1_SQRT_2 * larger(size.x, size.y);
        let reach = |level: u32| {
            let odd = if level % 2 == 1 { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
            REACH * half * odd / (1_u64 << (level / 2)) as f64
        };
        let mut mesh = Self {
            side: side as i32,
            roots,
            cell_level,
            reaches: (0..=cell_level + LEVELS_BELOW + 1).map(reach).collect(),
            errors: vec![],
            bends: vec![],
            corner: [spec.min.x, spec.min.y],
            cell: [size.x, size.y],
            heights,
            terrain: Arc::clone(&terrain),
        };
        mesh.bends = mesh.all_bends();
        let [across, down] = mesh.cells().map(|n| n as usize + 1);
        mesh.errors = vec![0.0; across * down];
        // What is finer is known before what is coarser takes it on.
        for level in (0..=mesh.cell_level).rev() {
            for [apex, left, right] in mesh.root_triangles() {
                mesh.descend([apex, left, right], level, &mut Self::measure);
            }
            for [apex, left, right] in mesh.root_triangles() {
                mesh.descend([apex, left, right], level, &mut Self::hand_on);
            }
        }
        mesh
    }

    pub(crate) fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    /// Cells of all roots along x and y.
    fn cells(&self) -> [i32; 2] {
        self.roots.map(|n| n * self.side)
    }

    /// Corners of the roots' rectangle, m.
    pub(crate) fn extent(&self) -> [[f64; 2]; 2] {
        let cells = self.cells();
        let far = [0, 1].map(|a| self.corner[a] + f64::from(cells[a]) * self.cell[a]);
        [self.corner, far]
    }

    /// Whether the surface goes on beyond the border.
    pub(crate) fn is_endless(&self) -> bool {
        self.terrain.spec().edge == Edge::Extended
    }

    /// The two triangles of each root.
    pub(crate) fn root_triangles(&self) -> Vec<Triangle> {
        let side = self.side * UNIT;
        let mut all = vec![];
        for j in 0..self.roots[1] {
            for i in 0..self.roots[0] {
                let at = |di: i32, dj: i32| [(i + di) * side, (j + dj) * side];
                all.push([at(1, 0), at(1, 1), at(0, 0)]);
                all.push([at(0, 1), at(0, 0), at(1, 1)]);
            }
        }
        all
    }

    /// The roots' sides on the rim of all: from, to (counter-clockwise), and the way outwards.
    pub(crate) fn rim(&self) -> Vec<(LatticePoint, LatticePoint, LatticePoint)> {
        let side = self.side * UNIT;
        let [right, top] = self.roots.map(|n| n * side);
        let mut all = vec![];
        for i in 0..self.roots[0] {
            let (a, b) = (i * side, (i + 1) * side);
            all.push(([a, 0], [b, 0], [0, -1]));
            all.push(([b, top], [a, top], [0, 1]));
        }
        for j in 0..self.roots[1] {
            let (a, b) = (j * side, (j + 1) * side);
            all.push(([right, a], [right, b], [1, 0]));
            all.push(([0, b], [0, a], [-1, 0]));
        }
        all
    }

    /// A place in plan, m.
    #[inline]
    pub(crate) fn plan(&self, place: LatticePoint) -> [f64; 2] {
        let unit = 1.0 / f64::from(UNIT);
        [0, 1].map(|a| self.corner[a] + f64::from(place[a]) * unit * self.cell[a])
    }

    /// Where a point of the plan, m, lies on the lattice.
    pub(crate) fn place_of(&self, at: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|a| (at[a] - self.corner[a]) / self.cell[a] * f64::from(UNIT))
    }

    /// A place in the world, m.
    #[inline]
    pub(crate) fn point(&self, [i, j]: LatticePoint) -> Point3 {
        let grid = &self.terrain.spec().heights;
        let unit = 1.0 / f64::from(UNIT);
        let [x, y] = self.plan([i, j]);
        // Beyond the border its heights go on.
        let inside = |k: i32, nodes: usize| {
            let k = k.clamp(0, (nodes as i32 - 1) * UNIT);
            let cell = (k >> PARTS_BITS).min(nodes as i32 - 2);
            (cell as usize, f64::from(k - cell * UNIT) * unit)
        };
        let ((i, u), (j, v)) = (inside(i, grid.nx), inside(j, grid.ny));
        let at = j * grid.nx + i;
        let (low, high) = (&grid.values[at..at + 2], &grid.values[at + grid.nx..at + grid.nx + 2]);
        let (a, b) = (low[1] - low[0], high[0] - low[0]);
        let c = (high[1] - high[0]) - a;
        let z = low[0] + a * u + (b + c * u) * v;
        [x, y, z]
    }

    /// How far a triangle of a level, which `mid` splits, and all that it may be split into, may
    /// be off the surface, m; nothing if it can be split no further.
    #[inline]
    pub(crate) fn error(&self, level: u32, mid: LatticePoint) -> Option<f64> {
        if level < self.cell_level {
            let row = self.cells()[0] as usize + 1;
            let at = (mid[1] >> PARTS_BITS) as usize * row + (mid[0] >> PARTS_BITS) as usize;
            return Some(f64::from(self.errors[at]));
        }
        let below = level - self.cell_level;
        if below > LEVELS_BELOW {
            return None;
        }
        // Where a vertex lies on the side of a cell, both cells at that side have a say.
        let [cells_x, cells_y] = self.cells();
        let (i, j) = (mid[0] >> PARTS_BITS, mid[1] >> PARTS_BITS);
        let bend = |i: i32, j: i32| {
            let known = (0..cells_x).contains(&i) && (0..cells_y).contains(&j);
            if known { f64::from(self.bends[(j * cells_x + i) as usize]) } else { 0.0 }
        };
        let mut bent = bend(i, j);
        if mid[0] & (UNIT - 1) == 0 {
            bent = larger(bent, bend(i - 1, j));
        }
        if mid[1] & (UNIT - 1) == 0 {
            bent = larger(bent, bend(i, j - 1));
        }
        // A half of a cell is off by a quarter of the bend; parts half as large by a quarter of it.
        let quarters = below.div_ceil(2) + 1;
        Some(bent / f64::from(1_u32 << (2 * quarters)))
    }

    /// How far the descendants of a vertex that splits triangles of a level lie from it at most,
    /// m, in plan.
    #[inline]
    pub(crate) fn reach(&self, level: u32) -> f64 {
        self.reaches[level as usize]
    }

    /// How much cells are bent: z00 - z10 - z01 + z11, m. A cell counts at least a quarter of what
    /// its neighbours count: vertices on a side have to be ancestors in both cells.
    fn all_bends(&self) -> Vec<f32> {
        let [across, down] = self.cells().map(|n| n as usize);
        let mut bends: Vec<f32> = Vec::with_capacity(across * down);
        for j in 0..down as i32 {
            for i in 0..across as i32 {
                // Rounded upwards.
                bends.push((self.bend(i, j).abs() as f32).next_up());
            }
        }
        let mut take = |at: usize, from: usize| {
            let quarter = 0.25 * bends[from];
            bends[at] = if quarter > bends[at] { quarter } else { bends[at] };
        };
        for at in 0..across * down {
            if at % across > 0 {
                take(at, at - 1);
            }
            if at >= across {
                take(at, at - across);
            }
        }
        for at in (0..across * down).rev() {
            if at % across + 1 < across {
                take(at, at + 1);
            }
            if at + across < across * down {
                take(at, at + across);
            }
        }
        bends
    }

    fn bend(&self, i: i32, j: i32) -> f64 {
        let z = |di: i32, dj: i32| self.point([(i + di) * UNIT, (j + dj) * UNIT])[2];
        z(0, 0) - z(1, 0) - z(0, 1) + z(1, 1)
    }

    /// Calls `work` for the triangles `level` levels below one.
    fn descend(
        &mut self,
        [apex, left, right]: Triangle,
        level: u32,
        work: &mut impl FnMut(&mut Self, Triangle),
    ) {
        if level == 0 {
            return work(self, [apex, left, right]);
        }
        let mid = middle(left, right);
        self.descend([mid, apex, left], level - 1, work);
        self.descend([mid, right, apex], level - 1, work);
    }

    fn node(&self, [i, j]: LatticePoint) -> usize {
        let row = self.cells()[0] as usize + 1;
        (j >> PARTS_BITS) as usize * row + (i >> PARTS_BITS) as usize
    }

    /// Finds how far a triangle is off, for the node that splits it; halves of cells are known.
    fn measure(&mut self, [apex, left, right]: Triangle) {
        let mid = middle(left, right);
        if mid[0] % UNIT == 0 && mid[1] % UNIT == 0 {
            let own = (self.deviation([apex, left, right]) as f32).next_up();
            let at = self.node(mid);
            self.errors[at] = if own > self.errors[at] { own } else { self.errors[at] };
        }
    }

    /// Lets the vertex above a triangle's know how far that is off.
    fn hand_on(&mut self, [apex, left, right]: Triangle) {
        let mid = middle(left, right);
        let below = if mid[0] % UNIT == 0 && mid[1] % UNIT == 0 {
            self.errors[self.node(mid)]
        } else {
            self.error(self.cell_level, mid).unwrap_or(0.0) as f32
        };
        let at = self.node(apex);
        self.errors[at] = if below > self.errors[at] { below } else { self.errors[at] };
    }

    /// How far the terrain's surface is off a flat triangle between three nodes at most, m.
    fn deviation(&self, triangle: Triangle) -> f64 {
        let corners = triangle.map(|[i, j]| [i / UNIT, j / UNIT]);
        let z = |i: i32, j: i32| self.point([i * UNIT, j * UNIT])[2];
        let [[i0, j0], [i1, j1], [i2, j2]] = corners;
        let (z0, z1, z2) = (z(i0, j0), z(i1, j1), z(i2, j2));
        let area = f64::from((i1 - i0) * (j2 - j0) - (i2 - i0) * (j1 - j0));
        let slope_i = ((z1 - z0) * f64::from(j2 - j0) - (z2 - z0) * f64::from(j1 - j0)) / area;
        let slope_j = ((z2 - z0) * f64::from(i1 - i0) - (z1 - z0) * f64::from(i2 - i0)) / area;
        let mut most = 0.0;
        for j in j0.min(j1).min(j2)..=j0.max(j1).max(j2) {
            let (mut first, mut last) = (i32::MAX, i32::MIN);
            for k in 0..3 {
                let ([a, aj], [b, bj]) = (corners[k], corners[(k + 1) % 3]);
                if aj != bj && (aj.min(bj)..=aj.max(bj)).contains(&j) {
                    let i = a + (b - a) * (j - aj) / (bj - aj);
                    (first, last) = (first.min(i), last.max(i));
                }
            }
            for i in first..=last {
                let flat = z0 + slope_i * f64::from(i - i0) + slope_j * f64::from(j - j0);
                most = larger(most, (z(i, j) - flat).abs());
            }
        }
        // Within whole cells the surface is nowhere farther off than at their corners. Cells that
        // the triangle's sides cut from corner to corner sag by a quarter of their bend.
        let mut sag = 0.0;
        for k in 0..3 {
            let ([a, aj], [b, bj]) = (corners[k], corners[(k + 1) % 3]);
            if a != b && aj != bj {
                for step in 0..(b - a).abs() {
                    let i = a + (b - a).signum() * step + (b - a).signum().min(0);
                    let j = aj + (bj - aj).signum() * step + (bj - aj).signum().min(0);
                    sag = larger(sag, 0.25 * self.bend(i, j).abs());
                }
            }
        }
        most + sag
    }
}
