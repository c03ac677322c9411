//! How much a viewer may say.

use std::time::Instant;

/// A bucket that fills evenly and is emptied by what is let through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    per_second: f64,
    most: f64,
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    pub(crate) fn new(per_second: f64, most: f64, now: Instant) -> Self {
        Self { per_second, most, tokens: most, filled: now }
    }

    /// Takes a token, if there is one.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + passed * self.per_second).min(self.most);
        self.filled = now;
        let has_one = self.tokens >= 1.0;
        if has_one {
            self.tokens -= 1.0;
        }
        has_one
    }
}

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Take,
    /// Too many a second; the first one is told.
    Drop {
        tell: bool,
    },
    /// Far too many.
    Cut,
}

/// The measure of one viewer: messages beyond the rate are dropped; one who goes on at ten times
/// the rate is cut off.
pub(crate) struct Measure {
    allowed: Bucket,
    borne: Bucket,
    told: bool,
}

impl Measure {
    pub(crate) fn new(per_second: u32, now: Instant) -> Self {
        let rate = f64::from(per_second.max(1));
        Self {
            allowed: Bucket::new(rate, 2.0 * rate, now),
            borne: Bucket::new(10.0 * rate, 20.0 * rate, now),
            told: false,
        }
    }

    pub(crate) fn judge(&mut self, now: Instant) -> Verdict {
        if !self.borne.take(now) {
            return Verdict::Cut;
        }
        if self.allowed.take(now) {
            return Verdict::Take;
        }
        let tell = !std::mem::replace(&mut self.told, true);
        Verdict::Drop { tell }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_steady_viewer_passes_a_loud_one_is_dropped_a_flood_is_cut() {
        let start = Instant::now();
        let mut measure = Measure::new(200, start);
        for i in 0..2000 {
            let now = start + Duration::from_millis(5 * i);
            assert_eq!(measure.judge(now), Verdict::Take);
        }
        let later = start + Duration::from_secs(60);
        let verdicts: Vec<Verdict> = (0..5000).map(|_| measure.judge(later)).collect();
        let count = |which: Verdict| verdicts.iter().filter(|verdict| **verdict == which).count();
        assert_eq!(count(Verdict::Take), 400);
        assert_eq!(count(Verdict::Drop { tell: true }), 1);
        assert_eq!(count(Verdict::Drop { tell: false }), 3599);
        assert_eq!(count(Verdict::Cut), 1000);
    }
}
