//! The cases with rapier2d in double precision.

pub use rapier2d_f64 as rapier;

/// The scalar type of this build of the engine.
pub type Real = f64;

#[path = "cases.rs"]
pub mod cases;
