//! Navigation against closed forms, independent computations and the thesis.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `allocations` (allocators that count).

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
