//! Whether to follow the plan in progress on, and what else to do: step (a) of the algorithm of 5.6,
//! and all that is beyond it.
//!
//! A plan is made every frame, of the kind that was chosen at first, from where the reference will be
//! at the frame's end. It is taken if it is quicker, and always where the goal has moved. Another kind
//! of path is looked for where the goal is another one, the robot is not where it should be, something
//! is in the way, or a goal that moves is falling behind what its kind had promised.

use super::draft::{Draft, Timing, along, braking, point_of, state_at};
use super::{Goal, Navigator, References, at_rest};
use crate::control::Tracker;
use crate::error::NavError;
use crate::estimate::KalmanState;
use crate::field::Surroundings;
use crate::route::{self, ChosenPath, PathEnd, PathKind};
use crate::trajectory::{Trajectory, TrajectoryPoint};
use rolima_math::{Pose2, larger, smaller};

/// A goal that moves further than this in a frame is another goal.
pub(super) const OTHER_GOAL: (f64, f64) = (0.05, 0.35);

/// How long after the end of a plan the robot may settle, s.
const SETTLE: f64 = 0.12;

/// A goal that has not moved for so long, s, does not tremble.
const STEADY: f64 = 0.5;

/// A goal that is off by so many times what counts as having arrived, ahead and in heading, needs no
/// plan.
const MENDED: f64 = 4.0;

/// At a goal to which this share of that distance is left there is nothing to do but to turn.
const HAIR: f64 = 0.2;

/// A plan for a goal that moves, later than this times what its kind promised when it was chosen, and
/// so much more, s, makes the robot look for another kind.
const LATE: (f64, f64) = (1.3, 0.3);

/// A robot that moves faster than its path can begin by this, m/s, brakes first; more for fast ones.
const ABRUPT: (f64, f64) = (0.05, 0.04);

/// A curve that is behind what it promised counts as so many times as long as it says: it will be longer
/// still, as curves grow with the distance of a goal that runs away.
const BEHIND: f64 = 1.15;

/// A robot faces a goal that moves, or has it behind, within this tangent.
const FACES: f64 = 0.2;

/// A path that is chosen cannot begin faster than at so many times the fastest turning.
const TURNING_AT_FIRST: f64 = 2.0;

impl Navigator {
    /// Decides whether to go on, and makes a new plan where not: what is wanted in this frame.
    pub(super) fn replan(
        &mut self,
        state: &KalmanState,
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
            // At the end, and settled. Errors ahead and in heading the tracker mends on the spot, also
            // those of a goal that trembles; one to the side takes another plan.
            let still = at_rest(goal.pose);
            let errors = Tracker::errors(state, &still);
            let [_, aside, _] = errors.map(f64::abs);
            let near = smaller(settings.aside, settings.arrived.0);
            let most = if self.steady > STEADY { near } else { settings.aside };
            return if aside > most || (moved && !self.can_mend(errors)) {
                self.start_anew(state, goal, surroundings)
            } else {
                Ok(References { now: still, next: still, errors })
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

    /// Whether the tracker alone brings a robot that stands to a goal from which it is so far off.
    fn can_mend(&self, errors: [f64; 3]) -> bool {
        let [ahead, aside, turn] = errors.map(f64::abs);
        let (distance, angle) = self.settings.arrived;
        ahead <= MENDED * distance && turn <= MENDED * angle && aside <= self.settings.aside
    }

    fn has_lost_track(&self, wanted: &References) -> bool {
        let [ahead, aside, turn] = wanted.errors;
        let far = (ahead * ahead + aside * aside).sqrt();
        far > self.settings.lost_track.0 || turn.abs() > self.settings.lost_track.1
    }

    /// A plan from where the reference will be at the end of this frame, taken if it is better.
    fn go_on(
        &mut self,
        next: &TrajectoryPoint,
        goal: Goal,
        moved: bool,
        surroundings: &Surroundings<'_>,
    ) -> Result<(), NavError> {
        let period = self.settings.period;
        let left = self.plan().duration() - self.clock - period;
        // As good as there: a goal that trembles would have it turn about over millimetres.
        let stands = goal.speed == 0.0 && next.v.abs() <= self.abrupt();
        if moved && stands && self.can_mend(Tracker::errors(&state_at(next), &at_rest(goal.pose))) {
            return Ok(());
        }
        let draft = match self.draft(next, goal, self.kind_from(next, goal, moved)) {
            Ok(draft) => draft,
            Err(NavError::CoincidentPoses) => return Ok(()),
            Err(error) => return Err(error),
        };
        self.made += 1;
        // A way around has room to spare; it is not left for one that only just passes.
        let spare = if self.kind == PathKind::Around { route::spare(surroundings) } else { 0.0 };
        let fresh = if surroundings.allows(&draft.path, self.settings.margin + spare) {
            // Nor is one that passes the goal at its speed left for one that does not.
            let fast = !self.ends_slowly(self.plan(), goal);
            Some(self.time(&draft, goal)?).filter(|fresh| !(fast && fresh.slow))
        } else {
            None
        };
        let Some(fresh) = fresh else {
            if moved && !(goal.speed > 0.0 && self.ends_near(goal)) {
                let other = self.prepare(&state_at(next), goal, surroundings, false)?;
                self.due = self.spare(goal).takes;
                self.take(&other, -period);
            }
            return Ok(());
        };
        self.due -= period;
        if moved && fresh.takes > LATE.0 * self.due + LATE.1 {
            // The goal moves so that another kind of path may suit it better.
            if let Ok(other) = self.prepare(&state_at(next), goal, surroundings, true) {
                let also = self.spare(goal);
                let is_line = matches!(draft.kind, PathKind::LineAhead | PathKind::LineBack);
                let worth = if is_line { 1.0 } else { BEHIND } * fresh.takes;
                if also.smooth && (!fresh.smooth || also.takes < worth) {
                    self.due = also.takes;
                    self.take(&other, -period);
                    return Ok(());
                }
            }
            self.due = fresh.takes;
            self.time(&draft, goal)?;
        }
        // Unless it must, it changes its mind only for a gain that is worth it.
        if moved || (fresh.smooth && fresh.takes < 0.95 * left - 0.03) {
            self.due = smaller(self.due, fresh.takes);
            self.take(&draft, -period);
        }
        Ok(())
    }

    /// Whether a plan passes a goal too slowly.
    fn ends_slowly(&self, plan: &Trajectory, goal: Goal) -> bool {
        let least = route::TOO_SLOW * smaller(goal.speed, self.settings.limits.speed);
        goal.speed > 0.0 && plan.at(plan.duration()).is_none_or(|end| end.v < least)
    }

    /// Whether the plan in progress ends as good as at a goal.
    fn ends_near(&self, goal: Goal) -> bool {
        let path = self.plan().path();
        let pose = path.pose(path.end());
        let (distance, angle) = self.settings.arrived;
        is_near(goal, Goal { pose, ..goal }, (MENDED * distance, MENDED * angle))
    }

    /// The kind of path to go on with. A straight line under way is bent: turning on the spot would
    /// mean to stop, for a goal that moves by every millimetre, and never to leave the first turn.
    fn kind_from(&self, next: &TrajectoryPoint, goal: Goal, moved: bool) -> PathKind {
        let straight = match self.kind {
            PathKind::Around | PathKind::Turn | PathKind::LineAhead | PathKind::LineBack => true,
            PathKind::Ahead | PathKind::Back | PathKind::WideAhead | PathKind::WideBack => false,
        };
        if !straight {
            return self.kind;
        }
        let brakes = self.brakes && next.parameter < 1.0;
        // A line to a goal ends with a turn, at rest.
        let moved = moved && goal.speed == 0.0;
        if next.v != 0.0 && !(moved && brakes) {
            return match (next.v > 0.0 || goal.speed > 0.0, moved) {
                (true, true) => PathKind::LineAhead,
                (true, false) => PathKind::WideAhead,
                (false, true) => PathKind::LineBack,
                (false, false) => PathKind::WideBack,
            };
        }
        let heading = next.pose.rotation.x_axis();
        let way = goal.pose.position - next.pose.position;
        let (along, aside) = (heading.dot(way), heading.cross(way).abs());
        if moved && !brakes && aside < FACES * along {
            PathKind::LineAhead
        } else if moved && !brakes && aside < -FACES * along {
            PathKind::LineBack
        } else {
            PathKind::Turn
        }
    }

    /// A path of a kind. A robot that moves otherwise than the path would begin brakes first, and goes
    /// on from there.
    fn draft(&self, from: &TrajectoryPoint, goal: Goal, kind: PathKind) -> Result<Draft, NavError> {
        let path = route::of_kind(from.pose, goal.pose, kind)?;
        let first = along(&path, from.v);
        let mut draft = Draft { path, kind, first, turning: from.omega, brakes: false };
        if first < from.v.abs() - self.abrupt() {
            let (brake, stop) = braking(&state_at(from), self.settings.limits.acceleration);
            draft.brake_first(brake, &route::of_kind(stop, goal.pose, kind)?, from.v)?;
        }
        Ok(draft)
    }

    /// Times a draft beside the plan in progress.
    fn time(&mut self, draft: &Draft, goal: Goal) -> Result<Timing, NavError> {
        let Draft { path, first, turning, .. } = draft;
        let spare = &mut self.plans[1 - self.current];
        spare.time_turning(path, &self.profile, *first, *turning, goal.speed)?;
        Ok(self.spare(goal))
    }

    /// How the plan beside that in progress does.
    fn spare(&self, goal: Goal) -> Timing {
        let plan = &self.plans[1 - self.current];
        Timing {
            takes: plan.duration(),
            smooth: plan.is_smooth(),
            slow: self.ends_slowly(plan, goal),
        }
    }

    /// Takes the plan beside that in progress, which was timed last.
    fn take(&mut self, draft: &Draft, clock: f64) {
        self.current = 1 - self.current;
        self.kind = draft.kind;
        self.brakes = draft.brakes;
        self.clock = clock;
        self.planned = true;
        self.taken += 1;
    }

    /// How much faster than its path can begin a robot may be, m/s.
    fn abrupt(&self) -> f64 {
        larger(ABRUPT.0, ABRUPT.1 * self.settings.limits.speed)
    }

    /// A plan from where the robot is, of whatever kind is quickest.
    fn start_anew(
        &mut self,
        state: &KalmanState,
        goal: Goal,
        surroundings: &Surroundings<'_>,
    ) -> Result<References, NavError> {
        let draft = self.prepare(state, goal, surroundings, false)?;
        self.take(&draft, 0.0);
        self.due = self.plan().duration();
        self.references(state).ok_or(NavError::CoincidentPoses)
    }

    /// A robot that stands at the goal's position but for a hair has to turn only, not to look first
    /// where that hair points.
    fn snapped(&self, state: &KalmanState, goal: Goal) -> KalmanState {
        let gap = goal.pose.position - state.position;
        let stands = state.v.abs() <= self.abrupt();
        let at = stands && gap.length() <= HAIR * self.settings.arrived.0;
        KalmanState { position: if at { goal.pose.position } else { state.position }, ..*state }
    }

    /// The path that `find` finds from a state, and about how long it takes, s.
    fn begin(
        &self,
        state: &KalmanState,
        find: impl Fn(Pose2) -> Result<ChosenPath, NavError>,
    ) -> Result<(Draft, f64), NavError> {
        let limits = &self.settings.limits;
        let ChosenPath { path, kind, mut time } = find(state.pose())?;
        let bend = path.legs().first().map_or(0.0, |leg| leg.curvature(0.0).abs());
        let most = TURNING_AT_FIRST * limits.turning / larger(bend, 1e-9);
        let first = smaller(along(&path, state.v), most);
        let mut draft = Draft { path, kind, first, turning: state.omega, brakes: false };
        if first < state.v.abs() - self.abrupt() {
            // It moves otherwise than the path begins: brake first, and plan from there.
            let (brake, stop) = braking(state, limits.acceleration);
            let rest = find(stop)?;
            if draft.brake_first(brake, &rest.path, state.v).is_ok() {
                (draft.kind, time) = (rest.kind, rest.time);
            }
        }
        Ok((draft, time))
    }

    /// Times the quickest kind of path from a state beside the plan in progress; `late` where that one
    /// has fallen behind.
    fn prepare(
        &mut self,
        state: &KalmanState,
        goal: Goal,
        surroundings: &Surroundings<'_>,
        late: bool,
    ) -> Result<Draft, NavError> {
        let (limits, margin) = (self.settings.limits, self.settings.margin);
        let state = &self.snapped(state, goal);
        let (to, end) = (goal.pose, end_of(goal));
        self.made += 1;
        let (draft, time) =
            self.begin(state, |from| route::route(from, to, end, surroundings, &limits, margin))?;
        let timing = self.time(&draft, goal)?;
        if timing.slow {
            // Too close to the goal to get that fast, or in too narrow a bend.
            let behind = self.begin(state, |from| {
                route::with_run_up(from, to, goal.speed, surroundings, &limits, margin)
            });
            if let Ok((behind, _)) = behind {
                let other = self.time(&behind, goal)?;
                if !other.slow && other.takes < timing.takes + route::AGAIN {
                    return Ok(behind);
                }
                self.time(&draft, goal)?;
            }
        }
        // Rough times do not see bends that have to be crept along, nor goals that run away: turning on
        // the spot may be quicker. It ends at rest, which a goal to be passed at speed allows only where
        // a curve takes far too long.
        if draft.kind != PathKind::Turn
            && (goal.speed == 0.0 || timing.takes > 2.0 * time + 1.0)
            && let Ok(turn) = self.draft(&point_of(state), goal, PathKind::Turn)
            && surroundings.allows(&turn.path, margin)
        {
            let worth = if late { BEHIND } else { 1.0 } * timing.takes;
            if self.time(&turn, goal)?.takes < worth {
                return Ok(turn);
            }
            self.time(&draft, goal)?;
        }
        Ok(draft)
    }
}

/// Whether two goals are within a distance and an angle, and ask for the same speed.
pub(super) fn is_near(a: Goal, b: Goal, (distance, angle): (f64, f64)) -> bool {
    let (p, q) = (a.pose.rotation.x_axis(), b.pose.rotation.x_axis());
    (a.pose.position - b.pose.position).length_squared() <= distance * distance
        // For such angles the sine will do.
        && p.dot(q) > 0.0
        && p.cross(q).abs() <= angle
        && a.speed == b.speed
}

fn end_of(goal: Goal) -> PathEnd {
    if goal.speed > 0.0 { PathEnd::Passing(goal.speed) } else { PathEnd::AtRest }
}
