//! Estimation: where a robot is when vision does not say, or says it late (chapter 4).
//!
//! | module | what |
//! |---|---|
//! | [`rls`], [`pose`] | recursive least squares per coordinate, as the thesis has it; needs no model |
//! | [`kalman`] | extended Kalman filter on the true model; needs the voltages sent |
//! | [`rolling`] | a rolling ball's position and velocity |
//! | [`unwrap`](Unwrap) | headings without jumps of a full turn |
//!
//! [`EstimateStatus`] is beyond the thesis, whose fits never give up; [`Unwrap`] is what its 4.3.1
//! means.
//!
//! Both fill gaps up to a horizon, say how uncertain they are, and then say that the robot is lost.

mod foresight;
pub mod kalman;
pub mod pose;
pub mod rls;
pub mod rolling;

pub use kalman::{Kalman, KalmanState, Noise};
pub use pose::{MOST_TURN, PoseFit};
pub use rls::{Fit, LeastSquares};
pub use rolling::{Rolling, RollingNoise};

use rolima_math::{Pose2, Vec2, wrap_angle};
use serde::{Deserialize, Serialize};

/// What is told to be this far away, m, or further is told wrong and counts as not seen: its square
/// would drown all that an estimator knows.
pub const FURTHEST: f64 = 1e6;

/// Whether there is an estimate, and of what kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimateStatus {
    /// Seen in this frame.
    Seen,
    /// Filled in for so many frames.
    Filled(u32),
    /// Not seen for longer than the horizon, or never.
    Lost,
}

/// Whether something can be there.
fn is_place(p: Vec2) -> bool {
    p.x.abs() < FURTHEST && p.y.abs() < FURTHEST
}

/// Whether a robot can be there, and look there.
fn is_pose(pose: Pose2) -> bool {
    is_place(pose.position) && pose.is_finite()
}

/// Whole frames of a time, s.
fn frames_of(time: f64, period: f64) -> u32 {
    // Casts cut to what a number can be.
    (time / period + 0.5) as u32
}

/// Headings from (-pi, pi] to a line without jumps.
///
/// The thesis prints theta = atan(sin theta / cos theta) for this, which is the wrap, not the
/// unwrap: what it needs is the number nearest to the last one that means the same heading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Unwrap {
    last: Option<f64>,
}

impl Unwrap {
    /// The next heading, rad, as near to the last as full turns allow.
    pub fn next(&mut self, theta: f64) -> f64 {
        let next = match self.last {
            Some(last) => last + wrap_angle(theta - last),
            None => theta,
        };
        if next.is_finite() {
            self.last = Some(next);
        }
        next
    }

    /// What the next heading is measured against: a prediction, where frames were missed.
    pub fn expect(&mut self, theta: f64) {
        if theta.is_finite() {
            self.last = Some(theta);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turning_robot_has_a_growing_heading() {
        let mut unwrap = Unwrap::default();
        for i in 0..200 {
            let theta = 0.3 * f64::from(i);
            assert!((unwrap.next(wrap_angle(theta)) - theta).abs() < 1e-9);
        }
    }
}
