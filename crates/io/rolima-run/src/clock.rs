//! Wall time, real or played by a test.

use std::time::Instant;

/// Something that tells wall time.
pub trait Clock {
    /// Wall time since some instant, s; never goes back.
    fn now_s(&self) -> f64;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug)]
pub struct WallClock {
    start: Instant,
}

impl Default for WallClock {
    fn default() -> Self {
        Self { start: Instant::now() }
    }
}

impl WallClock {
    /// An instant in this clock's time, s; zero before it started.
    pub(crate) fn since_start_s(&self, instant: Instant) -> f64 {
        instant.saturating_duration_since(self.start).as_secs_f64()
    }
}

impl Clock for WallClock {
    fn now_s(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}
