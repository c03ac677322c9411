//! An allocator that counts, thread by thread.
//!
//! A test program takes it with
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: rolima_testing::heap::Counting = rolima_testing::heap::Counting;
//!
//! let told = rolima_testing::heap::allocations(|| drop(std::hint::black_box(Box::new(1))));
//! assert_eq!(told.count, 1);
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};

/// The system's allocator, which counts what the calling thread asks for and holds.
pub struct Counting;

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
    static WANTED: Cell<bool> = const { Cell::new(false) };
    static FIRST: RefCell<Option<Backtrace>> = const { RefCell::new(None) };
}

/// Notes a request. A thread that ends has no counters any more, which is no failure.
fn note(size: usize) {
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + size));
    if WANTED.try_with(|wanted| wanted.replace(false)).unwrap_or(false) {
        // Taking the backtrace allocates too: that is not counted.
        let (count, bytes, held, most) = (COUNT.get(), BYTES.get(), HELD.get(), MOST.get());
        FIRST.set(Some(Backtrace::force_capture()));
        COUNT.set(count);
        BYTES.set(bytes);
        HELD.set(held);
        MOST.set(most);
    }
}

/// Notes that the thread holds so many bytes more, or fewer.
fn hold(change: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + change);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: every call goes to the system's allocator with the arguments it came with.
#[allow(unsafe_code, reason = "the trait of allocators is unsafe")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        hold(layout.size() as isize);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(layout.size());
        hold(layout.size() as isize);
        // SAFETY: as the caller promised.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(size);
        hold(size as isize - layout.size() as isize);
        // SAFETY: as the caller promised.
        unsafe { System.realloc(old, layout, size) }
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        hold(-(layout.size() as isize));
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(old, layout) }
    }
}

/// What a piece of work asked of the heap.
#[derive(Debug)]
pub struct Allocations {
    /// Requests: new blocks and blocks that changed their size.
    pub count: u64,
    /// Bytes of all requests together.
    pub bytes: usize,
    /// Most bytes that were held at once, beyond those held before.
    pub most_held: usize,
    /// Where the first request came from.
    pub first: Option<Backtrace>,
}

/// What `work` asks of the heap on this thread.
pub fn allocations(work: impl FnOnce()) -> Allocations {
    let (count, bytes, held) = (COUNT.get(), BYTES.get(), HELD.get());
    MOST.set(held);
    WANTED.set(true);
    work();
    WANTED.set(false);
    Allocations {
        count: COUNT.get() - count,
        bytes: BYTES.get() - bytes,
        most_held: (MOST.get() - held).unsigned_abs(),
        first: FIRST.take(),
    }
}

/// Bytes of all requests of this thread so far, for work that is not one closure.
pub fn bytes() -> usize {
    BYTES.get()
}

/// Bytes that this thread has asked for less those that it has given back so far; what another
/// thread asked for counts as well when this one gives it back.
pub fn held() -> isize {
    HELD.get()
}

/// Requests of this thread so far, for work that is not one closure.
pub fn count() -> u64 {
    COUNT.get()
}
