//! Points of a body's surface that are looked at for contact with the ground.
//!
//! Corners, and points between them at about the distance of the terrain's nodes: a ridge that
//! passes under the middle of a box is felt. Points of cylinders depend on where the ground is.

use super::{BodyPart, BodyShape};
use rolima_math::{Vec2, Vec3, cos, sin};

/// Most parts that an edge is divided into.
const MOST_DIVISIONS: f64 = 6.0;

/// Corners of a round rim.
const RIM: usize = 12;

/// What the ground feels of one piece of a body, in the frame of the piece's shape.
#[derive(Clone, Debug)]
pub(crate) enum Skin {
    /// A ball of this radius, m.
    Ball(f64),
    /// These points.
    Points(Vec<Vec3>),
    /// A cylinder along y: half height, radius, m, and points of its ends.
    Cylinder(f64, f64, Vec<Vec3>),
}

/// The skins of a body's pieces, in their order.
pub(crate) fn skins(shape: &BodyShape, cell: f64) -> Vec<Skin> {
    match shape {
        BodyShape::Ball(radius) => vec![Skin::Ball(*radius)],
        BodyShape::Box([x, y, z]) => {
            let outline = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
            let outline: Vec<Vec2> = outline.map(|(a, b)| Vec2::new(a * x, b * y)).to_vec();
            vec![Skin::Points(prism(&outline, [-z, *z], cell))]
        }
        BodyShape::Cylinder(radius, half) => vec![cylinder(*radius, *half)],
        BodyShape::Parts(parts) => parts
            .iter()
            .map(|part| match part {
                BodyPart::Prism { outline, z } => Skin::Points(prism(outline, *z, cell)),
                BodyPart::Cylinder { radius, z: [low, high], .. } => {
                    cylinder(*radius, 0.5 * (high - low))
                }
            })
            .collect(),
    }
}

fn divisions(length: f64, cell: f64) -> u32 {
    (length / cell).ceil().clamp(2.0, MOST_DIVISIONS) as u32
}

/// Rims at several heights, and both ends filled.
fn prism(outline: &[Vec2], z: [f64; 2], cell: f64) -> Vec<Vec3> {
    let corner = |i: usize| outline[i % outline.len()];
    let mut rim = vec![];
    let mut longest = 0.0f64;
    for i in 0..outline.len() {
        let (a, edge) = (corner(i), corner(i + 1) - corner(i));
        let length = (edge.x * edge.x + edge.y * edge.y).sqrt();
        longest = longest.max(length);
        let count = divisions(length, cell);
        rim.extend((0..count).map(|k| a + edge * (f64::from(k) / f64::from(count))));
    }
    let levels = divisions(z[1] - z[0], cell);
    let mut points = vec![];
    for k in 0..=levels {
        let at = z[0] + (z[1] - z[0]) * f64::from(k) / f64::from(levels);
        points.extend(rim.iter().map(|p| Vec3::new(p.x, p.y, at)));
    }
    let middle = outline.iter().fold(Vec2::ZERO, |sum, &p| sum + p) * (1.0 / outline.len() as f64);
    let rings = divisions(0.5 * longest, cell);
    for end in z {
        points.push(Vec3::new(middle.x, middle.y, end));
        for k in 1..rings {
            let part = f64::from(k) / f64::from(rings);
            let inside = rim.iter().map(|&p| middle + (p - middle) * part);
            points.extend(inside.map(|p| Vec3::new(p.x, p.y, end)));
        }
    }
    points
}

fn cylinder(radius: f64, half: f64) -> Skin {
    let mut points = vec![];
    for end in [-half, half] {
        points.push(Vec3::new(0.0, end, 0.0));
        for k in 0..RIM {
            let angle = core::f64::consts::TAU * k as f64 / RIM as f64;
            let (x, z) = (radius * cos(angle), radius * sin(angle));
            points.push(Vec3::new(x, end, z));
            points.push(Vec3::new(0.5 * x, end, 0.5 * z));
        }
    }
    Skin::Cylinder(half, radius, points)
}
