//! Robots of the planar engine, driven by navigation.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `others` (allocators that count).

mod comparisons;
mod errands;
mod kilohertz;
mod presets;
mod six_robots;
mod whole_loop;
