//! The thesis's own controller in the planar engine: section 6.2 with and without planning.
//!
//! | here | thesis |
//! |---|---|
//! | pose of [`ThesisLoop::frame`] | **q** = (x, y, theta) of 6.4, the (x_r, y_r) of 6.2.1 |
//! | goal of it | (x_f, y_f, theta_f) of 6.2.1 |
//! | [`AHEAD`] | alpha = v_r dt of 5.6, with the values of figure 5.9 |
//! | the path's parameter at [`AHEAD`] | lambda of s(lambda) - alpha = 0 in 5.6 |
//! | the reference | (x, y, theta) at lambda: step (c) of 5.6 |
//! | [`Use::WithPrintedPlan`] | step (a): 5.4.2 with (a1, a2) = (0, dx) of 5.5 |
//! | the voltages | e_d, e_e of 6.2.1 |
//! | supply of [`ThesisLoop::new`] | V_cc of 6.2.1 |
//! | [`FRAME_S`] | the 30 ms of 5.6 (33 ms in figure 5.9) |
//!
//! Three things of the print cannot be driven: the Taylor length s(lambda) is 0/0 with a1 = 0,
//! so lengths are by quadrature; atan(dy/dx) loses front and back, so headings are those of
//! travel; and where dx = 0 there is no printed curve, so [`Method::Cubic`] takes its place.

use crate::pilot::{FRAME_S, send, steps_of_frame, truth_of};
use crate::tasks::{Referee, Rule, Task, TaskOutcome};
use crate::vision::{Blur, Vision};
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream};
use rolima_nav::NavError;
use rolima_nav::control::Provisional;
use rolima_nav::path::{Method, plan};
use std::sync::Arc;

/// How the PIDs are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// Straight to the goal: figure 6.5, "not satisfactory" as the thesis says.
    Alone,
    /// After a reference 16.5 mm ahead on a path that is planned anew every frame, by our own
    /// [`Method::Cubic`].
    WithPlan,
    /// The same on the thesis's own path, [`Method::Printed`]: figure 6.7.
    WithPrintedPlan,
}

/// Distance of the reference, m, alpha of section 5.6: 0.5 m/s for 33 ms (figure 5.9).
pub const AHEAD: f64 = 0.0165;

/// The thesis's loop: poses as seen, no filter.
#[derive(Clone, Debug)]
pub struct ThesisLoop {
    pids: Provisional,
    used: Use,
    last: Option<Pose2>,
}

impl ThesisLoop {
    /// For a supply, V.
    pub fn new(supply: f64, used: Use) -> Result<Self, NavError> {
        Ok(Self { pids: Provisional::new(supply)?, used, last: None })
    }

    /// One frame: what is seen, and the goal; the reference and the voltages.
    pub fn frame(&mut self, seen: Option<Pose2>, goal: Pose2) -> (Pose2, rolima_nav::MotorVolts) {
        self.last = seen.or(self.last);
        let Some(pose) = self.last else { return (goal, rolima_nav::MotorVolts::ZERO) };
        // Coincident poses are the goal itself.
        let on_path = |method: Method| {
            plan(pose, goal, method)
                .map_or(goal, |found| found.path.pose(found.path.parameter_at(AHEAD)))
        };
        let reference = match self.used {
            Use::Alone => goal,
            Use::WithPlan => on_path(Method::Cubic),
            Use::WithPrintedPlan => on_path(Method::Printed),
        };
        (reference, self.pids.control(pose, reference, FRAME_S))
    }
}

/// Runs a task with the thesis's controller at robot 0, alone on the field.
pub fn run(
    model: &Arc<Model>,
    task: &Task,
    used: Use,
    blur: Blur,
    rule: Rule,
) -> Result<TaskOutcome, NavError> {
    let mut world = World::with_seed(model.clone(), task.seed);
    let robot = world.model().robots.first().ok_or(NavError::BadLimit)?;
    let (own, drive) = (RobotId(0), robot.drive as usize);
    let supply = world.model().drives[drive].spec.supply;
    world.place_body(own, task.start);
    crate::tasks::out_of_the_way(&mut world);
    let mut robot_vision = Vision::new(blur, Stream::new(task.seed, 0, "vision"));
    let mut control = ThesisLoop::new(supply, used)?;
    let steps = steps_of_frame(&world);
    let act = |world: &mut World| {
        let seen = truth_of(world, own).and_then(|truth| robot_vision.frame(truth.pose));
        let (_, volts) = control.frame(seen, task.goal);
        send(world, own, volts);
    };
    Ok(Referee::new(task, rule).watch(&mut world, (own, steps), act, |_, _| {}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_nav::path::length;
    use rolima_nav::path::thesis::printed;

    #[test]
    fn the_reference_lies_alpha_along_the_path_of_the_planner_named() {
        for degrees in [50.0f64, 0.0, -50.0] {
            let goal = Pose2::new(0.5, 0.5, degrees.to_radians());
            let reference =
                |used| ThesisLoop::new(9.0, used).unwrap().frame(Some(Pose2::IDENTITY), goal).0;
            assert_eq!(reference(Use::Alone), goal);
            // Its own curve with (a1, a2) = (0, dx), and the heading that the curve has there.
            let curve = printed(Pose2::IDENTITY, goal).unwrap();
            assert_eq!(curve.d0.length(), 0.0);
            let at = length::parameter_at(&curve, 0.0, AHEAD);
            let got = reference(Use::WithPrintedPlan);
            assert!((got.position - curve.point(at)).length() < 1e-9, "{degrees}");
            assert!((length::between(&curve, 0.0, at) - AHEAD).abs() < 1e-9);
            let off = got.rotation.x_axis() - curve.direction(at).x_axis();
            assert!(off.length() < 1e-9, "{degrees}");
            // Ours begins along the heading; the printed one does not.
            let ours = reference(Use::WithPlan);
            assert!(ours.position.y < 0.1 * AHEAD && got.position.y > 0.5 * AHEAD, "{degrees}");
        }
    }

    #[test]
    fn where_the_print_has_no_curve_ours_is_followed() {
        let goal = Pose2::new(0.0, 0.5, 0.3);
        let reference =
            |used| ThesisLoop::new(9.0, used).unwrap().frame(Some(Pose2::IDENTITY), goal).0;
        assert_eq!(reference(Use::WithPrintedPlan), reference(Use::WithPlan));
    }
}
