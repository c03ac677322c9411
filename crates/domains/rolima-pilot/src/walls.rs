//! The walls of a scene as barriers of navigation.

use rolima_core::model::{Model, Part};
use rolima_math::{Vec2, smaller};
use rolima_nav::Barrier;

/// The walls of a scene for a robot of this radius, m. A wall that is thin against the robot is one
/// barrier; a thick block is its edges.
pub fn barriers_of(model: &Model, radius: f64) -> Vec<Barrier> {
    let mut barriers = Vec::with_capacity(model.walls.len());
    for part in &model.walls {
        match *part {
            Part::Circle { center, radius } => barriers.push(Barrier { ends: [center; 2], radius }),
            Part::Box { pose, half } if smaller(half.x, half.y) <= 0.25 * radius => {
                let (long, thin) = if half.x >= half.y { (true, half.y) } else { (false, half.x) };
                let end = if long { Vec2::new(half.x, 0.0) } else { Vec2::new(0.0, half.y) };
                let ends = [pose.transform(end), pose.transform(-end)];
                barriers.push(Barrier { ends, radius: thin });
            }
            Part::Box { pose, half } => {
                let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
                let corners =
                    corners.map(|(x, y)| pose.transform(Vec2::new(x * half.x, y * half.y)));
                edges(&corners, &mut barriers);
            }
            Part::Polygon(polygon) => edges(&polygon.vertices[..polygon.count], &mut barriers),
        }
    }
    barriers
}

fn edges(corners: &[Vec2], barriers: &mut Vec<Barrier>) {
    for (i, &corner) in corners.iter().enumerate() {
        let ends = [corner, corners[(i + 1) % corners.len()]];
        barriers.push(Barrier { ends, radius: 0.0 });
    }
}

/// Whether a point lies in a wall. Of a thick block the barriers are only its edges, so that the
/// middle of one has as much room as an empty hall.
pub fn is_in_wall(walls: &[Part], p: Vec2) -> bool {
    walls.iter().any(|part| match part {
        Part::Circle { center, radius } => (p - *center).length_squared() <= radius * radius,
        Part::Box { pose, half } => {
            let own = pose.inverse_transform(p);
            own.x.abs() <= half.x && own.y.abs() <= half.y
        }
        Part::Polygon(polygon) => {
            let corners = polygon.vertices.iter().zip(&polygon.normals).take(polygon.count);
            corners.into_iter().all(|(corner, outward)| outward.dot(p - *corner) <= 0.0)
        }
    })
}

/// Distance of the nearest wall from a point, m; without bound where there is none.
pub fn room_at(walls: &[Barrier], p: Vec2) -> f64 {
    walls.iter().fold(f64::INFINITY, |least, wall| smaller(least, wall.distance(p)))
}

/// Whether a straight way keeps this distance from all walls, m, or at least as much as both its ends
/// have. None crosses a wall.
pub fn is_clear(walls: &[Barrier], way: [Vec2; 2], distance: f64) -> bool {
    let ends = smaller(room_at(walls, way[0]), room_at(walls, way[1]));
    let needed = smaller(distance, ends) - 1e-9;
    ends > 0.0 && walls.iter().all(|wall| wall.distance_to(way) >= needed)
}
