//! How a run went.

use crate::live::Lateness;
use crate::pace::Pace;

/// How a run went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Steps done.
    pub steps: u64,
    /// Simulated time, s.
    pub simulated_s: f64,
    /// Wall time, s.
    pub wall_s: f64,
    /// Simulated time by wall time.
    pub real_time_factor: f64,
    /// How often the run fell so far behind its speed that it gave the lag up.
    pub missed: u64,
    /// Wall time given up, s.
    pub missed_s: f64,
    /// Of a live run: ticks that were published after the next one was due.
    pub missed_ticks: u64,
    /// Of a live run: frames that were published after the next one was due.
    pub missed_frames: u64,
    /// Of a live run: how late its ticks were.
    pub tick_lateness: Lateness,
    /// Of a live run: how late its frames were.
    pub frame_lateness: Lateness,
    /// Of a live run: requests that were refused because too many waited.
    pub refused_timed_requests: u64,
    /// Of a live run: what was asked of the world in vain: actions that it refused, and joins and
    /// answers of lock step that did not fit.
    pub refused_requests: u64,
}

impl Report {
    /// The report of so many steps and so much time.
    pub(crate) fn new(steps: u64, simulated_s: f64, wall_s: f64, pace: &Pace) -> Self {
        Self {
            steps,
            simulated_s,
            wall_s,
            real_time_factor: if wall_s > 0.0 { simulated_s / wall_s } else { 0.0 },
            missed: pace.missed(),
            missed_s: pace.missed_s(),
            ..Self::default()
        }
    }
}
