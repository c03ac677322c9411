//! What a plan is made of before it is timed: a path with what it begins with. Beyond the thesis, whose
//! robots begin at rest.

use super::at_rest;
use crate::error::NavError;
use crate::estimate::KalmanState;
use crate::path::{Leg, LegShape, Path};
use crate::route::PathKind;
use crate::trajectory::TrajectoryPoint;
use rolima_math::{Pose2, Rot2, larger};

/// A path with what it begins with.
pub(super) struct Draft {
    pub(super) path: Path,
    pub(super) kind: PathKind,
    /// The speed along it, m/s.
    pub(super) first: f64,
    /// The robot's own turning, rad/s.
    pub(super) turning: f64,
    /// Whether its first leg is one of braking.
    pub(super) brakes: bool,
}

impl Draft {
    /// Another path, after braking from a speed.
    pub(super) fn brake_first(&mut self, brake: Leg, rest: &Path, v: f64) -> Result<(), NavError> {
        let mut path = Path::of(brake);
        path.append(rest)?;
        (self.path, self.first, self.brakes) = (path, v.abs(), true);
        Ok(())
    }
}

/// How long a plan takes, and whether it goes on smoothly from the motion before.
pub(super) struct Timing {
    pub(super) takes: f64,
    pub(super) smooth: bool,
    /// Whether it passes the goal too slowly.
    pub(super) slow: bool,
}

/// The speed of the robot's own that is along the beginning of a path.
pub(super) fn along(path: &Path, v: f64) -> f64 {
    let Some(leg) = path.legs().first() else { return 0.0 };
    let sign = if leg.backwards { -1.0 } else { 1.0 };
    if matches!(leg.shape, LegShape::Turn { .. }) { 0.0 } else { larger(sign * v, 0.0) }
}

/// The way in which the robot comes to rest, and where.
pub(super) fn braking(state: &KalmanState, deceleration: f64) -> (Leg, Pose2) {
    let length = state.v * state.v / (2.0 * deceleration);
    let backwards = state.v < 0.0;
    let own = state.pose();
    let rotation =
        if backwards { Rot2 { c: -own.rotation.c, s: -own.rotation.s } } else { own.rotation };
    let from = Pose2 { rotation, ..own };
    // It goes on turning as it did, within reason.
    let curvature = (state.omega / state.v.abs().max(0.05)).clamp(-15.0, 15.0);
    let leg = Leg { shape: LegShape::Arc { from, length, curvature }, backwards };
    let stop = leg.pose(1.0);
    (leg, stop)
}

pub(super) fn state_at(point: &TrajectoryPoint) -> KalmanState {
    let TrajectoryPoint { pose, v, omega, .. } = *point;
    KalmanState { position: pose.position, theta: pose.theta(), v, omega }
}

pub(super) fn point_of(state: &KalmanState) -> TrajectoryPoint {
    TrajectoryPoint { v: state.v, omega: state.omega, ..at_rest(state.pose()) }
}
