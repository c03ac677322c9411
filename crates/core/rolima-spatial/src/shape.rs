//! Shapes of chassis and wheels that were drawn by somebody: what views show, and the points of the
//! chassis that touch.

use rolima_check::{self as check, ModelError};
use rolima_math::Vec3;
use std::sync::Arc;

/// Directions in which the outermost points of a shape touch, in a frame in which the shape fills a
/// cube; every sign of their parts counts. None is along an axis, where a flat side would have many
/// outermost points.
const DIRECTIONS: [[f64; 3]; 4] =
    [[1.0, 1.0, 1.0], [1.0, 1.0, 0.3], [1.0, 0.3, 1.0], [0.3, 1.0, 1.0]];

/// Most points of a chassis that touch: one in each direction, and those of its underside.
pub const MOST_HULL_POINTS: usize = 8 * DIRECTIONS.len() + 5;

/// A mesh that views and cameras draw. The engine does not look into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshShape {
    /// Name of its file, for messages.
    pub name: String,
    /// OBJ text in the frame of the part, m: x forward, y left, z up, its origin the centre of mass
    /// of a chassis, the hub of a wheel. Materials are called `#rrggbb`, or `team` and `tag`, which
    /// have the colours of the robot that wears them.
    pub obj: Arc<str>,
}

/// What a vehicle looks like, and what of its chassis touches, where somebody drew it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shapes {
    /// The chassis; none: a box.
    pub chassis: Option<Arc<MeshShape>>,
    /// Points of the chassis that touch the ground, from the centre of mass, m; their convex hull
    /// meets bodies and other vehicles. Empty: corners of its box, and middles of its bottom.
    pub hull: Arc<[Vec3]>,
    /// Wheels, in the order of the vehicle's, as they look on the left side; those on the right are
    /// mirrored. Empty, or none in it: a wheel of its radius and width.
    pub wheels: Vec<Option<Arc<MeshShape>>>,
}

impl Shapes {
    /// How a wheel was drawn.
    pub fn wheel(&self, index: usize) -> Option<&Arc<MeshShape>> {
        self.wheels.get(index)?.as_ref()
    }

    /// Refuses points that no chassis has.
    pub(crate) fn check(&self, key: &str) -> Result<(), ModelError> {
        let key = format!("{key}.chassis.mesh");
        if self.hull.len() > MOST_HULL_POINTS {
            let expected = format!("at most {MOST_HULL_POINTS} points that touch");
            return Err(ModelError::new(key, expected, self.hull.len()));
        }
        let mut numbers = self.hull.iter().flat_map(|p| p.array());
        numbers.try_for_each(|x| check::at_most(&key, ("a distance", "m"), x, 100.0).map(|_| ()))
    }
}

/// The points of a shape with these corners that touch the ground: outermost ones in 32 directions,
/// and the middles of its underside, which lie within its convex hull. At most
/// [`MOST_HULL_POINTS`]; of a box the eight corners and five of the bottom. A shape that is the same
/// on both sides gets points that are.
pub fn hull_points(corners: &[Vec3]) -> Vec<Vec3> {
    let Some([low, high]) = bounds(corners) else { return vec![] };
    let per = (high - low).array().map(|size| 1.0 / size.max(1e-9));
    let middle = (low + high) * 0.5;
    let mut points: Vec<Vec3> = vec![];
    let mut under = vec![];
    for direction in DIRECTIONS {
        for signs in 0..8_u32 {
            let part = |i: usize| {
                let size = direction[i] * per[i];
                if signs >> i & 1 == 0 { size } else { -size }
            };
            let towards = Vec3::new(part(0), part(1), part(2));
            // Of points that are equally far out, the one farthest from the middle, so that a mirrored
            // shape gets mirrored points.
            let rank = |p: &Vec3| (towards.dot(*p - middle), (*p - middle).dot(*p - middle));
            let farther = |best: Vec3, p: &Vec3| if rank(p) > rank(&best) { *p } else { best };
            let found = corners.iter().fold(corners[0], farther);
            if direction == DIRECTIONS[0] && towards.z < 0.0 {
                under.push(found);
            }
            if !points.contains(&found) {
                points.push(found);
            }
        }
    }
    // Rear right, front right, ... in the order of the signs: front left, rear left, front right, rear
    // right.
    if let [front_left, rear_left, front_right, rear_right] = under[..] {
        let pairs = [
            (front_left, rear_left),
            (front_right, rear_right),
            (front_left, front_right),
            (rear_left, rear_right),
        ];
        points.extend(pairs.map(|(a, b)| (a + b) * 0.5));
        points.push((front_left + front_right + (rear_left + rear_right)) * 0.25);
    }
    points
}

/// Least and largest coordinates of some points; none of none.
pub fn bounds(points: &[Vec3]) -> Option<[Vec3; 2]> {
    let (&first, rest) = points.split_first()?;
    let apart = |f: fn(f64, f64) -> f64, a: Vec3, b: &Vec3| {
        Vec3::new(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z))
    };
    let low = rest.iter().fold(first, |a, b| apart(f64::min, a, b));
    let high = rest.iter().fold(first, |a, b| apart(f64::max, a, b));
    Some([low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed() -> Vec<Vec3> {
        let sides = [(-0.4, 0.3), (-0.2, 0.2), (-0.1, 0.15)];
        (0..8)
            .map(|i| {
                let pick = |k: usize| if i >> k & 1 == 0 { sides[k].0 } else { sides[k].1 };
                Vec3::new(pick(0), pick(1), pick(2))
            })
            .collect()
    }

    #[test]
    fn a_box_touches_with_its_corners_and_the_middles_of_its_bottom() {
        let mut points = hull_points(&boxed());
        assert_eq!(points.len(), 13);
        assert!(boxed().iter().all(|corner| points.contains(corner)));
        let near = |a: Vec3, b: Vec3| (a - b).length() < 1e-12;
        for [x, y] in [[-0.05, 0.2], [-0.05, -0.2], [0.3, 0.0], [-0.4, 0.0], [-0.05, 0.0]] {
            points.retain(|&p| !near(p, Vec3::new(x, y, -0.1)));
        }
        assert_eq!(points.len(), 8);
        assert_eq!(hull_points(&[]), vec![]);
    }

    #[test]
    fn what_lies_inside_does_not_touch_and_there_are_never_many_points() {
        let mut stream = rolima_math::Stream::new(3, 0, "hull");
        for count in [1, 2, 50, 5000] {
            let mut corner = || {
                let mut part = || 2.0 * stream.uniform() - 1.0;
                Vec3::new(part(), 0.3 * part(), 0.1 * part())
            };
            let corners: Vec<Vec3> = (0..count).map(|_| corner()).collect();
            let points = hull_points(&corners);
            assert!(!points.is_empty() && points.len() <= MOST_HULL_POINTS, "{}", points.len());
            let [low, high] = bounds(&corners).expect("points");
            let within = |p: &Vec3| {
                (0..3).all(|i| (low.array()[i]..=high.array()[i]).contains(&p.array()[i]))
            };
            assert!(points.iter().all(within));
        }
        let mut corners = boxed();
        corners.push(Vec3::new(0.01, 0.02, 0.03));
        assert_eq!(hull_points(&corners), hull_points(&boxed()));
    }

    #[test]
    fn a_shape_that_is_the_same_on_both_sides_touches_alike_on_both() {
        let mut stream = rolima_math::Stream::new(7, 0, "hull");
        let mut corners = vec![];
        for _ in 0..40 {
            let (x, y, z) = (stream.uniform(), stream.uniform(), stream.uniform());
            corners.extend([Vec3::new(x, y, z), Vec3::new(x, -y, z)]);
        }
        let points = hull_points(&corners);
        for p in &points {
            assert!(points.iter().any(|q| (*q - Vec3::new(p.x, -p.y, p.z)).length() < 1e-12));
        }
    }
}
