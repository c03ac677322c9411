//! Outlines of moving bodies, cut by a plane.

use super::surface::{Disc, Nearest, OutlineEdge, corners, holds, most_h};
use rolima_math::{Pose2, Vec2};
use rolima_model::shape::MAX_CORNERS;
use rolima_model::{Part, Polygon, Shape};

/// How a body's outline goes on upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VerticalProfile {
    /// The same outline from `bottom` to `top`, m above the ground.
    Upright {
        /// Where it begins, m; a chassis on wheels may leave the ground free.
        bottom: f64,
        /// Where it ends, m.
        top: f64,
    },
    /// Discs are balls that lie on the ground: cut at a height they look smaller. Other parts are
    /// as high as the largest disc.
    Balls,
}

impl VerticalProfile {
    /// From the ground up to `top`, m.
    pub fn up_to(top: f64) -> Self {
        Self::Upright { bottom: 0.0, top }
    }
}

/// A body's outline and its profile.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Convex parts, in the body's frame.
    pub parts: Vec<Part>,
    /// How they go on upwards.
    pub profile: VerticalProfile,
}

impl Outline {
    /// The outline of a shape.
    pub fn new(shape: &Shape, profile: VerticalProfile) -> Self {
        Self { parts: shape.parts.clone(), profile }
    }

    /// What a plane at `height` m cuts out of it.
    pub(crate) fn section(&self, height: f64) -> Section {
        let mut section = Section::default();
        let top = match self.profile {
            VerticalProfile::Upright { bottom, top } if height >= bottom && height < top => top,
            VerticalProfile::Upright { .. } => return section,
            VerticalProfile::Balls => 2.0 * self.parts.iter().map(disc_radius).fold(0.0, f64::max),
        };
        for part in &self.parts {
            match (*part, self.profile) {
                (Part::Circle { center, radius }, VerticalProfile::Balls) => {
                    let square = radius * radius - (height - radius) * (height - radius);
                    if square > 0.0 {
                        section.discs.push((center, square.sqrt()));
                    }
                }
                (Part::Circle { center, radius }, _) => section.discs.push((center, radius)),
                _ if height < top => section.polygons.extend(corners(part).map(Corners::new)),
                _ => {}
            }
        }
        let polygons = section.polygons.iter();
        let far = polygons.flat_map(|p| p.corners()).map(|(v, _)| v.length());
        let round = section.discs.iter().map(|(center, radius)| center.length() + radius);
        section.reach = far.chain(round).fold(0.0, f64::max);
        section
    }
}

fn disc_radius(part: &Part) -> f64 {
    if let Part::Circle { radius, .. } = *part { radius } else { 0.0 }
}

/// A polygon with what is known of its edges beforehand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corners {
    polygon: Polygon,
    /// [`most_h`] of the edge that ends at each corner.
    most_h: [f64; MAX_CORNERS],
}

impl Corners {
    fn new(polygon: Polygon) -> Self {
        let mut out = Self { polygon, most_h: [0.0; MAX_CORNERS] };
        for i in 0..polygon.count {
            let before = polygon.vertices[(i + polygon.count - 1) % polygon.count];
            out.most_h[i] = most_h(before, polygon.vertices[i]);
        }
        out
    }

    /// Corners, each with the most h of the edge that ends there.
    #[inline(always)]
    pub(crate) fn corners(&self) -> impl Iterator<Item = (Vec2, f64)> {
        let count = self.polygon.count;
        let pairs = self.polygon.vertices[..count].iter().zip(&self.most_h[..count]);
        pairs.map(|(&corner, &most_h)| (corner, most_h))
    }

    /// The corner before the first one.
    #[inline(always)]
    pub(crate) fn last(&self) -> Vec2 {
        self.polygon.vertices[self.polygon.count - 1]
    }
}

/// What a plane cuts out of a body, in the body's frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Section {
    pub(crate) polygons: Vec<Corners>,
    pub(crate) discs: Vec<(Vec2, f64)>,
    /// Farthest point from the body's origin, m; zero where there is nothing.
    pub(crate) reach: f64,
}

impl Section {
    /// The nearest surface that a ray meets.
    #[inline(always)]
    pub(crate) fn cast(
        &self,
        (pose, code): (Pose2, u32),
        (origin, direction): (Vec2, Vec2),
        nearest: &mut Nearest,
    ) {
        for polygon in &self.polygons {
            let mut from = pose.transform(polygon.last());
            for (corner, most_h) in polygon.corners() {
                let to = pose.transform(corner);
                let edge = OutlineEdge::with_most_h(from, to, most_h, code);
                nearest.offer(edge.inverse_distance(origin, direction), code, edge.normal());
                from = to;
            }
        }
        for &(center, radius) in &self.discs {
            let disc = Disc { center: pose.transform(center), radius, code };
            let inverse = disc.inverse_distance(origin, direction);
            if inverse > 0.0 {
                nearest.offer(inverse, code, disc.normal(origin, direction, inverse));
            }
        }
    }

    /// Whether a point of the body's frame lies in it.
    pub(crate) fn holds(&self, point: Vec2) -> bool {
        self.polygons.iter().any(|p| holds(&Part::Polygon(p.polygon), point))
            || (self.discs.iter())
                .any(|&(center, radius)| holds(&Part::Circle { center, radius }, point))
    }
}
