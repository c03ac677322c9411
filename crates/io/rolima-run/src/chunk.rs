//! How many steps to do between two looks at the clock.

/// Fits the work between two looks at the clock to a length of time, for worlds of any size.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    steps: u64,
    longest_s: f64,
}

/// Most steps at once, however light a world is.
const MOST_STEPS: u64 = 1 << 20;

impl Chunk {
    /// Work that takes at most this long, s, as far as single steps allow. Starts small.
    pub(crate) fn new(longest_s: f64) -> Self {
        Self { steps: 1, longest_s }
    }

    /// How many steps to do at once, at least one.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Learns from `count` steps that took so long.
    pub(crate) fn fit(&mut self, count: u64, took_s: f64) {
        if took_s > self.longest_s {
            self.steps = (self.steps / 2).max(1);
        } else if took_s < 0.5 * self.longest_s && count == self.steps {
            self.steps = (self.steps * 2).min(MOST_STEPS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_grows_while_it_is_quick_and_shrinks_when_it_takes_too_long() {
        let mut chunk = Chunk::new(1e-3);
        // A step takes 10 us.
        for _ in 0..20 {
            let count = chunk.steps();
            chunk.fit(count, count as f64 * 1e-5);
        }
        assert_eq!(chunk.steps(), 64);
        chunk.fit(64, 2e-3);
        assert_eq!(chunk.steps(), 32);
        for _ in 0..20 {
            chunk.fit(chunk.steps(), 1.0);
        }
        assert_eq!(chunk.steps(), 1, "a step is never cut");
    }
}
