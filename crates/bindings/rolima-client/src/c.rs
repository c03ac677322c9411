//! Whole camera frames for programs in C: handles, and what went wrong in words.
//!
//! A handle is for one thread at a time. Pictures that a handle gives stay as they are until it is asked for the next
//! one, or closed.
#![allow(unsafe_code)] // raw pointers of C

use crate::{CameraClient, CameraEvent, CameraOptions, Transport};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_double, c_int};
use std::ptr;
use std::time::Duration;

/// A camera.
pub struct RolimaCamera {
    client: CameraClient,
}

/// What frames come by.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum RolimaTransport {
    /// A stream.
    Tcp = 0,
    /// Datagrams.
    Udp = 1,
}

const UDP: c_int = RolimaTransport::Udp as c_int;

/// What `rolima_camera_next` gives.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RolimaCameraEvent {
    /// Nothing came in time.
    Nothing = 0,
    /// A frame.
    Frame = 1,
    /// In lock step the world waits for `rolima_camera_done`.
    Turn = 2,
    /// The run is over.
    End = 3,
    /// The connection is lost, or the call makes no sense; `rolima_camera_error` says more. Close the handle.
    Failed = 4,
}

/// A frame, or a turn.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RolimaCameraFrame {
    /// Red, green, blue of each pixel, top row first; null of a turn.
    pub rgb: *const u8,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Counts the camera's pictures, from 1, those that are lost included.
    pub number: u64,
    /// Steps of the world when it was taken; of a turn the step that the world waits at.
    pub step: u64,
    /// Simulated time when it was taken, s.
    pub time_s: c_double,
}

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

fn tell(what: &str) {
    // Zeros would end it early.
    let what = CString::new(what.replace('\0', " ")).unwrap_or_default();
    // A thread that ends tells nothing any more.
    let _ = ERROR.try_with(|error| *error.borrow_mut() = what);
}

fn seconds(time_s: c_double) -> Duration {
    Duration::try_from_secs_f64(time_s).unwrap_or(Duration::ZERO)
}

/// A text of C; empty of null and of what is no UTF-8.
///
/// # Safety
///
/// Null, or a text that ends with a zero.
unsafe fn text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a text that ends with a zero, says the caller.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap_or_default().to_owned()
}

/// What went wrong last in this thread. Valid until the next call of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn rolima_camera_error() -> *const c_char {
    ERROR.try_with(|error| error.borrow().as_ptr()).unwrap_or(ptr::null())
}

/// Connects to a camera at "HOST:PORT", with its token or null, within so many seconds. `transport` is one of
/// `RolimaTransport`. With `lock_step` other than 0
/// the world waits for `rolima_camera_done` at every frame. Null where that fails.
///
/// # Safety
///
/// `address` and `token` are null or texts that end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rolima_camera_open(
    address: *const c_char,
    token: *const c_char,
    transport: c_int,
    lock_step: c_int,
    patience_s: c_double,
) -> *mut RolimaCamera {
    // SAFETY: says the caller.
    let (address, token) = unsafe { (text(address), text(token)) };
    let options = CameraOptions {
        transport: match transport {
            UDP => Transport::Udp,
            _ => Transport::Tcp,
        },
        token,
        lock_step: lock_step != 0,
        patience: seconds(patience_s).max(Duration::from_millis(1)),
    };
    match CameraClient::connect(address.as_str(), &options) {
        Ok(client) => Box::into_raw(Box::new(RolimaCamera { client })),
        Err(error) => {
            tell(&error.to_string());
            ptr::null_mut()
        }
    }
}

/// Waits so many seconds at most for a frame, a turn or the end of the run.
///
/// # Safety
///
/// `camera` is null or an open handle, `out` null or room for a frame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rolima_camera_next(
    camera: *mut RolimaCamera,
    longest_s: c_double,
    out: *mut RolimaCameraFrame,
) -> RolimaCameraEvent {
    // SAFETY: null or an open handle, and null or room, says the caller.
    let (camera, out) = unsafe { (camera.as_mut(), out.as_mut()) };
    let (Some(camera), Some(out)) = (camera, out) else {
        tell("expected a camera and room for a frame, got null");
        return RolimaCameraEvent::Failed;
    };
    let client = &mut camera.client;
    let event = loop {
        match client.next(seconds(longest_s)) {
            Ok(Some(CameraEvent::Camera)) => {}
            Ok(event) => break event,
            Err(error) => {
                tell(&error.to_string());
                return RolimaCameraEvent::Failed;
            }
        }
    };
    let ([width, height], head) = (client.size(), client.head());
    let (number, step, time_s) = (head.number, head.step, head.time_s);
    *out = RolimaCameraFrame { rgb: client.rgb().as_ptr(), width, height, number, step, time_s };
    match event {
        None => RolimaCameraEvent::Nothing,
        Some(CameraEvent::Turn(turn)) => {
            (out.rgb, out.step, out.time_s) = (ptr::null(), turn.step, turn.time_s);
            RolimaCameraEvent::Turn
        }
        Some(CameraEvent::End) => RolimaCameraEvent::End,
        Some(CameraEvent::Frame | CameraEvent::Camera) => RolimaCameraEvent::Frame,
    }
}

/// In lock step: the world may leave the step of a turn. 0 where that could be said.
///
/// # Safety
///
/// `camera` is null or an open handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rolima_camera_done(camera: *mut RolimaCamera, step: u64) -> c_int {
    // SAFETY: null or an open handle, says the caller.
    let Some(camera) = (unsafe { camera.as_mut() }) else {
        tell("expected a camera, got null");
        return 1;
    };
    match camera.client.done(crate::Turn { step, time_s: 0.0 }) {
        Ok(()) => 0,
        Err(error) => {
            tell(&error.to_string());
            1
        }
    }
}

/// Ends a connection; nothing happens with null.
///
/// # Safety
///
/// `camera` is null or an open handle, which is none any more then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rolima_camera_close(camera: *mut RolimaCamera) {
    if !camera.is_null() {
        // SAFETY: it came from `rolima_camera_open`, and is not used any more, says the caller.
        drop(unsafe { Box::from_raw(camera) });
    }
}
