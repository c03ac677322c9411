//! CPU time, so that other work on the machine hardly disturbs the figures.

use std::sync::OnceLock;
use std::time::Instant;

/// CPU time of this thread in seconds since some fixed moment; wall time where the system does not
/// tell.
pub fn cpu_s() -> f64 {
    scheduled_s().unwrap_or_else(|| {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    })
}

/// What Linux says of the time that this thread ran.
fn scheduled_s() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds * 1e-9)
}
