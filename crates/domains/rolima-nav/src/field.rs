//! What is around a robot: a convex field and round obstacles.

use crate::path::{Leg, Path, Shape};
use rolima_math::{Vec2, larger, smaller};

/// Most sides of a field.
pub const MOST_SIDES: usize = 12;

/// How far ahead obstacles are taken to go on as they go, s. Nobody keeps his course for longer.
const FORESIGHT: f64 = 1.0;

/// How fast a robot is taken to go where no time is known, m/s.
const TYPICAL_SPEED: f64 = 0.6;

/// A convex region, or the whole plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Outward normals and how far each side is from the origin along them.
    sides: [(Vec2, f64); MOST_SIDES],
    count: usize,
}

impl Field {
    /// The whole plane.
    pub const EVERYWHERE: Self = Self { sides: [(Vec2::ZERO, 0.0); MOST_SIDES], count: 0 };

    /// A rectangle around the origin, half as wide and high as given, m.
    pub fn rectangle(half_width: f64, half_height: f64) -> Self {
        Self::EVERYWHERE
            .cut(Vec2::new(1.0, 0.0), half_width)
            .cut(Vec2::new(-1.0, 0.0), half_width)
            .cut(Vec2::new(0.0, 1.0), half_height)
            .cut(Vec2::new(0.0, -1.0), half_height)
    }

    /// The MiroSot field of 150 x 130 cm without its goals: solid triangles of 7 cm in the corners.
    pub fn mirosot() -> Self {
        let corner = core::f64::consts::FRAC_1_SQRT_2;
        let offset = (0.75 + 0.65 - 0.07) * corner;
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .into_iter()
            .fold(Self::rectangle(0.75, 0.65), |field, (x, y)| {
                field.cut(Vec2::new(x * corner, y * corner), offset)
            })
    }

    /// Without what lies beyond a line: outward normal, and the line's distance along it, m. More
    /// than [`MOST_SIDES`], and sides without a direction, are left out.
    pub fn cut(mut self, outward: Vec2, distance: f64) -> Self {
        let normal = outward.unit_or(Vec2::ZERO);
        if self.count < MOST_SIDES && normal != Vec2::ZERO && distance.is_finite() {
            self.sides[self.count] = (normal, distance);
            self.count += 1;
        }
        self
    }

    /// Distance to the nearest side, m; negative outside.
    #[inline]
    pub fn room(&self, p: Vec2) -> f64 {
        let sides = &self.sides[..self.count];
        sides.iter().fold(f64::MAX, |least, (n, d)| smaller(least, d - n.dot(p)))
    }

    /// The point, moved inwards so that it keeps this distance from every side where that can be.
    pub fn keep(&self, mut p: Vec2, distance: f64) -> Vec2 {
        for _ in 0..4 {
            for (n, d) in &self.sides[..self.count] {
                let beyond = n.dot(p) - (d - distance);
                if beyond > 0.0 {
                    p -= *n * beyond;
                }
            }
        }
        p
    }
}

/// Something round to keep away from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Obstacle {
    /// Centre, m.
    pub position: Vec2,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Radius, m.
    pub radius: f64,
}

/// What a robot must keep away from.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Where it may be.
    pub field: &'a Field,
    /// Others.
    pub obstacles: &'a [Obstacle],
    /// The robot's own radius, m.
    pub radius: f64,
}

/// Where a path comes closest to something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Room that is left there, m; negative where they would touch.
    pub room: f64,
    /// Parameter of the path.
    pub parameter: f64,
    /// The obstacle's number; none for a side of the field.
    pub obstacle: Option<usize>,
}

/// Points of a driven leg that are looked at.
const LOOKS: usize = 16;

impl Surroundings<'_> {
    /// Room around the robot's outline at a point and time from now, s.
    pub fn room(&self, p: Vec2, time: f64) -> (f64, Option<usize>) {
        let mut least = (self.field.room(p) - self.radius, None);
        for (i, o) in self.obstacles.iter().enumerate() {
            let there = o.position + o.velocity * smaller(time, FORESIGHT);
            let room = (p - there).length() - o.radius - self.radius;
            if room < least.0 {
                least = (room, Some(i));
            }
        }
        least
    }

    /// Where a path comes closest to anything.
    pub fn closest(&self, path: &Path) -> Closest {
        let mut worst = Closest { room: f64::MAX, parameter: 0.0, obstacle: None };
        let mut time = 0.0;
        let mut last: Option<Vec2> = None;
        for (index, leg) in path.legs().iter().enumerate() {
            for look in 0..=LOOKS {
                let own = look as f64 / LOOKS as f64;
                let p = point(leg, own);
                let step = last.map_or(0.0, |last| (p - last).length());
                time += step / TYPICAL_SPEED;
                last = Some(p);
                let (room, obstacle) = self.room(p, time);
                if room < worst.room {
                    worst = Closest { room, parameter: index as f64 + own, obstacle };
                }
                // A turn on the spot is one point.
                if matches!(leg.shape, Shape::Turn { .. }) {
                    break;
                }
            }
        }
        worst
    }

    /// Whether a path keeps `margin` m of room, or at least as much as both its ends have.
    pub fn allows(&self, path: &Path, margin: f64) -> bool {
        if self.obstacles.is_empty() && self.holds_hulls(path, margin) {
            return true;
        }
        self.closest(path).room >= smaller(margin, self.room_at_ends(path)) - 1e-3
    }

    /// Whether all legs' control points keep the margin to the field: then so do the legs, as the
    /// field is convex and they lie in the hull of those points. Arcs are not looked at.
    fn holds_hulls(&self, path: &Path, margin: f64) -> bool {
        let keeps = |p: Vec2| self.field.room(p) - self.radius >= margin;
        path.legs().iter().all(|leg| match leg.shape {
            Shape::Turn { from, .. } => keeps(from.position),
            Shape::Arc { from, length, curvature: 0.0 } => {
                keeps(from.position) && keeps(from.position + from.rotation.x_axis() * length)
            }
            Shape::Arc { .. } => false,
            Shape::Cubic(c) => {
                let third = 1.0 / 3.0;
                [c.start, c.start + c.d0 * third, c.end - c.d2 * third, c.end]
                    .into_iter()
                    .all(keeps)
            }
        })
    }

    fn room_at_ends(&self, path: &Path) -> f64 {
        let start = self.room(path.pose(0.0).position, 0.0).0;
        smaller(start, self.room(path.pose(path.end()).position, FORESIGHT).0)
    }
}

#[inline]
fn point(leg: &Leg, own: f64) -> Vec2 {
    match leg.shape {
        Shape::Turn { from, .. } => from.position,
        Shape::Arc { from, length, curvature: 0.0 } => {
            from.position + from.rotation.x_axis() * larger(length * own, 0.0)
        }
        Shape::Arc { .. } => leg.pose(own).position,
        Shape::Cubic(curve) => curve.point(own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::{Method, plan};
    use rolima_math::{Pose2, Stream};

    #[test]
    fn what_the_hull_allows_the_points_of_the_path_allow_too() {
        let field = Field::mirosot();
        let around = Surroundings { field: &field, obstacles: &[], radius: 0.053 };
        let mut random = Stream::new(1, 0, "hulls");
        let mut quick = 0;
        for _ in 0..5000 {
            let mut pose = || {
                let (x, y) = (random.between(-0.65, 0.65), random.between(-0.55, 0.55));
                Pose2::new(x, y, random.between(-3.2, 3.2))
            };
            let path = plan(pose(), pose(), Method::Cubic).unwrap().path;
            if around.holds_hulls(&path, 0.006) {
                quick += 1;
                assert!(around.closest(&path).room >= 0.006 - 1e-12);
            }
        }
        assert!(quick > 500, "{quick}");
    }

    #[test]
    fn the_field_has_its_walls_and_corners() {
        let field = Field::mirosot();
        assert!((field.room(Vec2::ZERO) - 0.65).abs() < 1e-12);
        assert!((field.room(Vec2::new(0.7, 0.0)) - 0.05).abs() < 1e-12);
        // The corner's own point lies 7 cm / sqrt 2 beyond the triangle.
        let beyond = 0.07 * core::f64::consts::FRAC_1_SQRT_2;
        assert!((field.room(Vec2::new(0.75, 0.65)) + beyond).abs() < 1e-12);
        assert_eq!(Field::EVERYWHERE.room(Vec2::new(1e9, 0.0)), f64::MAX);
        let kept = field.keep(Vec2::new(2.0, 2.0), 0.06);
        assert!(field.room(kept) > 0.0599, "{kept:?}");
    }
}
