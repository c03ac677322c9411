//! What is around a robot: a convex field, round obstacles that move, straight barriers that do not.
//!
//! Beyond the thesis, all of it: section 5.1 speaks of an "obstacle near the path" and leaves open
//! what that is. Here it is one that comes closer to the path than both radii and a margin.

pub use crate::barrier::Barrier;
pub use crate::detours::Detours;

use crate::barrier::distance_to_line;
use crate::error::NavError;
use crate::path::{FURTHEST, Leg, LegShape, MOST_LEGS, Path, is_near};
use rolima_math::{Vec2, larger, smaller};
use serde::{Deserialize, Serialize};

/// Most sides of a field.
pub const MOST_SIDES: usize = 12;

/// How far ahead obstacles are taken to go on as they go, s. Nobody keeps his course for longer.
const FORESIGHT: f64 = 1.0;

/// A convex region, or the whole plane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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

    /// Whether what was read back has as many sides as there is room for.
    pub fn fits(&self) -> bool {
        self.count <= MOST_SIDES
    }

    /// Distance to the nearest side, m; negative outside.
    #[inline]
    pub fn clearance(&self, p: Vec2) -> f64 {
        let sides = &self.sides[..self.count];
        sides.iter().fold(f64::MAX, |least, (n, d)| smaller(least, d - n.dot(p)))
    }

    /// Whether all points keep a distance from every side, m.
    #[inline]
    fn holds<const N: usize>(&self, points: [Vec2; N], distance: f64) -> bool {
        self.sides[..self.count].iter().all(|(n, d)| {
            let furthest = points.iter().fold(f64::MIN, |most, p| larger(most, n.dot(*p)));
            d - furthest >= distance
        })
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Obstacle {
    /// Centre, m.
    pub position: Vec2,
    /// Velocity, m/s.
    pub velocity: Vec2,
    /// Radius, m.
    pub radius: f64,
}

impl Obstacle {
    /// All places where it is expected to be.
    fn swept(&self) -> Barrier {
        let last = self.position + self.velocity * FORESIGHT;
        Barrier { ends: [self.position, last], radius: self.radius }
    }

    /// Distance of its surface from a straight piece of way at a time from now, s, in m; negative
    /// inside. Small ones may lie between both ends of it.
    fn distance_to(&self, segment: [Vec2; 2], time: f64) -> f64 {
        let there = self.position + self.velocity * smaller(time, FORESIGHT);
        distance_to_line(there, segment) - self.radius
    }
}

/// Lower left and upper right corner of the rectangle around pieces of a path, m.
fn bounds_of(looks: &[Look]) -> [Vec2; 2] {
    let first = looks.first().map_or(Vec2::ZERO, |look| look.segment[0]);
    looks.iter().fold([first; 2], |[low, high], look| {
        let p = look.segment[1];
        let low = Vec2::new(smaller(low.x, p.x), smaller(low.y, p.y));
        [low, Vec2::new(larger(high.x, p.x), larger(high.y, p.y))]
    })
}

/// What a robot must keep away from.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Where it may be.
    pub field: &'a Field,
    /// Others.
    pub obstacles: &'a [Obstacle],
    /// Walls within the field.
    pub barriers: &'a [Barrier],
    /// The robot's own radius, m.
    pub radius: f64,
    /// How fast it is taken to go where no time is known, m/s.
    pub pace: f64,
    /// How many ways around others may be looked at; none for as many as there are.
    pub detours: Option<&'a Detours>,
}

/// Where a path comes closest to something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Room that is left there, m; negative where they would touch.
    pub clearance: f64,
    /// Parameter of the path.
    pub parameter: f64,
    /// The obstacle's number; none for a side of the field.
    pub obstacle: Option<usize>,
}

/// Points of a driven leg that are looked at.
const LOOKS: usize = 16;

/// A goal may be so many of the robot's radii within its circle around something: two cubes side by
/// side do not touch, though their circles do.
const IN_OBSTACLE: f64 = 0.5;

/// The distance of what is beyond reach, m.
const FAR: f64 = f64::INFINITY;

/// A piece of a path.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    segment: [Vec2; 2],
    /// When it has gone through, s.
    time: f64,
    /// Parameter of the path at its end.
    parameter: f64,
}

#[cfg(test)]
impl<'a> Surroundings<'a> {
    /// A field without anything in it, for tests: radius in m, pace in m/s.
    pub(crate) fn within(field: &'a Field, radius: f64, pace: f64) -> Self {
        Self { field, obstacles: &[], barriers: &[], radius, pace, detours: None }
    }
}

impl Surroundings<'_> {
    /// Refuses what cannot be: places, velocities and radii that are not finite (or beyond [`FURTHEST`]),
    /// and radii below zero.
    pub fn check(&self) -> Result<(), NavError> {
        let sane =
            |o: &Obstacle| is_near(o.position) && is_near(o.velocity) && o.radius.abs() < FURTHEST;
        let known = |b: &Barrier| b.ends.iter().all(|&p| is_near(p)) && b.radius.abs() < FURTHEST;
        if !(self.obstacles.iter().all(sane) && self.barriers.iter().all(known)) {
            return Err(NavError::NotFinite);
        }
        let solid = self.obstacles.iter().all(|o| o.radius >= 0.0)
            && self.barriers.iter().all(|b| b.radius >= 0.0);
        if solid { Ok(()) } else { Err(NavError::BadLimit) }
    }

    /// Room around the robot's outline at a point and time from now, s.
    pub fn clearance(&self, p: Vec2, time: f64) -> (f64, Option<usize>) {
        self.clearance_on([p, p], time)
    }

    /// Room on a straight piece of way, at whose end it is at a time from now, s. Barriers may be
    /// thinner than the piece is long.
    fn clearance_on(&self, segment: [Vec2; 2], time: f64) -> (f64, Option<usize>) {
        let p = segment[1];
        let mut least = (self.field.clearance(p) - self.radius, None);
        for barrier in self.barriers {
            if barrier.is_beyond(segment, least.0 + self.radius) {
                continue;
            }
            least.0 = smaller(least.0, barrier.distance_to(segment) - self.radius);
        }
        for (i, o) in self.obstacles.iter().enumerate() {
            let clearance = o.distance_to(segment, time) - self.radius;
            if clearance < least.0 {
                least = (clearance, Some(i));
            }
        }
        least
    }

    /// Where a path comes closest to anything.
    pub fn closest(&self, path: &Path) -> Closest {
        let mut worst = Closest { clearance: f64::MAX, parameter: 0.0, obstacle: None };
        let mut looks = [Look::default(); MOST_LEGS * (LOOKS + 1)];
        let count = self.look_along(path, &mut looks);
        for look in &looks[..count] {
            let (clearance, obstacle) = self.clearance_on(look.segment, look.time);
            if clearance < worst.clearance {
                worst = Closest { clearance, parameter: look.parameter, obstacle };
            }
        }
        worst
    }

    /// Whether a path keeps `margin` m of room to everything, or at least as much as both its ends
    /// have to the same thing: a robot may leave what it stands close to, and go close to something.
    /// It may not end in something.
    pub fn allows(&self, path: &Path, margin: f64) -> bool {
        let only_field = self.obstacles.is_empty() && self.barriers.is_empty();
        if only_field && self.holds_hulls(path, margin) {
            return true;
        }
        let mut looks = [Look::default(); MOST_LEGS * (LOOKS + 1)];
        let count = self.look_along(path, &mut looks);
        let looks = &looks[..count];
        let keeps_sides = self.keeps(looks, margin, |segment, _| self.field.clearance(segment[1]));
        // What is beyond reach of all of the path, or of a piece of it, needs no distance.
        let (all, reach) = (bounds_of(looks), margin + self.radius);
        let keeps_off = |b: &Barrier| {
            let distance =
                |segment, _| if b.is_beyond(segment, reach) { FAR } else { b.distance_to(segment) };
            b.is_outside(all, reach) || self.keeps(looks, margin, distance)
        };
        let passes = |o: &Obstacle| {
            o.swept().is_outside(all, reach)
                || self.keeps(looks, margin, |segment, time| o.distance_to(segment, time))
        };
        keeps_sides && self.barriers.iter().all(keeps_off) && self.obstacles.iter().all(passes)
    }

    /// Whether a path between two ends may lead over a point, as far as barriers go: none that
    /// [`Surroundings::allows`] is told not to.
    pub fn may_pass(&self, ends: [Vec2; 2], p: Vec2, margin: f64) -> bool {
        self.barriers.iter().all(|barrier| {
            let look = |segment| Look { segment, ..Look::default() };
            let looks = [look([ends[0]; 2]), look([p; 2]), look([ends[1]; 2])];
            // A path goes through the point but for rounding.
            barrier.is_beyond([p, p], margin + self.radius)
                || self.keeps(&looks, margin, |segment, _| barrier.distance_to(segment) + 1e-9)
        })
    }

    /// Whether one thing, told by its distance from a piece of way at a time, is kept away from.
    fn keeps(&self, looks: &[Look], margin: f64, distance: impl Fn([Vec2; 2], f64) -> f64) -> bool {
        let (Some(first), Some(last)) = (looks.first(), looks.last()) else { return true };
        let clearance = |segment: [Vec2; 2], time: f64| distance(segment, time) - self.radius;
        let start = clearance([first.segment[1]; 2], 0.0);
        let end = larger(clearance([last.segment[1]; 2], FORESIGHT), -IN_OBSTACLE * self.radius);
        let needed = smaller(margin, smaller(start, end)) - 1e-3;
        looks.iter().all(|look| clearance(look.segment, look.time) >= needed)
    }

    /// The pieces of a path, and when it has gone through each; how many there are.
    fn look_along(&self, path: &Path, looks: &mut [Look]) -> usize {
        let (mut time, mut count) = (0.0, 0);
        let mut last: Option<Vec2> = None;
        for (index, leg) in path.legs().iter().enumerate() {
            for look in 0..=LOOKS {
                let own = look as f64 / LOOKS as f64;
                let p = point(leg, own);
                let before = last.unwrap_or(p);
                time += (p - before).length() / self.pace;
                last = Some(p);
                if let Some(place) = looks.get_mut(count) {
                    *place = Look { segment: [before, p], time, parameter: index as f64 + own };
                    count += 1;
                }
                // A turn on the spot is one point.
                if matches!(leg.shape, LegShape::Turn { .. }) {
                    break;
                }
            }
        }
        count
    }

    /// Whether all legs' control points keep the margin to the field: then so do the legs, as the
    /// field is convex and they lie in the hull of those points. Arcs are not looked at.
    fn holds_hulls(&self, path: &Path, margin: f64) -> bool {
        let needed = self.radius + margin;
        path.legs().iter().all(|leg| match leg.shape {
            LegShape::Turn { from, .. } => self.field.holds([from.position], needed),
            LegShape::Arc { from, length, curvature: 0.0 } => {
                let end = from.position + from.rotation.x_axis() * length;
                self.field.holds([from.position, end], needed)
            }
            LegShape::Arc { .. } => false,
            LegShape::Cubic(c) => {
                let third = 1.0 / 3.0;
                let hull = [c.start, c.start + c.d0 * third, c.end - c.d2 * third, c.end];
                self.field.holds(hull, needed)
            }
        })
    }

    /// The same with the barriers left out: the obstacle that a path comes closest to, if it comes too
    /// close to any.
    pub fn obstacle_near(&self, path: &Path, margin: f64) -> Option<usize> {
        let others = Surroundings { field: &Field::EVERYWHERE, barriers: &[], ..*self };
        let found = others.closest(path);
        found.obstacle.filter(|_| found.clearance < margin)
    }
}

#[inline]
fn point(leg: &Leg, own: f64) -> Vec2 {
    match leg.shape {
        LegShape::Turn { from, .. } => from.position,
        LegShape::Arc { from, length, curvature: 0.0 } => {
            from.position + from.rotation.x_axis() * larger(length * own, 0.0)
        }
        LegShape::Arc { .. } => leg.pose(own).position,
        LegShape::Cubic(curve) => curve.point(own),
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
        let around = Surroundings::within(&field, 0.053, 0.6);
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
                assert!(around.closest(&path).clearance >= 0.006 - 1e-12);
            }
        }
        assert!(quick > 500, "{quick}");
    }

    #[test]
    fn a_small_obstacle_between_two_looks_is_seen() {
        let path = plan(Pose2::new(-16.0, 0.0, 0.0), Pose2::new(16.0, 0.0, 0.0), Method::Cubic);
        let path = path.unwrap().path;
        for x in [0.0, 0.5, 1.0, 1.5] {
            let obstacles =
                [Obstacle { position: Vec2::new(x, 0.1), velocity: Vec2::ZERO, radius: 0.2 }];
            let around = Surroundings {
                obstacles: &obstacles,
                ..Surroundings::within(&Field::EVERYWHERE, 0.3, 1.0)
            };
            assert!((around.closest(&path).clearance + 0.4).abs() < 1e-9, "{x}");
            assert!(!around.allows(&path, 0.01), "{x}");
        }
    }

    #[test]
    fn a_thin_barrier_is_not_leapt_over() {
        let wall = Barrier { ends: [Vec2::new(1.0, -1.0), Vec2::new(1.0, 1.0)], radius: 0.01 };
        let barriers = [wall];
        let around = |radius| Surroundings {
            field: &Field::EVERYWHERE,
            obstacles: &[],
            barriers: &barriers,
            radius,
            pace: 0.6,
            detours: None,
        };
        // Looks are 60 cm apart, the robot is 10 cm wide.
        let path = plan(Pose2::new(-4.0, 0.1, 0.0), Pose2::new(5.7, 0.1, 0.0), Method::Cubic);
        let path = path.unwrap().path;
        assert!((around(0.05).closest(&path).clearance + 0.06).abs() < 1e-12);
        assert!(!around(0.05).allows(&path, 0.01));
        // Past its end there is room: 1.2 m beside it less both radii.
        let aside = plan(Pose2::new(-4.0, 2.2, 0.0), Pose2::new(5.7, 2.2, 0.0), Method::Cubic);
        let clearance = around(0.05).closest(&aside.unwrap().path).clearance;
        assert!((clearance - (1.2 - 0.06)).abs() < 0.02, "{clearance}");
        assert!((wall.distance(Vec2::new(1.5, 0.0)) - 0.49).abs() < 1e-12);
        let post = Barrier { ends: [Vec2::ZERO; 2], radius: 0.1 };
        assert!(
            (post.distance_to([Vec2::new(-1.0, 0.5), Vec2::new(1.0, 0.5)]) - 0.4).abs() < 1e-12
        );
    }

    #[test]
    fn the_field_has_its_walls_and_corners() {
        let field = Field::mirosot();
        assert!((field.clearance(Vec2::ZERO) - 0.65).abs() < 1e-12);
        assert!((field.clearance(Vec2::new(0.7, 0.0)) - 0.05).abs() < 1e-12);
        // The corner's own point lies 7 cm / sqrt 2 beyond the triangle.
        let beyond = 0.07 * core::f64::consts::FRAC_1_SQRT_2;
        assert!((field.clearance(Vec2::new(0.75, 0.65)) + beyond).abs() < 1e-12);
        assert_eq!(Field::EVERYWHERE.clearance(Vec2::new(1e9, 0.0)), f64::MAX);
        let kept = field.keep(Vec2::new(2.0, 2.0), 0.06);
        assert!(field.clearance(kept) > 0.0599, "{kept:?}");
    }
}
