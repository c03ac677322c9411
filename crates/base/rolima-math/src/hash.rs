//! The hash behind golden tests: order-dependent, over exact bits.

use crate::random::mix;

/// A 64-bit running hash of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash64(u64);

impl Default for Hash64 {
    fn default() -> Self {
        Self(0x526F_6C69_6D61_0001)
    }
}

impl Hash64 {
    /// Takes in one word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ word).wrapping_add(word);
    }
    /// Takes in the exact bits of a number.
    #[inline]
    pub fn number(&mut self, x: f64) {
        self.word(x.to_bits());
    }
    /// Takes in a text.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for byte in text.bytes() {
            self.word(u64::from(byte));
        }
    }
    /// The hash so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_sign_of_zero_matter() {
        let hash = |xs: &[f64]| {
            let mut h = Hash64::default();
            xs.iter().for_each(|&x| h.number(x));
            h.finish()
        };
        assert_ne!(hash(&[1.0, 2.0]), hash(&[2.0, 1.0]));
        assert_ne!(hash(&[0.0]), hash(&[-0.0]));
        assert_eq!(hash(&[1.0, 2.0]), hash(&[1.0, 2.0]));
    }
}
