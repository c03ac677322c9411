//! Walls, laid into a grid once.

use super::grid::{Grid, Lists};
use super::lookout::Lookouts;
use super::surface::{Disc, OutlineEdge, Thing, corners, holds};
use rolima_math::Vec2;
use rolima_model::{Coverage, Part, span_between};

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

    fn set(&mut self, lane: usize, edge: &OutlineEdge) {
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
pub(crate) struct WallCells {
    pub(crate) grid: Grid,
    /// Numbers of edges by cell.
    pub(crate) edges: Lists,
    /// Numbers of discs by cell.
    pub(crate) discs: Lists,
}

/// What does not move, as seen in one plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PlaneWalls {
    pub(crate) edges: Vec<OutlineEdge>,
    pub(crate) discs: Vec<Disc>,
    /// Small cells, for single rays.
    pub(crate) fine: WallCells,
    /// Large cells, for scans: a visit costs more than an edge too many.
    pub(crate) coarse: WallCells,
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

/// Most walls that an edge is compared with to see whether it is buried. Crossings of more are no
/// maze, and edges that stay are only looked at in vain.
const MOST_COMPARED: usize = 256;

/// The length of a cell, m: so that there are about `per_cell` of `count` surfaces in one, but no
/// more entries than a grid may have.
fn cell_length((min, max): (Vec2, Vec2), count: usize, per_cell: f64, covered: &Coverage) -> f64 {
    let area = (max.x - min.x).max(1e-3) * (max.y - min.y).max(1e-3);
    let cell = (area / count.max(1) as f64 * per_cell).sqrt();
    covered.cell_within(cell)
}

impl WallCells {
    /// The surfaces of `walls`, which lie between `min` and `max`.
    fn new(walls: &PlaneWalls, bounds: (Vec2, Vec2), per_cell: f64) -> Self {
        let surfaces = (walls.edges.len() + walls.discs.len()).max(1);
        let mut covered = Coverage::default();
        walls.parts.iter().for_each(|(part, _)| covered.add(part));
        walls.edges.iter().for_each(|edge| covered.add_line(edge.from(), edge.to()));
        let cell = cell_length(bounds, surfaces, per_cell, &covered);
        let grid = Grid::over(bounds.0, bounds.1, cell, 16 * surfaces + 64);
        let (mut edges, mut discs) = (Lists::default(), Lists::default());
        let mut pairs = vec![];
        for (i, edge) in walls.edges.iter().enumerate() {
            let (low, high) = around(edge);
            let ends = [edge.from(), edge.to()];
            let span = |from, to| span_between(&ends, from, to);
            grid.touched((low.y, high.y), span, |cell, middle, half| {
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

impl PlaneWalls {
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
        out.edges.push(OutlineEdge::NONE);
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
                self.edges
                    .extend(Some(OutlineEdge::new(from, to, code)).filter(OutlineEdge::exists));
            }
        }
    }

    /// Takes out edges that lie inside another wall, such as the ends of walls that meet in a
    /// maze: no ray from outside comes to them first. Edges that end at a corner of the other wall
    /// stay, so that corners stay closed.
    fn bury(&mut self) {
        let bounds = self.bounds();
        let mut covered = Coverage::default();
        self.parts.iter().for_each(|(part, _)| covered.add(part));
        let count = self.parts.len();
        let cell = cell_length(bounds, count, SURFACES_PER_FINE_CELL, &covered);
        let grid = Grid::over(bounds.0, bounds.1, cell, 16 * count + 64);
        let lists = self.parts_by_cell(&grid);
        let parts = &self.parts;
        self.edges.retain(|edge| {
            // What buries an edge holds its middle.
            let middle = edge.from() + edge.along() * 0.5;
            let near = grid.cell_at(middle).map_or(&[][..], |cell| lists.of(cell));
            let mut near = near.iter().take(MOST_COMPARED).map(|&i| &parts[i as usize]);
            !near.any(|(part, code)| {
                // Its corners take longer to find than most walls need to be ruled out.
                let is_near = part.least_distance(middle) <= OFF_CORNERS;
                *code != edge.code() && is_near && buries(part, edge)
            })
        });
    }

    /// Lower left and upper right corner of the rectangle around all walls.
    fn bounds(&self) -> (Vec2, Vec2) {
        let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
        let mut max = -min;
        for (part, _) in &self.parts {
            let (low, high) = part.bounding_box();
            min = Vec2::new(min.x.min(low.x), min.y.min(low.y));
            max = Vec2::new(max.x.max(high.x), max.y.max(high.y));
        }
        (min, max)
    }

    /// Numbers of parts by the cells that they touch.
    fn parts_by_cell(&self, grid: &Grid) -> Lists {
        let mut pairs = vec![];
        for (i, (part, _)) in self.parts.iter().enumerate() {
            let (low, high) = part.bounding_box();
            let span = |from, to| part.span_between(from, to);
            let pair = |cell: usize, _, _| pairs.push((cell as u32, i as u32));
            grid.touched((low.y, high.y), span, pair);
        }
        let mut lists = Lists::default();
        lists.fill(grid.cells(), &pairs);
        lists
    }

    fn lay_out(&mut self) {
        let bounds = self.bounds();
        self.fine = WallCells::new(self, bounds, SURFACES_PER_FINE_CELL);
        self.coarse = WallCells::new(self, bounds, SURFACES_PER_COARSE_CELL);
        self.part_lists = self.parts_by_cell(&self.fine.grid);
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
fn buries(part: &Part, edge: &OutlineEdge) -> bool {
    let Some(polygon) = corners(part) else { return false };
    let ends = [edge.from(), edge.to()];
    (0..polygon.count).all(|i| {
        let (corner, normal) = (polygon.vertices[i], polygon.normals[i]);
        ends.iter().all(|&end| {
            (end - corner).dot(normal) <= BURIED && (end - corner).length() > OFF_CORNERS
        })
    })
}

fn around(edge: &OutlineEdge) -> (Vec2, Vec2) {
    let (a, b) = (edge.from(), edge.to());
    (Vec2::new(a.x.min(b.x), a.y.min(b.y)), Vec2::new(a.x.max(b.x), a.y.max(b.y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::{Plane, Ray};
    use rolima_math::{Pose2, Rot2, Stream};

    /// Long walls across one another, and short ones between them.
    fn crossing_walls(random: &mut Stream, count: usize, reach: f64) -> Vec<Part> {
        let wall = |_| {
            let half = Vec2::new(random.between(0.3, 1.0) * reach, random.between(0.0, 0.1));
            let at = Vec2::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0)) * reach;
            Part::Box { pose: Pose2::new(at.x, at.y, random.between(-3.2, 3.2)), half }
        };
        (0..count).map(wall).collect()
    }

    #[test]
    fn memory_grows_with_the_number_of_walls_and_not_with_their_lengths() {
        let mut random = Stream::new(5, 0, "walls");
        for reach in [1.0, 1e3, 1e6] {
            let parts = crossing_walls(&mut random, 3_000, reach);
            let walls = PlaneWalls::new(0.0, parts.iter().map(|part| (part, 1.0)));
            // Twelve a part and an edge, of which a wall has one and four, and some for any world.
            let most = 12 * 5 * parts.len() + 65_536;
            let lists = [&walls.fine.edges, &walls.coarse.edges, &walls.part_lists];
            for (i, list) in lists.into_iter().enumerate() {
                assert!(list.len() <= most, "{} entries in list {i} at {reach} m", list.len());
            }
        }
    }

    #[test]
    fn rays_among_long_walls_end_where_the_nearest_wall_alone_ends_them() {
        let mut random = Stream::new(6, 0, "walls");
        for reach in [3.0, 300.0, 3e5] {
            let parts = crossing_walls(&mut random, 400, reach);
            let all = Plane::new(0.0, parts.iter().map(|part| (part, 1.0)), &[]);
            let alone: Vec<Plane> =
                parts.iter().map(|part| Plane::new(0.0, [(part, 1.0)], &[])).collect();
            for _ in 0..300 {
                let origin =
                    Vec2::new(random.between(-reach, reach), random.between(-reach, reach));
                let direction = Rot2::from_angle(random.between(-4.0, 4.0)).x_axis();
                let ray = Ray { origin, direction, range: 3.0 * reach, skip: None };
                if all.inside(origin, None).is_some() {
                    continue;
                }
                let nearest = alone.iter().map(|plane| plane.cast(&ray)).fold(f64::MAX, f64::min);
                assert_eq!(all.cast(&ray).to_bits(), nearest.to_bits(), "{ray:?} at {reach} m");
            }
        }
    }
}
