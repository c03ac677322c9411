//! The live loop, logs and lock step, with a clock played by the tests.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod common;
mod ends;
mod forged;
mod fork;
mod go_to;
mod goals;
mod grabs;
mod history;
mod live;
mod live_allocations;
mod lock_step;
mod replay;
mod saved;
mod threads;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
