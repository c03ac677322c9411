//! How a robot comes to a ball so that it can send it where it should go.
//!
//! [`intercept`] alone says where to touch a ball, not how to get there: the quickest way to that place may
//! lead backwards into the ball, or around it too closely. So a striker first goes to a place behind
//! the ball, with room to turn, and keeps off the ball on its way; only once it is behind the ball and
//! looks through it at the aim, it goes on into the ball.

use rolima_math::{Rot2, Vec2, larger, smaller};
use rolima_nav::estimate::{KalmanState, Rolling};
use rolima_nav::intercept::{Interception, intercept};
use rolima_nav::trajectory::TrajectoryLimits;
use rolima_nav::{Field, Goal, NavError, Obstacle};
use serde::{Deserialize, Serialize};

/// Room between the circles around robot and ball at the place behind it, m. Less, and a ball that
/// rolls across meets a corner of the robot: of 400 balls 93% with 3 cm are met by the front and roll
/// towards the aim, 96% with 5 cm.
const SPARE: f64 = 0.05;
/// It strikes when it is so far beside the line through ball and aim at most, m, and looks along it
/// within this angle's sine; and goes on while it is within the second pair.
const BEGINS: (f64, f64) = (0.016, 0.25);
const GOES_ON: (f64, f64) = (0.025, 0.45);
/// It does not reckon with where a ball rolls later than this, s, when it begins to strike.
const MOST_RUN_UP: f64 = 0.5;

/// Courses beside that to the aim which are tried on either side, and the angle between them, rad.
const OTHER_COURSES: u32 = 9;
const STEP: f64 = core::f64::consts::PI / 12.0;

/// A place behind the ball that moves less than this, m, and turns less, rad, is the same: a ball is not
/// seen better, and a robot that goes around it would choose its way anew with every frame.
const SAME: (f64, f64) = (0.015, 0.05);

/// A robot that is to send a ball somewhere.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Striker {
    /// How it touches the ball.
    strike: Interception,
    /// How it gets behind it.
    approach: Interception,
    /// Radius of the ball, m, and how old what is seen of it is, s.
    ball: (f64, f64),
    strikes: bool,
    /// The place behind the ball that it goes for.
    place: Option<Goal>,
    /// When robot and ball were to meet, as of the last frame, s from then.
    meets: f64,
}

impl Striker {
    /// For a meeting at the touch; radii of robot and ball, m, and how old what is seen is, s.
    pub(crate) fn new(strike: Interception, robot: f64, ball: f64, late: f64) -> Self {
        let touch = robot + ball + SPARE;
        let early = run_up(touch - strike.touch, strike.speed);
        let approach = Interception { touch, speed: 0.0, early, ..strike };
        Self { strike, approach, ball: (ball, late), strikes: false, place: None, meets: 0.0 }
    }

    /// Where the ball is to go, m.
    pub(crate) fn goal(&self) -> Vec2 {
        self.strike.aim
    }

    /// Whether it meets a ball as another does, wherever walls leave room.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let fits = self.strike.field.fits() && self.approach.field.fits();
        let mut own = *self;
        own.stay_within(other.strike.field);
        let all = |one: &Self| (one.strike, one.approach, one.ball);
        fits && all(&own) == all(other)
    }

    /// Where the robot may be from now on.
    pub(crate) fn stay_within(&mut self, field: Field) {
        (self.strike.field, self.approach.field) = (field, field);
    }

    /// Whether it goes into the ball, and not yet to a place behind it.
    pub(crate) fn strikes(&self) -> bool {
        self.strikes
    }

    /// Where to go, and the ball where it is to be kept off. Robot and ball are as of the same frame.
    pub(crate) fn frame(
        &mut self,
        robot: &KalmanState,
        ball: &Rolling,
        limits: &TrajectoryLimits,
    ) -> Result<(Goal, Option<Obstacle>), NavError> {
        let aim = self.aim(ball.after(self.meets).0);
        self.strikes = self.is_behind(robot, ball, aim);
        if self.strikes {
            self.place = None;
            let (goal, meets) =
                intercept(robot.pose(), ball, limits, &Interception { aim, ..self.strike })?;
            self.meets = meets;
            return Ok((goal, None));
        }
        let (goal, meets) =
            intercept(robot.pose(), ball, limits, &Interception { aim, ..self.approach })?;
        self.meets = meets;
        let goal = *self.place.insert(self.place.filter(|old| is_same(old, &goal)).unwrap_or(goal));
        let (position, velocity) = ball.after(self.ball.1);
        let keep_off = Obstacle { position, velocity, radius: self.ball.0 };
        Ok((goal, Some(keep_off)))
    }

    /// Where to send a ball that is met there: to the aim, or where walls leave no room behind the ball
    /// for that, as nearly so as they do.
    fn aim(&self, ball: Vec2) -> Vec2 {
        let direction = self.strike.aim - ball;
        let has_clearance = |direction: &Vec2| {
            let behind = ball - direction.unit_or(Vec2::new(1.0, 0.0)) * self.approach.touch;
            self.approach.field.clearance(behind) >= self.approach.margin
        };
        let turns = (0..=OTHER_COURSES).flat_map(|i| [STEP * f64::from(i), -STEP * f64::from(i)]);
        let directions = turns.map(|turn| Rot2::from_angle(turn).rotate(direction));
        ball + directions.into_iter().find(has_clearance).unwrap_or(direction)
    }

    /// Whether it stands behind the ball, where that will be once they touch, and looks at the aim.
    fn is_behind(&self, robot: &KalmanState, ball: &Rolling, aim: Vec2) -> bool {
        let (aside, turned) = if self.strikes { GOES_ON } else { BEGINS };
        let ahead = |place: Vec2| {
            let course = (aim - place).unit_or(Vec2::new(1.0, 0.0));
            let direction = place - robot.position;
            (course, course.dot(direction), course.cross(direction))
        };
        let gap = ahead(ball.motion().0).1 - self.strike.touch;
        let time = smaller(run_up(gap, self.strike.speed), MOST_RUN_UP);
        let (course, far, beside) = ahead(ball.after(time).0);
        let looks = robot.pose().rotation.x_axis();
        far > 0.5 * self.strike.touch
            && far < 1.5 * self.approach.touch
            && beside.abs() < aside
            && course.dot(looks) > 0.0
            && course.cross(looks).abs() < turned
    }
}

fn is_same(old: &Goal, new: &Goal) -> bool {
    let (a, b) = (old.pose, new.pose);
    let turned = a.rotation.x_axis().cross(b.rotation.x_axis()).abs();
    (a.position - b.position).length() < SAME.0 && turned < SAME.1
}

/// Time from rest over a distance, m, up to a speed, m/s, at a constant acceleration, s; none where the
/// distance is behind it.
fn run_up(distance: f64, speed: f64) -> f64 {
    larger(2.0 * distance / speed, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Pose2;
    use rolima_nav::estimate::RollingNoise;

    const AIM: Vec2 = Vec2::new(0.8, 0.0);

    fn striker() -> Striker {
        let strike = Interception {
            aim: AIM,
            touch: 0.054,
            speed: 0.3,
            field: Field::mirosot(),
            margin: 0.06,
            early: 0.1,
        };
        Striker::new(strike, 0.053, 0.021, 0.03)
    }

    fn ball_at(place: Vec2) -> Rolling {
        let mut ball = Rolling::new(0.03, RollingNoise::default()).expect("good settings");
        (0..40).for_each(|_| ball.frame(Some(place)));
        ball
    }

    fn robot_at(x: f64, y: f64, theta: f64) -> KalmanState {
        KalmanState { position: Vec2::new(x, y), theta, ..KalmanState::default() }
    }

    /// The goal and whether the ball is kept off, for a robot and a ball that lies there.
    fn sent(robot: &KalmanState, ball: Vec2) -> (Pose2, bool) {
        let wish = striker()
            .frame(robot, &ball_at(ball), &TrajectoryLimits::default())
            .expect("good settings");
        (wish.0.pose, wish.1.is_some())
    }

    #[test]
    fn it_strikes_from_behind_and_keeps_off_from_anywhere_else() {
        let ball = Vec2::new(0.2, 0.0);
        assert!(!sent(&robot_at(0.08, 0.0, 0.0), ball).1, "behind it, and looks at the aim");
        for robot in [
            robot_at(0.08, 0.0, 3.1),
            robot_at(0.08, 0.0, 1.0),
            robot_at(0.08, 0.05, 0.0),
            robot_at(0.32, 0.0, 0.0),
            robot_at(-0.3, 0.0, 0.0),
        ] {
            let (goal, keeps_off) = sent(&robot, ball);
            let behind = goal.inverse_transform(ball);
            assert!(keeps_off, "{robot:?}");
            // Room to turn, and the ball straight ahead, the aim beyond it.
            assert!(behind.x > 0.12 && behind.y.abs() < 1e-9, "{robot:?}: {behind:?}");
            assert!(goal.inverse_transform(AIM).x > behind.x);
        }
    }

    #[test]
    fn a_ball_at_a_wall_is_sent_as_nearly_to_the_aim_as_there_is_room_behind_it() {
        let field = Field::mirosot();
        let free = Vec2::new(0.1, 0.2);
        assert!((striker().aim(free) - AIM).length() < 1e-12);
        for ball in [Vec2::new(-0.5, 0.62), Vec2::new(-0.72, 0.1), Vec2::new(0.3, -0.6)] {
            let (goal, _) = sent(&robot_at(0.0, 0.0, 0.0), ball);
            let seen = goal.inverse_transform(ball);
            assert!(field.clearance(goal.position) > 0.06 - 1e-9, "{ball:?}: {goal:?}");
            assert!(seen.x > 0.12 && seen.y.abs() < 1e-9, "it looks at {ball:?}: {seen:?}");
        }
    }

    #[test]
    fn a_ball_that_trembles_does_not_move_the_place_behind_it() {
        let (mut striker, robot) = (striker(), robot_at(-0.3, 0.2, 0.0));
        let mut place = |x: f64| {
            let ball = ball_at(Vec2::new(x, 0.0));
            striker.frame(&robot, &ball, &TrajectoryLimits::default()).unwrap().0.pose
        };
        let first = place(0.2);
        assert_eq!(place(0.204), first);
        assert_eq!(place(0.196), first);
        assert!(place(0.23) != first);
    }
}
