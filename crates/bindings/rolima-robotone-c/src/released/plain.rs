//! Connecting, waiting, numbers and data by name.
#![allow(unsafe_code)] // raw pointers of C

use super::only::{Only, ask, only};
use crate::memory::{bytes, text};
use rolima_robotone::{Dialect, Options, RobotOne};
use std::ffi::{c_char, c_int};

/// Connects to "HOST" or "HOST:PORT"; this machine, port 5046, if it is null. 1 if it worked, else 0.
///
/// # Safety
/// `address` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn connectRobotOne(address: *const c_char) -> c_int {
    // SAFETY: the caller's promise.
    let address = unsafe { text(address) }.unwrap_or("127.0.0.1");
    let options = Options { dialect: Dialect::Release, ..Options::default() };
    let mut only = only();
    let only = Only::of(&mut only);
    // The one before goes first, so that its robot is free.
    only.robot = None;
    only.robot = RobotOne::connect_with(address, options).ok();
    c_int::from(only.robot.is_some())
}

/// Ends the connection: the robot stops, and people can drive it. 1 if there was one, else 0.
#[unsafe(no_mangle)]
pub extern "C" fn disconnectRobotOne() -> c_int {
    c_int::from(Only::of(&mut only()).robot.take().is_some())
}

/// Version of the library's functions.
#[unsafe(no_mangle)]
pub extern "C" fn versionRobotOne() -> f32 {
    1.0
}

/// Waits for the next cycle of the simulation; how much simulated time has passed since the wait
/// before, s.
#[unsafe(no_mangle)]
pub extern "C" fn waitRobotOne() -> f32 {
    ask(RobotOne::wait).unwrap_or(0.0)
}

/// A number by its name; for data, how many elements they have: `getData` and `getDataFloat` have
/// them.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn get(name: *const c_char) -> f32 {
    // SAFETY: the caller's promise.
    let Some(name) = (unsafe { text(name) }) else { return 0.0 };
    let mut only = only();
    let only = Only::of(&mut only);
    let Some(reply) = only.ask(|robot| robot.get_any(name)) else { return 0.0 };
    if let Some(data) = &reply.data {
        only.keep(data);
    }
    reply.value
}

/// Sets a number by its name; gives it back.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn set(name: *const c_char, value: f32) -> f32 {
    // SAFETY: the caller's promise.
    let Some(name) = (unsafe { text(name) }) else { return 0.0 };
    ask(|robot| robot.set(name, value)).unwrap_or(0.0)
}

/// The data of the last `get`; valid until the next one.
#[unsafe(no_mangle)]
pub extern "C" fn getData() -> *mut c_char {
    Only::of(&mut only()).pointer().cast()
}

/// The data of the last `get` as numbers; valid until the next one.
#[unsafe(no_mangle)]
pub extern "C" fn getDataFloat() -> *mut f32 {
    Only::of(&mut only()).pointer().cast()
}

/// Sets so many bytes by their name.
///
/// # Safety
/// `name` is null or a string, `data` null or so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setData(name: *const c_char, size: c_int, data: *mut c_char) -> f32 {
    // SAFETY: the caller's promise.
    let given = unsafe {
        let size = usize::try_from(size).ok();
        text(name).zip(size.and_then(|size| bytes(data.cast_const().cast(), size)))
    };
    let Some((name, data)) = given else { return 0.0 };
    ask(|robot| robot.set_data(name, data)).unwrap_or(0.0)
}

/// Sets so many numbers by their name.
///
/// # Safety
/// `name` is null or a string, `data` null or so many numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setDataFloat(name: *const c_char, size: c_int, data: *mut f32) -> f32 {
    // SAFETY: the caller's promise.
    let given = unsafe {
        let size = usize::try_from(size).ok();
        let of_bytes = |size| bytes(data.cast_const().cast(), size);
        text(name).zip(size.and_then(|size| size.checked_mul(4)).and_then(of_bytes))
    };
    let Some((name, data)) = given else { return 0.0 };
    // Copied, as those of C may lie anywhere.
    let floats: Vec<f32> =
        data.as_chunks().0.iter().map(|bytes| f32::from_ne_bytes(*bytes)).collect();
    ask(|robot| robot.set_floats(name, &floats)).unwrap_or(0.0)
}
