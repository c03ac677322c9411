//! CPU time, where the system tells it; else wall time.

/// CPU time that this thread has used, s.
#[cfg(unix)]
pub(super) fn thread_cpu_s() -> f64 {
    seconds(rustix::time::ClockId::ThreadCPUTime)
}

/// CPU time that all threads of this process have used, s.
#[cfg(unix)]
pub(super) fn process_cpu_s() -> f64 {
    seconds(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn seconds(clock: rustix::time::ClockId) -> f64 {
    let time = rustix::time::clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Wall time: this system tells no CPU time without unsafe code.
#[cfg(not(unix))]
pub(super) fn thread_cpu_s() -> f64 {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_secs_f64()
}

/// Wall time: this system tells no CPU time without unsafe code.
#[cfg(not(unix))]
pub(super) fn process_cpu_s() -> f64 {
    thread_cpu_s()
}
