//! Pure sensor models: no I/O, no clock, no threads.

pub mod bench;
pub mod mazes;
pub mod rays;
