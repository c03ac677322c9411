//! A robot that drives, and how vision sees it.
#![allow(missing_docs, unreachable_pub)]

use rolima_math::{Pose2, Stream, normal_quantile};
use rolima_nav::drive::Parameters;
use rolima_nav::{Drive, MotorVolts};

/// Between frames, s.
pub const PERIOD: f64 = 0.03;

/// The minirobot.
pub fn drive() -> Drive {
    let parameters = Parameters { inertia: 3.3e-4, ..Parameters::THESIS };
    parameters.drive().expect("a drive")
}

/// Voltages that wander, held for ten frames.
pub fn voltages(random: &mut Stream, frame: u32, last: MotorVolts) -> MotorVolts {
    if frame.is_multiple_of(10) {
        MotorVolts { right: random.between(-4.0, 5.0), left: random.between(-4.0, 5.0) }
    } else {
        last
    }
}

/// A pose as vision sees it, with standard errors in m and rad.
pub fn blurred(random: &mut Stream, pose: Pose2, position: f64, heading: f64) -> Pose2 {
    let mut normal = || normal_quantile(random.between(1e-12, 1.0));
    let (x, y, t) = (normal() * position, normal() * position, normal() * heading);
    Pose2::new(pose.position.x + x, pose.position.y + y, pose.theta() + t)
}
