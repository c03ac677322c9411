//! Functions with handles, for several robots and threads, that tell what went wrong.
//!
//! Every function gives `ROBOT_ONE_STATUS_DONE` (0) or what went wrong; `robotone_error` tells more
//! of it. A handle may be used by several threads; one call at a time goes out.
#![allow(unsafe_code)] // raw pointers of C

use crate::memory::{bytes, copy, text};
use rolima_robotone::{Dialect, Options, RobotOne, RobotOneError};
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A connection to a robot.
pub struct RobotOneHandle {
    robot: Mutex<RobotOne>,
}

/// How requests and replies are framed.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum RobotOneDialect {
    /// As the thesis describes it, port 5047: it tells when something was not done.
    Thesis = 0,
    /// As the released programs speak, port 5046.
    Release = 1,
}

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotOneStatus {
    /// It was done.
    Done = 0,
    /// The simulator did not do it; `robotone_error` says why, as far as the simulator tells.
    NotDone = 1,
    /// The connection is lost: close the handle, open another.
    Lost = 2,
    /// The answer makes no sense.
    BadReply = 3,
    /// The call makes no sense: null where something belongs, too little room.
    BadCall = 4,
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

pub(crate) fn bad_call(what: &str) -> RobotOneStatus {
    tell(what);
    RobotOneStatus::BadCall
}

/// Calls the robot of a handle.
///
/// # Safety
/// `handle` is null or open.
pub(crate) unsafe fn call(
    handle: *const RobotOneHandle,
    call: impl FnOnce(&mut RobotOne) -> Result<(), RobotOneError>,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    let Some(handle) = (unsafe { handle.as_ref() }) else { return bad_call("no handle") };
    let mut robot = handle.robot.lock().unwrap_or_else(PoisonError::into_inner);
    let Err(error) = call(&mut robot) else { return RobotOneStatus::Done };
    tell(&error.to_string());
    match error {
        RobotOneError::NotDone { .. } => RobotOneStatus::NotDone,
        RobotOneError::BadReply { .. } => RobotOneStatus::BadReply,
        RobotOneError::Connect { .. } | RobotOneError::Lost(_) => RobotOneStatus::Lost,
    }
}

/// What went wrong last on this thread; valid until the next call on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn robotone_error() -> *const c_char {
    ERROR.try_with(|error| error.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Connects to "HOST" or "HOST:PORT", at the dialect's own port unless one is given; null if it
/// failed. `dialect` is one of `RobotOneDialect`, `timeout_s` how long an answer may take, 0 for ever.
///
/// # Safety
/// `address` is null (this machine) or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_open(
    address: *const c_char,
    dialect: c_int,
    timeout_s: f64,
) -> *mut RobotOneHandle {
    // SAFETY: the caller's promise.
    let address = unsafe { text(address) }.unwrap_or("127.0.0.1");
    let timeout = (timeout_s > 0.0).then(|| Duration::try_from_secs_f64(timeout_s).ok()).flatten();
    const THESIS: c_int = RobotOneDialect::Thesis as c_int;
    const RELEASE: c_int = RobotOneDialect::Release as c_int;
    let dialect = match dialect {
        THESIS => Dialect::Thesis,
        RELEASE => Dialect::Release,
        other => {
            tell(&format!("expected a dialect, {THESIS} or {RELEASE}, got {other}"));
            return std::ptr::null_mut();
        }
    };
    let options = Options { dialect, read_timeout: timeout, ..Options::default() };
    match RobotOne::connect_with(address, options) {
        Ok(robot) => Box::into_raw(Box::new(RobotOneHandle { robot: Mutex::new(robot) })),
        Err(error) => {
            tell(&error.to_string());
            std::ptr::null_mut()
        }
    }
}

/// Ends the connection: the robot stops, and people can drive it. Null is fine.
///
/// # Safety
/// `handle` is null, or open and not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_close(handle: *mut RobotOneHandle) {
    if !handle.is_null() {
        // SAFETY: it came from `robotone_open`, and the caller promises that nobody uses it.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// A number by its name.
///
/// # Safety
/// `handle` is null or open, `name` null or a string, `value` null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_get(
    handle: *const RobotOneHandle,
    name: *const c_char,
    value: *mut f32,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    let (Some(name), Some(value)) = (unsafe { (text(name), value.as_mut()) }) else {
        return bad_call("no name, or no room for a number");
    };
    // SAFETY: the caller's promise.
    unsafe {
        call(handle, |robot| {
            *value = robot.get(name)?;
            Ok(())
        })
    }
}

/// Sets a number by its name.
///
/// # Safety
/// `handle` is null or open, `name` null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_set(
    handle: *const RobotOneHandle,
    name: *const c_char,
    value: f32,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    let Some(name) = (unsafe { text(name) }) else { return bad_call("no name") };
    // SAFETY: the caller's promise.
    unsafe { call(handle, |robot| robot.set(name, value).map(|_| ())) }
}

/// Gives an actuator of the robot a value, in its own unit (V, N m, rad/s or rad), until told otherwise:
/// the motor of a wheel, or a joint that steers one. A name that the robot does not have is a bad call.
///
/// # Safety
/// `handle` is null or open, `name` null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_actuate(
    handle: *const RobotOneHandle,
    name: *const c_char,
    value: f32,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    let Some(name) = (unsafe { text(name) }) else { return bad_call("no name") };
    let mut known = true;
    // SAFETY: the caller's promise.
    let status = unsafe {
        call(handle, |robot| {
            known = robot.actuate(name, value)?;
            Ok(())
        })
    };
    if known { status } else { bad_call("the robot has no actuator of this name") }
}

/// Numbers by their name, or the one number that it has. `count` gets how many there are, also if
/// there is too little room.
///
/// # Safety
/// `handle` is null or open, `name` null or a string, `out` null or room for `room` numbers, `count`
/// null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_get_floats(
    handle: *const RobotOneHandle,
    name: *const c_char,
    out: *mut f32,
    room: usize,
    count: *mut usize,
) -> RobotOneStatus {
    let mut floats = vec![];
    // SAFETY: the caller's promise.
    let Some(name) = (unsafe { text(name) }) else { return bad_call("no name") };
    // SAFETY: the caller's promise.
    unsafe {
        let status = call(handle, |robot| {
            floats = robot.get_one_or_more(name)?;
            Ok(())
        });
        hand_out(status, &floats, out, room, count)
    }
}

/// Bytes by their name. `count` gets how many there are, also if there is too little room.
///
/// # Safety
/// `handle` is null or open, `name` null or a string, `out` null or room for `room` bytes, `count`
/// null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_get_data(
    handle: *const RobotOneHandle,
    name: *const c_char,
    out: *mut u8,
    room: usize,
    count: *mut usize,
) -> RobotOneStatus {
    let mut data = vec![];
    // SAFETY: the caller's promise.
    let Some(name) = (unsafe { text(name) }) else { return bad_call("no name") };
    // SAFETY: the caller's promise.
    unsafe {
        let status = call(handle, |robot| {
            data = robot.get_data(name)?;
            Ok(())
        });
        hand_out(status, &data, out, room, count)
    }
}

/// Hands out what was got, if there is room.
///
/// # Safety
/// `out` is null or room for `room` elements, `count` null or can be written to.
unsafe fn hand_out<T: Copy>(
    status: RobotOneStatus,
    got: &[T],
    out: *mut T,
    room: usize,
    count: *mut usize,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    if let Some(count) = unsafe { count.as_mut() } {
        *count = got.len();
    }
    if status != RobotOneStatus::Done {
        return status;
    }
    if got.len() > room || (out.is_null() && !got.is_empty()) {
        return bad_call(&format!("expected room for {} elements, got {room}", got.len()));
    }
    // SAFETY: there is room, as the caller promises.
    unsafe { copy(got, out) };
    RobotOneStatus::Done
}

/// Sets so many bytes by their name.
///
/// # Safety
/// `handle` is null or open, `name` null or a string, `data` null or so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_set_data(
    handle: *const RobotOneHandle,
    name: *const c_char,
    data: *const u8,
    size: usize,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    let (Some(name), Some(data)) = (unsafe { (text(name), bytes(data, size)) }) else {
        return bad_call("no name, or no data");
    };
    // SAFETY: the caller's promise.
    unsafe { call(handle, |robot| robot.set_data(name, data).map(|_| ())) }
}

/// Waits for the next cycle of the simulation; `passed_s` gets how much simulated time has passed
/// since the wait before, s, unless it is null.
///
/// # Safety
/// `handle` is null or open, `passed_s` null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_wait(
    handle: *const RobotOneHandle,
    passed_s: *mut f32,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    unsafe {
        call(handle, |robot| {
            let passed = robot.wait()?;
            copy(&[passed], passed_s);
            Ok(())
        })
    }
}

/// Reads the lidar, from the left to the right: distances (m) and true bearings (rad, 0 ahead,
/// negative to the left). Each of the two is null or has room for `room` numbers. `robotone_scan`
/// has points and bearings in the robot's frame.
///
/// # Safety
/// `handle` is null or open; the rest as said, `count` null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_lidar(
    handle: *const RobotOneHandle,
    distances: *mut f32,
    bearings: *mut f32,
    room: usize,
    count: *mut usize,
) -> RobotOneStatus {
    let mut scan = Default::default();
    // SAFETY: the caller's promise.
    unsafe {
        let status = call(handle, |robot| {
            scan = robot.lidar()?;
            Ok(())
        });
        if !bearings.is_null() && status == RobotOneStatus::Done && scan.angles.len() <= room {
            copy(&scan.angles, bearings);
        }
        hand_out(status, &scan.readings, distances, room, count)
    }
}
