//! What goes out reads back; what comes in is checked.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.
//! Apart: `robotone`, `never_panics` (allocators that count).

mod robotone_doubtful;
mod roles;
mod rough_ground;
mod scenes_and_frames;
