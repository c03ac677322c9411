//! Where robots are sent, and how they get on.
//!
//! Goals are no part of a world; whoever drives robots to them tells of it in reports.

use super::{Instant, POSITIVE, Quantity, ROUND, Subject, Walker, bounded, quantity};
use rolima_math::Pose2;
use rolima_model::RobotId;

/// What is told of a robot that was sent to a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalReport {
    /// The robot.
    pub robot: RobotId,
    /// How it gets on: 1 driving, 2 searching, 3 arrived, 4 blocked, 5 lost, 6 unplanned, 7 refused.
    pub state: u8,
    /// Where it is to go.
    pub goal: Pose2,
    /// Where it should be now.
    pub reference: Pose2,
    /// Way that is left, m.
    pub left_m: f64,
    /// Time that the plan in progress still takes, s.
    pub left_s: f64,
}

/// A robot's goal; none where it was not sent anywhere.
struct Goal;

/// What a robot without a goal has as the state of it.
const NOT_SENT: f64 = 0.0;

/// A number of a report; NaN without one.
fn of(report: &Option<GoalReport>, read: impl Fn(&GoalReport) -> f64) -> f64 {
    report.as_ref().map_or(f64::NAN, read)
}

impl Subject for Goal {
    type At<'a> = Option<GoalReport>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        bounded([0.0, 7.0], "state", "", STATES, |r| r.map_or(NOT_SENT, |r| f64::from(r.state))),
        quantity("x", "m", "position to go to", |r| of(r, |r| r.goal.position.x)),
        quantity("y", "m", "position to go to", |r| of(r, |r| r.goal.position.y)),
        bounded(ROUND, "heading", "rad", "heading to end with", |r| of(r, |r| r.goal.theta())),
        quantity("reference.x", "m", "where it should be now", |r| {
            of(r, |r| r.reference.position.x)
        }),
        quantity("reference.y", "m", "where it should be now", |r| {
            of(r, |r| r.reference.position.y)
        }),
        bounded(POSITIVE, "left", "m", "way that is left", |r| of(r, |r| r.left_m)),
        quantity("time_left", "s", "time that the plan in progress still takes", |r| {
            of(r, |r| r.left_s)
        }),
    ];
}

/// What the numbers of a goal's state mean.
const STATES: &str =
    "0 none, 1 driving, 2 searching, 3 arrived, 4 blocked, 5 lost, 6 unplanned, 7 refused";

/// The goal of a robot.
pub(super) fn walk(
    name: impl FnOnce() -> String,
    robot: usize,
    now: Option<Instant<'_>>,
    walker: &mut impl Walker,
) {
    let report = now.map(|now| {
        let place = now.goals.binary_search_by_key(&RobotId(robot as u32), |report| report.robot);
        place.ok().map(|i| now.goals[i])
    });
    walker.subject::<Goal>(name, report.as_ref());
}
