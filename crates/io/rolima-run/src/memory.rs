//! Memory that a run no longer needs.

/// Gives memory that was freed back to the system.
///
/// The allocator keeps what each thread has freed for that thread's next requests. Worlds that are read
/// by several threads, one after the other, would add up to several times what one of them takes. Not
/// for the simulation's thread: it takes milliseconds.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: the call takes no pointer, and any thread may make it at any time.
        #[allow(unsafe_code)]
        unsafe {
            libc::malloc_trim(0);
        }
    }
}
