//! Strings and memory of the other side.

use std::ffi::{CStr, c_char};

/// A string of the other side; none if it is null or no UTF-8.
///
/// # Safety
/// It is null, or ends with a zero and stays as it is for the time of the call.
#[allow(unsafe_code)]
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: not null, and the caller promises the rest.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// Bytes of the other side; none if there are fewer than none, or none where some are said to be.
///
/// # Safety
/// `data` is null, or points to so many bytes that stay as they are for the time of the call.
#[allow(unsafe_code)]
pub(crate) unsafe fn bytes<'a>(data: *const u8, size: usize) -> Option<&'a [u8]> {
    if size == 0 {
        return Some(&[]);
    }
    if data.is_null() || isize::try_from(size).is_err() {
        return None;
    }
    // SAFETY: not null, not too long, and the caller promises the rest.
    Some(unsafe { std::slice::from_raw_parts(data, size) })
}

/// Copies elements to the other side.
///
/// # Safety
/// `out` is null, or points to room for them.
#[allow(unsafe_code)]
pub(crate) unsafe fn copy<T: Copy>(from: &[T], out: *mut T) {
    if !out.is_null() {
        // SAFETY: not null, room as the caller promises, and no memory of ours.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), out, from.len()) };
    }
}

/// Zeroed memory that C programs can free; null if there is none.
#[allow(unsafe_code)]
pub(crate) fn allocate<T>(count: usize) -> *mut T {
    // SAFETY: any count and size will do; what comes back is checked by who uses it. All bits zero
    // are a value of the numbers that this is used for.
    unsafe { libc::calloc(count.max(1), size_of::<T>()).cast() }
}

/// Frees such memory; null is fine.
///
/// # Safety
/// It comes from [`allocate`] and nobody uses it any more.
#[allow(unsafe_code)]
pub(crate) unsafe fn free<T>(memory: *mut T) {
    // SAFETY: the caller's promise.
    unsafe { libc::free(memory.cast()) };
}
