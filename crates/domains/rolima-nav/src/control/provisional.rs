//! The thesis's controller: two PIDs and a provisional target (section 6.2.1, figure 6.4).
//!
//! With d the robot's distance from the line through the goal along its heading, the provisional
//! target lies dl = 2 r_med (1 - exp(-ln 2 d / r_med)) behind the goal on that line. The linear
//! error is the distance to it times the cosine of the angular error; far from the goal the heading
//! to aim at is that to the target, near it the goal's own (equation 6.13, which needs atan2 and a
//! wrap that the print leaves out). Both outputs are in [-1, 1]; e_d = (v + omega) V_cc,
//! e_e = (v - omega) V_cc.
//!
//! | here | thesis (section 6.2.1) |
//! |---|---|
//! | [`Provisional::target`] | (x_p, y_p) |
//! | back in it, [`STEP_BACK`] | dl, r_med |
//! | aim in [`Provisional::control`] | theta_ref of 6.13 |
//! | turn, ahead | the angular and the linear error |
//! | supply | V_cc |
//! | [`Provisional::near`] | "sufficiently near", which the thesis leaves open |

use super::pid::{Gains, Pid};
use crate::drive::MotorVolts;
use crate::error::NavError;
use rolima_math::{Pose2, Vec2, atan2, cos, exp, wrap_angle};

/// Mean distance to step back r_med, m (section 6.2.1).
pub const STEP_BACK: f64 = 0.1;

/// The two PIDs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Provisional {
    linear: Pid,
    angular: Pid,
    supply: f64,
    /// How near counts as near, m. The thesis says "sufficiently"; ours: 1 cm.
    pub near: f64,
}

impl Provisional {
    /// With the thesis's gains.
    pub fn new(supply: f64) -> Result<Self, NavError> {
        Self::with_gains(supply, Gains::LINEAR, Gains::ANGULAR)
    }

    /// With other gains.
    pub fn with_gains(supply: f64, linear: Gains, angular: Gains) -> Result<Self, NavError> {
        if !(supply > 0.0 && supply.is_finite()) {
            return Err(NavError::BadLimit);
        }
        let (linear, angular) = (Pid::new(linear, 1.0)?, Pid::new(angular, 1.0)?);
        Ok(Self { linear, angular, supply, near: 0.01 })
    }

    /// Where the provisional target is.
    pub fn target(robot: Pose2, goal: Pose2) -> Vec2 {
        let along = goal.rotation.x_axis();
        let distance = along.cross(robot.position - goal.position).abs();
        let back = 2.0 * STEP_BACK * (1.0 - exp(-core::f64::consts::LN_2 * distance / STEP_BACK));
        goal.position - along * back
    }

    /// Voltages towards a goal or reference, after a period, s. Zero for poses that are not finite.
    pub fn control(&mut self, robot: Pose2, goal: Pose2, period: f64) -> MotorVolts {
        if !(robot.is_finite() && goal.is_finite()) {
            return MotorVolts::ZERO;
        }
        let target = Self::target(robot, goal);
        let gap = target - robot.position;
        let is_near = (goal.position - robot.position).length() < self.near;
        let aim = if is_near { goal.theta() } else { atan2(gap.y, gap.x) };
        let turn = wrap_angle(aim - robot.theta());
        let ahead = if is_near { 0.0 } else { gap.length() * cos(turn) };
        let v = self.linear.output(ahead, period);
        let omega = self.angular.output(turn, period);
        let volts =
            MotorVolts { right: (v + omega) * self.supply, left: (v - omega) * self.supply };
        volts.within(self.supply)
    }

    /// Forgets the past.
    pub fn reset(&mut self) {
        self.linear.reset();
        self.angular.reset();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_lies_behind_the_goal_and_nears_it_with_the_line() {
        let goal = Pose2::new(0.5, 0.5, 0.0);
        let far = Provisional::target(Pose2::new(0.0, -2.0, 0.0), goal);
        assert!((far.x - 0.3).abs() < 1e-6 && (far.y - 0.5).abs() < 1e-12);
        // At r_med from the line: half of the most.
        let half = Provisional::target(Pose2::new(0.0, 0.4, 0.0), goal);
        assert!((half.x - 0.4).abs() < 1e-12);
        let on = Provisional::target(Pose2::new(-3.0, 0.5, 0.0), goal);
        assert_eq!(on, goal.position);
    }

    #[test]
    fn straight_ahead_both_motors_push_alike() {
        let mut control = Provisional::new(9.0).unwrap();
        let volts = control.control(Pose2::IDENTITY, Pose2::new(0.5, 0.0, 0.0), 0.03);
        assert!((volts.right - volts.left).abs() < 1e-9);
        // 0.5 plus what half a frame of integral adds.
        assert!((volts.right / 9.0 - 0.5).abs() < 1e-3, "{volts:?}");
        let nothing = control.control(Pose2::new(f64::NAN, 0.0, 0.0), Pose2::IDENTITY, 0.03);
        assert_eq!(nothing, MotorVolts::ZERO);
    }
}
