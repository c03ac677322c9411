//! Memory that a run no longer needs.
#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    allow(unsafe_code, reason = "the allocator is told by calls of the C library")
)]

/// From so many bytes on, what is freed goes back to the system at once.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 1 << 20;

/// Lets what is freed from now on go back to the system at once where it is a block of 1 MiB or more, or so
/// much at the end of a thread's memory.
///
/// The allocator would else learn from each large block that is freed to keep others of its size, up to
/// 64 MiB for each of a dozen threads: whatever viewers, readers of maps and the like had at some time.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    for parameter in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: the call takes two numbers, and any thread may make it at any time.
        unsafe {
            libc::mallopt(parameter, LARGE);
        }
    }
}

/// Gives memory that was freed back to the system.
///
/// The allocator keeps what each thread has freed for that thread's next requests. Worlds that are read
/// by several threads, one after the other, would add up to several times what one of them takes. Not
/// for the simulation's thread: it takes milliseconds.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call takes no pointer, and any thread may make it at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}
