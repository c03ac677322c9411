//! Robots of the planar engine, driven by navigation.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod ball_among_walls;
mod comparisons;
mod go_to_pose;
mod kilohertz;
mod others;
mod presets;
mod six_robots;
mod whole_loop;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
