//! What rays meet: edges and discs, and what they belong to.

use rolima_math::Vec2;
use rolima_model::{BodyId, MAX_BODIES, Part, Polygon};

/// How near the plane of a face may pass to a ray's origin for the face to be seen, m. Nearer, the
/// rounding of the positions decides where along the face the ray meets it.
const EDGE_ON: f64 = 1e-9;

/// Shortest edge, m: the ends of walls without thickness are none.
const SHORTEST: f64 = 1e-12;

/// Something that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// This body.
    Body(BodyId),
    /// A wall, by its number among the walls that the plane was made of.
    Wall(u32),
}

impl Thing {
    /// As one number: bodies first, walls above [`MAX_BODIES`].
    #[inline]
    pub fn code(self) -> u32 {
        match self {
            Self::Body(body) => body.0,
            Self::Wall(index) => MAX_BODIES as u32 + index,
        }
    }
    /// What a code stands for; nothing for the code of a miss.
    #[inline]
    pub fn from_code(code: u32) -> Option<Self> {
        if code == super::NOTHING {
            None
        } else if code < MAX_BODIES as u32 {
            Some(Self::Body(BodyId(code)))
        } else {
            Some(Self::Wall(code - MAX_BODIES as u32))
        }
    }
}

/// Where a ray ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Length of the ray, m.
    pub distance: f64,
    /// What it hits.
    pub thing: Thing,
    /// Outward unit normal of the surface there.
    pub normal: Vec2,
}

/// The nearest surface so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    /// Inverse distance, 1/m; zero for none.
    pub(crate) inverse: f64,
    /// Code of the thing.
    pub(crate) code: u32,
    /// Outward normal, of any length.
    pub(crate) normal: Vec2,
}

impl Nearest {
    pub(crate) const NONE: Self = Self { inverse: 0.0, code: super::NOTHING, normal: Vec2::ZERO };

    /// Takes a surface where it is nearer, or as near and of lower code.
    #[inline(always)]
    pub(crate) fn offer(&mut self, inverse: f64, code: u32, normal: Vec2) {
        if inverse > self.inverse || (inverse == self.inverse && code < self.code && inverse > 0.0)
        {
            *self = Self { inverse, code, normal };
        }
    }
}

/// h above which the edge between two points is not seen: see [`EDGE_ON`].
pub(crate) fn most_h(from: Vec2, to: Vec2) -> f64 {
    -EDGE_ON * (to - from).length()
}

/// A straight side of an outline, which lies to the left of it. One cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct OutlineEdge {
    /// (from, to) and (from one end to the other, most h, code): two vectors.
    pub(crate) halves: [[f64; 4]; 2],
}

impl OutlineEdge {
    /// An edge that no ray meets.
    pub(crate) const NONE: Self =
        Self { halves: [[0.0; 4], [0.0, 0.0, f64::NEG_INFINITY, super::NOTHING as f64]] };

    #[inline(always)]
    pub(crate) fn new(from: Vec2, to: Vec2, code: u32) -> Self {
        Self::with_most_h(from, to, most_h(from, to), code)
    }
    /// With [`most_h`] worked out before.
    #[inline(always)]
    pub(crate) fn with_most_h(from: Vec2, to: Vec2, most_h: f64, code: u32) -> Self {
        let along = to - from;
        Self { halves: [[from.x, from.y, to.x, to.y], [along.x, along.y, most_h, f64::from(code)]] }
    }
    /// Where it begins, m.
    #[inline(always)]
    pub(crate) fn from(&self) -> Vec2 {
        Vec2::new(self.halves[0][0], self.halves[0][1])
    }
    /// Where it ends, m.
    #[inline(always)]
    pub(crate) fn to(&self) -> Vec2 {
        Vec2::new(self.halves[0][2], self.halves[0][3])
    }
    /// From one end to the other, m.
    #[inline(always)]
    pub(crate) fn along(&self) -> Vec2 {
        Vec2::new(self.halves[1][0], self.halves[1][1])
    }
    /// h above which the edge is not seen: see [`EDGE_ON`].
    #[inline(always)]
    pub(crate) fn most_h(&self) -> f64 {
        self.halves[1][2]
    }
    /// Code of the thing that it belongs to.
    #[inline(always)]
    pub(crate) fn code(&self) -> u32 {
        self.halves[1][3] as u32
    }
    /// Whether it is long enough to be hit.
    #[inline(always)]
    pub(crate) fn exists(&self) -> bool {
        self.most_h() < -EDGE_ON * SHORTEST
    }
    /// Inverse distance at which a ray meets it, or zero.
    #[inline(always)]
    pub(crate) fn inverse_distance(&self, origin: Vec2, direction: Vec2) -> f64 {
        let (a, b, along) = (self.from() - origin, self.to() - origin, self.along());
        let h = a.cross(along);
        let met = (h < self.most_h()) & (b.cross(direction) >= 0.0) & (a.cross(direction) < 0.0);
        if !met {
            return 0.0;
        }
        let over_h = 1.0 / h;
        direction.x * (along.y * over_h) - direction.y * (along.x * over_h)
    }
    /// Outward normal, of any length.
    #[inline(always)]
    pub(crate) fn normal(&self) -> Vec2 {
        -self.along().perp()
    }
}

/// A round surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Disc {
    pub(crate) center: Vec2,
    pub(crate) radius: f64,
    pub(crate) code: u32,
}

impl Disc {
    /// Inverse distance at which a ray meets it, or zero.
    #[inline(always)]
    pub(crate) fn inverse_distance(&self, origin: Vec2, direction: Vec2) -> f64 {
        let to_center = self.center - origin;
        let power = self.power(to_center);
        if power <= self.least_power() {
            return 0.0;
        }
        self.inverse_along(to_center, 1.0 / power, direction)
    }
    /// Square of the tangent's length.
    #[inline(always)]
    pub(crate) fn power(&self, to_center: Vec2) -> f64 {
        to_center.length_squared() - self.radius * self.radius
    }
    /// The power of a point that is too near to the surface: see [`EDGE_ON`].
    #[inline(always)]
    pub(crate) fn least_power(&self) -> f64 {
        2.0 * EDGE_ON * self.radius
    }
    /// Inverse distance along a direction, or zero.
    #[inline(always)]
    pub(crate) fn inverse_along(&self, to_center: Vec2, over_power: f64, direction: Vec2) -> f64 {
        let off = to_center.cross(direction);
        let inside = self.radius * self.radius - off * off;
        let ahead = to_center.dot(direction);
        let root = if inside > 0.0 { inside } else { 0.0 }.sqrt();
        if (inside >= 0.0) & (ahead > 0.0) { (ahead + root) * over_power } else { 0.0 }
    }
    /// Outward normal where a ray meets it, of any length.
    #[inline(always)]
    pub(crate) fn normal(&self, origin: Vec2, direction: Vec2, inverse: f64) -> Vec2 {
        origin + direction * (1.0 / inverse) - self.center
    }
}

/// The corners of a part that has some.
pub(crate) fn corners(part: &Part) -> Option<Polygon> {
    match *part {
        Part::Circle { .. } => None,
        Part::Box { pose, half } => Some(Polygon::rectangle(pose, half)),
        Part::Polygon(polygon) => Some(polygon),
    }
}

/// Whether a point lies inside a part or on its border.
pub(crate) fn holds(part: &Part, point: Vec2) -> bool {
    match *part {
        Part::Circle { center, radius } => (point - center).length_squared() <= radius * radius,
        Part::Box { pose, half } => {
            let local = pose.inverse_transform(point);
            local.x.abs() <= half.x && local.y.abs() <= half.y
        }
        Part::Polygon(p) => (0..p.count).all(|i| (point - p.vertices[i]).dot(p.normals[i]) <= 0.0),
    }
}
