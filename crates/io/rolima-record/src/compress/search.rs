//! Repetitions of four bytes and more, found by what they hash to.

use super::WINDOW_LOG;
use std::ops::Range;

/// Slots of the table, as a power of two.
const SLOTS_LOG: u32 = 13;
/// Spreads words over the slots: 2^32 over the golden ratio.
pub(super) const SPREAD: u32 = 0x9e37_79b1;

/// What was seen.
pub(super) struct Search {
    /// By hash of a word, the place behind which it was seen last; 0: not yet.
    slots: Vec<u32>,
}

impl Search {
    pub(super) fn new() -> Self {
        Self { slots: vec![0; 1 << SLOTS_LOG] }
    }

    pub(super) fn clear(&mut self) {
        self.slots.fill(0);
    }

    /// The first place in there that repeats something, and how far before that is.
    pub(super) fn next(
        &mut self,
        bytes: &[u8],
        place: Range<usize>,
    ) -> Option<(Range<usize>, usize)> {
        for at in place.start..(place.end + 1).saturating_sub(4) {
            let word = word_at(bytes, at);
            let slot = &mut self.slots[(word.wrapping_mul(SPREAD) >> (32 - SLOTS_LOG)) as usize];
            let seen = std::mem::replace(slot, at as u32 + 1) as usize;
            let Some(earlier) = seen.checked_sub(1).filter(|_| seen <= at) else { continue };
            if at - earlier <= 1 << WINDOW_LOG && word_at(bytes, earlier) == word {
                let (old, new) = (&bytes[earlier + 4..], &bytes[at + 4..place.end]);
                let more = new.iter().zip(old).take_while(|(a, b)| a == b).count();
                return Some((at..at + 4 + more, at - earlier));
            }
        }
        None
    }
}

/// Four bytes.
pub(super) fn word_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map_or(0, u32::from_le_bytes)
}
