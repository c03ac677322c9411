//! Rays in a horizontal plane: walls that stand, bodies that move, single rays and whole scans. On
//! rough ground rays go through [`Space`] instead.
//!
//! A [`Plane`] is a cut through the world at one height. Its walls are laid into a uniform grid
//! once; the bodies are laid into a second one at each instant that is looked at. Both ways of
//! asking do the same arithmetic on the same surfaces, so they agree to the last bit:
//!
//! * [`Plane::cast`] walks the cells that one ray crosses, or, after [`Plane::look_out`], looks up
//!   what may be seen from its cell in about its direction;
//! * [`Plane::scan`] sweeps a fan of rays: cells are visited ring by ring around the origin, and
//!   each surface is drawn into a buffer of *inverse* distance over the beams. Along a straight
//!   edge the inverse distance is linear in the ray's direction, so a beam costs two products.
//!
//! # Formulas
//!
//! With the origin o, an edge from a to b, A = a - o, B = b - o, e = b - a, and x the third
//! component of the cross product:
//!
//! ```text
//! h = A x e < 0                  the edge faces the origin (outlines run counter-clockwise)
//! B x d >= 0 and A x d < 0       the ray in direction d meets it
//! 1/t = (d x e)/h = dx (ey/h) - dy (ex/h)
//! ```
//!
//! and for a disc of centre c and radius r, with C = c - o and q = C.C - r^2 > 0:
//!
//! ```text
//! r^2 - (C x d)^2 >= 0 and C.d > 0
//! 1/t = (C.d + sqrt(r^2 - (C x d)^2)) / q
//! ```
//!
//! # What is seen
//!
//! Surfaces are seen from outside. A ray does not see the thing that it starts in, nor a face
//! whose plane passes within a nanometre of its origin; [`Plane::inside`] tells whether a point
//! lies in something. Faces of walls that lie inside of other walls, such as the ends of walls
//! that meet, are taken out: they could be seen only from in there. Corners belong to exactly one of their two edges, so that no ray slips
//! between them. Where two surfaces coincide, the one with the lower [`Thing::code`] is hit.

mod bodies;
mod fan;
mod grid;
mod lookout;
mod outline;
mod plane;
mod solid;
mod space;
mod surface;
mod sweep;
mod walk;
mod walls;

pub use bodies::Placed;
pub use fan::Fan;
pub use outline::{Outline, VerticalProfile};
pub use plane::{Plane, Ray, Scan};
pub use solid::RaySolid;
pub use space::{RayBody, Space, SpaceHit, SpaceRay};
pub use surface::{RayHit, Thing};
pub use sweep::ScanScratch;

/// The code of a miss.
pub(crate) const NOTHING: u32 = u32::MAX;
