//! A trajectory tracker for unicycles with voltages from the model. Beyond the thesis, which has PIDs
//! ([`super::provisional`]); of it are x, y, theta, v, omega (6.3) and the model (6.12).
//!
//! Errors in the robot's frame: e1 ahead, e2 to the left, e3 in heading, of the reference
//! (v_r, omega_r). The law of C. Samson and of A. De Luca, G. Oriolo and M. Vendittelli, of the
//! family of Y. Kanayama's (1990),
//!
//! ```text
//! v     = v_r cos e3 + k1 e1
//! omega = omega_r + k2 v_r (sin e3 / e3) e2 + k3 e3
//! ```
//!
//! is globally asymptotically stable for k2 > 0, k1, k3 > 0 while v_r or omega_r persists
//! (Lyapunov function k2 (e1^2 + e2^2)/2 + e3^2/2, whose derivative is -k1 k2 e1^2 - k3 e3^2).
//! With k1 = k3 = 2 z sqrt(omega_r^2 + k2 v_r^2) the linearised errors have damping z at any speed;
//! at standstill, where that would be nothing, both have a floor that holds the last pose.
//!
//! The motion wanted at the end of the frame is turned into voltages by the exact inverse of the
//! model over the frame: feed-forward and inner velocity loop in one.

use crate::drive::{MotorVolts, Step};
use crate::error::NavError;
use crate::estimate::KalmanState;
use crate::trajectory::TrajectoryPoint;
use rolima_math::{Vec2, exp, larger, sin_cos, wrap_angle};
use serde::{Deserialize, Serialize};

/// Gains of the tracker.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackerGains {
    /// Damping z.
    pub damping: f64,
    /// Gain k2 on the error to the side, 1/m2.
    pub side: f64,
    /// Least k1, 1/s, for standing still.
    pub least_ahead: f64,
    /// Least k3, 1/s.
    pub least_turn: f64,
    /// Time in which an error in velocity shrinks to 1/e, s: longer ones pass on less of the
    /// estimate's noise.
    pub mending: f64,
}

impl Default for TrackerGains {
    /// The fastest that stay well damped with frames of 30 ms and a delay of three of them.
    fn default() -> Self {
        Self { damping: 0.9, side: 60.0, least_ahead: 4.0, least_turn: 6.0, mending: 0.025 }
    }
}

/// The tracker.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tracker {
    step: Step,
    gains: TrackerGains,
    supply: f64,
    /// Share of the error in velocity that is mended within a frame.
    mended: f64,
}

impl Tracker {
    /// For a model over a frame and a supply, V.
    pub fn new(step: Step, supply: f64, gains: TrackerGains) -> Result<Self, NavError> {
        let g = &gains;
        let all = [g.damping, g.side, g.least_ahead, g.least_turn, g.mending, supply];
        if !all.iter().all(|x| x.is_finite()) {
            return Err(NavError::NotFinite);
        }
        if !all.iter().all(|&x| x > 0.0) {
            return Err(NavError::BadLimit);
        }
        let mended = 1.0 - exp(-step.period / g.mending);
        Ok(Self { step, gains, supply, mended })
    }

    /// Errors of the robot behind a reference, in the robot's frame: ahead, left (m), heading (rad).
    pub fn errors(robot: &KalmanState, wanted: &TrajectoryPoint) -> [f64; 3] {
        let (s, c) = sin_cos(robot.theta);
        let gap: Vec2 = wanted.pose.position - robot.position;
        let ahead = c * gap.x + s * gap.y;
        let left = c * gap.y - s * gap.x;
        [ahead, left, wrap_angle(wanted.pose.theta() - robot.theta)]
    }

    /// Voltages for a frame: the reference now and at the frame's end.
    pub fn control(
        &self,
        robot: &KalmanState,
        now: &TrajectoryPoint,
        next: &TrajectoryPoint,
    ) -> MotorVolts {
        self.mend(robot, Self::errors(robot, now), now, next)
    }

    /// The same, where the errors are known.
    pub(crate) fn mend(
        &self,
        robot: &KalmanState,
        [e1, e2, e3]: [f64; 3],
        now: &TrajectoryPoint,
        next: &TrajectoryPoint,
    ) -> MotorVolts {
        let g = &self.gains;
        let (sine, cosine) = sin_cos(e3);
        let speed = (next.omega * next.omega + g.side * next.v * next.v).sqrt();
        let k1 = larger(2.0 * g.damping * speed, g.least_ahead);
        let k3 = larger(2.0 * g.damping * speed, g.least_turn);
        // Gains above a third of the frame rate would answer an error more than once.
        let most = 1.0 / (3.0 * self.step.period);
        let (k1, k3) = (rolima_math::smaller(k1, most), rolima_math::smaller(k3, most));
        let sinc = if e3.abs() < 1e-6 { 1.0 } else { sine / e3 };
        let v = next.v * cosine + k1 * e1;
        let omega = next.omega + g.side * next.v * sinc * e2 + k3 * e3;
        let z = [robot.v, robot.omega];
        // The part of the way to the wanted motion that is not in the reference is mended in part.
        let mend = |wanted: f64, reference_now: f64, reference_next: f64, own: f64| {
            let goes = reference_next - reference_now;
            own + goes + self.mended * (wanted - own - goes)
        };
        let wanted =
            [mend(v, now.v, next.v, robot.v), mend(omega, now.omega, next.omega, robot.omega)];
        self.step.volts_for(z, wanted).within(self.supply)
    }
}
