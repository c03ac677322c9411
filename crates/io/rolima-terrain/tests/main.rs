//! Files of terrain.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod files;
mod never_panics;
