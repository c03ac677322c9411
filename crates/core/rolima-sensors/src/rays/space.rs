//! Rays in space: the ground, walls that stand on it, bodies that lie on it however tilted.
//!
//! A ray meets the terrain itself, the very surface that wheels feel, or flat ground. Walls are upright prisms,
//! laid into a grid once; bodies are few, and looked at one by one, within a ball around each. As
//! in the plane, surfaces are seen from outside: a ray does not see what it starts in.

use super::grid::{Grid, Lists};
use super::solid::{NearestHit, RaySolid};
use super::walk::Walk;
use rolima_math::{Pose3, Vec2, Vec3};
use rolima_model::{BodyId, Part, Terrain};
use std::sync::Arc;

/// Walls in a cell of the grid, about.
const WALLS_A_CELL: f64 = 2.0;

/// Most cells of the grid.
const MOST_CELLS: usize = 1 << 18;

/// Where a ray in space ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceHit {
    /// Length of the ray, m.
    pub distance: f64,
    /// Outward unit normal of the surface there.
    pub normal: Vec3,
}

/// A ray in space.
#[derive(Clone, Copy, Debug)]
pub struct SpaceRay {
    /// Where it begins, m.
    pub origin: Vec3,
    /// Unit vector.
    pub direction: Vec3,
    /// Longest length, m.
    pub range: f64,
    /// Slot of a body that is not seen.
    pub skip: Option<BodyId>,
}

/// What a kind of body is made of, in the body's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct RayBody {
    parts: Vec<RaySolid>,
    /// A ball around them.
    middle: Vec3,
    radius: f64,
}

impl RayBody {
    /// A body of these parts.
    pub fn new(parts: Vec<RaySolid>) -> Self {
        let bounds: Vec<(Vec3, f64)> = parts.iter().map(RaySolid::ball).collect();
        let count = bounds.len().max(1) as f64;
        let middle = bounds.iter().fold(Vec3::ZERO, |sum, (c, _)| sum + *c * (1.0 / count));
        let radius = bounds.iter().map(|(c, r)| (*c - middle).length() + r).fold(0.0, f64::max);
        Self { parts, middle, radius }
    }
}

/// A body where it is.
#[derive(Clone, Copy, Debug)]
struct PlacedBody {
    id: BodyId,
    body: u32,
    pose: Pose3,
    middle: Vec3,
}

/// Everything that rays in space meet.
#[derive(Clone, Debug)]
pub struct Space {
    /// None: flat ground, at height 0.
    terrain: Option<Arc<Terrain>>,
    walls: Vec<RaySolid>,
    grid: Grid,
    lists: Lists,
    kinds: Vec<RayBody>,
    placed: Vec<PlacedBody>,
}

impl Space {
    /// Ground (none: flat, at height 0), walls (outline in the world, heights of foot and top, m),
    /// kinds of bodies, and room for so many of them.
    pub fn new<'a>(
        terrain: Option<Arc<Terrain>>,
        walls: impl Iterator<Item = (&'a Part, [f64; 2])>,
        kinds: Vec<RayBody>,
        bodies: usize,
    ) -> Self {
        let (mut solids, mut boxes) = (vec![], vec![]);
        for (part, z) in walls {
            solids.push(RaySolid::standing(part, z));
            boxes.push(part.bounding_box());
        }
        let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
        let mut max = -min;
        for (low, high) in &boxes {
            min = Vec2::new(min.x.min(low.x), min.y.min(low.y));
            max = Vec2::new(max.x.max(high.x), max.y.max(high.y));
        }
        let (mut grid, mut lists) = (Grid::default(), Lists::default());
        if !boxes.is_empty() {
            let area = (max.x - min.x).max(1e-3) * (max.y - min.y).max(1e-3);
            let cell = (WALLS_A_CELL * area / boxes.len() as f64).sqrt();
            grid = Grid::over(min, max, cell, MOST_CELLS);
            let mut pairs = vec![];
            for (i, (low, high)) in boxes.iter().enumerate() {
                grid.covered(*low, *high, |cell, _, _| pairs.push((cell as u32, i as u32)));
            }
            lists.fill(grid.cells(), &pairs);
        }
        let placed = Vec::with_capacity(bodies);
        Self { terrain, walls: solids, grid, lists, kinds, placed }
    }

    /// Puts the bodies where they are: number, kind, pose of each. Allocates nothing once it has had
    /// as many.
    pub fn place(&mut self, bodies: impl Iterator<Item = (BodyId, u32, Pose3)>) {
        self.placed.clear();
        for (id, body, pose) in bodies {
            let middle = pose.transform(self.kinds[body as usize].middle);
            self.placed.push(PlacedBody { id, body, pose, middle });
        }
    }

    /// What a ray meets first.
    pub fn cast(&self, ray: &SpaceRay) -> Option<SpaceHit> {
        let SpaceRay { origin, direction, .. } = *ray;
        let mut nearest = NearestHit { distance: ray.range, normal: None };
        self.cast_at_walls(ray, &mut nearest);
        for placed in self.placed.iter().filter(|p| Some(p.id) != ray.skip) {
            let kind = &self.kinds[placed.body as usize];
            let to = placed.middle - origin;
            let along = to.dot(direction);
            let off = to.dot(to) - along * along;
            let near = kind.radius * kind.radius;
            if off > near || along + kind.radius < 0.0 || along - kind.radius > nearest.distance {
                continue;
            }
            let turn = placed.pose.rotation;
            let own = (turn.unrotate(origin - placed.pose.position), turn.unrotate(direction));
            let mut met = NearestHit { distance: nearest.distance, normal: None };
            kind.parts.iter().for_each(|part| part.intersect(own, &mut met));
            if let Some(normal) = met.normal {
                nearest = NearestHit { distance: met.distance, normal: Some(turn.rotate(normal)) };
            }
        }
        self.cast_at_ground(ray, &mut nearest);
        let NearestHit { distance, normal } = nearest;
        normal.map(|normal| SpaceHit { distance, normal })
    }

    fn cast_at_ground(&self, ray: &SpaceRay, nearest: &mut NearestHit) {
        let SpaceRay { origin, direction, .. } = *ray;
        let hit = match &self.terrain {
            Some(terrain) => {
                let hit = terrain.cast(origin, direction, nearest.distance);
                hit.map(|hit| (hit.distance, hit.normal))
            }
            None => {
                let distance = -origin.z / direction.z;
                // A ray along the ground never meets it.
                let meets = direction.z != 0.0 && (0.0..nearest.distance).contains(&distance);
                meets.then_some((distance, Vec3::new(0.0, 0.0, 1.0)))
            }
        };
        if let Some((distance, normal)) = hit {
            // From below, the ground's other side is seen.
            let facing = if normal.dot(direction) > 0.0 { -normal } else { normal };
            *nearest = NearestHit { distance, normal: Some(facing) };
        }
    }

    fn cast_at_walls(&self, ray: &SpaceRay, nearest: &mut NearestHit) {
        let flat = |v: Vec3| Vec2::new(v.x, v.y);
        let (origin, direction) = (flat(ray.origin), flat(ray.direction));
        let Some(mut walk) = Walk::enter(&self.grid, origin, direction, ray.range) else { return };
        loop {
            for &wall in self.lists.of(walk.cell.max(0) as usize) {
                self.walls[wall as usize].intersect((ray.origin, ray.direction), nearest);
            }
            // What is met in this cell is nearer than what any later one holds.
            if nearest.distance <= walk.leaves() || !walk.step() {
                return;
            }
        }
    }

    /// Whether a point lies in a wall or a body, or below the ground.
    pub fn inside(&self, point: Vec3, skip: Option<BodyId>) -> bool {
        let ground = self.terrain.as_ref().map_or(0.0, |t| t.height(point.x, point.y));
        if ground > point.z {
            return true;
        }
        let walls = self.grid.cell_at(Vec2::new(point.x, point.y)).map(|cell| self.lists.of(cell));
        if walls.is_some_and(|walls| walls.iter().any(|&w| self.walls[w as usize].holds(point))) {
            return true;
        }
        self.placed.iter().filter(|p| Some(p.id) != skip).any(|p| {
            let kind = &self.kinds[p.body as usize];
            (point - p.middle).length() <= kind.radius && {
                let own = p.pose.rotation.unrotate(point - p.pose.position);
                kind.parts.iter().any(|part| part.holds(own))
            }
        })
    }
}
