//! Terrain: heights on a regular grid, bilinear in between. One surface for wheels, rays and
//! pictures.
//!
//! Node (i, j) lies at x = x_min + i (x_max - x_min) / (nx - 1), y alike (equations 3.1, 3.2), and
//! has the height `heights[j * nx + i]`: rows run along x, the first row lies at y_min. Inside a
//! cell the height is that of equations 3.3 to 3.5:
//! z = z00 + (z10 - z00) u + (z01 - z00) v + (z00 - z10 - z01 + z11) u v, with u and v from 0 to 1.
//! A cell is a saddle in general, not two triangles.

mod bounds;
mod hills;
mod rays;

pub use bounds::Slopes;
pub use hills::Hills;
pub use rays::TerrainHit;

use bounds::Bounds;
use rolima_check::{self as check, ModelError, named};
use rolima_math::{Hash64, Physics, Vec2, Vec3, larger, physics, smaller};

/// Most nodes of a grid: some 4 million, which with their bounds take 150 MB.
pub const MOST_NODES: usize = 1 << 22;

/// Largest coordinate of a terrain, m.
const MOST_COORDINATE: f64 = 1e6;

/// What lies beyond the border of a terrain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Edge {
    /// The heights of the border go on outwards for ever.
    #[default]
    Extended,
    /// Nothing: a vehicle whose centre leaves the terrain is stopped, with an event.
    Ends,
}

named!(Edge { "extended" = Extended, "ends" = Ends });

/// Numbers on a regular grid over the terrain: rows run along x, the first one lies at y_min.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Nodes along x.
    pub nx: usize,
    /// Nodes along y.
    pub ny: usize,
    /// Values, `values[j * nx + i]`.
    pub values: Vec<f64>,
}

/// What a terrain is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainSpec {
    /// Corner with the smallest coordinates, m.
    pub min: Vec2,
    /// Corner with the largest coordinates, m.
    pub max: Vec2,
    /// Heights of the nodes, m. The outermost nodes lie on the border.
    pub heights: Grid,
    /// Factors on the tyres' friction, over the same area, one a patch: patch (i, j) of nx x ny
    /// equal rectangles. None: 1 everywhere.
    pub friction: Option<Grid>,
    /// What is beyond.
    pub edge: Edge,
}

physics! {
    TerrainSpec { min, max, heights, friction, edge }
    Grid { nx, ny, values }
    enum Edge { Extended = 0, Ends = 1 }
}

impl TerrainSpec {
    /// A plane at height 0 of `size` metres in both directions, centred at the origin.
    pub fn flat(size: f64) -> Self {
        Self::from_function(
            Vec2::new(-0.5 * size, -0.5 * size),
            Vec2::new(0.5 * size, 0.5 * size),
            2,
            2,
            |_, _| 0.0,
        )
    }

    /// Heights of a function of x and y at `nx` x `ny` nodes.
    pub fn from_function(
        min: Vec2,
        max: Vec2,
        nx: usize,
        ny: usize,
        height: impl Fn(f64, f64) -> f64,
    ) -> Self {
        let at = |low: f64, high: f64, i: usize, n: usize| {
            low + (high - low) * i as f64 / (n.max(2) - 1) as f64
        };
        let mut values = Vec::with_capacity(nx * ny);
        for j in 0..ny {
            for i in 0..nx {
                values.push(height(at(min.x, max.x, i, nx), at(min.y, max.y, j, ny)));
            }
        }
        Self { min, max, heights: Grid { nx, ny, values }, friction: None, edge: Edge::Extended }
    }
}

/// A terrain, checked and constant.
#[derive(Clone, Debug)]
pub struct Terrain {
    spec: TerrainSpec,
    inverse_cell: [f64; 2],
    last: [f64; 2],
    bounds: Bounds,
    friction_scale: [f64; 2],
    fingerprint: u64,
}

/// The surface at a point, with its cell's shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfacePatch {
    /// Place in the cell, 0 to 1.
    pub(crate) u: f64,
    /// Place in the cell, 0 to 1.
    pub(crate) v: f64,
    /// Height, m.
    pub(crate) z: f64,
    /// Slope along x.
    pub(crate) gx: f64,
    /// Slope along y.
    pub(crate) gy: f64,
    /// Change of the slope along x with y, 1/m.
    pub(crate) twist: f64,
}

/// The grid in plain numbers, for code that works on several points at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells<'a> {
    /// Coordinates of the first node, m.
    pub(crate) corner: [f64; 2],
    /// Cells per metre.
    pub(crate) per_metre: [f64; 2],
    /// Largest index of a cell.
    pub(crate) most: [f64; 2],
    row: usize,
    values: &'a [f64],
}

impl Cells<'_> {
    /// Heights z00, z10, z01, z11 of a cell's corners.
    #[inline(always)]
    pub(crate) fn corners(&self, i: u64, j: u64) -> [f64; 4] {
        let at = j as usize * self.row + i as usize;
        let low = &self.values[at..at + 2];
        let high = &self.values[at + self.row..at + self.row + 2];
        [low[0], low[1], high[0], high[1]]
    }
}

impl PartialEq for Terrain {
    fn eq(&self, other: &Self) -> bool {
        self.spec == other.spec
    }
}

impl Terrain {
    /// Checks a terrain and prepares it.
    pub fn new(spec: TerrainSpec) -> Result<Self, ModelError> {
        let (min, max) = (spec.min, spec.max);
        for (key, low, high) in [("x", min.x, max.x), ("y", min.y, max.y)] {
            let most = ("a coordinate", "m");
            check::at_most(&format!("terrain.{key}_min"), most, low, MOST_COORDINATE)?;
            check::at_most(&format!("terrain.{key}_max"), most, high, MOST_COORDINATE)?;
            if high - low < 1e-6 {
                let key = format!("terrain.{key}_max");
                return Err(ModelError::new(key, format!("above {low}"), high));
            }
        }
        check_grid(
            "terrain.heights",
            &spec.heights,
            2,
            |z| z.abs() <= 1e5,
            "a height within 100 km, m",
        )?;
        if let Some(map) = &spec.friction {
            check_grid(
                "terrain.friction",
                map,
                1,
                |f| (0.0..=10.0).contains(&f),
                "a factor from 0 to 10",
            )?;
        }
        let (nx, ny) = (spec.heights.nx, spec.heights.ny);
        let last = [(nx - 1) as f64, (ny - 1) as f64];
        let size = max - min;
        let inverse_cell = [last[0] / size.x, last[1] / size.y];
        let bounds = Bounds::new(&spec.heights, inverse_cell);
        let patches = spec.friction.as_ref().map_or([1.0; 2], |m| [m.nx as f64, m.ny as f64]);
        let friction_scale = [patches[0] / size.x, patches[1] / size.y];
        let mut hash = Hash64::default();
        spec.physics(&mut hash);
        let fingerprint = hash.finish();
        Ok(Self { inverse_cell, last, bounds, friction_scale, fingerprint, spec })
    }

    /// What it was made of.
    pub fn spec(&self) -> &TerrainSpec {
        &self.spec
    }

    /// Hash of everything in it.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Size of a cell, m.
    pub fn cell(&self) -> Vec2 {
        Vec2::new(1.0 / self.inverse_cell[0], 1.0 / self.inverse_cell[1])
    }

    /// Whether the point lies within the terrain's border.
    #[inline]
    pub fn contains(&self, x: f64, y: f64) -> bool {
        let (min, max) = (self.spec.min, self.spec.max);
        x >= min.x && x <= max.x && y >= min.y && y <= max.y
    }

    /// Height at a point, m; beyond the border that of the nearest point on it.
    #[inline]
    pub fn height(&self, x: f64, y: f64) -> f64 {
        self.patch(x, y).z
    }

    /// Slopes along x and y at a point. On a line between cells those of the cell with the larger
    /// coordinates.
    pub fn gradient(&self, x: f64, y: f64) -> Vec2 {
        let p = self.patch(x, y);
        Vec2::new(p.gx, p.gy)
    }

    /// The unit normal at a point, upwards.
    pub fn normal(&self, x: f64, y: f64) -> Vec3 {
        let p = self.patch(x, y);
        Vec3::new(-p.gx, -p.gy, 1.0).unit_or(Vec3::new(0.0, 0.0, 1.0))
    }

    /// Factor on the tyres' friction at a point.
    #[inline]
    pub fn friction(&self, x: f64, y: f64) -> f64 {
        let Some(map) = &self.spec.friction else { return 1.0 };
        let index = |x: f64, n: usize| (larger(x, 0.0) as usize).min(n - 1);
        let i = index((x - self.spec.min.x) * self.friction_scale[0], map.nx);
        let j = index((y - self.spec.min.y) * self.friction_scale[1], map.ny);
        map.values[j * map.nx + i]
    }

    /// Bounds of slopes and heights over a rectangle.
    #[inline]
    pub fn slopes(&self, min: Vec2, max: Vec2) -> Slopes {
        let to_cells = |p: Vec2| {
            [
                (p.x - self.spec.min.x) * self.inverse_cell[0],
                (p.y - self.spec.min.y) * self.inverse_cell[1],
            ]
        };
        self.bounds.over(to_cells(min), to_cells(max))
    }

    /// Cells per metre, along x and y.
    #[inline(always)]
    pub(crate) fn inverse_cell(&self) -> [f64; 2] {
        self.inverse_cell
    }

    /// The grid in plain numbers.
    #[inline(always)]
    pub(crate) fn cells(&self) -> Cells<'_> {
        Cells {
            corner: [self.spec.min.x, self.spec.min.y],
            per_metre: self.inverse_cell,
            most: [self.last[0] - 1.0, self.last[1] - 1.0],
            row: self.spec.heights.nx,
            values: &self.spec.heights.values,
        }
    }

    /// The surface at a point.
    #[inline(always)]
    pub(crate) fn patch(&self, x: f64, y: f64) -> SurfacePatch {
        let fx = (x - self.spec.min.x) * self.inverse_cell[0];
        let fy = (y - self.spec.min.y) * self.inverse_cell[1];
        let cx = smaller(larger(fx, 0.0), self.last[0]);
        let cy = smaller(larger(fy, 0.0), self.last[1]);
        let grid = &self.spec.heights;
        let i = (cx as u32 as usize).min(grid.nx - 2);
        let j = (cy as u32 as usize).min(grid.ny - 2);
        let (u, v) = (cx - i as f64, cy - j as f64);
        let at = j * grid.nx + i;
        let low = &grid.values[at..at + 2];
        let high = &grid.values[at + grid.nx..at + grid.nx + 2];
        let a = low[1] - low[0];
        let b = high[0] - low[0];
        let c = (high[1] - high[0]) - a;
        // Beyond the border the surface is level outwards.
        let kx = if fx == cx { self.inverse_cell[0] } else { 0.0 };
        let ky = if fy == cy { self.inverse_cell[1] } else { 0.0 };
        SurfacePatch {
            u,
            v,
            z: low[0] + a * u + (b + c * u) * v,
            gx: (a + c * v) * kx,
            gy: (b + c * u) * ky,
            twist: c * kx * ky,
        }
    }
}

fn check_grid(
    key: &str,
    grid: &Grid,
    fewest: usize,
    good: impl Fn(f64) -> bool,
    expected: &str,
) -> Result<(), ModelError> {
    let Grid { nx, ny, ref values } = *grid;
    let nodes = nx.saturating_mul(ny);
    if nx < fewest || ny < fewest || nodes > MOST_NODES {
        let expected = format!("at least {fewest} x {fewest} and at most {MOST_NODES} values");
        return Err(ModelError::new(key, expected, format!("{nx} x {ny}")));
    }
    if values.len() != nodes {
        return Err(ModelError::new(key, format!("{nodes} values"), values.len()));
    }
    match values.iter().position(|&z| !good(z)) {
        None => Ok(()),
        Some(at) => {
            let key = format!("{key}: row {}, column {}", at / nx + 1, at % nx + 1);
            Err(ModelError::new(key, expected, values[at]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 3 x 2 nodes, no two heights alike: any flip or swap shows.
    fn asymmetric() -> Terrain {
        let heights = Grid { nx: 3, ny: 2, values: vec![0.0, 1.0, 4.0, 10.0, 12.0, 20.0] };
        let (min, max) = (Vec2::new(-1.0, 5.0), Vec2::new(3.0, 6.0));
        let edge = Edge::Extended;
        Terrain::new(TerrainSpec { min, max, heights, friction: None, edge }).unwrap()
    }

    #[test]
    fn rows_run_along_x_and_the_first_lies_at_y_min() {
        let t = asymmetric();
        for (x, y, z) in [
            (-1.0, 5.0, 0.0),
            (1.0, 5.0, 1.0),
            (3.0, 5.0, 4.0),
            (-1.0, 6.0, 10.0),
            (1.0, 6.0, 12.0),
            (3.0, 6.0, 20.0),
        ] {
            assert_eq!(t.height(x, y), z, "({x}, {y})");
        }
    }

    #[test]
    fn the_middle_of_a_cell_is_the_mean_of_its_corners_as_in_equations_3_3_to_3_5() {
        let t = asymmetric();
        assert_eq!(t.height(0.0, 5.5), (0.0 + 1.0 + 10.0 + 12.0) / 4.0);
        // u = 0.25, v = 0.75 in the second cell, by the printed equations.
        let (z1, z2) = (4.0 * 0.25 + 1.0 * 0.75, 20.0 * 0.25 + 12.0 * 0.75);
        assert!((t.height(1.5, 5.75) - (z2 * 0.75 + z1 * 0.25)).abs() < 1e-14);
    }

    #[test]
    fn slopes_are_the_derivatives() {
        let t = asymmetric();
        let d = 1e-6;
        for (x, y) in [(0.3, 5.2), (2.1, 5.9), (-0.9, 5.01)] {
            let g = t.gradient(x, y);
            assert!((g.x - (t.height(x + d, y) - t.height(x - d, y)) / (2.0 * d)).abs() < 1e-6);
            assert!((g.y - (t.height(x, y + d) - t.height(x, y - d)) / (2.0 * d)).abs() < 1e-6);
        }
    }

    #[test]
    fn beyond_the_border_the_edge_goes_on() {
        let t = asymmetric();
        assert_eq!(t.height(100.0, 5.5), t.height(3.0, 5.5));
        assert_eq!(t.height(-7.0, -7.0), 0.0);
        assert_eq!(t.gradient(100.0, 5.5), Vec2::new(0.0, 16.0));
        assert!(t.contains(3.0, 6.0) && !t.contains(3.0 + 1e-9, 6.0));
    }

    #[test]
    fn patches_of_friction_cover_the_terrain() {
        let mut spec = asymmetric().spec().clone();
        spec.friction = Some(Grid { nx: 2, ny: 2, values: vec![0.1, 0.2, 0.3, 0.4] });
        let t = Terrain::new(spec).unwrap();
        for (x, y, f) in [(0.9, 5.4, 0.1), (1.1, 5.4, 0.2), (0.9, 5.6, 0.3), (2.9, 5.9, 0.4)] {
            assert_eq!(t.friction(x, y), f);
        }
        assert_eq!(t.friction(1e9, -1e9), 0.2);
    }

    #[test]
    fn bad_grids_are_refused_with_their_place() {
        let with = |change: fn(&mut TerrainSpec)| {
            let mut spec = asymmetric().spec().clone();
            change(&mut spec);
            Terrain::new(spec).unwrap_err().to_string()
        };
        let message = with(|s| s.heights.values[4] = f64::NAN);
        assert!(
            message.starts_with("terrain.heights: row 2, column 2: expected a height"),
            "{message}"
        );
        assert!(with(|s| s.heights.values.truncate(5)).contains("expected 6 values, got 5"));
        assert!(with(|s| s.heights.nx = 1).contains("at least 2 x 2"));
        assert!(with(|s| s.max.x = -1.0).contains("terrain.x_max: expected above -1"));
        assert!(with(|s| s.min.y = f64::INFINITY).contains("terrain.y_min"));
    }
}
