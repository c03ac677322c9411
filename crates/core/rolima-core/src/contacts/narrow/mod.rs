//! Narrow phase: where two convex parts touch, or will soon.
//!
//! A [`Manifold`] has one or two points. Gaps are signed: positive apart, negative overlapping.
//! Vertices and edges both count (the paper's "only vertices hit" is the common case, not the only
//! one), and points are brought into the other's frame by a rotation (the paper's x_r, y_r by an
//! arc tangent are 0/0 at dx = 0).
//!
//! | module | what |
//! |---|---|
//! | [`boxes`] | rectangle against rectangle |
//! | [`circles`] | circle against anything |
//! | [`polygons`] | any other pair |

pub mod boxes;
pub mod circles;
pub mod polygons;

use rolima_math::Vec2;
use rolima_model::{Part, Polygon};

/// A point where two parts touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// In the world, half way between both surfaces, m.
    pub position: Vec2,
    /// Distance of the surfaces along the normal, m; negative where they overlap.
    pub gap: f64,
    /// Which corners and edges touch, to know the point again in the next step.
    pub feature: u32,
}

/// Where two parts touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Manifold {
    /// Unit vector from the second part to the first.
    pub normal: Vec2,
    /// How many points are used.
    pub count: usize,
    /// The points.
    pub points: [Point; 2],
}

impl Manifold {
    pub(crate) fn single(normal: Vec2, position: Vec2, gap: f64, feature: u32) -> Self {
        let point = Point { position, gap, feature };
        Self { normal, count: 1, points: [point, Point::default()] }
    }

    fn flipped(mut self) -> Self {
        self.normal = -self.normal;
        self
    }
}

/// The points of two parts (in the world) that are at most `margin` apart, or else a lower bound
/// of the distance between the parts.
#[inline]
pub fn collide(a: &Part, b: &Part, margin: f64) -> Result<Manifold, f64> {
    match (a, b) {
        (Part::Box { pose, half }, Part::Box { pose: pose_b, half: half_b }) => {
            boxes::box_box((*pose, *half), (*pose_b, *half_b), margin)
        }
        (Part::Circle { center, radius }, other) => circles::circle(*center, *radius, other, margin),
        (other, Part::Circle { center, radius }) => {
            circles::circle(*center, *radius, other, margin).map(Manifold::flipped)
        }
        (Part::Polygon(p), Part::Polygon(q)) => polygons::polygon_polygon(p, q, margin),
        (Part::Box { pose, half }, Part::Polygon(q)) => {
            polygons::polygon_polygon(&Polygon::rectangle(*pose, *half), q, margin)
        }
        (Part::Polygon(p), Part::Box { pose, half }) => {
            polygons::polygon_polygon(p, &Polygon::rectangle(*pose, *half), margin)
        }
    }
}
