//! Where two messages are equal, byte for byte.

use std::ops::Range;

/// Runs of equal bytes, found eight bytes at a time.
#[derive(Default)]
pub(super) struct EqualRuns {
    /// A bit for each byte: whether it is equal. Behind the last one are zeros.
    equal: Vec<u64>,
}

impl EqualRuns {
    /// Compares bytes, as many of the one as of the other.
    pub(super) fn compare(&mut self, before: &[u8], now: &[u8]) {
        self.equal.clear();
        for (a, b) in before.chunks(64).zip(now.chunks(64)) {
            let mut bits = 0;
            let (a_words, a_rest) = a.as_chunks::<8>();
            let (b_words, b_rest) = b.as_chunks::<8>();
            for (i, (a, b)) in a_words.iter().zip(b_words).enumerate() {
                bits |= equal_bytes(u64::from_le_bytes(*a), u64::from_le_bytes(*b)) << (8 * i);
            }
            for (i, (a, b)) in a_rest.iter().zip(b_rest).enumerate() {
                bits |= u64::from(a == b) << (8 * a_words.len() + i);
            }
            self.equal.push(bits);
        }
        self.equal.extend_from_slice(&[0; 2]);
    }

    /// The next run from there on, of three or more. Runs that begin before `from` count from there.
    #[inline]
    pub(super) fn next(&self, from: usize) -> Option<Range<usize>> {
        let mut word = from / 64;
        let mut seen = u64::MAX << (from % 64);
        // Behind the last word are two of zeros.
        while let [bits, after, ..] = self.equal.get(word..).unwrap_or_default() {
            let (next, second) = ((bits >> 1) | (after << 63), (bits >> 2) | (after << 62));
            let runs = bits & next & second & seen;
            if runs != 0 {
                let first = runs.trailing_zeros();
                let begin = 64 * word + first as usize;
                let rest = 64 - first as usize;
                let mut length = (bits >> first).trailing_ones() as usize;
                if length == rest {
                    let more = self.equal[word + 1..].iter();
                    for bits in more {
                        length += bits.trailing_ones() as usize;
                        if *bits != u64::MAX {
                            break;
                        }
                    }
                }
                return Some(begin..begin + length);
            }
            (word, seen) = (word + 1, u64::MAX);
        }
        None
    }

    /// Up to where one is best held against the other from the beginning, and from the end behind that.
    pub(super) fn split(&mut self, before: &[u8], now: &[u8]) -> usize {
        let both = before.len().min(now.len());
        let from_end = |at: usize| (at + before.len()).checked_sub(now.len());
        let fits_end = |at: usize| from_end(at).is_some_and(|old| before.get(old) == now.get(at));
        let mut gain = 0_i64;
        let mut best = (0, 0);
        for at in 0..both {
            gain += i64::from(before[at] == now[at]) - i64::from(fits_end(at));
            if gain > best.0 {
                best = (gain, at + 1);
            }
        }
        // What is held against the end has to have something to be held against.
        best.1.max(now.len().saturating_sub(before.len()))
    }
}

/// Which of eight bytes are equal, a bit each.
fn equal_bytes(a: u64, b: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differ = a ^ b;
    // The highest bit of each byte that is zero.
    let equal = !(((differ & LOW) + LOW) | differ | LOW);
    (equal >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_where_bytes_are_equal(
            pairs in proptest::collection::vec((0..2_u8, 0..2_u8), 0..300),
        ) {
            let (a, b): (Vec<u8>, Vec<u8>) = pairs.iter().copied().unzip();
            let mut runs = EqualRuns::default();
            runs.compare(&a, &b);
            let mut at = 0;
            let mut found = vec![];
            while let Some(run) = runs.next(at) {
                at = run.end;
                found.push(run);
            }
            let mut expected = vec![];
            let mut begin = 0;
            for i in 0..=a.len() {
                if i == a.len() || a[i] != b[i] {
                    if i - begin >= 3 {
                        expected.push(begin..i);
                    }
                    begin = i + 1;
                }
            }
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn a_split_has_something_on_both_sides(
            a in proptest::collection::vec(0..3_u8, 0..40),
            b in proptest::collection::vec(0..3_u8, 0..40),
        ) {
            let split = EqualRuns::default().split(&a, &b);
            prop_assert!(split <= b.len() && split <= a.len().max(b.len()));
            // Of the part before as much is there, and of the part behind.
            prop_assert!(b.len() - split <= a.len());
        }
    }

    #[test]
    fn what_was_put_in_splits_a_message() {
        let mut runs = EqualRuns::default();
        let split = runs.split(b"abcdefgh", b"abcdXYefgh");
        assert!((4..=6).contains(&split), "{split}");
        let split = runs.split(b"abcdXYefgh", b"abcdefgh");
        assert_eq!(split, 4);
    }
}
