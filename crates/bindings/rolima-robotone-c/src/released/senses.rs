//! Lidar and camera.
#![allow(unsafe_code)] // raw pointers of C

use super::only::ask;
use crate::memory::{allocate, copy, free};
use rolima_robotone::RobotOne;
use std::ffi::{c_char, c_int};

/// A picture. All zero before `initCamera`.
#[repr(C)]
pub struct CameraData {
    /// Pixels across.
    pub width: c_int,
    /// Pixels down.
    pub height: c_int,
    /// Bytes a pixel: red, green, blue.
    pub channels: c_int,
    /// Bytes in all.
    pub size: c_int,
    /// The bytes, top row first.
    pub data: *mut c_char,
}

/// A scan, from the left to the right. All zero before `initLidar`.
#[repr(C)]
pub struct LidarData {
    /// How many readings.
    pub size: c_int,
    /// Distances, m.
    pub readings: *mut f32,
    /// Bearings as the released library has them, rad: reading i of n is at -pi/2 + i pi/n. In
    /// truth it is one step further to the right, see `robotone_lidar`.
    pub angles: *mut f32,
    /// To the right, m, by those bearings.
    pub x: *mut f32,
    /// Ahead, m, by those bearings.
    pub y: *mut f32,
}

/// Makes room for so many readings; what was there before is freed.
///
/// # Safety
/// `lidarData` is null, all zero, or was used with this library before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn initLidar(lidarData: *mut LidarData, size: c_int) {
    // SAFETY: the caller's promise.
    let Some(lidar) = (unsafe { lidarData.as_mut() }) else { return };
    let count = usize::try_from(size).unwrap_or(0);
    for row in [&mut lidar.readings, &mut lidar.angles, &mut lidar.x, &mut lidar.y] {
        // SAFETY: null, or from here.
        unsafe { free(*row) };
        *row = allocate(count);
    }
    let rows = [lidar.readings, lidar.angles, lidar.x, lidar.y];
    let has_room = rows.iter().all(|row| !row.is_null());
    lidar.size = if has_room { size.max(0) } else { 0 };
}

/// Reads the lidar; how many readings there are, 0 if it failed.
///
/// # Safety
/// `lidarData` is null, all zero, or was used with this library before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn readLidar(lidarData: *mut LidarData) -> c_int {
    let Some(scan) = ask(RobotOne::lidar) else { return 0 };
    // SAFETY: the caller's promise.
    let Some(lidar) = (unsafe { lidarData.as_mut() }) else { return 0 };
    let Ok(size) = c_int::try_from(scan.readings.len()) else { return 0 };
    if lidar.size != size {
        // SAFETY: the caller's promise.
        unsafe { initLidar(lidar, size) };
    }
    if lidar.size != size {
        return 0;
    }
    let scan = scan.as_labelled_in_the_release();
    // SAFETY: there is room for so many in each.
    unsafe {
        copy(&scan.readings, lidar.readings);
        copy(&scan.angles, lidar.angles);
        copy(&scan.x, lidar.x);
        copy(&scan.y, lidar.y);
    }
    size
}

/// Makes room for a picture; what was there before is freed.
///
/// # Safety
/// `cameraData` is null, all zero, or was used with this library before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn initCamera(cameraData: *mut CameraData) {
    // SAFETY: the caller's promise.
    let Some(camera) = (unsafe { cameraData.as_mut() }) else { return };
    // SAFETY: null, or from here.
    unsafe { free(camera.data) };
    (camera.width, camera.height, camera.channels) = (320, 240, 3);
    camera.size = camera.width * camera.height * camera.channels;
    camera.data = allocate(camera.size as usize);
    if camera.data.is_null() {
        camera.size = 0;
    }
}

/// Takes a picture; how many bytes it has, 0 if it failed.
///
/// # Safety
/// `cameraData` is null, or was used with `initCamera`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn captureCamera(cameraData: *mut CameraData) -> c_int {
    let Some(picture) = ask(RobotOne::capture) else { return 0 };
    // SAFETY: the caller's promise.
    let Some(camera) = (unsafe { cameraData.as_mut() }) else { return 0 };
    if usize::try_from(camera.size).ok() != Some(picture.rgb.len()) {
        return 0;
    }
    // SAFETY: there is room for so many.
    unsafe { copy(&picture.rgb, camera.data.cast()) };
    camera.size
}
