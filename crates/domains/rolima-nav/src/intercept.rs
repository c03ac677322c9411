//! Going where a rolling ball will be, in time to meet it.
//!
//! Beyond the thesis, which says in chapter 7 that replanning every frame lets a robot pursue the
//! ball, and has no more of it.

use crate::estimate::Rolling;
use crate::field::Field;
use crate::navigator::Goal;
use crate::route::{Kind, of_kind, rough_time};
use crate::trajectory::Limits;
use rolima_math::{Pose2, Rot2, Vec2};

/// How to meet a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Where the ball should go, m: the robot comes from the other side of it.
    pub aim: Vec2,
    /// Distance between both centres when they touch, m.
    pub touch: f64,
    /// Speed on arrival, m/s: 0 to wait for it, more to kick.
    pub speed: f64,
    /// Where the robot may be.
    pub field: Field,
    /// Distance that it keeps from the field's sides, m.
    pub margin: f64,
    /// The robot should be there this much earlier than the ball, s.
    pub early: f64,
}

/// Times that are tried, s: finer where the ball is near.
const TIMES: [f64; 20] = [
    0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1.05, 1.2, 1.4, 1.6, 1.8, 2.0, 2.3, 2.6, 3.0, 3.5,
    4.0, 5.0,
];

/// The earliest goal at which robot and ball can meet, and when, s from the ball's last frame.
/// Where the robot is too slow for all, the ball's last place.
pub fn meet(robot: Pose2, ball: &Rolling, limits: &Limits, meeting: &Meeting) -> (Goal, f64) {
    let mut last = (goal_at(ball.motion().0, meeting), 0.0);
    for time in TIMES {
        let (goal, takes) = look(robot, ball, limits, meeting, time);
        last = (goal, time);
        if takes + meeting.early <= time {
            // Between this time and the one before; halving is enough for centimetres.
            let before = TIMES.iter().copied().filter(|&t| t < time).fold(0.0, f64::max);
            let (mut low, mut high) = (before, time);
            for _ in 0..4 {
                let middle = 0.5 * (low + high);
                let (goal, takes) = look(robot, ball, limits, meeting, middle);
                if takes + meeting.early <= middle {
                    (high, last) = (middle, (goal, middle));
                } else {
                    low = middle;
                }
            }
            break;
        }
    }
    last
}

fn look(
    robot: Pose2,
    ball: &Rolling,
    limits: &Limits,
    meeting: &Meeting,
    time: f64,
) -> (Goal, f64) {
    let goal = goal_at(ball.after(time).0, meeting);
    let takes = [Kind::WideAhead, Kind::Turn]
        .into_iter()
        .filter_map(|kind| of_kind(robot, goal.pose, kind).ok())
        .map(|path| rough_time(&path, limits))
        .fold(f64::INFINITY, f64::min);
    // Robot and goal in the same place: it is there.
    (goal, if takes.is_finite() { takes } else { 0.0 })
}

/// Behind the ball, looking at the aim through it.
fn goal_at(ball: Vec2, meeting: &Meeting) -> Goal {
    let course = (meeting.aim - ball).unit_or(Vec2::new(1.0, 0.0));
    let position = meeting.field.keep(ball - course * meeting.touch, meeting.margin);
    let rotation = Rot2 { c: course.x, s: course.y };
    Goal { pose: Pose2 { position, rotation }, speed: meeting.speed }
}
