//! What is told of robots that go to goals.

use crate::progress::{GoalProgress, GoalRefusal, Phase, Progress};
use rolima_core::{GoalReport, RobotId};
use rolima_math::Pose2;

/// A robot that goes to a goal: it was sent there, or its driver does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishedGoal {
    /// The robot.
    pub robot: RobotId,
    /// Where it is to go.
    pub goal: Pose2,
    /// Which goal of its route that is, from 0, and how many there are.
    pub number: u32,
    /// How many goals its route has.
    pub count: u32,
    /// How it gets on.
    pub status: GoalStatus,
    /// What it does for that; its plans are counted since the run began.
    pub shown: GoalProgress,
}

impl PublishedGoal {
    /// What channels tell of it.
    pub fn report(&self) -> GoalReport {
        let state = match self.status {
            GoalStatus::Going(Progress::Driving) => 1,
            GoalStatus::Going(Progress::Searching) => 2,
            GoalStatus::Going(Progress::Arrived) => 3,
            GoalStatus::Going(Progress::Blocked) => 4,
            GoalStatus::Going(Progress::Lost) => 5,
            GoalStatus::Going(Progress::Unplanned(_)) => 6,
            GoalStatus::Refused(_) => 7,
        };
        let phase = match self.shown.phase {
            Phase::Standing => 1,
            Phase::Turning => 2,
            Phase::Driving => 3,
            Phase::Approaching => 4,
            Phase::Striking => 5,
            Phase::Holding => 6,
        };
        let GoalProgress { reference, believed, error_m, left_m, left_s, .. } = self.shown;
        let (robot, goal, number) = (self.robot, self.goal, self.number + 1);
        GoalReport {
            robot,
            state,
            phase,
            goal,
            number,
            reference,
            believed,
            error_m,
            left_m,
            left_s,
        }
    }
}

/// How a robot that was sent to a goal gets on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalStatus {
    /// It goes there, or is there.
    Going(Progress),
    /// It cannot go there.
    Refused(GoalRefusal),
}

impl Default for GoalStatus {
    fn default() -> Self {
        Self::Going(Progress::Driving)
    }
}
