//! What a scene says about robots that go to goals by themselves, and about the vision they see by.

use Range::Within;
use rolima_check::{OURS, Range, keys};
use rolima_math::{Pose2, Vec2};

/// Goals of a robot, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RouteSpec {
    /// The goals, at least one and at most [`MOST_GOALS_OF_A_ROUTE`].
    pub goals: Vec<GoalSpec>,
    /// Whether it goes for the first one again after the last.
    pub repeat: bool,
    /// How long it stays at each goal, s.
    pub wait_s: f64,
}

/// Most goals of a route.
pub const MOST_GOALS_OF_A_ROUTE: usize = 100;

/// Most robots of a world that go to goals by themselves, or are sent to them, at a time.
pub const MOST_GOING: usize = 32;

/// Where a robot goes.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalSpec {
    /// A pose, to stop there.
    Pose(Pose2),
    /// A ball, to meet it from behind and send it towards a point.
    Ball {
        /// Its name.
        ball: String,
        /// Where to send it, m.
        aim: Vec2,
    },
}

keys! {
    /// How bad the vision is by which robots that go to goals see: themselves, others and balls.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct VisionSpec {
        /// standard error of positions
        position_sigma: f64 = 0.0, "m", Within(0.0, 1.0), OURS;
        /// standard error of headings
        heading_sigma: f64 = 0.0, "deg" as "heading_sigma_deg", Within(0.0, 360.0), OURS;
        /// how late poses are told, rounded to frames of 30 ms
        delay_s: f64 = 0.0, "s", Within(0.0, 1.0), OURS;
        /// probability that a gap begins in a frame
        gap_probability: f64 = 0.0, "1", Within(0.0, 1.0), OURS;
        /// how long a gap lasts, rounded to frames of 30 ms
        gap_s: f64 = 0.0, "s", Within(0.0, 60.0), OURS;
    }
}
