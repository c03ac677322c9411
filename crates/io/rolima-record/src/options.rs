//! What a recording is to hold.

use crate::playback::BranchOrigin;

/// What a recording is to hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// How often the state is recorded, in 1/s of simulated time; at most every step.
    pub rate_hz: f64,
    /// Whether numbers are kept as f64; else as f32.
    pub double: bool,
    /// How often the whole simulation is saved, s of simulated time; 0 is never.
    pub save_s: f64,
    /// Whether cameras' pictures are recorded, and how.
    pub pictures: Option<PictureFormat>,
    /// The channels that are recorded, by patterns as for [`rolima_core::Schema::find`]; none: all.
    pub channels: Option<String>,
    /// Where the run comes from, if it is a branch of a recorded one.
    pub origin: Option<BranchOrigin>,
    /// Whether chunks are compressed (zstd).
    pub compressed: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            rate_hz: 60.0,
            double: false,
            save_s: 1.0,
            pictures: None,
            channels: None,
            origin: None,
            compressed: true,
        }
    }
}

/// How pictures are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    /// To the bit.
    Png,
    /// Smaller.
    Jpeg,
}
