//! Rectangle against rectangle, by the four separating axes.

use super::{Manifold, Point};
use rolima_math::{Pose2, Rot2, Vec2};

/// A later axis must separate better by this much to be preferred, m: resting contacts then do not
/// flip between two axes that are equal but for rounding.
const PREFERENCE: f64 = 1e-6;

/// The points of two rectangles (pose, half lengths) at most `margin` apart, or else a lower bound
/// of their distance.
#[inline]
pub fn box_box(
    (pose_a, half_a): (Pose2, Vec2),
    (pose_b, half_b): (Pose2, Vec2),
    margin: f64,
) -> Result<Manifold, f64> {
    let between = pose_b.position - pose_a.position;
    let in_a = pose_a.rotation.unrotate(between);
    let in_b = pose_b.rotation.unrotate(between);
    let a_from_b = pose_a.rotation.inverse().after(pose_b.rotation);
    let (c, s) = (a_from_b.c.abs(), a_from_b.s.abs());
    let separations = [
        in_a.x.abs() - half_a.x - (c * half_b.x + s * half_b.y),
        in_a.y.abs() - half_a.y - (s * half_b.x + c * half_b.y),
        in_b.x.abs() - half_b.x - (c * half_a.x + s * half_a.y),
        in_b.y.abs() - half_b.y - (s * half_a.x + c * half_a.y),
    ];
    let mut axis = 0;
    for i in 1..4 {
        if separations[i] > separations[axis] + PREFERENCE {
            axis = i;
        }
    }
    if separations[axis] > margin {
        return Err(separations[axis]);
    }
    if axis < 2 {
        let manifold =
            clip(pose_a, half_a, (in_a, a_from_b, half_b), axis, separations[axis], margin)?;
        // `clip` gives the normal from the reference to the other; ours runs from b to a.
        Ok(Manifold { normal: -manifold.normal, ..manifold })
    } else {
        let b_from_a = a_from_b.inverse();
        clip(pose_b, half_b, (-in_b, b_from_a, half_a), axis, separations[axis], margin)
    }
}

/// Contact points on the reference face that `axis` (0, 2: x; 1, 3: y) names, in the world, with
/// the normal from the reference rectangle to the other one.
#[inline(always)]
fn clip(
    reference: Pose2,
    half: Vec2,
    (center, rotation, other_half): (Vec2, Rot2, Vec2),
    axis: usize,
    separation: f64,
    margin: f64,
) -> Result<Manifold, f64> {
    // Turn the reference frame by quarters so that its face looks along +x.
    let along_x = axis.is_multiple_of(2);
    let positive = if along_x { center.x >= 0.0 } else { center.y >= 0.0 };
    let quarter = match (along_x, positive) {
        (true, true) => Rot2 { c: 1.0, s: 0.0 },
        (true, false) => Rot2 { c: -1.0, s: 0.0 },
        (false, true) => Rot2 { c: 0.0, s: 1.0 },
        (false, false) => Rot2 { c: 0.0, s: -1.0 },
    };
    let half = if along_x { half } else { Vec2::new(half.y, half.x) };
    let center = quarter.unrotate(center);
    let r = quarter.inverse().after(rotation);
    // The other's face that looks most against +x: its axis, and which of the two.
    let facing_x = r.c.abs() >= r.s.abs();
    let (toward, sideways, depth, width) = if facing_x {
        (r.x_axis() * (-r.c.signum()), r.y_axis(), other_half.x, other_half.y)
    } else {
        (r.y_axis() * r.s.signum(), r.x_axis(), other_half.y, other_half.x)
    };
    let middle = center + toward * depth;
    // Its two corners, the lower one first, so that features keep their names.
    let sideways = if sideways.y < 0.0 { -sideways } else { sideways };
    let mut ends = [middle - sideways * width, middle + sideways * width];
    let feature = ((axis as u32) << 3)
        | (u32::from(positive) << 2)
        | (u32::from(facing_x) << 1)
        | u32::from(if facing_x { r.c > 0.0 } else { r.s > 0.0 });
    let to_world = reference.rotation.after(quarter);
    let world = |p: Vec2| reference.position + to_world.rotate(p);
    if ends[0].y > half.y || ends[1].y < -half.y {
        return beside(half, &ends, (world, to_world), feature, separation, margin);
    }
    // Cut the face to the reference's width.
    let slope = (ends[1].x - ends[0].x) / (ends[1].y - ends[0].y).max(1e-300);
    if ends[0].y < -half.y {
        ends[0] = Vec2::new(ends[0].x + slope * (-half.y - ends[0].y), -half.y);
    }
    if ends[1].y > half.y {
        ends[1] = Vec2::new(ends[1].x + slope * (half.y - ends[1].y), half.y);
    }
    let mut manifold = Manifold { normal: to_world.x_axis(), ..Manifold::default() };
    for (i, end) in ends.iter().enumerate() {
        let gap = end.x - half.x;
        if gap <= margin {
            manifold.points[manifold.count] = Point {
                position: world(Vec2::new(end.x - 0.5 * gap, end.y)),
                gap,
                feature: feature << 1 | i as u32,
            };
            manifold.count += 1;
        }
    }
    if manifold.count == 0 { Err(separation) } else { Ok(manifold) }
}

/// The other's face lies beside the reference's: corner against corner.
#[cold]
fn beside(
    half: Vec2,
    ends: &[Vec2; 2],
    (world, to_world): (impl Fn(Vec2) -> Vec2, Rot2),
    feature: u32,
    separation: f64,
    margin: f64,
) -> Result<Manifold, f64> {
    let (corner, end, i) = if ends[0].y > half.y {
        (Vec2::new(half.x, half.y), ends[0], 0)
    } else {
        (Vec2::new(half.x, -half.y), ends[1], 1)
    };
    let feature = feature << 1 | i | 1 << 16;
    if separation <= 0.0 {
        // Rounding at a corner: they overlap, and the axis is right.
        let gap = end.x - half.x;
        return Ok(Manifold::single(to_world.x_axis(), world(end), gap, feature));
    }
    let between = end - corner;
    let distance = between.length();
    if distance > margin {
        return Err(separation);
    }
    let normal = to_world.rotate(between.unit_or(Vec2::new(1.0, 0.0)));
    Ok(Manifold::single(normal, world((corner + end) * 0.5), distance, feature))
}
