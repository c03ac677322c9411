//! Named random streams.
//!
//! Each device draws from its own stream, keyed by (seed, owner, device): adding a sensor to a
//! robot shifts nobody else's noise, and no stream ever looks at the clock.

/// Weyl increment of SplitMix64: 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// SplitMix64's finaliser: a bijection of 64 bits in which every input bit moves every output bit.
#[inline]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A counter-based random stream: two words of state, so a snapshot of it is two words too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Stream {
    /// What the stream is keyed by, already mixed.
    pub key: u64,
    /// How many numbers were drawn.
    pub drawn: u64,
}

impl Stream {
    /// The stream of `device` (a name such as `"driver"`) of `owner` (a robot's number).
    pub fn new(seed: u64, owner: u64, device: &str) -> Self {
        let mut key = mix(seed ^ GOLDEN);
        key = mix(key ^ owner.wrapping_mul(GOLDEN));
        for byte in device.bytes() {
            key = mix(key ^ u64::from(byte).wrapping_add(GOLDEN));
        }
        Self { key, drawn: 0 }
    }
    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.drawn = self.drawn.wrapping_add(1);
        mix(self.key.wrapping_add(self.drawn.wrapping_mul(GOLDEN)))
    }
    /// Uniform in [0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }
    /// Uniform in [`low`, `high`).
    #[inline]
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_has_the_mean_and_variance_of_a_uniform() {
        let mut s = Stream::new(1, 2, "driver");
        let n = 200_000;
        let (mut sum, mut square) = (0.0, 0.0);
        for _ in 0..n {
            let u = s.uniform();
            assert!((0.0..1.0).contains(&u));
            sum += u;
            square += u * u;
        }
        let mean = sum / f64::from(n);
        let variance = square / f64::from(n) - mean * mean;
        assert!((mean - 0.5).abs() < 4.0 * (1.0f64 / 12.0 / f64::from(n)).sqrt());
        assert!((variance - 1.0 / 12.0).abs() < 1e-3);
    }

    #[test]
    fn streams_of_other_seeds_owners_and_devices_differ() {
        let a = Stream::new(1, 0, "driver").next_u64();
        assert_ne!(a, Stream::new(2, 0, "driver").next_u64());
        assert_ne!(a, Stream::new(1, 1, "driver").next_u64());
        assert_ne!(a, Stream::new(1, 0, "lidar").next_u64());
        assert_eq!(a, Stream::new(1, 0, "driver").next_u64());
    }
}
