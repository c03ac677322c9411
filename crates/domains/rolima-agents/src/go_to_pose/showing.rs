//! What a task of going to a pose shows.

use super::{GoToPose, MOST_POINTS, POINTS_EVERY};
use crate::progress::{Phase, Progress};
use rolima_math::{Pose2, larger};
use rolima_nav::path::LegShape;
use rolima_nav::{Goal, NavStatus, Output};

impl GoToPose {
    pub(super) fn show(&mut self, here: Option<Pose2>, target: Option<Goal>, output: &Output) {
        let is_last = self.encounter.is_none()
            && target.is_some_and(|goal| goal.pose == self.goal && goal.speed == 0.0);
        self.goal_progress.state = Progress::of(output.status, self.planner.search(), is_last);
        self.goal_progress.phase = self.phase(output);
        self.goal_progress.believed = here.unwrap_or(self.goal_progress.believed);
        self.goal_progress.error_m = self.predicted_error();
        self.goal_progress.reference = output.reference;
        let key = (self.plans + self.navigator.taken(), self.corner);
        let Some((trajectory, clock)) = self.navigator.trajectory() else {
            let straight = here.map_or(0.0, |p| (self.goal.position - p.position).length());
            (self.goal_progress.left_m, self.goal_progress.left_s) = (straight, 0.0);
            if !self.goal_progress.references.is_empty() {
                self.goal_progress.references.clear();
                self.goal_progress.beyond.clear();
                self.goal_progress.plan += 1;
            }
            self.drawn = None;
            return;
        };
        let beyond = self.planner.path().get(self.corner..).unwrap_or(&[]);
        let path = trajectory.path();
        let done = trajectory.at(clock).and_then(|now| path.at(now.parameter));
        let rest: f64 = beyond.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum();
        let left = trajectory.length() - done.map_or(0.0, |done| done.arc_length);
        self.goal_progress.left_m = larger(left, 0.0) + rest;
        self.goal_progress.left_s = output.left;
        self.goal_progress.clock_s = clock;
        if self.drawn == Some(key) {
            return;
        }
        self.drawn = Some(key);
        self.goal_progress.plan += 1;
        let duration = trajectory.duration();
        let pieces = ((duration / POINTS_EVERY).ceil() as usize).clamp(1, MOST_POINTS - 1);
        self.goal_progress.every_s = duration / pieces as f64;
        self.goal_progress.references.clear();
        self.goal_progress.references.extend((0..=pieces).filter_map(|i| {
            trajectory.at(self.goal_progress.every_s * i as f64).map(|then| then.pose.position)
        }));
        self.goal_progress.beyond.clear();
        self.goal_progress.beyond.extend(beyond.iter().skip(1).take(MOST_POINTS));
    }

    /// Standard error of where it takes itself to be, m; none where it sees true poses.
    fn predicted_error(&self) -> f64 {
        if self.robot_vision.are_true() {
            return 0.0;
        }
        let [x, y, ..] = self.navigator.filter().errors();
        (x * x + y * y).sqrt()
    }

    fn phase(&self, output: &Output) -> Phase {
        match output.status {
            NavStatus::Arrived if self.encounter.is_none() => return Phase::Holding,
            NavStatus::Driving | NavStatus::Arrived => {}
            NavStatus::Idle | NavStatus::Blocked | NavStatus::Lost | NavStatus::Refused(_) => {
                return Phase::Standing;
            }
        }
        if let Some(encounter) = &self.encounter {
            return if encounter.strikes() { Phase::Striking } else { Phase::Approaching };
        }
        let Some((plan, clock)) = self.navigator.trajectory() else { return Phase::Driving };
        let leg = plan.at(clock).and_then(|now| plan.path().legs().get(now.parameter as usize));
        match leg.map(|leg| leg.shape) {
            Some(LegShape::Turn { .. }) => Phase::Turning,
            _ => Phase::Driving,
        }
    }
}
