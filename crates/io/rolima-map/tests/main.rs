//! Maps written as text and drawn as pictures.
//!
//! One program for all of these, as each program of its own would be compiled and linked anew.

mod bounds;
mod common;
mod drawings;
mod inked;
mod mazes;
mod pictures;
mod text;
