//! Convex solids that rays in space meet.

use rolima_math::{Vec2, Vec3};
use rolima_model::{Part, Polygon};

/// A convex solid.
#[derive(Clone, Debug, PartialEq)]
// Polygons are few; a box a part would cost an indirection for every ray.
#[allow(clippy::large_enum_variant)]
pub enum RaySolid {
    /// An outline from one height to another.
    Prism {
        /// The outline, m.
        outline: Polygon,
        /// Foot and top, m.
        z: [f64; 2],
    },
    /// A disc from one height to another.
    Column {
        /// Middle of the disc, m.
        centre: Vec2,
        /// Radius, m.
        radius: f64,
        /// Foot and top, m.
        z: [f64; 2],
    },
    /// A wheel whose axle lies along y.
    Wheel {
        /// Its hub, m.
        hub: Vec3,
        /// Radius, m.
        radius: f64,
        /// Half its width, m.
        half_width: f64,
    },
    /// A ball around a point.
    Ball {
        /// The point, m.
        centre: Vec3,
        /// Radius, m.
        radius: f64,
    },
}

/// The nearest that a ray has met so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearestHit {
    /// How far away, m: nothing beyond counts.
    pub(super) distance: f64,
    /// Outward unit normal there; none where nothing was met.
    pub(super) normal: Option<Vec3>,
}

/// The part of a ray that is within what has been looked at so far.
struct Span {
    enters: f64,
    leaves: f64,
    normal: Vec3,
}

impl Span {
    const ALL: Self = Self { enters: f64::NEG_INFINITY, leaves: f64::INFINITY, normal: Vec3::ZERO };

    /// Cuts off what lies on the outer side of the plane normal . p = offset.
    fn cut(&mut self, (origin, direction): (Vec3, Vec3), normal: Vec3, offset: f64) {
        let (rate, room) = (normal.dot(direction), offset - normal.dot(origin));
        if rate < 0.0 {
            self.enter(room / rate, normal);
        } else if rate > 0.0 {
            self.leaves = self.leaves.min(room / rate);
        } else if room < 0.0 {
            self.leaves = f64::NEG_INFINITY;
        }
    }

    fn enter(&mut self, at: f64, normal: Vec3) {
        if at > self.enters {
            (self.enters, self.normal) = (at, normal);
        }
    }

    /// Cuts off what lies outside of a round thing: with x and v the place and its rate in the
    /// directions that count, `square` = v.v, `along` = x.v, `out` = x.x - r^2.
    fn round(&mut self, [square, along, out]: [f64; 3], normal_at: impl Fn(f64) -> Vec3) {
        if square <= 0.0 {
            if out > 0.0 {
                self.leaves = f64::NEG_INFINITY;
            }
            return;
        }
        let inner = along * along - square * out;
        if inner < 0.0 {
            self.leaves = f64::NEG_INFINITY;
            return;
        }
        let root = inner.sqrt();
        let enters = (-along - root) / square;
        self.enter(enters, normal_at(enters));
        self.leaves = self.leaves.min((-along + root) / square);
    }
}

impl RaySolid {
    /// An outline that stands between two heights.
    pub fn standing(part: &Part, z: [f64; 2]) -> Self {
        match *part {
            Part::Circle { center, radius } => Self::Column { centre: center, radius, z },
            Part::Box { pose, half } => Self::Prism { outline: Polygon::rectangle(pose, half), z },
            Part::Polygon(outline) => Self::Prism { outline, z },
        }
    }

    /// Middle and radius of a ball around it.
    pub(super) fn ball(&self) -> (Vec3, f64) {
        let upright = |middle: Vec2, radius: f64, z: &[f64; 2]| {
            let half = 0.5 * (z[1] - z[0]);
            let centre = Vec3::new(middle.x, middle.y, z[0] + half);
            (centre, (radius * radius + half * half).sqrt())
        };
        match self {
            Self::Prism { outline, z } => {
                let middle = outline.middle();
                let corners = outline.vertices[..outline.count].iter();
                let radius = corners.map(|v| (*v - middle).length()).fold(0.0, f64::max);
                upright(middle, radius, z)
            }
            Self::Column { centre, radius, z } => upright(*centre, *radius, z),
            Self::Wheel { hub, radius, half_width } => {
                (*hub, (radius * radius + half_width * half_width).sqrt())
            }
            Self::Ball { centre, radius } => (*centre, *radius),
        }
    }

    /// Takes the solid into account where the ray enters it nearer than anything so far.
    pub(super) fn intersect(&self, ray: (Vec3, Vec3), nearest: &mut NearestHit) {
        let (origin, direction) = ray;
        let at = |t: f64| origin + direction * t;
        let up = Vec3::new(0.0, 0.0, 1.0);
        let mut span = Span::ALL;
        let levels = |span: &mut Span, z: &[f64; 2]| {
            span.cut(ray, up, z[1]);
            span.cut(ray, -up, -z[0]);
        };
        match self {
            Self::Prism { outline, z } => {
                levels(&mut span, z);
                for (corner, normal) in
                    outline.vertices.iter().zip(&outline.normals).take(outline.count)
                {
                    span.cut(ray, Vec3::new(normal.x, normal.y, 0.0), corner.dot(*normal));
                }
            }
            Self::Column { centre, radius, z } => {
                levels(&mut span, z);
                let (x, v) = (
                    Vec2::new(origin.x - centre.x, origin.y - centre.y),
                    Vec2::new(direction.x, direction.y),
                );
                let out = x.dot(x) - radius * radius;
                span.round([v.dot(v), x.dot(v), out], |t| {
                    let p = at(t);
                    Vec3::new((p.x - centre.x) / radius, (p.y - centre.y) / radius, 0.0)
                });
            }
            Self::Wheel { hub, radius, half_width } => {
                let left = Vec3::new(0.0, 1.0, 0.0);
                span.cut(ray, left, hub.y + half_width);
                span.cut(ray, -left, half_width - hub.y);
                let (x, v) = (
                    Vec2::new(origin.x - hub.x, origin.z - hub.z),
                    Vec2::new(direction.x, direction.z),
                );
                let out = x.dot(x) - radius * radius;
                span.round([v.dot(v), x.dot(v), out], |t| {
                    let p = at(t);
                    Vec3::new((p.x - hub.x) / radius, 0.0, (p.z - hub.z) / radius)
                });
            }
            Self::Ball { centre, radius } => {
                let x = origin - *centre;
                let numbers =
                    [direction.dot(direction), x.dot(direction), x.dot(x) - radius * radius];
                span.round(numbers, |t| (at(t) - *centre) * (1.0 / radius));
            }
        }
        let meets = span.enters <= span.leaves && span.enters >= 0.0;
        if meets && span.enters < nearest.distance {
            *nearest = NearestHit { distance: span.enters, normal: Some(span.normal) };
        }
    }

    /// Whether a point lies in it.
    pub(super) fn holds(&self, p: Vec3) -> bool {
        let between = |z: &[f64; 2]| p.z > z[0] && p.z < z[1];
        match self {
            Self::Prism { outline, z } => {
                let edges = outline.vertices.iter().zip(&outline.normals).take(outline.count);
                let flat = Vec2::new(p.x, p.y);
                between(z) && edges.into_iter().all(|(v, n)| (flat - *v).dot(*n) < 0.0)
            }
            Self::Column { centre, radius, z } => {
                between(z) && (Vec2::new(p.x, p.y) - *centre).length() < *radius
            }
            Self::Wheel { hub, radius, half_width } => {
                let off = Vec2::new(p.x - hub.x, p.z - hub.z);
                (p.y - hub.y).abs() < *half_width && off.length() < *radius
            }
            Self::Ball { centre, radius } => (p - *centre).length() < *radius,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Pose2;

    fn intersect(solid: &RaySolid, origin: Vec3, direction: Vec3) -> Option<(f64, Vec3)> {
        let mut nearest = NearestHit { distance: 100.0, normal: None };
        solid.intersect((origin, direction), &mut nearest);
        nearest.normal.map(|normal| (nearest.distance, normal))
    }

    #[test]
    fn rays_meet_solids_where_closed_forms_say() {
        let v = Vec3::new;
        let block = Part::Box { pose: Pose2::new(2.0, 1.0, 0.0), half: Vec2::new(0.5, 0.25) };
        let block = RaySolid::standing(&block, [0.0, 1.0]);
        let ahead = v(1.0, 0.0, 0.0);
        assert_eq!(intersect(&block, v(0.0, 1.0, 0.5), ahead), Some((1.5, v(-1.0, 0.0, 0.0))));
        assert_eq!(intersect(&block, v(0.0, 1.0, 1.5), ahead), None, "over it");
        assert_eq!(intersect(&block, v(2.0, 1.0, 0.5), ahead), None, "from within");
        assert_eq!(intersect(&block, v(9.0, 1.0, 0.5), ahead), None, "behind");
        let down = v(0.0, 0.0, -1.0);
        assert_eq!(intersect(&block, v(2.0, 1.0, 4.0), down), Some((3.0, v(0.0, 0.0, 1.0))));
        let thin = Part::Box { pose: Pose2::new(2.0, 0.0, 1.0), half: Vec2::new(1.0, 0.0) };
        assert!(
            intersect(&RaySolid::standing(&thin, [0.0, 1.0]), v(0.0, 0.0, 0.5), ahead).is_some()
        );
        let column = RaySolid::Column { centre: Vec2::new(3.0, 0.6), radius: 1.0, z: [0.0, 2.0] };
        let (distance, normal) = intersect(&column, v(0.0, 0.0, 1.0), ahead).expect("a hit");
        assert!((distance - 2.2).abs() < 1e-12 && (normal - v(-0.8, -0.6, 0.0)).length() < 1e-12);
        let wheel = RaySolid::Wheel { hub: v(3.0, 0.0, 0.3), radius: 0.5, half_width: 0.1 };
        let (distance, normal) = intersect(&wheel, v(0.0, 0.05, 0.0), ahead).expect("a hit");
        assert!((distance - 2.6).abs() < 1e-12 && (normal - v(-0.8, 0.0, -0.6)).length() < 1e-12);
        assert_eq!(intersect(&wheel, v(0.0, 0.15, 0.0), ahead), None, "beside it");
        let ball = RaySolid::Ball { centre: v(0.0, 5.0, 1.0), radius: 1.0 };
        let aside = v(0.0, 1.0, 0.0);
        assert_eq!(intersect(&ball, v(0.0, 0.0, 1.0), aside), Some((4.0, v(0.0, -1.0, 0.0))));
        assert!(ball.holds(v(0.1, 5.1, 1.1)) && !ball.holds(v(0.9, 5.9, 1.0)));
    }
}
