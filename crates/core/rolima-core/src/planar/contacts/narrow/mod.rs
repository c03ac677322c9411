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

use rolima_math::{Pose2, Vec2};
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
pub fn collide(a: &Part, b: &Part, margin: f64) -> Result<Manifold, f64> {
    collide_at((a, Pose2::IDENTITY), (b, Pose2::IDENTITY), margin)
}

/// The same for parts in the frames of their bodies, which are at these poses.
#[inline]
pub fn collide_at(
    (a, pose_a): (&Part, Pose2),
    (b, pose_b): (&Part, Pose2),
    margin: f64,
) -> Result<Manifold, f64> {
    match (a, b) {
        (Part::Box { pose, half }, Part::Box { pose: other, half: other_half }) => boxes::box_box(
            (pose_a.compose(*pose), *half),
            (pose_b.compose(*other), *other_half),
            margin,
        ),
        (Part::Circle { center, radius }, other) => {
            circles::circle((pose_a.transform(*center), *radius), (other, pose_b), margin)
        }
        (other, Part::Circle { center, radius }) => {
            circles::circle((pose_b.transform(*center), *radius), (other, pose_a), margin)
                .map(Manifold::flipped)
        }
        _ => polygons::polygon_polygon(&polygon(a, pose_a), &polygon(b, pose_b), margin),
    }
}

/// A part without curves as a polygon in the world.
fn polygon(part: &Part, outer: Pose2) -> Polygon {
    match part {
        Part::Box { pose, half } => Polygon::rectangle(outer.compose(*pose), *half),
        Part::Polygon(p) => p.transformed(outer),
        // Circles are handled before; the smallest polygon keeps this total.
        Part::Circle { center, radius } => {
            let pose = Pose2 { position: outer.transform(*center), ..outer };
            Polygon::rectangle(pose, Vec2::new(*radius, *radius))
        }
    }
}
