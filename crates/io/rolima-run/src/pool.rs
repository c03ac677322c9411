//! The threads of a large world or of a batch of worlds.

/// Most threads of a pool.
pub const MAX_THREADS: usize = 1024;

/// Why there are no threads.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// A number of threads that cannot be.
    #[error("expected 1 to {MAX_THREADS} threads, got {0}")]
    Count(usize),
    /// The system refused.
    #[error("the system starts no {0} threads: {1}")]
    System(usize, #[source] rayon::ThreadPoolBuildError),
}

/// A pool of threads. A world stepped inside `pool.install(...)` uses these and no others.
///
/// The number of threads changes the speed of large worlds, but no bit of what happens in them.
pub fn thread_pool(threads: usize) -> Result<rayon::ThreadPool, PoolError> {
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(PoolError::Count(threads));
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("rolima-{i}"))
        .build()
        .map_err(|error| PoolError::System(threads, error))
}

/// How many threads the machine runs at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
