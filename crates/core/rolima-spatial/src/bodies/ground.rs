//! The ground as triangles, for free bodies.
//!
//! Cells are divided until the triangles are within [`GROUND_TOLERANCE`] of the saddles that wheels
//! feel, as far as the number of triangles allows. Where the edge of a terrain is extended, strips
//! of triangles go on from the border.

use super::GROUND_TOLERANCE;
use super::solid::QUARTER_ABOUT_X;
use crate::terrain::{Edge, Terrain};
use rapier3d_f64::parry::shape::{HeightFieldFlags, TriMeshFlags};
use rapier3d_f64::parry::utils::Array2;
use rapier3d_f64::prelude::{Pose, SharedShape, Vector};
use rolima_check::ModelError;

/// Most nodes of the mesh of triangles.
const MOST_MESH_NODES: usize = 1 << 20;

/// How far an extended edge goes, m.
const EXTENDED: f64 = 1e3;

/// The ground: shapes with their places.
#[derive(Clone)]
pub(crate) struct Ground {
    pub(crate) shapes: Vec<(SharedShape, Pose)>,
}

impl Ground {
    pub(crate) fn new(terrain: &Terrain) -> Result<Self, ModelError> {
        let mut shapes = vec![field(terrain)];
        if terrain.spec().edge == Edge::Extended {
            shapes.push((skirt(terrain)?, Pose::IDENTITY));
        }
        Ok(Self { shapes })
    }
}

fn field(terrain: &Terrain) -> (SharedShape, Pose) {
    let spec = terrain.spec();
    let grid = &spec.heights;
    let at = |i: usize, j: usize| grid.values[j * grid.nx + i];
    let mut twist = 0.0f64;
    for j in 0..grid.ny - 1 {
        for i in 0..grid.nx - 1 {
            twist = twist.max((at(i, j) - at(i + 1, j) - at(i, j + 1) + at(i + 1, j + 1)).abs());
        }
    }
    // Two triangles are off by a quarter of the twist; k x k times finer by k squared less.
    let wanted = (0.25 * twist / GROUND_TOLERANCE).sqrt().clamp(1.0, 16.0) as usize + 1;
    let room = (MOST_MESH_NODES as f64 / (grid.nx * grid.ny) as f64).sqrt().max(1.0) as usize;
    let finer = if twist <= 4.0 * GROUND_TOLERANCE { 1 } else { wanted.min(room).max(1) };
    let (nx, ny) = ((grid.nx - 1) * finer + 1, (grid.ny - 1) * finer + 1);
    let size = spec.max - spec.min;
    // Rapier's field has its heights along y, columns along x, and rows along z, which lies
    // along -y of our world once the field is laid down.
    let mut heights = Array2::repeat(ny, nx, 0.0);
    for row in 0..ny {
        for column in 0..nx {
            let x = spec.min.x + size.x * column as f64 / (nx - 1) as f64;
            let y = spec.max.y - size.y * row as f64 / (ny - 1) as f64;
            heights[(row, column)] = terrain.height(x, y);
        }
    }
    // Bodies must not stumble over the edges between triangles.
    let flags = HeightFieldFlags::FIX_INTERNAL_EDGES;
    let scale = Vector::new(size.x, 1.0, size.y);
    let shape = SharedShape::heightfield_with_flags(heights, scale, flags);
    let middle = (spec.min + spec.max) * 0.5;
    (shape, Pose::from_parts(Vector::new(middle.x, middle.y, 0.0), QUARTER_ABOUT_X))
}

/// Strips outwards from the border, with the border's heights.
fn skirt(terrain: &Terrain) -> Result<SharedShape, ModelError> {
    let spec = terrain.spec();
    let grid = &spec.heights;
    let (min, max) = (spec.min, spec.max);
    let along =
        |low: f64, high: f64, i: usize, n: usize| low + (high - low) * i as f64 / (n - 1) as f64;
    // Round the border, counter-clockwise, corners twice: once for each side.
    let mut inner = vec![];
    let mut outer = vec![];
    let mut put = |x: f64, y: f64, ox: f64, oy: f64| {
        let z = terrain.height(x, y);
        inner.push(Vector::new(x, y, z));
        outer.push(Vector::new(x + ox * EXTENDED, y + oy * EXTENDED, z));
    };
    for i in 0..grid.nx {
        put(along(min.x, max.x, i, grid.nx), min.y, 0.0, -1.0);
    }
    for j in 0..grid.ny {
        put(max.x, along(min.y, max.y, j, grid.ny), 1.0, 0.0);
    }
    for i in (0..grid.nx).rev() {
        put(along(min.x, max.x, i, grid.nx), max.y, 0.0, 1.0);
    }
    for j in (0..grid.ny).rev() {
        put(min.x, along(min.y, max.y, j, grid.ny), -1.0, 0.0);
    }
    let count = inner.len() as u32;
    let mut points = inner;
    points.extend(outer);
    let mut triangles = vec![];
    for i in 0..count {
        let next = (i + 1) % count;
        triangles.push([i, count + i, next]);
        triangles.push([next, count + i, count + next]);
    }
    // At corners the two inner points are one.
    triangles.retain(|t| {
        let [a, b, c] = t.map(|i| points[i as usize]);
        (b - a).cross(c - a).length() > 1e-9
    });
    let flags = TriMeshFlags::FIX_INTERNAL_EDGES;
    SharedShape::trimesh_with_flags(points, triangles, flags)
        .map_err(|e| ModelError::new("terrain", "a border that can be extended", e))
}
