//! What goes out reads back; what comes in is checked.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod never_panics;
mod robotone;
mod robotone_doubtful;
mod roles;
mod scenes_and_frames;
mod spatial_scenes;

#[global_allocator]
static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
