//! The whole loop of a robot: estimate, plan, time, control, once a frame.
//!
//! Every frame it takes what vision saw (a frame or more ago), predicts over the delay, plans anew,
//! and gives voltages for the frame to come. The plan in progress is followed on unless the new one
//! is quicker, or the goal has moved, or it is blocked, or the robot is not where it should be. New
//! plans start where the reference will be, not where the robot is estimated to be: references then
//! go on without a jump, and noise does not shake the plan. Nor does a goal that trembles, which is taken
//! for what it trembles about.
//!
//! It is the loop of section 6.4 and the algorithm of 5.6: (a) a path, (b) the next reference on it,
//! (c) its pose, to the controller. Beyond the thesis: it compares the new plan with the old one (the
//! thesis takes each, from where the robot is seen, so its reference never gets away from the
//! robot), predicts over a delay, heeds others and walls, and says how it goes ([`NavStatus`]).

mod command_history;
mod draft;
mod goal_filter;
mod planning;
mod settings;

pub use settings::{Caps, Goal, MOST_DELAY, NavStatus, Output, Settings};

use command_history::CommandHistory;
use goal_filter::GoalFilter;

use crate::barrier::Barrier;
use crate::control::Tracker;
use crate::drive::{Drive, MotorVolts};
use crate::error::NavError;
use crate::estimate::{EstimateStatus, Kalman, KalmanState};
use crate::field::{Detours, Obstacle, Surroundings};
use crate::path::Path;
use crate::route::PathKind;
use crate::trajectory::{SpeedProfile, Trajectory, TrajectoryPoint};
use planning::{OTHER_GOAL, is_near};
use rolima_math::{Pose2, larger, wrap_angle};
use serde::{Deserialize, Serialize};

/// The whole loop of a robot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Navigator {
    settings: Settings,
    profile: SpeedProfile,
    filter: Kalman,
    tracker: Tracker,
    history: CommandHistory,
    /// The plan in progress, and another to compare with; they change places.
    plans: [Trajectory; 2],
    current: usize,
    kind: PathKind,
    /// Whether its first leg is one of braking.
    brakes: bool,
    /// Time since the plan in progress began, s.
    clock: f64,
    goal: Option<Goal>,
    /// What it trembles about.
    goal_filter: GoalFilter,
    /// For how long it has not moved, s.
    steady: f64,
    planned: bool,
    /// How long the way was to take when its kind was chosen, less what has passed since, s.
    due: f64,
    /// Plans made, and those of them that were taken.
    made: u64,
    taken: u64,
}

/// What is wanted at the beginning of a frame and at its end.
struct References {
    now: TrajectoryPoint,
    next: TrajectoryPoint,
    /// How far the robot is behind the first, as [`Tracker::errors`] tells.
    errors: [f64; 3],
}

/// A goal that moves less than this is the same, or less than it trembles.
const SAME_GOAL: (f64, f64) = (0.002, 0.02);

/// More plans than frames give time for.
const MOST_PLANS: u64 = 1 << 53;

/// Slower than this, m/s and rad/s, nothing is left to be braked.
const AT_REST: (f64, f64) = (1e-6, 1e-5);

impl Navigator {
    /// For a drive.
    pub fn new(drive: &Drive, settings: Settings) -> Result<Self, NavError> {
        let sane = |x: f64| x >= 0.0 && x.is_finite();
        let (distance, angle) = settings.arrived;
        let (off, turned) = settings.lost_track;
        let all = [settings.radius, settings.margin, settings.aside, distance, angle, off, turned];
        if settings.delay > MOST_DELAY || !all.into_iter().all(sane) {
            return Err(NavError::BadLimit);
        }
        let filter = Kalman::new(drive, settings.period, settings.noise)?;
        Ok(Self {
            profile: SpeedProfile::new(drive, settings.limits)?,
            tracker: Tracker::new(*filter.step(), drive.supply, settings.gains)?,
            filter,
            settings,
            history: CommandHistory::default(),
            plans: [Trajectory::default(), Trajectory::default()],
            current: 0,
            kind: PathKind::Turn,
            brakes: false,
            clock: 0.0,
            goal: None,
            goal_filter: GoalFilter::default(),
            steady: 0.0,
            planned: false,
            due: 0.0,
            made: 0,
            taken: 0,
        })
    }

    /// Whether what was read back is a navigator for a drive with these settings, and may go on. What it
    /// remembers of motions may be any numbers, as what vision tells may be.
    pub fn fits(&self, drive: &Drive, settings: &Settings) -> bool {
        let Ok(fresh) = Self::new(drive, *settings) else { return false };
        let own = |one: &Self| (one.settings, one.profile, one.tracker);
        own(self) == own(&fresh)
            && self.filter.is_like(&fresh.filter)
            && self.history.fits()
            && self.current < self.plans.len()
            && self.plans.iter().all(Trajectory::fits)
            && self.made < MOST_PLANS
            && self.taken < MOST_PLANS
    }

    /// The path in progress, to show.
    pub fn path(&self) -> Option<&Path> {
        self.planned.then(|| self.plan().path())
    }

    /// The trajectory in progress and the time since it began, s, to show references.
    pub fn trajectory(&self) -> Option<(&Trajectory, f64)> {
        self.planned.then(|| (self.plan(), self.clock))
    }

    fn plan(&self) -> &Trajectory {
        &self.plans[self.current]
    }

    /// The filter.
    pub fn filter(&self) -> &Kalman {
        &self.filter
    }

    /// How many plans were made: one every frame that it is on its way.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// How many of them were taken.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// One frame: what vision tells now (of `delay` frames ago), where to go, who is in the way.
    pub fn frame(
        &mut self,
        seen: Option<Pose2>,
        goal: Option<Goal>,
        obstacles: &[Obstacle],
    ) -> Output {
        self.frame_among(seen, goal, obstacles, &[])
    }

    /// The same, with walls in the field.
    pub fn frame_among(
        &mut self,
        seen: Option<Pose2>,
        goal: Option<Goal>,
        obstacles: &[Obstacle],
        barriers: &[Barrier],
    ) -> Output {
        self.frame_within(seen, goal, (obstacles, barriers), None)
    }

    /// The same, looking at so many ways around others at most.
    pub fn frame_within(
        &mut self,
        seen: Option<Pose2>,
        goal: Option<Goal>,
        (obstacles, barriers): (&[Obstacle], &[Barrier]),
        detours: Option<&Detours>,
    ) -> Output {
        let delay = self.settings.delay;
        self.filter.frame(self.history.ago(delay), seen);
        let state = (0..delay).rev().fold(*self.filter.state(), |state, i| {
            state.after(self.filter.step(), self.history.ago(i))
        });
        let output = self.drive(state, goal, (obstacles, barriers), detours);
        self.history.push(output.volts);
        output
    }

    /// What the motors really got, where that is not what was asked: another voltage, or a hand.
    pub fn was_sent(&mut self, volts: MotorVolts) {
        if volts.is_finite() {
            self.history.amend(volts);
        }
    }

    fn drive(
        &mut self,
        state: KalmanState,
        goal: Option<Goal>,
        (obstacles, barriers): (&[Obstacle], &[Barrier]),
        detours: Option<&Detours>,
    ) -> Output {
        if self.filter.estimate_status() == EstimateStatus::Lost {
            self.planned = false;
            return Output {
                volts: self.brake_blindly(&state),
                ..self.stand(&state, NavStatus::Lost)
            };
        }
        let Some(goal) = goal else {
            self.planned = false;
            self.goal_filter = GoalFilter::default();
            return self.stand(&state, NavStatus::Idle);
        };
        let refused = if !(goal.pose.is_finite() && goal.speed.is_finite()) {
            Some(NavError::NotFinite)
        } else {
            (goal.speed < 0.0).then_some(NavError::NegativeSpeed)
        };
        if let Some(error) = refused {
            self.planned = false;
            return self.stand(&state, NavStatus::Refused(error));
        }
        let field = self.settings.field;
        let (radius, pace) = (self.settings.radius, 0.5 * self.settings.limits.speed);
        let surroundings =
            Surroundings { field: &field, obstacles, barriers, radius, pace, detours };
        let goal =
            self.goal_filter.take(goal, self.settings.period, |a, b| is_near(a, b, OTHER_GOAL));
        let same = self.goal_filter.same(SAME_GOAL);
        let moved = self.goal.is_none_or(|old| !is_near(old, goal, same));
        self.steady = if moved { 0.0 } else { self.steady + self.settings.period };
        let outcome = self.replan(&state, goal, moved, &surroundings);
        // What the plan is for: a goal that creeps away is noticed once it has crept far enough.
        if moved || outcome.is_err() {
            self.goal = Some(goal);
        }
        let references = match outcome {
            Ok(references) => references,
            Err(NavError::CoincidentPoses) => {
                // Nothing to plan: hold the goal.
                self.planned = false;
                return self.hold(&state, goal);
            }
            Err(error) => {
                self.planned = false;
                let blocked = error == NavError::Blocked;
                let status = if blocked { NavStatus::Blocked } else { NavStatus::Refused(error) };
                return self.stand(&state, status);
            }
        };
        self.follow(&state, goal, &references)
    }

    fn is_at(&self, state: &KalmanState, goal: Goal) -> bool {
        let (distance, angle) = self.settings.arrived;
        (goal.pose.position - state.position).length() <= distance
            && wrap_angle(goal.pose.theta() - state.theta).abs() <= angle
    }

    /// Stops the robot where it is seen to be.
    fn stand(&self, state: &KalmanState, status: NavStatus) -> Output {
        let still = at_rest(state.pose());
        let volts = self.tracker.control(state, &still, &still);
        Output { volts, status, state: *state, reference: state.pose(), left: 0.0 }
    }

    /// Slows down a robot that nobody sees, by the model alone and within the limits; no voltage once it
    /// should stand. On their own the motors would let it roll for metres.
    fn brake_blindly(&self, state: &KalmanState) -> MotorVolts {
        let (step, drive) = (self.filter.step(), self.profile.drive());
        let own = [state.v, state.omega];
        let needs = drive.feed_forward(state.v, state.omega, 0.0, 0.0);
        // A motion that the whole supply could not keep up is an error of vision: to brake for it would
        // drive the robot off.
        let believed = needs.right.abs().max(needs.left.abs()) <= drive.supply;
        let stands = own[0].abs() <= AT_REST.0 && own[1].abs() <= AT_REST.1;
        if stands || !believed {
            return MotorVolts::ZERO;
        }
        let changes = [self.settings.limits.acceleration, self.profile.turn().0];
        let coasts = step.after(own, MotorVolts::ZERO);
        // What friction alone brakes harder is left to it.
        let wanted = core::array::from_fn(|i| {
            let slower = larger(own[i].abs() - changes[i] * step.period, 0.0).copysign(own[i]);
            if coasts[i].abs() < slower.abs() { coasts[i] } else { slower }
        });
        step.volts_for(own, wanted).within(drive.supply)
    }

    fn hold(&self, state: &KalmanState, goal: Goal) -> Output {
        let still = at_rest(goal.pose);
        let volts = self.tracker.control(state, &still, &still);
        let status = if self.is_at(state, goal) { NavStatus::Arrived } else { NavStatus::Driving };
        Output { volts, status, state: *state, reference: goal.pose, left: 0.0 }
    }

    fn follow(&mut self, state: &KalmanState, goal: Goal, wanted: &References) -> Output {
        let left = (self.plan().duration() - self.clock).max(0.0);
        let volts = self.tracker.mend(state, wanted.errors, &wanted.now, &wanted.next);
        self.clock += self.settings.period;
        let arrived = left == 0.0 && self.is_at(state, goal);
        let status = if arrived { NavStatus::Arrived } else { NavStatus::Driving };
        Output { volts, status, state: *state, reference: wanted.now.pose, left }
    }

    /// What the plan in progress wants in this frame.
    fn references(&self, state: &KalmanState) -> Option<References> {
        let (plan, clock) = (self.plan(), self.clock);
        let (now, next) = (plan.at(clock)?, plan.at(clock + self.settings.period)?);
        Some(References { now, next, errors: Tracker::errors(state, &now) })
    }
}

fn at_rest(pose: Pose2) -> TrajectoryPoint {
    TrajectoryPoint { pose, v: 0.0, omega: 0.0, dv: 0.0, domega: 0.0, parameter: 0.0 }
}
