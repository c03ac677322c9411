//! How a robot that is sent to a pose gets on, and why it may not be sent.

use crate::grid_planner::Search;
use rolima_math::{Pose2, Vec2};
use rolima_model::MOST_GOALS_OF_A_ROUTE;
use rolima_nav::{NavError, NavStatus};
use serde::{Deserialize, Serialize};
use std::mem::take;

/// Why a goal cannot be gone for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GoalRefusal {
    /// There is no such robot, or none that navigation can drive.
    Robot(NavError),
    /// The goal is not finite, or absurdly far away.
    NotFinite,
    /// The goal is in a wall, or too near to one.
    InWall,
    /// There is no such ball to meet.
    NoSuchBall,
    /// A route has no goals, too many, or a time to wait that is none.
    BadRoute,
}

impl std::fmt::Display for GoalRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Robot(why) => write!(f, "navigation cannot drive this robot: {why}"),
            Self::NotFinite => write!(f, "expected a goal within the world"),
            Self::InWall => write!(f, "the goal is in a wall, or too near to one"),
            Self::NoSuchBall => write!(f, "there is no such ball to meet"),
            Self::BadRoute => {
                write!(f, "expected 1 to {MOST_GOALS_OF_A_ROUTE} goals and a time to wait at them")
            }
        }
    }
}

impl std::error::Error for GoalRefusal {}

/// How a task of going to a pose goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Progress {
    /// It is on its way.
    #[default]
    Driving,
    /// It stands and looks for a way among the walls.
    Searching,
    /// It is there, and stays.
    Arrived,
    /// Every way is blocked: it stands and tries again.
    Blocked,
    /// It is not seen any more (in quarantine): it stands.
    Lost,
    /// Navigation has no plan for where it is and where it goes, and why: it stands and tries again.
    Unplanned(NavError),
}

impl Progress {
    /// What a navigator's status means while a planner searches; `is_last` where it goes for the
    /// goal itself and not for a corner on the way.
    pub(crate) fn of(status: NavStatus, search: Search, is_last: bool) -> Self {
        match (status, search) {
            (NavStatus::Lost, _) => Self::Lost,
            (_, Search::Working) => Self::Searching,
            (NavStatus::Blocked, _) | (_, Search::Nowhere) => Self::Blocked,
            (NavStatus::Refused(why), _) => Self::Unplanned(why),
            (NavStatus::Arrived, _) if is_last => Self::Arrived,
            (NavStatus::Arrived | NavStatus::Driving | NavStatus::Idle, _) => Self::Driving,
        }
    }
}

/// What a robot that is sent somewhere does in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// It has no plan: it stands, or comes to rest.
    #[default]
    Standing,
    /// It turns on the spot.
    Turning,
    /// It drives.
    Driving,
    /// It goes to a place behind a ball.
    Approaching,
    /// It goes into a ball.
    Striking,
    /// It is there, and holds its goal.
    Holding,
}

/// What a task of going to a pose shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GoalProgress {
    /// How it goes.
    pub state: Progress,
    /// What it does.
    pub phase: Phase,
    /// Where it takes itself to be: where it is, or what it makes of what it sees.
    pub believed: Pose2,
    /// Standard error that it predicts of that, m; zero where it sees true poses.
    pub error_m: f64,
    /// Where the robot should be now.
    pub reference: Pose2,
    /// Length of the path that is left, m.
    pub left_m: f64,
    /// Time that the plan in progress still takes, s.
    pub left_s: f64,
    /// Counts the plans.
    pub plan: u32,
    /// References of the plan in progress, `every_s` apart from its begin; its end last. At most 64.
    pub references: Vec<Vec2>,
    /// Time between references, s.
    pub every_s: f64,
    /// Time since the plan in progress began, s.
    pub clock_s: f64,
    /// Corners of the path after the plan's end, the goal last. At most 64.
    pub beyond: Vec<Vec2>,
}

impl GoalProgress {
    /// Becomes the same as another, whose plans are counted from `first` on. What is shown of a plan is copied
    /// once, into memory that is kept.
    pub(crate) fn follow(&mut self, other: &Self, first: u32) {
        let plan = first.wrapping_add(other.plan);
        let (mut references, mut beyond) = (take(&mut self.references), take(&mut self.beyond));
        if self.plan != plan || references.len() != other.references.len() {
            references.clone_from(&other.references);
            beyond.clone_from(&other.beyond);
        }
        let Self { state, phase, believed, error_m, reference, left_m, left_s, .. } = *other;
        let Self { every_s, clock_s, .. } = *other;
        *self = Self {
            state,
            phase,
            believed,
            error_m,
            reference,
            left_m,
            left_s,
            plan,
            references,
            every_s,
            clock_s,
            beyond,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_without_a_plan_is_not_said_to_be_on_its_way() {
        let of = |status| Progress::of(status, Search::Idle, true);
        for why in [NavError::NotFinite, NavError::TooManyLegs] {
            assert_eq!(of(NavStatus::Refused(why)), Progress::Unplanned(why));
            // On the way to a corner as well.
            let corner = Progress::of(NavStatus::Refused(why), Search::Found, false);
            assert_eq!(corner, Progress::Unplanned(why));
        }
        assert_eq!(of(NavStatus::Driving), Progress::Driving);
        assert_eq!(of(NavStatus::Arrived), Progress::Arrived);
        assert_eq!(Progress::of(NavStatus::Arrived, Search::Found, false), Progress::Driving);
        assert_eq!(of(NavStatus::Blocked), Progress::Blocked);
        assert_eq!(Progress::of(NavStatus::Idle, Search::Nowhere, false), Progress::Blocked);
        assert_eq!(Progress::of(NavStatus::Idle, Search::Working, false), Progress::Searching);
        assert_eq!(Progress::of(NavStatus::Lost, Search::Working, false), Progress::Lost);
    }
}
