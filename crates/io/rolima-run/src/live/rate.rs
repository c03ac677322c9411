//! The real-time factor of the last second or so.

/// Samples kept: their span is what the factor is taken over.
const SAMPLES: usize = 11;

/// Wall time between two samples, s.
const APART_S: f64 = 0.1;

/// Simulated time by wall time over the last second or so.
#[derive(Clone, Debug)]
pub(super) struct RateMeter {
    /// (wall, simulated) times, s, oldest first from `oldest` on.
    samples: [(f64, f64); SAMPLES],
    oldest: usize,
    count: usize,
    factor: f64,
}

impl RateMeter {
    /// A rate that begins now.
    pub(super) fn new(now_s: f64) -> Self {
        let mut samples = [(0.0, 0.0); SAMPLES];
        samples[0] = (now_s, 0.0);
        Self { samples, oldest: 0, count: 1, factor: 0.0 }
    }

    /// Notes how much was simulated since the run began. Returns whether a sample was taken, which
    /// happens a few times a second.
    pub(super) fn note(&mut self, now_s: f64, simulated_s: f64) -> bool {
        let newest = self.samples[(self.oldest + self.count - 1) % SAMPLES];
        if now_s - newest.0 < APART_S {
            return false;
        }
        if self.count == SAMPLES {
            self.oldest = (self.oldest + 1) % SAMPLES;
            self.count -= 1;
        }
        self.samples[(self.oldest + self.count) % SAMPLES] = (now_s, simulated_s);
        self.count += 1;
        let first = self.samples[self.oldest];
        self.factor = (simulated_s - first.1) / (now_s - first.0);
        true
    }

    /// The factor.
    pub(super) fn factor(&self) -> f64 {
        self.factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_that_of_the_last_second() {
        let mut rate = RateMeter::new(5.0);
        let mut simulated = 0.0;
        for i in 1..=3200 {
            // Twice real time, and from 2 s on a fifth of it.
            simulated += if i <= 2000 { 2e-3 } else { 0.2e-3 };
            rate.note(5.0 + f64::from(i) * 1e-3, simulated);
            if i == 2000 {
                assert!((rate.factor() - 2.0).abs() < 1e-3, "{}", rate.factor());
            }
        }
        assert!((rate.factor() - 0.2).abs() < 1e-3, "{}", rate.factor());
    }
}
