//! Deadlines that come again and again, and how late they were met.

use super::contract::Lateness;
use hdrhistogram::Histogram;

/// Longest lateness told apart, ns: an hour.
const LONGEST_NS: u64 = 3_600_000_000_000;

/// Digits of a lateness that are kept.
const DIGITS: u8 = 2;

/// Of more deadlines than this that passed at once, the oldest are counted together.
const MOST_AT_ONCE: u64 = 1000;

/// Deadlines at a constant period from a beginning, and how late they were met: absolute, so they
/// never drift.
#[derive(Clone, Debug)]
pub struct Deadlines {
    begin_s: f64,
    period_s: f64,
    /// Number of the next one, from 1.
    next: u64,
    missed: u64,
    lateness_ns: Option<Histogram<u64>>,
}

impl Deadlines {
    /// Deadlines every `period_s`, the first one a period after the beginning.
    pub fn new(begin_s: f64, period_s: f64) -> Self {
        // Cannot fail with these constants; a run without figures is better than none.
        let lateness_ns = Histogram::new_with_bounds(1, LONGEST_NS, DIGITS).ok();
        Self { begin_s, period_s, next: 1, missed: 0, lateness_ns }
    }

    /// When the next one is, s.
    pub fn next_s(&self) -> f64 {
        self.at_s(self.next)
    }

    /// Notes that something was published that serves all deadlines up to now. Those that are more
    /// than a period ago are missed: the next one was due by then.
    pub fn serve(&mut self, now_s: f64) {
        let mut passed = ((now_s - self.begin_s) / self.period_s).max(0.0) as u64;
        // Rounding must not lose or invent one.
        while self.at_s(passed + 1) <= now_s {
            passed += 1;
        }
        while passed > 0 && self.at_s(passed) > now_s {
            passed -= 1;
        }
        let waiting = (passed + 1).saturating_sub(self.next);
        if waiting > MOST_AT_ONCE {
            let together = waiting - MOST_AT_ONCE;
            self.note(now_s - self.next_s(), together);
            self.next += together;
        }
        while self.next <= passed {
            self.note(now_s - self.next_s(), 1);
            self.next += 1;
        }
    }

    fn note(&mut self, late_s: f64, count: u64) {
        if late_s > self.period_s {
            self.missed += count;
        }
        if let Some(histogram) = &mut self.lateness_ns {
            histogram.saturating_record_n((late_s * 1e9) as u64, count);
        }
    }

    /// How many were missed.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// How late they were so far.
    pub fn lateness(&self) -> Lateness {
        let Some(histogram) = &self.lateness_ns else { return Lateness::default() };
        let at = |quantile| histogram.value_at_quantile(quantile) as f64 * 1e-9;
        Lateness {
            p50: at(0.5),
            p99: at(0.99),
            p999: at(0.999),
            max: histogram.max() as f64 * 1e-9,
        }
    }

    /// Adds what another run has noted of its deadlines.
    pub fn add_figures_of(&mut self, other: &Self) {
        self.missed += other.missed;
        if let (Some(own), Some(theirs)) = (&mut self.lateness_ns, &other.lateness_ns) {
            // Both have the same bounds, so all of it fits.
            let _ = own.add(theirs);
        }
    }

    fn at_s(&self, number: u64) -> f64 {
        self.begin_s + number as f64 * self.period_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lateness_counts_from_the_deadline_and_a_period_late_is_missed() {
        let mut ticks = Deadlines::new(10.0, 1e-3);
        for i in 1..=1000 {
            ticks.serve(10.0 + f64::from(i) * 1e-3 + 1e-4);
        }
        let late = ticks.lateness();
        assert_eq!(ticks.missed(), 0);
        assert!((late.p50 / 1e-4 - 1.0).abs() < 0.02 && (late.max / 1e-4 - 1.0).abs() < 0.02);
        // 3.5 ms without publishing: the next three are missed, the fourth is half a tick late.
        ticks.serve(11.0 + 4.5e-3);
        assert_eq!(ticks.missed(), 3);
        assert!((ticks.lateness().max / 3.5e-3 - 1.0).abs() < 0.02);
        assert!((ticks.next_s() - 11.005).abs() < 1e-9, "no drift: {}", ticks.next_s());
    }

    #[test]
    fn a_long_sleep_is_counted_whole_and_at_once() {
        let mut ticks = Deadlines::new(0.0, 1e-3);
        ticks.serve(3600.0 + 5e-4);
        assert_eq!(ticks.missed(), 3_599_999);
        assert!((ticks.next_s() - 3600.001).abs() < 1e-6);
    }

    #[test]
    fn figures_of_two_runs_add_up() {
        let mut first = Deadlines::new(0.0, 1e-3);
        first.serve(2.5e-3);
        let mut second = Deadlines::new(100.0, 1e-3);
        second.serve(100.0013);
        first.add_figures_of(&second);
        assert_eq!(first.missed(), 1);
        assert!((first.lateness().p50 / 5e-4 - 1.0).abs() < 0.02, "{:?}", first.lateness());
        assert!((first.lateness().max / 1.5e-3 - 1.0).abs() < 0.02);
    }

    #[test]
    fn looking_early_serves_nothing() {
        let mut ticks = Deadlines::new(0.0, 1e-3);
        ticks.serve(0.9e-3);
        assert_eq!(ticks.lateness(), Lateness::default());
        assert!((ticks.next_s() - 1e-3).abs() < 1e-12);
    }
}
