//! What an errand shows.

use super::{Errand, MOST_SHOWN, SHOWN_EVERY};
use crate::progress::{Phase, Progress};
use rolima_math::{Pose2, larger};
use rolima_nav::path::Shape;
use rolima_nav::{Goal, Output, Status};

impl Errand {
    pub(super) fn show(&mut self, here: Option<Pose2>, target: Option<Goal>, output: &Output) {
        let is_last = self.encounter.is_none()
            && target.is_some_and(|goal| goal.pose == self.goal && goal.speed == 0.0);
        self.shown.progress = Progress::of(output.status, self.guide.search(), is_last);
        self.shown.phase = self.phase(output);
        self.shown.believed = here.unwrap_or(self.shown.believed);
        self.shown.error = self.predicted_error();
        self.shown.reference = output.reference;
        let key = (self.plans + self.navigator.taken(), self.corner);
        let Some((trajectory, clock)) = self.navigator.trajectory() else {
            let straight = here.map_or(0.0, |p| (self.goal.position - p.position).length());
            self.shown.left = (straight, 0.0);
            if !self.shown.references.is_empty() {
                self.shown.references.clear();
                self.shown.beyond.clear();
                self.shown.plan += 1;
            }
            self.drawn = None;
            return;
        };
        let beyond = self.guide.way().get(self.corner..).unwrap_or(&[]);
        let path = trajectory.path();
        let done = trajectory.at(clock).and_then(|now| path.at(now.parameter));
        let rest: f64 = beyond.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum();
        let left = trajectory.length() - done.map_or(0.0, |done| done.way);
        self.shown.left = (larger(left, 0.0) + rest, output.left);
        self.shown.clock = clock;
        if self.drawn == Some(key) {
            return;
        }
        self.drawn = Some(key);
        self.shown.plan += 1;
        let duration = trajectory.duration();
        let pieces = ((duration / SHOWN_EVERY).ceil() as usize).clamp(1, MOST_SHOWN - 1);
        self.shown.every = duration / pieces as f64;
        self.shown.references.clear();
        self.shown.references.extend((0..=pieces).filter_map(|i| {
            trajectory.at(self.shown.every * i as f64).map(|then| then.pose.position)
        }));
        self.shown.beyond.clear();
        self.shown.beyond.extend(beyond.iter().skip(1).take(MOST_SHOWN));
    }

    /// Standard error of where it takes itself to be, m; none where it sees true poses.
    fn predicted_error(&self) -> f64 {
        if self.eyes.are_true() {
            return 0.0;
        }
        let [x, y, ..] = self.navigator.filter().errors();
        (x * x + y * y).sqrt()
    }

    fn phase(&self, output: &Output) -> Phase {
        match output.status {
            Status::Arrived if self.encounter.is_none() => return Phase::Holding,
            Status::Driving | Status::Arrived => {}
            Status::Idle | Status::Blocked | Status::Lost | Status::Refused(_) => {
                return Phase::Standing;
            }
        }
        if let Some(encounter) = &self.encounter {
            return if encounter.strikes() { Phase::Striking } else { Phase::Approaching };
        }
        let Some((plan, clock)) = self.navigator.trajectory() else { return Phase::Driving };
        let leg = plan.at(clock).and_then(|now| plan.path().legs().get(now.parameter as usize));
        match leg.map(|leg| leg.shape) {
            Some(Shape::Turn { .. }) => Phase::Turning,
            _ => Phase::Driving,
        }
    }
}
