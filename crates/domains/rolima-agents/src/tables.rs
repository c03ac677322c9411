//! Tables that compare estimators and controllers.

use crate::pilot::{FRAME_S, drive_of, send, steps_of_frame, truth_of};
use crate::tasks::{self, Rule, Task, TaskOutcome, field_settings};
use crate::thesis::{self, Use};
use crate::vision::{Blur, Vision};
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_nav::estimate::{EstimateStatus, Fit, Kalman, MOST_TURN, Noise, PoseFit};
use rolima_nav::{MotorVolts, NavError};
use std::sync::Arc;

/// A controller of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Controller {
    /// The thesis's PIDs, straight to the goal.
    Pids,
    /// The thesis's PIDs after a planned reference.
    PidsWithPlan,
    /// The navigator with its tracker.
    Tracker,
}

/// All of them.
pub const CONTROLLERS: [Controller; 3] =
    [Controller::Pids, Controller::PidsWithPlan, Controller::Tracker];

impl Controller {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pids => "thesis PIDs",
            Self::PidsWithPlan => "thesis PIDs with plan",
            Self::Tracker => "tracker",
        }
    }
}

/// A row of the table of controllers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControllerRow {
    /// Who.
    pub controller: Controller,
    /// Share of tasks whose goal was held.
    pub reached: f64,
    /// Median time to the goal of those, s; infinite where there are none.
    pub time_s: f64,
    /// Median distance at the end, m.
    pub distance: f64,
    /// Median error of the heading at the end, rad.
    pub angle: f64,
    /// Median overshoot, m.
    pub overshoot: f64,
    /// The largest tenth of the overshoots begins here, m.
    pub overshoot_90: f64,
}

/// One row: a controller on all tasks.
pub fn controller_row(
    model: &Arc<Model>,
    tasks: &[Task],
    controller: Controller,
    blur: Blur,
    rule: Rule,
) -> Result<ControllerRow, NavError> {
    let run = |task: &Task| match controller {
        Controller::Pids => thesis::run(model, task, Use::Alone, blur, rule),
        Controller::PidsWithPlan => thesis::run(model, task, Use::WithPlan, blur, rule),
        Controller::Tracker => tasks::run(model, task, field_settings(), blur, rule),
    };
    let outcomes = tasks.iter().map(run).collect::<Result<Vec<TaskOutcome>, _>>()?;
    let (reached, time_s) = tasks::summary(&outcomes);
    let sorted = |of: fn(&TaskOutcome) -> f64| {
        let mut values: Vec<f64> = outcomes.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let at = |values: &[f64], share: f64| {
        let index = (values.len() as f64 * share) as usize;
        values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(f64::INFINITY)
    };
    let overshoots = sorted(|o| o.overshoot);
    Ok(ControllerRow {
        controller,
        reached,
        time_s,
        distance: at(&sorted(|o| o.distance), 0.5),
        angle: at(&sorted(|o| o.angle), 0.5),
        overshoot: at(&overshoots, 0.5),
        overshoot_90: at(&overshoots, 0.9),
    })
}

/// An estimator of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimator {
    /// What was last seen.
    LastSeen,
    /// Least squares of this order, with inputs or without.
    LeastSquares {
        /// The order n.
        order: usize,
        /// Whether inputs are known.
        inputs: bool,
    },
    /// The Kalman filter.
    Kalman,
}

/// All of them.
pub const ESTIMATORS: [Estimator; 6] = [
    Estimator::LastSeen,
    Estimator::LeastSquares { order: 2, inputs: true },
    Estimator::LeastSquares { order: 5, inputs: true },
    Estimator::LeastSquares { order: 10, inputs: true },
    Estimator::LeastSquares { order: 2, inputs: false },
    Estimator::Kalman,
];

impl Estimator {
    /// Its name.
    pub fn name(self) -> String {
        match self {
            Self::LastSeen => "last seen".to_owned(),
            Self::LeastSquares { order, inputs: true } => format!("least squares, n = {order}"),
            Self::LeastSquares { order, inputs: false } => {
                format!("least squares, n = {order}, no inputs")
            }
            Self::Kalman => "Kalman filter".to_owned(),
        }
    }
}

/// A row of the table of estimators: errors of the pose *now*, delay predicted over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EstimatorRow {
    /// Who.
    pub estimator: Estimator,
    /// Root mean square error of the position in frames that are seen, m.
    pub position: f64,
    /// The same of the heading, rad.
    pub heading: f64,
    /// Root mean square error of the position in all frames of the gaps, m: the same frames for
    /// every estimator, those in which it says that the robot is lost included.
    pub position_in_gaps: f64,
    /// The same of the heading, rad.
    pub heading_in_gaps: f64,
    /// How many frames those are.
    pub gap_frames: u32,
    /// Share of the frames within gaps in which it says that the robot is lost.
    pub lost: f64,
}

enum Running {
    Last(Option<Pose2>),
    Fit(Box<PoseFit>),
    Filter(Box<Kalman>),
}

/// One row: an estimator on a robot that drives from goal to goal for a minute, seen through `blur`.
pub fn estimator_row(
    model: &Arc<Model>,
    estimator: Estimator,
    blur: Blur,
    seed: u64,
) -> Result<EstimatorRow, NavError> {
    let mut world = World::with_seed(model.clone(), seed);
    let robot = world.model().robots.first().ok_or(NavError::BadLimit)?;
    let (own, drive) = (RobotId(0), robot.drive as usize);
    crate::tasks::out_of_the_way(&mut world);
    let drive = drive_of(&world.model().drives[drive], world.model().spec.sim.gravity)?;
    // Driven by perfect knowledge: every estimator sees the same motion.
    let mut driver = crate::pilot::Pilot::new(
        &world,
        own,
        field_settings(),
        Blur::default(),
        Stream::new(seed, 1, "vision"),
    )?;
    let mut robot_vision = Vision::new(blur, Stream::new(seed, 0, "vision"));
    let mut running = match estimator {
        Estimator::LastSeen => Running::Last(None),
        Estimator::LeastSquares { order, inputs } => {
            let fit = Fit { order, inputs, ..Fit::default() };
            Running::Fit(Box::new(PoseFit::new(fit, MOST_TURN)?))
        }
        Estimator::Kalman => {
            Running::Filter(Box::new(Kalman::new(&drive, FRAME_S, noise_of(blur))?))
        }
    };
    let delay = blur.delay;
    let goals = tasks::random_tasks(40, seed);
    let steps = steps_of_frame(&world);
    let mut sent = vec![MotorVolts::ZERO; delay + 1];
    let (mut seen_sum, mut gap_sum) = (Sum::default(), Sum::default());
    let mut lost = 0u32;
    for frame in 0..2000usize {
        let truth = truth_of(&world, own).map_or(Pose2::IDENTITY, |truth| truth.pose);
        let seen = robot_vision.frame(truth);
        // The newest last: what was held in the frame that ends at the picture comes first.
        let held = sent[sent.len() - 1 - delay];
        let pending = &sent[sent.len() - delay..];
        let (pose, estimate_status) = match &mut running {
            Running::Last(last) => {
                *last = seen.or(*last);
                (*last, EstimateStatus::Seen)
            }
            Running::Fit(fit) => {
                let scale = 1.0 / drive.supply;
                // Inputs that hold from the picture on.
                let next =
                    pending.first().copied().unwrap_or_else(|| *sent.last().unwrap_or(&held));
                let share = |volts: &MotorVolts| [volts.left * scale, volts.right * scale];
                fit.frame(seen, share(&next));
                let following: Vec<[f64; 2]> = pending.iter().skip(1).map(share).collect();
                (Some(fit.ahead_with(&following, delay as u32)), fit.estimate_status())
            }
            Running::Filter(filter) => {
                filter.frame(held, seen);
                (Some(filter.ahead(pending).pose()), filter.estimate_status())
            }
        };
        // The first seconds are for settling.
        if frame > 100
            && let Some(pose) = pose
        {
            if seen.is_some() {
                seen_sum.add(pose, truth);
            } else {
                lost += u32::from(estimate_status == EstimateStatus::Lost);
                gap_sum.add(pose, truth);
            }
        }
        let goal = goals[frame / 50 % goals.len()].goal;
        let output = driver.frame(&mut world, Some(rolima_nav::Goal::stop_at(goal)));
        send(&mut world, own, output.volts);
        sent.push(output.volts);
        world.steps(steps);
    }
    let (position, heading) = seen_sum.roots();
    let (position_in_gaps, heading_in_gaps) = gap_sum.roots();
    let gap_frames = gap_sum.count;
    Ok(EstimatorRow {
        estimator,
        position,
        heading,
        position_in_gaps,
        heading_in_gaps,
        gap_frames,
        lost: f64::from(lost) / f64::from(gap_frames.max(1)),
    })
}

/// The filter is told how good vision is.
fn noise_of(blur: Blur) -> Noise {
    Noise { position: blur.position.max(1e-4), heading: blur.heading.max(1e-3), ..Noise::default() }
}

#[derive(Default)]
struct Sum {
    position: f64,
    heading: f64,
    count: u32,
}

impl Sum {
    fn add(&mut self, pose: Pose2, truth: Pose2) {
        let gap: Vec2 = pose.position - truth.position;
        let turn = wrap_angle(pose.theta() - truth.theta());
        self.position += gap.length_squared();
        self.heading += turn * turn;
        self.count += 1;
    }

    fn roots(&self) -> (f64, f64) {
        let count = f64::from(self.count.max(1));
        ((self.position / count).sqrt(), (self.heading / count).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::TASK_BLUR;
    use rolima_scene::{Source, load};

    #[test]
    fn errors_in_gaps_are_over_the_same_frames_for_every_estimator() {
        let scene = load(&Source::BuiltIn("navigation.toml".to_owned()), &[]).unwrap();
        let model = Arc::new(scene.compile().unwrap());
        // Longer than any fit fills.
        let blur = Blur { gaps: 0.01, gap_length: 14, ..TASK_BLUR };
        let rows = ESTIMATORS.map(|estimator| estimator_row(&model, estimator, blur, 2).unwrap());
        for row in &rows {
            assert_eq!(row.gap_frames, rows[0].gap_frames, "{row:?}");
            let fits = matches!(row.estimator, Estimator::LeastSquares { .. });
            assert_eq!(row.lost > 0.2, fits, "{row:?}");
        }
        assert!(rows[0].gap_frames > 100);
    }
}
