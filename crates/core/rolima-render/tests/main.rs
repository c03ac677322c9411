//! Pictures against ray casting, projections and colours.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `golden`, which is also built for debug.

mod camera_renderer;
mod colours;
mod common;
mod geometry;
mod imaging;
mod ray_casting;
mod road;
mod robustness;
mod terrain;
mod textured_ground;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
