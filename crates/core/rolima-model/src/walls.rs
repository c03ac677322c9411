//! Walls of a scene as convex parts in the world.

use crate::check::{degrees, shown};
use crate::keys;
use crate::shape::{Part, Polygon};
use crate::spec::{PartSpec, WallSpec};
use rolima_check::ModelError;
use rolima_math::{Pose2, Rot2, Vec2, acos};
use rolima_spatial::Terrain;

/// How far the straight pieces of an arc may leave it, m.
pub const ARC_TOLERANCE: f64 = 1e-4;

/// Appends the parts of a wall. `key` is the path for errors.
pub fn compile_wall(key: &str, wall: &WallSpec, out: &mut Vec<Part>) -> Result<(), ModelError> {
    match wall {
        WallSpec::Segment { from, to, thickness, height } => {
            keys::WALL_HEIGHT.check(key, *height)?;
            out.push(segment(key, *from, *to, *thickness)?);
        }
        WallSpec::Arc { center, radius, from_angle, to_angle, thickness, height } => {
            keys::WALL_HEIGHT.check(key, *height)?;
            keys::ARC_RADIUS.check(key, *radius)?;
            keys::FROM_DEG.check(key, *from_angle)?;
            keys::TO_DEG.check(key, *to_angle)?;
            let span = to_angle - from_angle;
            if span <= 0.0 || span > core::f64::consts::TAU + 1e-9 {
                return Err(ModelError::new(
                    format!("{key}.{}", keys::TO_DEG.name),
                    format!("an angle after {} by at most a full turn", keys::FROM_DEG.name),
                    format!("a span of {} deg", shown(degrees(span))),
                ));
            }
            // A chord over the angle 2a leaves its arc by r (1 - cos a).
            let half_angle = acos((1.0 - ARC_TOLERANCE / radius).max(-1.0)).max(1e-3);
            let pieces = (span / (2.0 * half_angle)).ceil().clamp(1.0, 4000.0) as u32;
            let at = |i: u32| {
                let angle = from_angle + span * f64::from(i) / f64::from(pieces);
                *center + Rot2::from_angle(angle).x_axis() * *radius
            };
            for i in 0..pieces {
                out.push(segment(key, at(i), at(i + 1), *thickness)?);
            }
        }
        WallSpec::Polygon { vertices, height } => {
            keys::WALL_HEIGHT.check(key, *height)?;
            out.push(Part::compile(key, &PartSpec::Polygon { vertices: vertices.clone() })?);
        }
    }
    Ok(())
}

fn segment(key: &str, from: Vec2, to: Vec2, thickness: f64) -> Result<Part, ModelError> {
    keys::THICKNESS.check(key, thickness)?;
    let along = to - from;
    let length = along.length();
    if !(length > 1e-9 && length.is_finite()) {
        return Err(ModelError::new(
            key,
            "two different points",
            format!("a length of {} m", shown(length)),
        ));
    }
    let direction = along * (1.0 / length);
    let pose =
        Pose2 { position: (from + to) * 0.5, rotation: Rot2 { c: direction.x, s: direction.y } };
    Part::Box { pose, half: Vec2::new(0.5 * length, 0.5 * thickness) }.bounded(key)
}

/// A piece of wall is halved while the ground under it rises by more than this part of its height
/// ...
const MOST_RISE: f64 = 0.1;

/// ... and it is longer than this, m.
const SHORTEST_PIECE: f64 = 0.5;

/// Most pieces that walls on rough ground may have.
const MOST_PIECES: usize = 100_000;

/// Lets the parts from `from` on stand on rough ground: halves them where it rises under them, and
/// appends the foot and top of each, m. `key` is the path for errors.
pub(crate) fn stand(
    key: &str,
    terrain: &Terrain,
    height: f64,
    (from, parts): (usize, &mut Vec<Part>),
    spans: &mut Vec<[f64; 2]>,
) -> Result<(), ModelError> {
    let mut left: Vec<Part> = parts.drain(from..).rev().collect();
    while let Some(part) = left.pop() {
        let [low, high] = ground_under(terrain, &part);
        match part {
            Part::Box { pose, half }
                if high - low > MOST_RISE * height && half.x > 0.5 * SHORTEST_PIECE =>
            {
                let (quarter, along) = (0.5 * half.x, pose.rotation.x_axis());
                let half = Vec2::new(quarter, half.y);
                let piece = |distance: f64| {
                    let position = pose.position + along * distance;
                    Part::Box { pose: Pose2 { position, ..pose }, half }
                };
                left.extend([piece(quarter), piece(-quarter)]);
            }
            _ => {
                parts.push(part);
                spans.push([low, high + height]);
            }
        }
        if parts.len() + left.len() > MOST_PIECES {
            let expected = format!("walls of at most {MOST_PIECES} pieces on this ground");
            return Err(ModelError::new(key, expected, "more"));
        }
    }
    Ok(())
}

/// Lowest and highest ground under a part: at its corners and middle, and on lines between them.
fn ground_under(terrain: &Terrain, part: &Part) -> [f64; 2] {
    let cell = terrain.cell();
    let spacing = cell.x.min(cell.y).max(1e-3);
    let mut bounds = [f64::INFINITY, f64::NEG_INFINITY];
    let mut look = |p: Vec2| {
        let z = terrain.height(p.x, p.y);
        bounds = [bounds[0].min(z), bounds[1].max(z)];
    };
    let mut line = |a: Vec2, b: Vec2| {
        let steps = ((b - a).length() / spacing).ceil().clamp(1.0, 256.0);
        let mut done = 0.0;
        while done <= steps {
            look(a + (b - a) * (done / steps));
            done += 1.0;
        }
    };
    match *part {
        Part::Circle { center, radius } => {
            let (x, y) = (Vec2::new(radius, 0.0), Vec2::new(0.0, radius));
            line(center - x, center + x);
            line(center - y, center + y);
        }
        Part::Box { pose, half } => {
            let polygon = Polygon::rectangle(pose, half);
            round(&polygon, &mut line);
        }
        Part::Polygon(polygon) => round(&polygon, &mut line),
    }
    bounds
}

/// The edges of a polygon, and lines from its middle to its corners.
fn round(polygon: &Polygon, line: &mut impl FnMut(Vec2, Vec2)) {
    let middle = polygon.middle();
    for i in 0..polygon.count {
        line(polygon.vertices[i], polygon.vertices[(i + 1) % polygon.count]);
        line(middle, polygon.vertices[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_an_arc_stay_within_the_tolerance() {
        let wall = WallSpec::Arc {
            center: Vec2::new(1.0, 2.0),
            radius: 0.5,
            from_angle: 0.3,
            to_angle: 2.0,
            thickness: 0.0,
            height: 0.05,
        };
        let mut parts = vec![];
        compile_wall("w", &wall, &mut parts).unwrap();
        for part in &parts {
            let Part::Box { pose, .. } = part else { panic!("a box") };
            let off = 0.5 - (pose.position - Vec2::new(1.0, 2.0)).length();
            assert!((0.0..=ARC_TOLERANCE).contains(&off), "{off}");
        }
        assert!(parts.len() > 20 && parts.len() < 60, "{}", parts.len());
    }

    #[test]
    fn no_wall_reaches_where_places_in_grids_could_not_be_told_apart() {
        let (thickness, height) = (0.01, 0.05);
        let segment = |from, to| WallSpec::Segment { from, to, thickness, height };
        let arc = |center, radius| {
            let (from_angle, to_angle) = (0.0, 1.0);
            WallSpec::Arc { center, radius, from_angle, to_angle, thickness, height }
        };
        let far = Vec2::new(1e12, 0.0);
        for wall in [
            segment(far, far + Vec2::new(1.0, 0.0)),
            segment(-far, far),
            segment(Vec2::ZERO, Vec2::new(0.0, 1.01e6)),
            segment(Vec2::ZERO, Vec2::new(0.0, f64::MAX)),
            arc(far, 1.0),
            arc(Vec2::ZERO, 1e9),
        ] {
            let refused = compile_wall("wall.3", &wall, &mut vec![]);
            let said = refused.expect_err("it is refused").to_string();
            assert!(said.contains("wall.3") && said.contains("expected"), "{said}");
        }
        let mut parts = vec![];
        let (from, to) = (Vec2::new(-9e5, 3e4), Vec2::new(9e5, 3e4));
        compile_wall("wall.3", &segment(from, to), &mut parts).unwrap();
        assert_eq!(parts.len(), 1);
    }
}
