//! A small random number generator, so that every run drives the robots alike.

/// SplitMix64.
pub struct Random(u64);

impl Random {
    /// A generator that always yields the same sequence for the same seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number in [-1, 1).
    pub fn symmetric(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
