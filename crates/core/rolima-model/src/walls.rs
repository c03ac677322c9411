//! Walls of a scene as convex parts in the world.

use crate::check::{finite, not_negative, positive, shown};
use crate::shape::Part;
use crate::spec::{PartSpec, WallSpec};
use rolima_check::ModelError;
use rolima_math::{Pose2, Rot2, Vec2, acos};

/// How far the straight pieces of an arc may leave it, m.
pub const ARC_TOLERANCE: f64 = 1e-4;

/// Appends the parts of a wall. `key` is the path for errors.
pub fn compile_wall(key: &str, wall: &WallSpec, out: &mut Vec<Part>) -> Result<(), ModelError> {
    match wall {
        WallSpec::Segment { from, to, thickness, height } => {
            not_negative(&format!("{key}.height"), *height)?;
            out.push(segment(key, *from, *to, *thickness)?);
        }
        WallSpec::Arc { center, radius, from_angle, to_angle, thickness, height } => {
            not_negative(&format!("{key}.height"), *height)?;
            positive(&format!("{key}.radius"), *radius)?;
            finite(&format!("{key}.from_angle"), *from_angle)?;
            let to_key = format!("{key}.to_angle");
            let span = finite(&to_key, *to_angle)? - from_angle;
            if span <= 0.0 || span > core::f64::consts::TAU + 1e-9 {
                return Err(ModelError::new(
                    to_key,
                    "an angle after from_angle by at most a full turn",
                    format!("a span of {} rad", shown(span)),
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
            not_negative(&format!("{key}.height"), *height)?;
            out.push(Part::compile(key, &PartSpec::Polygon { vertices: vertices.clone() })?);
        }
    }
    Ok(())
}

fn segment(key: &str, from: Vec2, to: Vec2, thickness: f64) -> Result<Part, ModelError> {
    not_negative(&format!("{key}.thickness"), thickness)?;
    let along = to - from;
    let length = along.length();
    if !(length > 1e-9 && length < 1e9) {
        return Err(ModelError::new(
            key,
            "two different points",
            format!("a length of {} m", shown(length)),
        ));
    }
    let direction = along * (1.0 / length);
    let pose =
        Pose2 { position: (from + to) * 0.5, rotation: Rot2 { c: direction.x, s: direction.y } };
    Ok(Part::Box { pose, half: Vec2::new(0.5 * length, 0.5 * thickness) })
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
}
