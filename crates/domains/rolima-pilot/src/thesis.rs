//! The thesis's own controller in the planar engine: section 6.2 with and without planning.

use crate::pilot::{FRAME_S, send, steps_of_frame, truth_of};
use crate::tasks::{Outcome, Referee, Rule, Task};
use crate::vision::{Blur, Vision};
use rolima_core::{Model, World};
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
    /// After a reference 16.5 mm ahead on a path that is planned anew every frame: figure 6.7.
    WithPlan,
}

/// Distance of the reference: 0.5 m/s for 33 ms (figure 5.9).
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
    pub fn frame(&mut self, seen: Option<Pose2>, goal: Pose2) -> (Pose2, rolima_nav::Volts) {
        self.last = seen.or(self.last);
        let Some(pose) = self.last else { return (goal, rolima_nav::Volts::ZERO) };
        let reference = match self.used {
            Use::Alone => goal,
            // Coincident poses are the goal itself.
            Use::WithPlan => plan(pose, goal, Method::Cubic)
                .map_or(goal, |found| found.path.pose(found.path.parameter_at(AHEAD))),
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
) -> Result<Outcome, NavError> {
    let mut world = World::with_seed(model.clone(), task.seed);
    let robot = world.model().robots.first().ok_or(NavError::BadLimit)?;
    let (slot, drive) = (robot.slot, robot.drive as usize);
    let supply = world.model().drives[drive].spec.supply;
    world.place_body(slot, task.start);
    crate::tasks::out_of_the_way(&mut world);
    let mut eyes = Vision::new(blur, Stream::new(task.seed, 0, "vision"));
    let mut control = ThesisLoop::new(supply, used)?;
    let mut referee = Referee::new(task, rule);
    let (steps, step_s) = (steps_of_frame(&world), world.model().step_s);
    for _ in 0..(rule.within_s / FRAME_S).round() as u64 {
        let seen = truth_of(&world, slot).and_then(|truth| eyes.frame(truth.pose));
        let (_, volts) = control.frame(seen, task.goal);
        send(&mut world, 0, volts);
        for _ in 0..steps {
            world.step();
            let truth = truth_of(&world, slot).map_or(Pose2::IDENTITY, |truth| truth.pose);
            referee.step(truth, step_s);
        }
        if referee.is_done() {
            break;
        }
    }
    Ok(referee.outcome())
}
