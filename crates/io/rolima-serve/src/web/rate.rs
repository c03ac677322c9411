//! How much a viewer may say, and how slow its link may be.

use rolima_wire::ask::MOST_MESSAGE_BYTES;
use std::time::{Duration, Instant};

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
        self.take_some(1.0, now)
    }

    /// Takes so many tokens, if there are as many.
    fn take_some(&mut self, count: f64, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.tokens = (self.tokens + passed * self.per_second).min(self.most);
        self.filled = now;
        let has_them = self.tokens >= count;
        if has_them {
            self.tokens -= count;
        }
        has_them
    }
}

/// Long messages, such as large terrains and maps, get time for links as slow as this.
const SLOWEST_BYTES_A_SECOND: f64 = 100_000.0;

/// How long so many bytes may take on the slowest link.
pub(crate) fn time_for(bytes: u64) -> Duration {
    Duration::from_secs_f64(bytes as f64 / SLOWEST_BYTES_A_SECOND)
}

/// What a message may have for one token, bytes: as long as one that is no map may be.
const WEIGHT_BYTES: usize = MOST_MESSAGE_BYTES;

/// What becomes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MessageVerdict {
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

    /// Judges a message of so many bytes. A long one counts once for each [`WEIGHT_BYTES`] begun,
    /// so that maps, which are long, come no faster than short messages may.
    pub(crate) fn judge(&mut self, bytes: usize, now: Instant) -> MessageVerdict {
        let weight = bytes.div_ceil(WEIGHT_BYTES).max(1) as f64;
        if !self.borne.take_some(weight, now) {
            return MessageVerdict::Cut;
        }
        if self.allowed.take_some(weight, now) {
            return MessageVerdict::Take;
        }
        let tell = !std::mem::replace(&mut self.told, true);
        MessageVerdict::Drop { tell }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_viewer_passes_a_loud_one_is_dropped_a_flood_is_cut() {
        let start = Instant::now();
        let mut measure = Measure::new(200, start);
        for i in 0..2000 {
            let now = start + Duration::from_millis(5 * i);
            assert_eq!(measure.judge(20, now), MessageVerdict::Take);
        }
        let later = start + Duration::from_secs(60);
        let verdicts: Vec<MessageVerdict> = (0..5000).map(|_| measure.judge(20, later)).collect();
        let count =
            |which: MessageVerdict| verdicts.iter().filter(|verdict| **verdict == which).count();
        assert_eq!(count(MessageVerdict::Take), 400);
        assert_eq!(count(MessageVerdict::Drop { tell: true }), 1);
        assert_eq!(count(MessageVerdict::Drop { tell: false }), 3599);
        assert_eq!(count(MessageVerdict::Cut), 1000);
    }

    #[test]
    fn the_largest_map_passes_at_once_and_a_second_one_after_a_while() {
        let start = Instant::now();
        let mut measure = Measure::new(200, start);
        let map = rolima_wire::map::MOST_MAP_MESSAGE_BYTES;
        assert_eq!(measure.judge(map, start), MessageVerdict::Take);
        assert_eq!(measure.judge(map, start), MessageVerdict::Drop { tell: true });
        // Short ones still pass, and the time that a page waits is enough.
        assert_eq!(measure.judge(100, start), MessageVerdict::Take);
        assert_eq!(measure.judge(map, start + Duration::from_secs(2)), MessageVerdict::Take);
    }
}
