//! States as words: the list behind state hashes and snapshots.

pub use rolima_math::words::*;
