//! Poses, velocities, errors, switches.
#![allow(unsafe_code)] // raw pointers of C

use super::only::ask;
use rolima_robotone::RobotOne;

/// Three numbers: x, y (m) and heading (rad).
#[repr(C)]
pub struct Value3 {
    /// The numbers.
    pub values: [f32; 3],
}

/// Two numbers: m/s and rad/s, or left and right.
#[repr(C)]
pub struct Value2 {
    /// The numbers.
    pub values: [f32; 2],
}

/// True x, y (m) and heading (rad).
///
/// # Safety
/// `pose` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getPose(pose: *mut Value3) {
    let values = ask(RobotOne::pose).unwrap_or_default();
    // SAFETY: the caller's promise.
    if let Some(pose) = unsafe { pose.as_mut() } {
        pose.values = values;
    }
}

/// Puts the robot elsewhere.
///
/// # Safety
/// `pose` is null or can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setPose(pose: *mut Value3) {
    // SAFETY: the caller's promise.
    if let Some(pose) = unsafe { pose.as_ref() } {
        ask(|robot| robot.set_pose(pose.values));
    }
}

/// Where the robot believes to be: x, y (m) and heading (rad).
///
/// # Safety
/// `pose` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getOdometry(pose: *mut Value3) {
    let values = ask(RobotOne::odometry).unwrap_or_default();
    // SAFETY: the caller's promise.
    if let Some(pose) = unsafe { pose.as_mut() } {
        pose.values = values;
    }
}

/// Makes the robot believe to be elsewhere, where the other side has that.
///
/// # Safety
/// `pose` is null or can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setOdometry(pose: *mut Value3) {
    // SAFETY: the caller's promise.
    if let Some(pose) = unsafe { pose.as_ref() } {
        ask(|robot| robot.set_odometry(pose.values));
    }
}

/// Error of the executed motion, m and rad a cycle.
///
/// # Safety
/// `odometryStd` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getOdometryStd(odometryStd: *mut Value2) {
    let values = ask(RobotOne::odometry_std).unwrap_or_default();
    // SAFETY: the caller's promise.
    if let Some(odometryStd) = unsafe { odometryStd.as_mut() } {
        odometryStd.values = values;
    }
}

/// Sets the error of the executed motion.
///
/// # Safety
/// `odometryStd` is null or can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setOdometryStd(odometryStd: *mut Value2) {
    // SAFETY: the caller's promise.
    if let Some(odometryStd) = unsafe { odometryStd.as_ref() } {
        ask(|robot| robot.set_odometry_std(odometryStd.values));
    }
}

/// Measured x, y (m) and heading (rad).
///
/// # Safety
/// `gps` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getGPS(gps: *mut Value3) {
    let values = ask(RobotOne::gps).unwrap_or_default();
    // SAFETY: the caller's promise.
    if let Some(gps) = unsafe { gps.as_mut() } {
        gps.values = values;
    }
}

/// Errors of GPS and compass, m, m, rad.
///
/// # Safety
/// `gpsStd` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getGPSStd(gpsStd: *mut Value3) {
    let values = ask(RobotOne::gps_std).unwrap_or_default();
    // SAFETY: the caller's promise.
    if let Some(gpsStd) = unsafe { gpsStd.as_mut() } {
        gpsStd.values = values;
    }
}

/// Sets the errors of GPS and compass.
///
/// # Safety
/// `gpsStd` is null or can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setGPSStd(gpsStd: *mut Value3) {
    // SAFETY: the caller's promise.
    if let Some(gpsStd) = unsafe { gpsStd.as_ref() } {
        ask(|robot| robot.set_gps_std(gpsStd.values));
    }
}

/// Commanded speed, m/s and rad/s.
///
/// # Safety
/// `velocity` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getVelocity(velocity: *mut Value2) {
    let values = ask(RobotOne::velocity).unwrap_or_default();
    // SAFETY: the caller's promise.
    if let Some(velocity) = unsafe { velocity.as_mut() } {
        velocity.values = values;
    }
}

/// Drives with m/s and rad/s.
///
/// # Safety
/// `velocity` is null or can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setVelocity(velocity: *mut Value2) {
    // SAFETY: the caller's promise.
    if let Some(velocity) = unsafe { velocity.as_ref() } {
        ask(|robot| robot.set_velocity(velocity.values));
    }
}

/// Speeds of the left and the right wheel, rad/s.
///
/// # Safety
/// `wheels` is null or can be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getWheels(wheels: *mut Value2) {
    let values = ask(RobotOne::wheels).unwrap_or_default();
    // SAFETY: the caller's promise.
    if let Some(wheels) = unsafe { wheels.as_mut() } {
        wheels.values = values;
    }
}

/// Turns the left and the right wheel; obeyed under low-level control.
///
/// # Safety
/// `wheels` is null or can be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setWheels(wheels: *mut Value2) {
    // SAFETY: the caller's promise.
    if let Some(wheels) = unsafe { wheels.as_ref() } {
        ask(|robot| robot.set_wheels(wheels.values));
    }
}

/// Whether wheels are commanded, rather than the robot's velocity.
#[unsafe(no_mangle)]
pub extern "C" fn getLowLevelControl() -> bool {
    ask(RobotOne::low_level_control).unwrap_or(false)
}

/// Commands wheels, or the robot's velocity.
#[unsafe(no_mangle)]
pub extern "C" fn setLowLevelControl(enabled: bool) {
    ask(|robot| robot.set_low_level_control(enabled));
}

/// Whether true path and believed path are drawn.
#[unsafe(no_mangle)]
pub extern "C" fn getTrace() -> bool {
    ask(RobotOne::trace).unwrap_or(false)
}

/// Draws true path and believed path.
#[unsafe(no_mangle)]
pub extern "C" fn setTrace(enabled: bool) {
    ask(|robot| robot.set_trace(enabled));
}

/// Whether people may drive while this program is connected.
#[unsafe(no_mangle)]
pub extern "C" fn getManualController() -> bool {
    ask(RobotOne::manual).unwrap_or(false)
}

/// Lets people drive while this program is connected.
#[unsafe(no_mangle)]
pub extern "C" fn setManualController(enabled: bool) {
    ask(|robot| robot.set_manual(enabled));
}
