//! The clock of a live run: waits for requests, too.

use super::contract::TimedRequest;
use crate::clock::{Clock, WallClock};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

/// A clock that can wait for a request; tests play their own.
pub trait LiveClock: Clock {
    /// An instant in this clock's time, s.
    fn at_s(&self, instant: Instant) -> f64;

    /// The next request, if it comes before this time, s; a time that has passed means not to wait
    /// at all. May return early without one.
    fn receive(&self, inbox: &Receiver<TimedRequest>, until_s: f64) -> Option<TimedRequest>;
}

impl LiveClock for WallClock {
    fn at_s(&self, instant: Instant) -> f64 {
        self.since_start_s(instant)
    }

    fn receive(&self, inbox: &Receiver<TimedRequest>, until_s: f64) -> Option<TimedRequest> {
        let wait_s = until_s - self.now_s();
        if wait_s <= 0.0 {
            return inbox.try_recv().ok();
        }
        inbox.recv_timeout(Duration::try_from_secs_f64(wait_s).unwrap_or_default()).ok()
    }
}
