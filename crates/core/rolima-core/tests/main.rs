//! Planar physics and the step against closed forms and other integrators.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `golden`, which is also built for debug.

mod allocations;
mod broad_phase;
mod collisions;
mod common;
#[path = "../../../../fuzz/src/drive.rs"]
#[allow(unreachable_pub, reason = "public for the fuzz targets")]
mod drive;
mod figure_13;
mod fuzz_step;
mod fuzz_world;
mod geometry;
mod impacts;
mod motion_errors;
mod narrow_phase;
mod odometry;
mod push;
mod resting;
mod restored;
mod robot;
mod robot_impacts;
mod robot_slides;
mod robustness;
mod rough_braking;
mod schema;
mod sense_kit;
mod senses;
mod spatial;
mod spatial_bodies;
mod spatial_senses;
mod spatial_states;
mod tunnelling;
mod tyres;
#[path = "../../../../fuzz/src/world.rs"]
#[allow(unreachable_pub, reason = "public for the fuzz targets")]
mod world;
mod world_senses;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
