//! A scan in the robot's frame.
#![allow(unsafe_code)] // raw pointers of C

use crate::handles::{RobotOneHandle, RobotOneStatus, bad_call, call};
use crate::memory::{allocate, copy, free};

/// A scan, from the left to the right. All zero before the first `robotone_scan`.
#[repr(C)]
pub struct RobotOneScan {
    /// How many beams.
    pub size: usize,
    /// Distances, m; what is out of reach reads 8.
    pub distances: *mut f32,
    /// The same distances, by their released name.
    pub readings: *mut f32,
    /// Bearings in the robot's frame, rad: 0 ahead, counter-clockwise, so positive to the left.
    pub bearings: *mut f32,
    /// Where the beams ended in the robot's frame, m: x (forward) and y (to the left) of each beam,
    /// one after the other, from the robot's origin.
    pub points: *mut f32,
}

/// Reads the lidar. What `scan` had before is freed or written over; `robotone_scan_free` frees it.
///
/// # Safety
/// `handle` is null or open; `scan` is null, all zero, or was used with this function before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_scan(
    handle: *const RobotOneHandle,
    scan: *mut RobotOneScan,
) -> RobotOneStatus {
    // SAFETY: the caller's promise.
    let Some(scan) = (unsafe { scan.as_mut() }) else { return bad_call("no scan") };
    let mut found = Default::default();
    // SAFETY: the caller's promise.
    let status = unsafe {
        call(handle, |robot| {
            found = robot.lidar()?;
            Ok(())
        })
    };
    if status != RobotOneStatus::Done {
        return status;
    }
    let size = found.readings.len();
    if scan.size != size || scan.distances.is_null() {
        // SAFETY: all zero, or from here.
        unsafe { robotone_scan_free(scan) };
        scan.distances = allocate(size);
        scan.readings = scan.distances;
        scan.bearings = allocate(size);
        scan.points = allocate(2 * size);
        if scan.distances.is_null() || scan.bearings.is_null() || scan.points.is_null() {
            // SAFETY: from here.
            unsafe { robotone_scan_free(scan) };
            return bad_call("no memory for a scan");
        }
        scan.size = size;
    }
    // SAFETY: there is room for so many in each.
    unsafe {
        copy(&found.readings, scan.distances);
        copy(&found.bearings, scan.bearings);
        copy(found.points.as_flattened(), scan.points);
    }
    RobotOneStatus::Done
}

/// Frees what a scan holds; it is all zero then. Null is fine.
///
/// # Safety
/// `scan` is null, all zero, or was used with `robotone_scan`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn robotone_scan_free(scan: *mut RobotOneScan) {
    // SAFETY: the caller's promise.
    let Some(scan) = (unsafe { scan.as_mut() }) else { return };
    for row in [scan.distances, scan.bearings, scan.points] {
        // SAFETY: null, or from `robotone_scan`; the other name of the distances is not freed again.
        unsafe { free(row) };
    }
    let none = std::ptr::null_mut();
    *scan = RobotOneScan { size: 0, distances: none, readings: none, bearings: none, points: none };
}
