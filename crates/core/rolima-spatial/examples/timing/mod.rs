//! The clock of the examples that measure.

/// CPU time of this thread, s.
#[cfg(unix)]
pub(crate) fn cpu_s() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Wall time where there is no other.
#[cfg(not(unix))]
pub(crate) fn cpu_s() -> f64 {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed().as_secs_f64()
}

/// CPU time that something takes, s.
pub(crate) fn timed(work: impl FnOnce()) -> f64 {
    let begin = cpu_s();
    work();
    cpu_s() - begin
}
