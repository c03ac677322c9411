//! Going where a rolling ball will be, in time to meet it.
//!
//! Beyond the thesis, which says in chapter 7 that replanning every frame lets a robot pursue the
//! ball, and has no more of it.

use crate::error::NavError;
use crate::estimate::{FURTHEST, Rolling};
use crate::field::Field;
use crate::navigator::Goal;
use crate::route::{PathKind, of_kind, rough_time};
use crate::trajectory::TrajectoryLimits;
use rolima_math::{Pose2, Rot2, Vec2, smaller};
use serde::{Deserialize, Serialize};

/// How to meet a ball.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interception {
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
/// Where the robot is too slow for all times that are tried, where the ball is after the last of
/// them, 5 s. A ball that is lost counts as rolling on as it did, and one that was never seen lies
/// at the origin: whether to go for it says [`Rolling::estimate_status`].
///
/// Refused are numbers that are not finite, in the meeting or the robot's pose, limits and touches
/// below zero, and speeds below zero.
pub fn intercept(
    robot: Pose2,
    ball: &Rolling,
    limits: &TrajectoryLimits,
    interception: &Interception,
) -> Result<(Goal, f64), NavError> {
    limits.check()?;
    interception.check()?;
    if !robot.is_finite() {
        return Err(NavError::NotFinite);
    }
    let mut last = (goal_at(ball.motion().0, interception), 0.0);
    let mut before = 0.0;
    for time in TIMES {
        let (goal, takes) = look(robot, ball, limits, interception, time)?;
        last = (goal, time);
        if takes + interception.early <= time {
            // Between this time and the one before; halving is enough for centimetres.
            let (mut low, mut high) = (before, time);
            for _ in 0..4 {
                let middle = 0.5 * (low + high);
                let (goal, takes) = look(robot, ball, limits, interception, middle)?;
                if takes + interception.early <= middle {
                    (high, last) = (middle, (goal, middle));
                } else {
                    low = middle;
                }
            }
            break;
        }
        before = time;
    }
    Ok(last)
}

impl Interception {
    fn check(&self) -> Result<(), NavError> {
        let numbers = [self.touch, self.speed, self.margin, self.early];
        if !(self.aim.is_finite() && numbers.iter().all(|x| x.is_finite())) {
            return Err(NavError::NotFinite);
        }
        if self.speed < 0.0 {
            return Err(NavError::NegativeSpeed);
        }
        let far = self.touch < 0.0 || self.touch > FURTHEST || self.margin.abs() > FURTHEST;
        if far { Err(NavError::BadLimit) } else { Ok(()) }
    }
}

/// Where the ball is met at a time, and how long the robot takes to get there, s.
fn look(
    robot: Pose2,
    ball: &Rolling,
    limits: &TrajectoryLimits,
    interception: &Interception,
    time: f64,
) -> Result<(Goal, f64), NavError> {
    let goal = goal_at(ball.after(time).0, interception);
    let curve =
        of_kind(robot, goal.pose, PathKind::WideAhead).map(|path| rough_time(&path, limits));
    let turn = of_kind(robot, goal.pose, PathKind::Turn).map(|path| rough_time(&path, limits));
    match (curve, turn) {
        (Ok(curve), Ok(turn)) => Ok((goal, smaller(curve, turn))),
        (Ok(takes), Err(_)) | (Err(_), Ok(takes)) => Ok((goal, takes)),
        // Robot and goal in the same place, looking the same way: it is there.
        (Err(_), Err(NavError::CoincidentPoses)) => Ok((goal, 0.0)),
        (Err(_), Err(error)) => Err(error),
    }
}

/// Behind the ball, looking at the aim through it.
fn goal_at(ball: Vec2, interception: &Interception) -> Goal {
    let course = (interception.aim - ball).unit_or(Vec2::new(1.0, 0.0));
    let position = interception.field.keep(ball - course * interception.touch, interception.margin);
    let rotation = Rot2 { c: course.x, s: course.y };
    Goal { pose: Pose2 { position, rotation }, speed: interception.speed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::RollingNoise;

    const INTERCEPTION: Interception = Interception {
        aim: Vec2::new(0.75, 0.0),
        touch: 0.054,
        speed: 0.3,
        field: Field::EVERYWHERE,
        margin: 0.06,
        early: 0.1,
    };

    /// A ball that was seen for a second, and is at the origin by now.
    fn rolling(velocity: Vec2, deceleration: f64) -> Rolling {
        let noise = RollingNoise { deceleration, ..RollingNoise::default() };
        let mut ball = Rolling::new(0.03, noise).unwrap();
        for k in -33..=0 {
            ball.frame(Some(velocity * (0.03 * f64::from(k))));
        }
        ball
    }

    #[test]
    fn it_is_there_before_the_ball_and_looks_through_it_at_the_aim() {
        let limits = TrajectoryLimits::default();
        let robot = Pose2::new(0.3, -0.5, 1.0);
        for early in [0.1, 0.6] {
            let ball = rolling(Vec2::new(0.0, -0.2), 0.0);
            let interception = Interception { early, ..INTERCEPTION };
            let (goal, time) = intercept(robot, &ball, &limits, &interception).unwrap();
            let there = ball.after(time).0;
            assert!(((there - goal.pose.position).length() - 0.054).abs() < 1e-12);
            let (to_ball, to_aim) = (there - goal.pose.position, interception.aim - there);
            assert!(to_ball.cross(to_aim).abs() < 1e-12 && to_ball.dot(to_aim) > 0.0);
            assert!((goal.pose.rotation.x_axis() - to_aim.unit_or(Vec2::ZERO)).length() < 1e-12);
            assert_eq!(goal.speed, 0.3);
            // As early as asked, and no earlier than a tenth of a second more.
            let takes = look(robot, &ball, &limits, &interception, time).unwrap().1;
            assert!((early..early + 0.1).contains(&(time - takes)), "{} for {early}", time - takes);
        }
    }

    #[test]
    fn a_ball_that_is_too_fast_is_met_where_it_is_after_the_longest_time() {
        let limits = TrajectoryLimits::default();
        let ball = rolling(Vec2::new(-3.0, 0.0), 0.0);
        let (goal, time) = intercept(Pose2::IDENTITY, &ball, &limits, &INTERCEPTION).unwrap();
        assert_eq!(time, 5.0);
        let there = ball.after(5.0).0;
        assert!(((there - goal.pose.position).length() - 0.054).abs() < 1e-9);
        assert!(there.x < -10.0, "{there:?}");
    }

    #[test]
    fn near_the_fields_side_the_margin_is_kept() {
        let field = Field::rectangle(0.75, 0.65);
        let ball = rolling(Vec2::new(-0.4, 0.0), 0.0);
        let interception = Interception { field, early: 4.5, ..INTERCEPTION };
        let (goal, _) =
            intercept(Pose2::IDENTITY, &ball, &TrajectoryLimits::default(), &interception).unwrap();
        assert!((field.clearance(goal.pose.position) - 0.06).abs() < 1e-9, "{goal:?}");
    }

    #[test]
    fn a_robot_that_is_there_need_not_go() {
        let ball = rolling(Vec2::ZERO, 0.1);
        let interception = Interception { early: 0.0, ..INTERCEPTION };
        let there = goal_at(ball.motion().0, &interception);
        let (goal, time) =
            intercept(there.pose, &ball, &TrajectoryLimits::default(), &interception).unwrap();
        assert_eq!((goal, time), (there, 0.0));
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        let (ball, limits) = (rolling(Vec2::ZERO, 0.1), TrajectoryLimits::default());
        let refused = |robot: Pose2, limits: &TrajectoryLimits, interception: Interception| {
            intercept(robot, &ball, limits, &interception).err()
        };
        for bad in [f64::NAN, f64::INFINITY] {
            let robot = Pose2::new(bad, 0.0, 0.0);
            assert_eq!(refused(robot, &limits, INTERCEPTION), Some(NavError::NotFinite));
            let turned = Pose2 { rotation: Rot2 { c: bad, s: 0.0 }, ..Pose2::IDENTITY };
            assert_eq!(refused(turned, &limits, INTERCEPTION), Some(NavError::NotFinite));
            for interception in [
                Interception { aim: Vec2::new(bad, 0.0), ..INTERCEPTION },
                Interception { touch: bad, ..INTERCEPTION },
                Interception { speed: bad, ..INTERCEPTION },
                Interception { margin: bad, ..INTERCEPTION },
                Interception { early: bad, ..INTERCEPTION },
            ] {
                assert_eq!(
                    refused(Pose2::IDENTITY, &limits, interception),
                    Some(NavError::NotFinite)
                );
            }
        }
        let backwards = Interception { speed: -0.1, ..INTERCEPTION };
        assert_eq!(refused(Pose2::IDENTITY, &limits, backwards), Some(NavError::NegativeSpeed));
        let inside = Interception { touch: -0.1, ..INTERCEPTION };
        assert_eq!(refused(Pose2::IDENTITY, &limits, inside), Some(NavError::BadLimit));
        let still = TrajectoryLimits { speed: 0.0, ..limits };
        assert_eq!(refused(Pose2::IDENTITY, &still, INTERCEPTION), Some(NavError::ZeroSpeed));
    }
}
