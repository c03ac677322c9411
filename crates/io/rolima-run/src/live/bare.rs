//! A loop without a simulation: what lateness this machine alone causes.

use super::contract::{FRAME_S, TICK_S};
use super::deadlines::Deadlines;
use std::time::Instant;

/// A loop that only sleeps until each tick, for so long: what this machine can do at best. How late
/// it met the deadlines of a live run, ticks and frames.
pub fn bare_loop(seconds: f64) -> [Deadlines; 2] {
    let start = Instant::now();
    bare_loop_while(|| start.elapsed().as_secs_f64() < seconds)
}

/// The same for as long as it is to go on.
pub fn bare_loop_while(goes_on: impl Fn() -> bool) -> [Deadlines; 2] {
    let start = Instant::now();
    let now_s = || start.elapsed().as_secs_f64();
    let mut deadlines = [Deadlines::new(0.0, TICK_S), Deadlines::new(0.0, FRAME_S)];
    while goes_on() {
        sleep_until(start, deadlines[0].next_s());
        let now_s = now_s();
        deadlines.iter_mut().for_each(|d| d.serve(now_s));
    }
    deadlines
}

/// Sleeps by clock_nanosleep until an absolute time.
#[cfg(target_os = "linux")]
fn sleep_until(start: Instant, at_s: f64) {
    use rustix::thread::{ClockId, clock_nanosleep_absolute};
    use rustix::time::Timespec;
    // `Instant` is this clock; its zero is not told, but the way from now to then is.
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let left_ns = ((at_s - start.elapsed().as_secs_f64()) * 1e9).max(0.0) as i64;
    let ns = now.tv_nsec + left_ns;
    let until = Timespec { tv_sec: now.tv_sec + ns / 1_000_000_000, tv_nsec: ns % 1_000_000_000 };
    let _ = clock_nanosleep_absolute(ClockId::Monotonic, &until);
}

#[cfg(not(target_os = "linux"))]
fn sleep_until(start: Instant, at_s: f64) {
    let left_s = at_s - start.elapsed().as_secs_f64();
    std::thread::sleep(std::time::Duration::try_from_secs_f64(left_s).unwrap_or_default());
}
