//! Navigation against closed forms, independent computations and the thesis.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod allocations;
mod common;
mod estimates;
mod following;
mod gaps;
mod paths;
mod printed;
mod robustness;
#[path = "common/seen.rs"]
mod seen;
#[path = "common/toy.rs"]
mod toy;
mod trajectories;
mod trembling;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
