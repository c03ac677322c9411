//! Walls, laid into a grid once.

use super::grid::{Grid, Lists};
use super::lookout::Lookouts;
use super::surface::{Disc, Edge, Thing, corners, holds};
use rolima_math::Vec2;
use rolima_model::Part;

/// Edges that a single ray tests at a time.
pub(crate) const WIDTH: usize = 4;

/// Edges of a cell, an array a quantity, so that a vector holds one of each.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct EdgeBlock {
    pub(crate) from_x: [f64; WIDTH],
    pub(crate) from_y: [f64; WIDTH],
    pub(crate) to_x: [f64; WIDTH],
    pub(crate) to_y: [f64; WIDTH],
    pub(crate) along_x: [f64; WIDTH],
    pub(crate) along_y: [f64; WIDTH],
    pub(crate) most_h: [f64; WIDTH],
    pub(crate) code: [u32; WIDTH],
}

impl EdgeBlock {
    /// Lanes in which no ray ever ends: h is never below minus infinity.
    const EMPTY: Self = Self {
        from_x: [0.0; WIDTH],
        from_y: [0.0; WIDTH],
        to_x: [0.0; WIDTH],
        to_y: [0.0; WIDTH],
        along_x: [0.0; WIDTH],
        along_y: [0.0; WIDTH],
        most_h: [f64::NEG_INFINITY; WIDTH],
        code: [super::NOTHING; WIDTH],
    };

    fn set(&mut self, lane: usize, edge: &Edge) {
        self.from_x[lane] = edge.from().x;
        self.from_y[lane] = edge.from().y;
        self.to_x[lane] = edge.to().x;
        self.to_y[lane] = edge.to().y;
        self.along_x[lane] = edge.along().x;
        self.along_y[lane] = edge.along().y;
        self.most_h[lane] = edge.most_h();
        self.code[lane] = edge.code();
    }
}

/// Edges and discs by the cells of a grid.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    pub(crate) grid: Grid,
    /// Numbers of edges by cell.
    pub(crate) edges: Lists,
    /// Numbers of discs by cell.
    pub(crate) discs: Lists,
}

/// What does not move, as seen in one plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Walls {
    pub(crate) edges: Vec<Edge>,
    pub(crate) discs: Vec<Disc>,
    /// Small cells, for single rays.
    pub(crate) fine: Layout,
    /// Large cells, for scans: a visit costs more than an edge too many.
    pub(crate) coarse: Layout,
    /// First and last block of each fine cell.
    pub(crate) block_ranges: Vec<(u32, u32)>,
    pub(crate) blocks: Vec<EdgeBlock>,
    /// Short cuts for single rays; empty until they are asked for.
    pub(crate) lookouts: Lookouts,
    parts: Vec<(Part, u32)>,
    /// Numbers of parts by fine cell.
    part_lists: Lists,
}

/// Surfaces a cell that the grids are made for, by measurements in mazes.
const SURFACES_PER_FINE_CELL: f64 = 1.0;
const SURFACES_PER_COARSE_CELL: f64 = 8.0;

impl Layout {
    /// The surfaces of `walls`, which lie between `min` and `max`.
    fn new(walls: &Walls, (min, max): (Vec2, Vec2), per_cell: f64) -> Self {
        let surfaces = (walls.edges.len() + walls.discs.len()).max(1) as f64;
        let area = (max.x - min.x).max(1e-3) * (max.y - min.y).max(1e-3);
        let cell = (area / surfaces * per_cell).sqrt();
        let grid = Grid::over(min, max, cell, 16 * surfaces as usize + 64);
        let (mut edges, mut discs) = (Lists::default(), Lists::default());
        let mut pairs = vec![];
        for (i, edge) in walls.edges.iter().enumerate() {
            let (low, high) = around(edge);
            grid.covered(low, high, |cell, middle, half| {
                // The cell's box reaches across the edge's line.
                let reach = half * (edge.along().x.abs() + edge.along().y.abs());
                if (middle - edge.from()).cross(edge.along()).abs() <= reach {
                    pairs.push((cell as u32, i as u32));
                }
            });
        }
        edges.fill(grid.cells(), &pairs);
        pairs.clear();
        for (i, disc) in walls.discs.iter().enumerate() {
            let radius = Vec2::new(disc.radius, disc.radius);
            let (low, high) = (disc.center - radius, disc.center + radius);
            grid.covered(low, high, |cell, _, _| pairs.push((cell as u32, i as u32)));
        }
        discs.fill(grid.cells(), &pairs);
        Self { grid, edges, discs }
    }
}

impl Walls {
    /// The walls among `walls` that rise above `height`.
    pub(crate) fn new<'a>(height: f64, walls: impl Iterator<Item = (&'a Part, f64)>) -> Self {
        let mut out = Self::default();
        for (index, (part, top)) in walls.enumerate() {
            if height < top {
                out.add(part, Thing::Wall(index as u32).code());
            }
        }
        if !out.parts.is_empty() {
            out.bury();
            out.lay_out();
        }
        // Stands for none in lists of fixed length: no ray meets it.
        out.edges.push(Edge::NONE);
        out
    }

    /// Works out the short cuts for single rays.
    pub(crate) fn look_out(&mut self) {
        if !self.parts.is_empty() {
            self.lookouts = Lookouts::new(self);
        }
    }

    fn add(&mut self, part: &Part, code: u32) {
        self.parts.push((*part, code));
        if let Part::Circle { center, radius } = *part {
            self.discs.push(Disc { center, radius, code });
        }
        if let Some(polygon) = corners(part) {
            for i in 0..polygon.count {
                let (from, to) = (polygon.vertices[i], polygon.vertices[(i + 1) % polygon.count]);
                self.edges.extend(Some(Edge::new(from, to, code)).filter(Edge::exists));
            }
        }
    }

    /// Takes out edges that lie inside another wall, such as the ends of walls that meet in a
    /// maze: no ray from outside comes to them first. Edges that end at a corner of the other wall
    /// stay, so that corners stay closed.
    fn bury(&mut self) {
        let boxes: Vec<(Vec2, Vec2)> = self.parts.iter().map(|(p, _)| p.bounding_box()).collect();
        // By their left borders, so that few pairs are looked at.
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by(|&a, &b| boxes[a].0.x.total_cmp(&boxes[b].0.x).then(a.cmp(&b)));
        let widest = boxes.iter().map(|(low, high)| high.x - low.x).fold(0.0, f64::max);
        let parts = &self.parts;
        self.edges.retain(|edge| {
            let (low, high) = around(edge);
            let left = low.x - widest - BURIED;
            let first = order.partition_point(|&i| boxes[i].0.x < left);
            let near = order[first..].iter().take_while(|&&i| boxes[i].0.x <= low.x + BURIED);
            let spans = |i: &&usize| boxes[**i].1.x >= high.x - BURIED;
            !near.filter(spans).any(|&i| parts[i].1 != edge.code() && buries(&parts[i].0, edge))
        });
    }

    fn lay_out(&mut self) {
        let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
        let mut max = -min;
        for (part, _) in &self.parts {
            let (low, high) = part.bounding_box();
            min = Vec2::new(min.x.min(low.x), min.y.min(low.y));
            max = Vec2::new(max.x.max(high.x), max.y.max(high.y));
        }
        self.fine = Layout::new(self, (min, max), SURFACES_PER_FINE_CELL);
        self.coarse = Layout::new(self, (min, max), SURFACES_PER_COARSE_CELL);
        let mut pairs = vec![];
        for (i, (part, _)) in self.parts.iter().enumerate() {
            let (low, high) = part.bounding_box();
            let pair = |cell: usize, _, _| pairs.push((cell as u32, i as u32));
            self.fine.grid.covered(low, high, pair);
        }
        self.part_lists.fill(self.fine.grid.cells(), &pairs);
        self.lay_blocks();
    }

    fn lay_blocks(&mut self) {
        for cell in 0..self.fine.grid.cells() {
            let first = self.blocks.len() as u32;
            for chunk in self.fine.edges.of(cell).chunks(WIDTH) {
                let mut block = EdgeBlock::EMPTY;
                for (lane, &edge) in chunk.iter().enumerate() {
                    block.set(lane, &self.edges[edge as usize]);
                }
                self.blocks.push(block);
            }
            self.block_ranges.push((first, self.blocks.len() as u32));
        }
    }

    /// The wall of lowest number that holds a point.
    pub(crate) fn inside(&self, point: Vec2) -> Option<u32> {
        let parts = self.part_lists.of(self.fine.grid.cell_at(point)?).iter();
        let parts = parts.map(|&i| &self.parts[i as usize]);
        parts.filter(|(part, _)| holds(part, point)).map(|&(_, code)| code).min()
    }
}

/// How far an edge may stick out of the wall that buries it, m.
const BURIED: f64 = 1e-12;

/// How far from its corners an edge on the border of a wall ends at least, to be buried, m.
const OFF_CORNERS: f64 = 1e-6;

/// Whether an edge lies in a part, with its ends off the part's corners.
fn buries(part: &Part, edge: &Edge) -> bool {
    let Some(polygon) = corners(part) else { return false };
    let ends = [edge.from(), edge.to()];
    (0..polygon.count).all(|i| {
        let (corner, normal) = (polygon.vertices[i], polygon.normals[i]);
        ends.iter().all(|&end| {
            (end - corner).dot(normal) <= BURIED && (end - corner).length() > OFF_CORNERS
        })
    })
}

fn around(edge: &Edge) -> (Vec2, Vec2) {
    let (a, b) = (edge.from(), edge.to());
    (Vec2::new(a.x.min(b.x), a.y.min(b.y)), Vec2::new(a.x.max(b.x), a.y.max(b.y)))
}
