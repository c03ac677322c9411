//! The cases with rapier2d in single precision.

pub use rapier2d as rapier;

/// The scalar type of this build of the engine.
pub type Real = f32;

#[path = "cases.rs"]
pub mod cases;
