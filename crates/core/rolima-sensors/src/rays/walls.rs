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

/// What does not move, as seen in one plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Walls {
    pub(crate) grid: Grid,
    pub(crate) edges: Vec<Edge>,
    pub(crate) discs: Vec<Disc>,
    /// Numbers of edges by cell.
    pub(crate) edge_lists: Lists,
    /// Numbers of discs by cell.
    pub(crate) disc_lists: Lists,
    /// First and last block of each cell.
    pub(crate) block_ranges: Vec<(u32, u32)>,
    pub(crate) blocks: Vec<EdgeBlock>,
    /// Short cuts for single rays; empty until they are asked for.
    pub(crate) lookouts: Lookouts,
    parts: Vec<(Part, u32)>,
    part_lists: Lists,
}

/// Surfaces a cell that the grid is made for: fewer cost empty cells, more cost tests.
const SURFACES_PER_CELL: f64 = 1.0;

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

    fn lay_out(&mut self) {
        let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
        let mut max = -min;
        for (part, _) in &self.parts {
            let (low, high) = part.bounding_box();
            min = Vec2::new(min.x.min(low.x), min.y.min(low.y));
            max = Vec2::new(max.x.max(high.x), max.y.max(high.y));
        }
        let surfaces = (self.edges.len() + self.discs.len()).max(1) as f64;
        let area = (max.x - min.x).max(1e-3) * (max.y - min.y).max(1e-3);
        let cell = (area / surfaces * SURFACES_PER_CELL).sqrt();
        self.grid = Grid::over(min, max, cell, 16 * surfaces as usize + 64);
        let cells = self.grid.cells();
        let mut pairs = vec![];
        for (i, edge) in self.edges.iter().enumerate() {
            let (low, high) = around(edge);
            self.grid.covered(low, high, |cell, middle, half| {
                // The cell's box reaches across the edge's line.
                let reach = half * (edge.along().x.abs() + edge.along().y.abs());
                if (middle - edge.from()).cross(edge.along()).abs() <= reach {
                    pairs.push((cell as u32, i as u32));
                }
            });
        }
        self.edge_lists.fill(cells, &pairs);
        pairs.clear();
        for (i, disc) in self.discs.iter().enumerate() {
            let radius = Vec2::new(disc.radius, disc.radius);
            let (low, high) = (disc.center - radius, disc.center + radius);
            self.grid.covered(low, high, |cell, _, _| pairs.push((cell as u32, i as u32)));
        }
        self.disc_lists.fill(cells, &pairs);
        pairs.clear();
        for (i, (part, _)) in self.parts.iter().enumerate() {
            let (low, high) = part.bounding_box();
            self.grid.covered(low, high, |cell, _, _| pairs.push((cell as u32, i as u32)));
        }
        self.part_lists.fill(cells, &pairs);
        self.lay_blocks(cells);
    }

    fn lay_blocks(&mut self, cells: usize) {
        for cell in 0..cells {
            let first = self.blocks.len() as u32;
            for chunk in self.edge_lists.of(cell).chunks(WIDTH) {
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
        let parts = self.part_lists.of(self.grid.cell_at(point)?).iter();
        let parts = parts.map(|&i| &self.parts[i as usize]);
        parts.filter(|(part, _)| holds(part, point)).map(|&(_, code)| code).min()
    }
}

fn around(edge: &Edge) -> (Vec2, Vec2) {
    let (a, b) = (edge.from(), edge.to());
    (Vec2::new(a.x.min(b.x), a.y.min(b.y)), Vec2::new(a.x.max(b.x), a.y.max(b.y)))
}
