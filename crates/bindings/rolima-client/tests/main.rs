//! The camera link over real sockets, as its clients see it.

mod bad_input;
mod camera;
mod common;
mod header;
mod languages;
