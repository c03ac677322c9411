//! Random convex parts, and their true distance by brute force: every edge against every edge.
#![allow(dead_code, missing_docs, unreachable_pub)]

use rolima_core::model::{Part, Polygon};
use rolima_core::planar::contacts::narrow::Manifold;
use rolima_math::{Pose2, Rot2, Stream, Vec2};

/// A part as a convex core (a point, a segment or a polygon) and a radius around it.
pub fn core_of(part: &Part) -> (Vec<Vec2>, f64) {
    match part {
        Part::Circle { center, radius } => (vec![*center], *radius),
        Part::Box { pose, half } => (Polygon::rectangle(*pose, *half).vertices[..4].to_vec(), 0.0),
        Part::Polygon(p) => (p.vertices[..p.count].to_vec(), 0.0),
    }
}

fn point_segment(p: Vec2, a: Vec2, b: Vec2) -> f64 {
    let along = b - a;
    let squared = along.length_squared();
    let lambda = if squared > 0.0 { ((p - a).dot(along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (p - (a + along * lambda)).length()
}

/// Whether the point is inside of or on the convex core, by the turns along its edges.
fn contains(core: &[Vec2], p: Vec2) -> bool {
    let n = core.len();
    n > 2 && (0..n).all(|i| (core[(i + 1) % n] - core[i]).cross(p - core[i]) >= 0.0)
}

fn edges_cross(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).cross(r - p);
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// Distance of two convex cores; zero where they meet.
pub fn core_distance(p: &[Vec2], q: &[Vec2]) -> f64 {
    if p.iter().any(|&v| contains(q, v)) || q.iter().any(|&v| contains(p, v)) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for i in 0..p.len() {
        let (a, b) = (p[i], p[(i + 1) % p.len()]);
        for j in 0..q.len() {
            let (c, d) = (q[j], q[(j + 1) % q.len()]);
            if edges_cross(a, b, c, d) {
                return 0.0;
            }
            least = least.min(point_segment(a, c, d)).min(point_segment(c, a, b));
        }
    }
    least
}

/// Distance of two parts that are apart; where their cores meet, minus both radii.
pub fn true_distance(a: &Part, b: &Part) -> f64 {
    let ((p, r), (q, s)) = (core_of(a), core_of(b));
    core_distance(&p, &q) - r - s
}

/// Distance of a point from a part.
pub fn point_distance(point: Vec2, part: &Part) -> f64 {
    true_distance(&Part::Circle { center: point, radius: 0.0 }, part)
}

/// The least gap of a manifold's points.
pub fn deepest(m: &Manifold) -> f64 {
    m.points[..m.count].iter().map(|p| p.gap).fold(f64::INFINITY, f64::min)
}

pub fn random_pose(rng: &mut Stream, spread: f64) -> Pose2 {
    let (x, y) = (rng.between(-spread, spread), rng.between(-spread, spread));
    Pose2::new(x, y, rng.between(-3.2, 3.2))
}

/// A rectangle at the origin: squares, plates, sticks, and some without thickness.
pub fn random_box(rng: &mut Stream) -> (Pose2, Vec2) {
    let half = Vec2::new(rng.between(0.01, 0.1), rng.between(0.01, 0.1));
    let half = match rng.next_u64() % 6 {
        0 => Vec2::new(half.x, half.x),
        1 => Vec2::new(10.0 * half.x, 0.0),
        2 => Vec2::new(10.0 * half.x, 0.1 * half.y),
        _ => half,
    };
    (random_pose(rng, 0.0), half)
}

/// A convex polygon of 3 to 8 corners on an ellipse about the origin.
pub fn random_polygon(rng: &mut Stream) -> Polygon {
    let count = 3 + (rng.next_u64() % 6) as usize;
    let (a, b) = (rng.between(0.02, 0.1), rng.between(0.02, 0.1));
    let turn = Rot2::from_angle(rng.between(-3.2, 3.2));
    let step = core::f64::consts::TAU / count as f64;
    let corners: Vec<Vec2> = (0..count)
        .map(|i| {
            let on_circle = Rot2::from_angle((i as f64 + rng.between(-0.4, 0.4)) * step).x_axis();
            turn.rotate(Vec2::new(a * on_circle.x, b * on_circle.y))
        })
        .collect();
    Polygon::from_vertices(&corners)
}

pub fn random_part(rng: &mut Stream) -> Part {
    match rng.next_u64() % 3 {
        0 => Part::Circle { center: Vec2::ZERO, radius: rng.between(0.005, 0.1) },
        1 => {
            let (pose, half) = random_box(rng);
            Part::Box { pose, half }
        }
        _ => Part::Polygon(random_polygon(rng)),
    }
}

/// A pose at which a part is about touching distance from one at the origin.
pub fn near_pose(rng: &mut Stream, a: &Part, b: &Part) -> Pose2 {
    let reach = a.bounding_circle().1 + b.bounding_circle().1;
    let way = reach * rng.between(0.1, 1.1);
    let turned = Rot2::from_angle(rng.between(-3.2, 3.2));
    let rotation = Rot2::from_angle(rng.between(-3.2, 3.2));
    Pose2 { position: turned.rotate(Vec2::new(way, 0.0)), rotation }
}

/// Two parts near one another.
pub fn random_pair(rng: &mut Stream) -> (Part, Part) {
    let (a, b) = (random_part(rng), random_part(rng));
    let pose = near_pose(rng, &a, &b);
    (a, b.transformed(pose))
}
