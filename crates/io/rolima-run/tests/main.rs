//! The live loop, logs and lock step, with a clock played by the tests.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `live_allocations` (allocators that count).

mod common;
mod ends;
mod goals;
mod hands;
mod live;
mod lock_step;
mod replay;
mod threads;
