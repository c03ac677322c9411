//! Goals that tremble, as a ball does that vision sees: taken for what they tremble about.
//!
//! Beyond the thesis. A plan for a goal that is a few millimetres off with every frame is made anew
//! with every frame, each time from a little closer: it never ends, turns about at the goal, and goes
//! now on this side of what is in the way, now on that. How much a goal trembles is told by how much
//! its steps differ from one another: those of a goal that stands, or moves on evenly, do not, and it is
//! taken as it is told.

use super::Goal;
use rolima_math::{Pose2, Rot2, Vec2, atan2, larger};
use serde::{Deserialize, Serialize};

/// Over how long a goal that trembles is averaged, s.
const OVER: f64 = 0.15;

/// Over how long it is told how much it trembles, s.
const TELL: f64 = 0.5;

/// A goal is no further than this times its standard error from what it trembles about.
const FURTHEST: f64 = 4.0;

/// What it is taken for trembles as well: by no more than this times the same standard error.
const BAND: f64 = 1.5;

/// Less than this, m and rad, is rounding.
const NOTHING: f64 = 1e-9;

/// What a goal trembles about, and by how much.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct GoalFilter {
    /// The last goal, as it was told, and as it is taken.
    last: Option<(Goal, Goal)>,
    /// Its last step, m and rad; none where it had just become another.
    step: Option<(Vec2, f64)>,
    /// How many steps were compared: the first count as much as all before them.
    steps: u32,
    /// Squares of the standard errors of x and y, m2, and of the heading, rad2.
    tremble: (f64, f64),
}

impl GoalFilter {
    /// A goal of now, as it is to be taken. One that is not near the last, as `is_near` tells, is another.
    pub(super) fn take(
        &mut self,
        goal: Goal,
        period: f64,
        is_near: impl FnOnce(Goal, Goal) -> bool,
    ) -> Goal {
        let Some((told, taken)) = self.last.filter(|last| is_near(last.0, goal)) else {
            *self = Self { last: Some((goal, goal)), ..Self::default() };
            return goal;
        };
        // By what was seen before: a goal that stood is followed at once when it goes.
        let (off, turned) = difference(taken.pose, goal.pose);
        let (far, wide) = self.errors(FURTHEST);
        let share = period / (OVER + period);
        // How much of the difference is kept up: nothing, where it does not tremble.
        let keep = |off: f64, most: f64| if off > most { most / off } else { 1.0 - share };
        let mut pose = goal.pose;
        if far > NOTHING {
            pose.position -= off * keep(off.length(), far);
        }
        if wide > NOTHING {
            let back = -turned * keep(turned.abs(), wide);
            pose.rotation = Rot2::from_angle(back).after(pose.rotation);
        }
        let step = difference(told.pose, goal.pose);
        if let Some(before) = self.step.replace(step) {
            self.tell((step.0 - before.0, step.1 - before.1), period);
        }
        let taken = Goal { pose, ..goal };
        self.last = Some((goal, taken));
        taken
    }

    /// One more difference of steps. It has six times the variance of the goal itself.
    fn tell(&mut self, (off, turned): (Vec2, f64), period: f64) {
        self.steps = self.steps.saturating_add(1);
        let share = larger(period / (TELL + period), 1.0 / f64::from(self.steps));
        let blend = |old: &mut f64, new: f64| *old += share * (new - *old);
        blend(&mut self.tremble.0, off.length_squared() / 12.0);
        blend(&mut self.tremble.1, turned * turned / 6.0);
    }

    fn errors(&self, times: f64) -> (f64, f64) {
        (times * self.tremble.0.sqrt(), times * self.tremble.1.sqrt())
    }

    /// Within how much a goal is the same, m and rad, if it is within `least` where it does not tremble.
    pub(super) fn same(&self, least: (f64, f64)) -> (f64, f64) {
        let (far, wide) = self.errors(BAND);
        (larger(least.0, far), larger(least.1, wide))
    }
}

/// From one pose to another, m and rad.
fn difference(from: Pose2, to: Pose2) -> (Vec2, f64) {
    let (p, q) = (from.rotation.x_axis(), to.rotation.x_axis());
    (to.position - from.position, atan2(p.cross(q), p.dot(q)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::{Stream, normal_quantile};

    const PERIOD: f64 = 0.03;

    fn take(goal_filter: &mut GoalFilter, x: f64, y: f64, theta: f64) -> Pose2 {
        let goal = Goal::stop_at(Pose2::new(x, y, theta));
        let is_near = |a: Goal, b: Goal| (a.pose.position - b.pose.position).length() < 0.05;
        goal_filter.take(goal, PERIOD, is_near).pose
    }

    #[test]
    fn a_goal_that_stands_or_jumps_is_taken_as_it_is_told() {
        let mut goal_filter = GoalFilter::default();
        for x in [0.1, 0.1, 0.1, 0.13, 0.13, 0.9, 0.9] {
            assert_eq!(take(&mut goal_filter, x, 0.2, 0.3), Pose2::new(x, 0.2, 0.3));
            if x == 0.1 {
                assert_eq!(goal_filter.same((0.002, 0.02)), (0.002, 0.02));
            }
        }
    }

    #[test]
    fn a_goal_that_moves_on_evenly_is_not_lagged_behind() {
        let mut goal_filter = GoalFilter::default();
        for frame in 0..200 {
            let (x, theta) = (0.02 * f64::from(frame), 0.01 * f64::from(frame));
            let taken = take(&mut goal_filter, x, -0.5 * x, theta);
            assert_eq!(taken, Pose2::new(x, -0.5 * x, theta));
        }
    }

    #[test]
    fn a_goal_that_trembles_is_taken_for_its_mean_and_followed_where_it_goes() {
        let (sigma, slack) = (0.003, 4.0 * 0.003 * 1.5);
        let mut random = Stream::new(4, 0, "calm");
        let mut normal = |sigma: f64| sigma * normal_quantile(random.between(1e-12, 1.0));
        let mut goal_filter = GoalFilter::default();
        let (mut squares, mut count) = (0.0, 0.0);
        for frame in 0..2000 {
            let time = PERIOD * f64::from(frame);
            // It stands for half a minute, then goes off at 20 cm/s.
            let x = 0.2 * larger(time - 30.0, 0.0);
            let taken = take(&mut goal_filter, x + normal(sigma), normal(sigma), normal(0.01));
            let off = (taken.position - Vec2::new(x, 0.0)).length();
            assert!(off < slack + 3.0 * sigma, "{off} m off after {time} s");
            if (1.0..30.0).contains(&time) {
                (squares, count) = (squares + 0.5 * off * off, count + 1.0);
                let same = goal_filter.same((0.0, 0.0));
                assert!((0.5..2.0).contains(&(same.0 / (BAND * sigma))), "{same:?}");
            }
        }
        let error = f64::sqrt(squares / count);
        assert!(error < 0.45 * sigma, "{error} m");
    }
}
