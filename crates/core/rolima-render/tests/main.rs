//! Pictures against ray casting, projections and colours.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `robustness`, `golden` (allocators that count; goldens, which are also built for debug).

mod colours;
mod common;
mod eyes;
mod geometry;
mod ray_casting;
mod road;
mod terrain;
mod textured_ground;
