//! `librobotOne`: Robot One for C and everything that can call C.
//!
//! | module | what |
//! |---|---|
//! | `released` | the functions of the released library: one connection a process |
//! | `handles` | functions with handles, for several robots and threads, that tell what went wrong |
//! | `scan` | a scan in the robot's frame |
//! | `memory` | strings and memory of the other side |
//!
//! The header is `include/robotOne.h`, written by cbindgen and checked by a test.
#![allow(non_snake_case)] // the library's name, and those of the released functions
#![allow(unreachable_pub)] // C reaches it

mod handles;
mod memory;
mod released;
mod scan;
