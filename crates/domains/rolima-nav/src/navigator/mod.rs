//! The whole loop of a robot: estimate, plan, time, control, once a frame.
//!
//! Every frame it takes what vision saw (a frame or more ago), predicts over the delay, plans anew,
//! and gives voltages for the frame to come. The plan in progress is followed on unless the new one
//! is quicker, or the goal has moved, or it is blocked, or the robot is not where it should be. New
//! plans start where the reference will be, not where the robot is estimated to be: references then
//! go on without a jump, and noise does not shake the plan.
//!
//! It is the loop of section 6.4 and the algorithm of 5.6: (a) a path, (b) the next reference on it,
//! (c) its pose, to the controller. Beyond the thesis: it compares the new plan with the old one (the
//! thesis takes each, from where the robot is seen, so its reference never gets away from the
//! robot), predicts over a delay, heeds others and walls, and says how it goes ([`Status`]).

mod sent;
mod settings;

pub use settings::{Caps, Goal, MOST_DELAY, Output, Settings, Status};

use sent::Sent;

use crate::control::Tracker;
use crate::drive::{Drive, Volts};
use crate::error::NavError;
use crate::estimate::{Kalman, Sight, State};
use crate::field::{Barrier, Obstacle, Surroundings};
use crate::path::{Leg, Path, Shape};
use crate::route::{self, Kind, Route};
use crate::trajectory::{Moment, Profile, Trajectory};
use rolima_math::{Pose2, Rot2, larger, wrap_angle};

/// The whole loop of a robot.
#[derive(Clone, Debug)]
pub struct Navigator {
    settings: Settings,
    profile: Profile,
    filter: Kalman,
    tracker: Tracker,
    sent: Sent,
    /// The plan in progress, and another to compare with; they change places.
    plans: [Trajectory; 2],
    current: usize,
    kind: Kind,
    /// Time since the plan in progress began, s.
    clock: f64,
    goal: Option<Goal>,
    planned: bool,
    /// How long the way was to take when its kind was chosen, less what has passed since, s.
    due: f64,
    /// Plans made, and those of them that were taken.
    made: u64,
    taken: u64,
}

/// What is wanted at the beginning of a frame and at its end.
struct References {
    now: Moment,
    next: Moment,
    /// How far the robot is behind the first, as [`Tracker::errors`] tells.
    errors: [f64; 3],
}

/// A goal that moves further than this in a frame is another goal.
const OTHER_GOAL: (f64, f64) = (0.05, 0.35);

/// A goal that moves less than this is the same: vision of a ball is no better.
const SAME_GOAL: (f64, f64) = (0.002, 0.02);

/// How long after the end of a plan the robot may settle, s.
const SETTLE: f64 = 0.12;

/// A plan for a goal that moved that takes more than this share of what is left of the old one, and so
/// much longer, s, makes it look for another kind of path.
const LATE: (f64, f64) = (1.2, 0.15);

/// A robot that moves faster than its path can begin by this, m/s, brakes first; more for fast ones.
const ABRUPT: (f64, f64) = (0.05, 0.04);

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
            profile: Profile::new(drive, settings.limits)?,
            tracker: Tracker::new(*filter.step(), drive.supply, settings.gains)?,
            filter,
            settings,
            sent: Sent::default(),
            plans: [Trajectory::default(), Trajectory::default()],
            current: 0,
            kind: Kind::Turn,
            clock: 0.0,
            goal: None,
            planned: false,
            due: 0.0,
            made: 0,
            taken: 0,
        })
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
        let delay = self.settings.delay;
        self.filter.frame(self.sent.ago(delay), seen);
        let state = (0..delay).rev().fold(*self.filter.state(), |state, i| {
            state.after(self.filter.step(), self.sent.ago(i))
        });
        let output = self.drive(state, goal, (obstacles, barriers));
        self.sent.push(output.volts);
        output
    }

    /// What the motors really got, where that is not what was asked: another voltage, or a hand.
    pub fn was_sent(&mut self, volts: Volts) {
        if volts.is_finite() {
            self.sent.amend(volts);
        }
    }

    fn drive(
        &mut self,
        state: State,
        goal: Option<Goal>,
        (obstacles, barriers): (&[Obstacle], &[Barrier]),
    ) -> Output {
        let standing = |status: Status| Output {
            volts: Volts::ZERO,
            status,
            state,
            reference: state.pose(),
            left: 0.0,
        };
        if self.filter.sight() == Sight::Lost {
            self.planned = false;
            return standing(Status::Lost);
        }
        let Some(goal) = goal else {
            self.planned = false;
            let still = at_rest(state.pose());
            return Output {
                volts: self.tracker.control(&state, &still, &still),
                ..standing(Status::Idle)
            };
        };
        if !(goal.pose.is_finite() && goal.speed.is_finite() && goal.speed >= 0.0) {
            self.planned = false;
            return standing(Status::Refused(NavError::NotFinite));
        }
        let field = self.settings.field;
        let (radius, pace) = (self.settings.radius, 0.5 * self.settings.limits.speed);
        let surroundings = Surroundings { field: &field, obstacles, barriers, radius, pace };
        let moved = self.goal.is_none_or(|old| !is_near(old, goal, SAME_GOAL));
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
            Err(NavError::Blocked) => {
                self.planned = false;
                let still = at_rest(state.pose());
                let volts = self.tracker.control(&state, &still, &still);
                return Output { volts, ..standing(Status::Blocked) };
            }
            Err(error) => {
                self.planned = false;
                return standing(Status::Refused(error));
            }
        };
        self.follow(&state, goal, &references)
    }

    fn is_at(&self, state: &State, goal: Goal) -> bool {
        let (distance, angle) = self.settings.arrived;
        (goal.pose.position - state.position).length() <= distance
            && wrap_angle(goal.pose.theta() - state.theta).abs() <= angle
    }

    fn hold(&self, state: &State, goal: Goal) -> Output {
        let still = at_rest(goal.pose);
        let volts = self.tracker.control(state, &still, &still);
        let status = if self.is_at(state, goal) { Status::Arrived } else { Status::Driving };
        Output { volts, status, state: *state, reference: goal.pose, left: 0.0 }
    }

    fn follow(&mut self, state: &State, goal: Goal, wanted: &References) -> Output {
        let left = (self.plan().duration() - self.clock).max(0.0);
        let volts = self.tracker.mend(state, wanted.errors, &wanted.now, &wanted.next);
        self.clock += self.settings.period;
        let arrived = left == 0.0 && self.is_at(state, goal);
        let status = if arrived { Status::Arrived } else { Status::Driving };
        Output { volts, status, state: *state, reference: wanted.now.pose, left }
    }

    /// What the plan in progress wants in this frame.
    fn references(&self, state: &State) -> Option<References> {
        let (plan, clock) = (self.plan(), self.clock);
        let (now, next) = (plan.at(clock)?, plan.at(clock + self.settings.period)?);
        Some(References { now, next, errors: Tracker::errors(state, &now) })
    }

    /// Decides whether to go on, and makes a new plan where not: what is wanted in this frame.
    fn replan(
        &mut self,
        state: &State,
        goal: Goal,
        moved: bool,
        surroundings: &Surroundings<'_>,
    ) -> Result<References, NavError> {
        let settings = &self.settings;
        let jumped = moved && self.goal.is_none_or(|old| !is_near(old, goal, OTHER_GOAL));
        let goes_on = self.planned && !jumped;
        let under_way = if goes_on { self.references(state) } else { None };
        let under_way = under_way.filter(|wanted| !self.has_lost_track(wanted));
        let Some(wanted) = under_way else {
            return self.start_anew(state, goal, surroundings);
        };
        let left = self.plan().duration() - self.clock;
        if left <= -SETTLE && goal.speed == 0.0 {
            // At the end, and settled. Errors ahead and in heading the tracker mends on the spot;
            // one to the side takes another plan.
            let [_, aside, _] = Tracker::errors(state, &at_rest(goal.pose));
            return if moved || aside.abs() > settings.aside {
                self.start_anew(state, goal, surroundings)
            } else {
                Ok(wanted)
            };
        }
        if left <= 0.0 && goal.speed > 0.0 {
            return self.start_anew(state, goal, surroundings);
        }
        let anything = !(surroundings.obstacles.is_empty() && surroundings.barriers.is_empty());
        let blocked = anything && !surroundings.allows(self.plan().path(), 0.5 * settings.margin);
        if blocked {
            return self.start_anew(state, goal, surroundings);
        }
        self.go_on(&wanted.next, goal, moved, surroundings)?;
        // A plan that was taken begins where the old one is at this frame's end: for the frame itself
        // both want the same.
        Ok(wanted)
    }

    fn has_lost_track(&self, wanted: &References) -> bool {
        let [ahead, aside, turn] = wanted.errors;
        let far = (ahead * ahead + aside * aside).sqrt();
        far > self.settings.lost_track.0 || turn.abs() > self.settings.lost_track.1
    }

    /// A plan from where the reference will be at the end of this frame, taken if it is better.
    fn go_on(
        &mut self,
        next: &Moment,
        goal: Goal,
        moved: bool,
        surroundings: &Surroundings<'_>,
    ) -> Result<(), NavError> {
        let period = self.settings.period;
        // A straight line under way is bent: turning on the spot would mean to stop, for a goal that
        // moves by every millimetre, and never to leave the first turn.
        let kind = match self.kind {
            Kind::Around | Kind::Turn if next.v > 0.0 => Kind::WideAhead,
            Kind::Around | Kind::Turn if next.v < 0.0 => Kind::WideBack,
            Kind::Around => Kind::Turn,
            same => same,
        };
        let left = self.plan().duration() - self.clock - period;
        // Unless it must, it changes its mind only for a gain that is worth it.
        let worth = 0.95 * left - 0.03;
        let (path, first) = match self.begin(next, goal, kind) {
            Ok(found) => found,
            Err(NavError::CoincidentPoses) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.made += 1;
        // A way around has room to spare; it is not left for one that only just passes.
        let spare = if self.kind == Kind::Around { route::spare(surroundings) } else { 0.0 };
        if !surroundings.allows(&path, self.settings.margin + spare) {
            return if moved { self.plan_otherwise(next, goal, surroundings) } else { Ok(()) };
        }
        self.time(&path, (first, next.omega), goal.speed)?;
        let fresh = &self.plans[1 - self.current];
        let (takes, smooth) = (fresh.duration(), fresh.is_smooth());
        self.due = if moved { self.due - period } else { left };
        if moved && takes > LATE.0 * self.due + LATE.1 {
            // The goal moves so that another kind of path may suit it better.
            if let Ok(other) = self.prepare(&state_at(next), goal, surroundings) {
                let fresh = &self.plans[1 - self.current];
                if fresh.is_smooth() && (!smooth || fresh.duration() < takes) {
                    self.due = fresh.duration();
                    self.take(other, -period);
                    return Ok(());
                }
            }
            self.due = takes;
            self.time(&path, (first, next.omega), goal.speed)?;
        }
        if moved || (smooth && takes < worth) {
            self.take(kind, -period);
        }
        Ok(())
    }

    /// A path of a kind, and the speed that it begins with. A robot that moves otherwise than the path
    /// would begin brakes first, and goes on from there.
    fn begin(&self, from: &Moment, goal: Goal, kind: Kind) -> Result<(Path, f64), NavError> {
        let path = route::of_kind(from.pose, goal.pose, kind)?;
        let first = along(&path, from.v);
        if first >= from.v.abs() - self.abrupt() {
            return Ok((path, first));
        }
        let (brake, stop) = braking(&state_at(from), self.settings.limits.acceleration);
        let mut path = Path::of(brake);
        path.append(&route::of_kind(stop, goal.pose, kind)?)?;
        Ok((path, from.v.abs()))
    }

    /// The moved goal needs another kind of path.
    fn plan_otherwise(
        &mut self,
        next: &Moment,
        goal: Goal,
        surroundings: &Surroundings<'_>,
    ) -> Result<(), NavError> {
        let kind = self.prepare(&state_at(next), goal, surroundings)?;
        self.take(kind, -self.settings.period);
        Ok(())
    }

    /// Times a path from a speed and a turning, beside the plan in progress.
    fn time(&mut self, path: &Path, now: (f64, f64), last: f64) -> Result<(), NavError> {
        self.plans[1 - self.current].time_turning(path, &self.profile, now.0, now.1, last)
    }

    fn take(&mut self, kind: Kind, clock: f64) {
        self.current = 1 - self.current;
        self.kind = kind;
        self.clock = clock;
        self.planned = true;
        self.taken += 1;
    }

    fn abrupt(&self) -> f64 {
        larger(ABRUPT.0, ABRUPT.1 * self.settings.limits.speed)
    }

    /// A plan from where the robot is, of whatever kind is quickest.
    fn start_anew(
        &mut self,
        state: &State,
        goal: Goal,
        surroundings: &Surroundings<'_>,
    ) -> Result<References, NavError> {
        let kind = self.prepare(state, goal, surroundings)?;
        self.take(kind, 0.0);
        self.due = self.plan().duration();
        self.references(state).ok_or(NavError::CoincidentPoses)
    }

    /// Times the quickest kind of path from a state beside the plan in progress.
    fn prepare(
        &mut self,
        state: &State,
        goal: Goal,
        surroundings: &Surroundings<'_>,
    ) -> Result<Kind, NavError> {
        let limits = &self.settings.limits;
        let margin = self.settings.margin;
        self.made += 1;
        let found = route::route(state.pose(), goal.pose, surroundings, limits, margin)?;
        let mut route = found;
        let mut first = along(&found.path, state.v);
        let abrupt = self.abrupt();
        if first < state.v.abs() - abrupt {
            // It moves otherwise than the path begins: brake first, and plan from there.
            let (brake, stop) = braking(state, limits.acceleration);
            let rest = route::route(stop, goal.pose, surroundings, limits, margin)?;
            let mut path = Path::of(brake);
            if path.append(&rest.path).is_ok() {
                route = Route { path, ..rest };
                first = state.v.abs();
            }
        }
        self.time(&route.path, (first, state.omega), goal.speed)?;
        let takes = self.plans[1 - self.current].duration();
        // A bend that the rough time did not see has to be crept along: rather turn on the spot.
        if takes > 2.0 * route.time + 1.0
            && state.v.abs() <= abrupt
            && let Ok(path) = route::of_kind(state.pose(), goal.pose, Kind::Turn)
            && surroundings.allows(&path, margin)
        {
            self.time(&path, (0.0, state.omega), goal.speed)?;
            if self.plans[1 - self.current].duration() < takes {
                route = Route { path, kind: Kind::Turn, ..route };
            } else {
                self.time(&route.path, (first, state.omega), goal.speed)?;
            }
        }
        Ok(route.kind)
    }
}

/// Whether two goals are within a distance and an angle, and ask for the same speed.
fn is_near(a: Goal, b: Goal, (distance, angle): (f64, f64)) -> bool {
    let (p, q) = (a.pose.rotation.x_axis(), b.pose.rotation.x_axis());
    (a.pose.position - b.pose.position).length_squared() <= distance * distance
        // For such angles the sine will do.
        && p.dot(q) > 0.0
        && p.cross(q).abs() <= angle
        && a.speed == b.speed
}

/// The speed that a path can begin with, of the one that the robot has.
fn along(path: &Path, v: f64) -> f64 {
    let Some(leg) = path.legs().first() else { return 0.0 };
    let sign = if leg.backwards { -1.0 } else { 1.0 };
    if matches!(leg.shape, Shape::Turn { .. }) { 0.0 } else { (sign * v).max(0.0) }
}

/// The way in which the robot comes to rest, and where.
fn braking(state: &State, deceleration: f64) -> (Leg, Pose2) {
    let length = state.v * state.v / (2.0 * deceleration);
    let backwards = state.v < 0.0;
    let own = state.pose();
    let rotation =
        if backwards { Rot2 { c: -own.rotation.c, s: -own.rotation.s } } else { own.rotation };
    let from = Pose2 { rotation, ..own };
    // It goes on turning as it did, within reason.
    let curvature = (state.omega / state.v.abs().max(0.05)).clamp(-15.0, 15.0);
    let leg = Leg { shape: Shape::Arc { from, length, curvature }, backwards };
    let stop = leg.pose(1.0);
    (leg, stop)
}

fn state_at(moment: &Moment) -> State {
    let Moment { pose, v, omega, .. } = *moment;
    State { position: pose.position, theta: pose.theta(), v, omega }
}

fn at_rest(pose: Pose2) -> Moment {
    Moment { pose, v: 0.0, omega: 0.0, dv: 0.0, domega: 0.0, parameter: 0.0 }
}
