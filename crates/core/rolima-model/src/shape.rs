//! Outlines: convex parts, compounds of them, bounding circles.

use crate::check::{positive, shown};
use crate::spec::PartSpec;
use rolima_check::ModelError;
use rolima_math::{Pose2, Rot2, Vec2};

/// Farthest that a part may reach from its origin, m: the world's for walls, the body's otherwise.
pub const MOST_EXTENT: f64 = 1e6;

/// Most corners of a convex polygon.
pub const MAX_CORNERS: usize = 8;

/// A convex polygon, counter-clockwise, with its outward edge normals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polygon {
    /// How many corners are used.
    pub count: usize,
    /// Corners, m.
    pub vertices: [Vec2; MAX_CORNERS],
    /// Outward unit normal of the edge from corner i to corner i + 1.
    pub normals: [Vec2; MAX_CORNERS],
}

impl Polygon {
    /// The polygon with these corners (at most [`MAX_CORNERS`]; not checked here).
    pub fn from_vertices(corners: &[Vec2]) -> Self {
        let count = corners.len().min(MAX_CORNERS);
        let mut vertices = [Vec2::ZERO; MAX_CORNERS];
        let mut normals = [Vec2::ZERO; MAX_CORNERS];
        vertices[..count].copy_from_slice(&corners[..count]);
        for i in 0..count {
            let edge = vertices[(i + 1) % count] - vertices[i];
            normals[i] = (-edge.perp()).unit_or(Vec2::new(1.0, 0.0));
        }
        Self { count, vertices, normals }
    }

    /// The rectangle of the given half lengths at a pose.
    pub fn rectangle(pose: Pose2, half: Vec2) -> Self {
        let mut polygon = Self::from_vertices(
            &[
                Vec2::new(half.x, half.y),
                Vec2::new(-half.x, half.y),
                Vec2::new(-half.x, -half.y),
                Vec2::new(half.x, -half.y),
            ]
            .map(|corner| pose.transform(corner)),
        );
        // Written out, so that a rectangle without thickness has normals too.
        let (x, y) = (pose.rotation.x_axis(), pose.rotation.y_axis());
        polygon.normals[..4].copy_from_slice(&[y, -x, -y, x]);
        polygon
    }

    /// The polygon seen from the outer frame of `pose`.
    #[inline]
    pub fn transformed(&self, pose: Pose2) -> Self {
        let mut out = *self;
        for i in 0..self.count {
            out.vertices[i] = pose.transform(self.vertices[i]);
            out.normals[i] = pose.rotation.rotate(self.normals[i]);
        }
        out
    }

    /// Mean of the corners.
    pub fn middle(&self) -> Vec2 {
        let mut sum = Vec2::ZERO;
        for v in &self.vertices[..self.count] {
            sum += *v;
        }
        sum * (1.0 / self.count as f64)
    }

    /// (area, second moment of area about the origin).
    fn area_and_second_moment(&self) -> (f64, f64) {
        let (mut area, mut moment) = (0.0, 0.0);
        for i in 0..self.count {
            let (p, q) = (self.vertices[i], self.vertices[(i + 1) % self.count]);
            let cross = p.cross(q);
            area += 0.5 * cross;
            moment += cross * (p.dot(p) + p.dot(q) + q.dot(q)) / 12.0;
        }
        (area, moment)
    }
}

/// A convex part of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
// Polygons are rare and parts are few; a box a part would cost an indirection in every contact.
#[allow(clippy::large_enum_variant)]
pub enum Part {
    /// A disc.
    Circle {
        /// Centre, m.
        center: Vec2,
        /// Radius, m.
        radius: f64,
    },
    /// A rectangle.
    Box {
        /// Centre and orientation.
        pose: Pose2,
        /// Half lengths, m; y may be zero (a wall without thickness).
        half: Vec2,
    },
    /// Any other convex polygon.
    Polygon(Polygon),
}

impl Part {
    /// Checks a part and makes it ready. `key` is the path for errors.
    pub fn compile(key: &str, spec: &PartSpec) -> Result<Self, ModelError> {
        match spec {
            PartSpec::Circle { center, radius } => {
                if !center.is_finite() {
                    return Err(ModelError::new(
                        format!("{key}.center"),
                        "finite numbers",
                        format!("{center:?}"),
                    ));
                }
                positive(&format!("{key}.radius"), *radius)?;
                Self::Circle { center: *center, radius: *radius }.bounded(key)
            }
            PartSpec::Box { pose, size } => {
                if !pose.is_finite() {
                    return Err(ModelError::new(
                        format!("{key}.pose"),
                        "finite numbers",
                        format!("{pose:?}"),
                    ));
                }
                positive(&format!("{key}.size"), size[0])?;
                positive(&format!("{key}.size"), size[1])?;
                let half = Vec2::new(0.5 * size[0], 0.5 * size[1]);
                Self::Box { pose: *pose, half }.bounded(key)
            }
            PartSpec::Polygon { vertices } => {
                check_convex(key, vertices)?;
                Self::Polygon(Polygon::from_vertices(vertices)).bounded(key)
            }
        }
    }

    /// The part, if it lies within [`MOST_EXTENT`] of the origin.
    pub(crate) fn bounded(self, key: &str) -> Result<Self, ModelError> {
        let (center, radius) = self.bounding_circle();
        let reach = center.length() + radius;
        if reach <= MOST_EXTENT {
            Ok(self)
        } else {
            let expected = format!("a part within {MOST_EXTENT} m of the origin");
            Err(ModelError::new(key, expected, format!("one that reaches {} m", shown(reach))))
        }
    }

    /// The part seen from the outer frame of `pose`.
    #[inline]
    pub fn transformed(&self, outer: Pose2) -> Self {
        match *self {
            Self::Circle { center, radius } => {
                Self::Circle { center: outer.transform(center), radius }
            }
            Self::Box { pose, half } => Self::Box { pose: outer.compose(pose), half },
            Self::Polygon(p) => Self::Polygon(p.transformed(outer)),
        }
    }

    /// Centre and radius of a circle around it.
    pub fn bounding_circle(&self) -> (Vec2, f64) {
        match *self {
            Self::Circle { center, radius } => (center, radius),
            Self::Box { pose, half } => (pose.position, half.length()),
            Self::Polygon(p) => {
                let middle = p.middle();
                let far = p.vertices[..p.count].iter().map(|v| (*v - middle).length());
                (middle, far.fold(0.0, f64::max))
            }
        }
    }

    /// Lower left and upper right corner of the axis-aligned box around it.
    pub fn bounding_box(&self) -> (Vec2, Vec2) {
        let around = |points: &[Vec2]| {
            let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
            let mut max = -min;
            for p in points {
                min = Vec2::new(min.x.min(p.x), min.y.min(p.y));
                max = Vec2::new(max.x.max(p.x), max.y.max(p.y));
            }
            (min, max)
        };
        match *self {
            Self::Circle { center, radius } => {
                let r = Vec2::new(radius, radius);
                (center - r, center + r)
            }
            Self::Box { pose, half } => around(&Polygon::rectangle(pose, half).vertices[..4]),
            Self::Polygon(p) => around(&p.vertices[..p.count]),
        }
    }

    /// Distance from a point, m; never too large, and at most zero inside. Short of it beside the
    /// corners of a polygon.
    pub fn least_distance(&self, point: Vec2) -> f64 {
        match *self {
            Self::Circle { center, radius } => (point - center).length() - radius,
            Self::Box { pose, half } => {
                let q = pose.inverse_transform(point);
                let out = Vec2::new((q.x.abs() - half.x).max(0.0), (q.y.abs() - half.y).max(0.0));
                out.length()
            }
            Self::Polygon(p) => {
                let faces = (0..p.count).map(|i| (point - p.vertices[i]).dot(p.normals[i]));
                faces.fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// Area, m2.
    pub fn area(&self) -> f64 {
        self.area_and_second_moment().0
    }

    /// (area, second moment of area about the origin).
    fn area_and_second_moment(&self) -> (f64, f64) {
        match *self {
            Self::Circle { center, radius } => {
                let area = core::f64::consts::PI * radius * radius;
                (area, area * (0.5 * radius * radius + center.length_squared()))
            }
            Self::Box { pose, half } => Polygon::rectangle(pose, half).area_and_second_moment(),
            Self::Polygon(p) => p.area_and_second_moment(),
        }
    }
}

fn check_convex(key: &str, vertices: &[Vec2]) -> Result<(), ModelError> {
    let key = format!("{key}.vertices");
    let n = vertices.len();
    if !(3..=MAX_CORNERS).contains(&n) {
        return Err(ModelError::new(key, format!("3 to {MAX_CORNERS} corners"), n));
    }
    if let Some(bad) = vertices.iter().find(|v| !v.is_finite()) {
        return Err(ModelError::new(key, "finite numbers", format!("[{}, {}]", bad.x, bad.y)));
    }
    for i in 0..n {
        let (a, b) = (vertices[i], vertices[(i + 1) % n]);
        // Every other corner lies left of the edge: excludes clockwise, concave and crossed ones.
        let left = |p: Vec2| (b - a).cross(p - a);
        let straight =
            (0..n).filter(|&j| j != i && j != (i + 1) % n).all(|j| left(vertices[j]) > 1e-12);
        if !straight {
            return Err(ModelError::new(
                key,
                "corners of a convex polygon, counter-clockwise, without repeats",
                format!("a turn to the right or none after corner {i}"),
            ));
        }
    }
    Ok(())
}

/// The outline of a body: one or more convex parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The parts, in the body's frame.
    pub parts: Vec<Part>,
    /// Bounding circle of each part, in the body's frame.
    pub bounds: Vec<(Vec2, f64)>,
    /// Radius of the circle around the body's origin that holds all of it, m.
    pub radius: f64,
}

impl Shape {
    /// Checks an outline and makes it ready. `key` is the path for errors.
    pub fn compile(key: &str, parts: &[PartSpec]) -> Result<Self, ModelError> {
        if parts.is_empty() || parts.len() > 64 {
            return Err(ModelError::new(key, "1 to 64 convex parts", parts.len()));
        }
        let parts = parts
            .iter()
            .enumerate()
            .map(|(i, part)| Part::compile(&format!("{key}.{i}"), part))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Self::from_parts(parts))
    }

    /// The outline made of these parts.
    pub fn from_parts(parts: Vec<Part>) -> Self {
        let bounds: Vec<_> = parts.iter().map(Part::bounding_circle).collect();
        let mut radius = 0.0f64;
        for part in &parts {
            radius = radius.max(match *part {
                Part::Circle { center, radius } => center.length() + radius,
                Part::Box { pose, half } => reach(&Polygon::rectangle(pose, half)),
                Part::Polygon(p) => reach(&p),
            });
        }
        Self { parts, bounds, radius }
    }

    /// Area, m2; parts that overlap count twice.
    pub fn area(&self) -> f64 {
        self.parts.iter().map(Part::area).sum()
    }

    /// Moment of inertia about the origin of a plate of this outline and `mass`, kg m2.
    ///
    /// Parts that overlap count twice.
    pub fn uniform_inertia(&self, mass: f64) -> f64 {
        let (mut area, mut moment) = (0.0, 0.0);
        for part in &self.parts {
            let (a, m) = part.area_and_second_moment();
            area += a;
            moment += m;
        }
        mass * moment / area
    }
}

fn reach(p: &Polygon) -> f64 {
    p.vertices[..p.count].iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// The box of the given size around the origin: most robots.
pub fn centred_box(x: f64, y: f64) -> PartSpec {
    PartSpec::Box { pose: Pose2 { position: Vec2::ZERO, rotation: Rot2::IDENTITY }, size: [x, y] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inertia_of_plate_and_disc_equal_the_closed_forms() {
        let plate = Shape::compile("s", &[centred_box(0.2, 0.1)]).unwrap();
        assert!((plate.uniform_inertia(3.0) - 3.0 * (0.04 + 0.01) / 12.0).abs() < 1e-15);
        let disc = PartSpec::Circle { center: Vec2::ZERO, radius: 0.3 };
        let disc = Shape::compile("s", &[disc]).unwrap();
        assert!((disc.uniform_inertia(2.0) - 0.5 * 2.0 * 0.09).abs() < 1e-15);
    }

    #[test]
    fn concave_clockwise_and_repeated_corners_are_refused() {
        let v = |xs: &[(f64, f64)]| PartSpec::Polygon {
            vertices: xs.iter().map(|&(x, y)| Vec2::new(x, y)).collect(),
        };
        let good = v(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]);
        assert!(Shape::compile("s", &[good]).is_ok());
        for bad in [
            v(&[(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]),
            v(&[(0.0, 0.0), (1.0, 0.0), (0.2, 0.2), (0.0, 1.0)]),
            v(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]),
            v(&[(0.0, 0.0), (1.0, 0.0)]),
        ] {
            assert!(Shape::compile("s", &[bad]).is_err());
        }
    }
}
