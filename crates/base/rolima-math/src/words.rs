//! States as words: the list behind state hashes and snapshots.

use crate::{Hash64, Stream};

/// Something whose whole state is a fixed list of 64-bit words.
pub trait Words {
    /// Calls with every word, in a fixed order. What the call leaves there becomes the state.
    fn words(&mut self, each: &mut dyn FnMut(&mut u64));

    /// The state as words.
    fn save(&self) -> Vec<u64>
    where
        Self: Clone,
    {
        let mut out = vec![];
        self.clone().words(&mut |word| out.push(*word));
        out
    }

    /// Takes a state back that [`Words::save`] gave; whether the number of words was right. If it
    /// was not, nothing changes.
    fn restore(&mut self, words: &[u64]) -> bool
    where
        Self: Clone,
    {
        if self.save().len() != words.len() {
            return false;
        }
        let mut from = words.iter();
        self.words(&mut |word| *word = from.next().copied().unwrap_or(*word));
        true
    }

    /// Hash of every bit of the state.
    fn hash(&self) -> u64
    where
        Self: Clone,
    {
        let mut hash = Hash64::default();
        self.clone().words(&mut |word| hash.word(*word));
        hash.finish()
    }
}

/// Passes on a number by its bits.
pub fn number(x: &mut f64, each: &mut dyn FnMut(&mut u64)) {
    let mut word = x.to_bits();
    each(&mut word);
    *x = f64::from_bits(word);
}

/// Passes on numbers by their bits.
pub fn numbers(xs: &mut [f64], each: &mut dyn FnMut(&mut u64)) {
    xs.iter_mut().for_each(|x| number(x, each));
}

/// Passes on a flag.
pub fn flag(f: &mut bool, each: &mut dyn FnMut(&mut u64)) {
    let mut word = u64::from(*f);
    each(&mut word);
    *f = word != 0;
}

/// Passes on a whole number with a sign.
pub fn whole(n: &mut i64, each: &mut dyn FnMut(&mut u64)) {
    let mut word = *n as u64;
    each(&mut word);
    *n = word as i64;
}

/// Passes on a random stream.
pub fn stream(s: &mut Stream, each: &mut dyn FnMut(&mut u64)) {
    each(&mut s.key);
    each(&mut s.drawn);
}
