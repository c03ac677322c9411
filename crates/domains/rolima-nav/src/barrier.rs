//! Walls as navigation sees them, and how far away they are.

use rolima_math::{Vec2, larger, smaller};
use serde::{Deserialize, Serialize};

/// What is told to be beyond a distance is so by this much at least, m: far more than rounding.
const BEYOND: f64 = 1e-6;

/// Something straight that stands still, such as a wall: all within a distance of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Barrier {
    /// Both ends of the line, m; the same for a post.
    pub ends: [Vec2; 2],
    /// Half its thickness, m.
    pub radius: f64,
}

impl Barrier {
    /// Distance of its surface from a point, m; negative inside.
    pub fn distance(&self, p: Vec2) -> f64 {
        distance_to_line(p, self.ends) - self.radius
    }

    /// Distance of its surface from a straight piece of way, m; minus half its thickness where they
    /// cross.
    pub fn distance_to(&self, segment: [Vec2; 2]) -> f64 {
        let [a, b] = self.ends;
        let [p, q] = segment;
        let (along, across) = (q - p, b - a);
        let crosses = along.cross(a - p) * along.cross(b - p) < 0.0
            && across.cross(p - a) * across.cross(q - a) < 0.0;
        if crosses {
            return -self.radius;
        }
        let ends = smaller(distance_to_line(a, segment), distance_to_line(b, segment));
        let segments = smaller(distance_to_line(p, self.ends), distance_to_line(q, self.ends));
        smaller(ends, segments) - self.radius
    }

    /// Whether it is farther than this from a straight piece of way for certain, m, told without a
    /// root or a division: an axis, or the line of the way, parts them. Of one that only just is, this
    /// may not be told.
    pub fn is_beyond(&self, segment: [Vec2; 2], distance: f64) -> bool {
        let ([a, b], [p, q]) = (self.ends, segment);
        let low = Vec2::new(smaller(p.x, q.x), smaller(p.y, q.y));
        let high = Vec2::new(larger(p.x, q.x), larger(p.y, q.y));
        if self.is_outside([low, high], distance) {
            return true;
        }
        let (reach, along) = (distance + self.radius + BEYOND, q - p);
        let (left, right) = (along.cross(a - p), along.cross(b - p));
        let least = smaller(left * left, right * right);
        left * right > 0.0 && least > reach * reach * along.length_squared() && reach > 0.0
    }

    /// The same of all that lies in a rectangle, told by its lower left and upper right corner, m.
    pub fn is_outside(&self, [low, high]: [Vec2; 2], distance: f64) -> bool {
        let [a, b] = self.ends;
        let reach = distance + self.radius + BEYOND;
        smaller(a.x, b.x) - reach > high.x
            || low.x - reach > larger(a.x, b.x)
            || smaller(a.y, b.y) - reach > high.y
            || low.y - reach > larger(a.y, b.y)
    }
}

/// Distance of a point from the line between two others, m.
pub(crate) fn distance_to_line(p: Vec2, [a, b]: [Vec2; 2]) -> f64 {
    let along = b - a;
    let square = along.length_squared();
    let share = if square > 0.0 { ((p - a).dot(along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (p - a - along * share).length()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    #[test]
    fn what_is_told_to_be_beyond_a_distance_is_so_and_most_that_is_so_is_found() {
        let mut random = Stream::new(31, 0, "barriers");
        let (mut farther, mut found) = (0, 0);
        for i in 0..20_000 {
            let extent = [2.0, 1e5][i % 2];
            let mut place =
                || Vec2::new(random.between(-extent, extent), random.between(-extent, extent));
            let ends = [place(), place()];
            let p = place();
            let segment = [p, p + (place() - p) * [0.0, 0.1, 1.0][i % 3]];
            let distance = random.between(-0.1, 0.7 * extent);
            let barrier = Barrier { ends, radius: random.between(0.0, 0.3) };
            let is_beyond = barrier.is_beyond(segment, distance);
            let clearance = barrier.distance_to(segment);
            assert!(
                !is_beyond || clearance > distance,
                "{barrier:?} {segment:?}: {clearance} {distance}"
            );
            farther += u32::from(clearance > distance);
            found += u32::from(is_beyond);
        }
        assert!(farther > 4000 && found * 2 > farther, "{found} of {farther}");
    }
}
