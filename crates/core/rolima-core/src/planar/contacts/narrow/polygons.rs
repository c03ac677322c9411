//! Convex polygon against convex polygon, by separating faces and clipping.

use super::{Manifold, Point};
use rolima_math::Vec2;
use rolima_model::Polygon;

const PREFERENCE: f64 = 1e-6;

/// The points of two polygons at most `margin` apart, or else a lower bound of their distance.
pub fn polygon_polygon(a: &Polygon, b: &Polygon, margin: f64) -> Result<Manifold, f64> {
    let (face_a, separation_a) = best_face(a, b);
    let (face_b, separation_b) = best_face(b, a);
    let separation = separation_a.max(separation_b);
    if separation > margin {
        return Err(separation);
    }
    if separation_b > separation_a + PREFERENCE {
        clip(b, face_b, a, separation, margin, 1)
    } else {
        let manifold = clip(a, face_a, b, separation, margin, 0)?;
        Ok(Manifold { normal: -manifold.normal, ..manifold })
    }
}

/// The face of `p` that separates best from `q`.
fn best_face(p: &Polygon, q: &Polygon) -> (usize, f64) {
    let mut best = (0, f64::NEG_INFINITY);
    for i in 0..p.count {
        let nearest = q.vertices[..q.count]
            .iter()
            .map(|v| (*v - p.vertices[i]).dot(p.normals[i]))
            .fold(f64::INFINITY, f64::min);
        if nearest > best.1 {
            best = (i, nearest);
        }
    }
    best
}

/// Contact points on a face of the reference polygon; the normal runs to the other one.
fn clip(
    reference: &Polygon,
    face: usize,
    other: &Polygon,
    separation: f64,
    margin: f64,
    which: u32,
) -> Result<Manifold, f64> {
    let normal = reference.normals[face];
    let tangent = normal.perp();
    let from = reference.vertices[face];
    let width = (reference.vertices[(face + 1) % reference.count] - from).dot(tangent);
    let mut incident = 0;
    for i in 1..other.count {
        if other.normals[i].dot(normal) < other.normals[incident].dot(normal) - 1e-12 {
            incident = i;
        }
    }
    let local = |v: Vec2| Vec2::new((v - from).dot(normal), (v - from).dot(tangent));
    let world = |p: Vec2| from + normal * p.x + tangent * p.y;
    // The incident face runs against the reference's: its second corner is the lower one.
    let mut ends =
        [local(other.vertices[(incident + 1) % other.count]), local(other.vertices[incident])];
    let feature = which << 12 | (face as u32) << 8 | (incident as u32) << 4;
    if ends[0].y > width || ends[1].y < 0.0 {
        let (corner, end) = if ends[0].y > width {
            (Vec2::new(0.0, width), ends[0])
        } else {
            (Vec2::ZERO, ends[1])
        };
        if separation <= 0.0 {
            return Ok(Manifold::single(normal, world(end), end.x, feature | 8));
        }
        let between = world(end) - world(corner);
        let distance = between.length();
        if distance > margin {
            return Err(separation);
        }
        let middle = (world(corner) + world(end)) * 0.5;
        return Ok(Manifold::single(between.unit_or(normal), middle, distance, feature | 9));
    }
    let slope = (ends[1].x - ends[0].x) / (ends[1].y - ends[0].y).max(1e-300);
    if ends[0].y < 0.0 {
        ends[0] = Vec2::new(ends[0].x - slope * ends[0].y, 0.0);
    }
    if ends[1].y > width {
        ends[1] = Vec2::new(ends[1].x + slope * (width - ends[1].y), width);
    }
    let mut manifold = Manifold { normal, ..Manifold::default() };
    for (i, end) in ends.iter().enumerate() {
        if end.x <= margin {
            manifold.points[manifold.count] = Point {
                position: world(Vec2::new(0.5 * end.x, end.y)),
                gap: end.x,
                feature: feature | i as u32,
            };
            manifold.count += 1;
        }
    }
    if manifold.count == 0 { Err(separation) } else { Ok(manifold) }
}
