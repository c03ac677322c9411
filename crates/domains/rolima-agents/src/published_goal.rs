//! What is told of robots that go to goals.

use crate::progress::{GoalRefusal, Phase, Progress};
use rolima_core::{GoalReport, RobotId};
use rolima_math::{Pose2, Vec2};

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
    /// What it does.
    pub phase: Phase,
    /// Where it takes itself to be.
    pub believed: Pose2,
    /// Standard error that it predicts of that, m; zero where it sees true poses.
    pub error_m: f64,
    /// How it goes.
    pub status: GoalStatus,
    /// Where it should be now.
    pub reference: Pose2,
    /// Way that is left, m.
    pub left_m: f64,
    /// Time that the plan in progress still takes, s.
    pub left_s: f64,
    /// Number of the plan, another one for every plan of a robot since the run began.
    pub plan: u32,
    /// Time since the plan began, s.
    pub clock_s: f64,
    /// Where the plan wants it, from its begin, `every_s` apart; its end last. At most 64.
    pub references: Vec<Vec2>,
    /// Time between these, s.
    pub every_s: f64,
    /// Corners of the way after the plan's end, the goal last. At most 64.
    pub beyond: Vec<Vec2>,
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
        let phase = match self.phase {
            Phase::Standing => 1,
            Phase::Turning => 2,
            Phase::Driving => 3,
            Phase::Approaching => 4,
            Phase::Striking => 5,
            Phase::Holding => 6,
        };
        let Self { robot, goal, number, reference, believed, error_m, left_m, left_s, .. } = *self;
        let number = number + 1;
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
