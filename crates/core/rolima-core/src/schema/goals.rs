//! Where robots are sent, and how they get on.
//!
//! Goals are no part of a world; the agent that drives robots to them tells of it in reports.

use super::{Instant, POSITIVE, Quantity, ROUND, Subject, Walker, bounded, quantity};
use rolima_math::Pose2;
use rolima_model::RobotId;

/// What is told of a robot that goes to a goal: it was sent there, or its driver does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GoalReport {
    /// The robot.
    pub robot: RobotId,
    /// How it gets on: 1 driving, 2 searching, 3 arrived, 4 blocked, 5 lost, 6 unplanned, 7 refused.
    pub state: u8,
    /// What it does: 1 standing, 2 turning on the spot, 3 driving, 4 approaching a ball, 5 striking it, 6
    /// holding its goal.
    pub phase: u8,
    /// Which goal of its route it is, from 1.
    pub number: u32,
    /// Where it is to go.
    pub goal: Pose2,
    /// Where it should be now.
    pub reference: Pose2,
    /// Where it takes itself to be.
    pub believed: Pose2,
    /// Standard error that it predicts of that, m; zero where it sees true poses.
    pub error_m: f64,
    /// Way that is left, m.
    pub left_m: f64,
    /// Time that the plan in progress still takes, s.
    pub left_s: f64,
}

/// A robot's goal; none where it was not sent anywhere.
struct Goal;

/// What a robot without a goal has as the state of it.
const NO_GOAL: f64 = 0.0;

/// A number of a report; NaN without one.
fn of(report: &Option<GoalReport>, read: impl Fn(&GoalReport) -> f64) -> f64 {
    report.as_ref().map_or(f64::NAN, read)
}

impl Subject for Goal {
    type At<'a> = Option<GoalReport>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        bounded([0.0, 7.0], "state", "", STATES, |r| r.map_or(NO_GOAL, |r| f64::from(r.state))),
        bounded([0.0, 6.0], "phase", "", PHASES, |r| r.map_or(NO_GOAL, |r| f64::from(r.phase))),
        bounded(POSITIVE, "number", "", "which goal of its route, from 1; 0 none", |r| {
            r.map_or(NO_GOAL, |r| f64::from(r.number))
        }),
        quantity("x", "m", "position to go to", |r| of(r, |r| r.goal.position.x)),
        quantity("y", "m", "position to go to", |r| of(r, |r| r.goal.position.y)),
        bounded(ROUND, "heading", "rad", "heading to end with", |r| of(r, |r| r.goal.theta())),
        quantity("reference.x", "m", "where it should be now", |r| {
            of(r, |r| r.reference.position.x)
        }),
        quantity("reference.y", "m", "where it should be now", |r| {
            of(r, |r| r.reference.position.y)
        }),
        bounded(POSITIVE, "distance", "m", "straight from where it takes itself to be", |r| {
            of(r, |r| (r.goal.position - r.believed.position).length())
        }),
        quantity("believed.x", "m", "where it takes itself to be", |r| {
            of(r, |r| r.believed.position.x)
        }),
        quantity("believed.y", "m", "where it takes itself to be", |r| {
            of(r, |r| r.believed.position.y)
        }),
        bounded(ROUND, "believed.heading", "rad", "heading that it takes itself to have", |r| {
            of(r, |r| r.believed.theta())
        }),
        bounded(POSITIVE, "predicted_error", "m", "standard error that it predicts of that", |r| {
            of(r, |r| r.error_m)
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

/// What the numbers of a phase mean.
const PHASES: &str =
    "0 none, 1 standing, 2 turning, 3 driving, 4 approaching a ball, 5 striking, 6 holding";

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
