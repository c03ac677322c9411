//! Circle against anything. The distance to an edge is the paper's equations 10 and 11.

use super::Manifold;
use rolima_math::{Pose2, Vec2};
use rolima_model::{Part, Polygon};

/// The point of a circle (in the world) and a part of a body at a pose, at most `margin` apart (the normal runs to the circle),
/// or else a lower bound of their distance.
#[inline]
pub fn circle(
    (center, radius): (Vec2, f64),
    (other, outer): (&Part, Pose2),
    margin: f64,
) -> Result<Manifold, f64> {
    let (closest, normal, distance, feature) = match other {
        Part::Circle { center: c, radius: r } => {
            let c = outer.transform(*c);
            let between = center - c;
            let distance = between.length();
            let normal = between.unit_or(Vec2::new(1.0, 0.0));
            (c + normal * *r, normal, distance - r, 0)
        }
        Part::Box { pose, half } => {
            let pose = outer.compose(*pose);
            let q = pose.inverse_transform(center);
            let inside = Vec2::new(q.x.clamp(-half.x, half.x), q.y.clamp(-half.y, half.y));
            let out = q - inside;
            let squared = out.length_squared();
            if squared > 0.0 {
                let distance = squared.sqrt();
                let normal = pose.rotation.rotate(out * (1.0 / distance));
                (pose.transform(inside), normal, distance, 1)
            } else {
                // The centre is inside: out through the nearest face.
                let (dx, dy) = (half.x - q.x.abs(), half.y - q.y.abs());
                let local = if dx < dy {
                    Vec2::new(if q.x < 0.0 { -1.0 } else { 1.0 }, 0.0)
                } else {
                    Vec2::new(0.0, if q.y < 0.0 { -1.0 } else { 1.0 })
                };
                let depth = dx.min(dy);
                let normal = pose.rotation.rotate(local);
                (center + normal * depth, normal, -depth, 2)
            }
        }
        Part::Polygon(p) => closest_on_polygon(center, &p.transformed(outer)),
    };
    let gap = distance - radius;
    if gap > margin {
        return Err(gap);
    }
    Ok(Manifold::single(normal, closest + normal * (0.5 * gap), gap, feature))
}

/// (closest surface point, outward normal, signed distance, feature).
fn closest_on_polygon(center: Vec2, p: &Polygon) -> (Vec2, Vec2, f64, u32) {
    let mut face = 0;
    let mut distance = f64::NEG_INFINITY;
    for i in 0..p.count {
        let d = (center - p.vertices[i]).dot(p.normals[i]);
        if d > distance {
            (face, distance) = (i, d);
        }
    }
    let (from, to) = (p.vertices[face], p.vertices[(face + 1) % p.count]);
    let edge = to - from;
    // Equation 11, cut to the edge; then equation 10.
    let lambda = (center - from).dot(edge) / edge.length_squared();
    if distance <= 0.0 || (0.0..=1.0).contains(&lambda) {
        let closest = center - p.normals[face] * distance;
        return (closest, p.normals[face], distance, face as u32);
    }
    let corner = if lambda < 0.0 { from } else { to };
    let out = center - corner;
    (corner, out.unit_or(p.normals[face]), out.length(), 16 + face as u32)
}
