//! Situations on the soccer field: others in the way, a rolling ball.

use crate::pilot::{Pilot, send, truth_of};
use crate::striker::Striker;
use crate::tasks::{Referee, Rule, Task, TaskOutcome, out_of_the_way};
use crate::vision::{Blur, Vision};
use rolima_core::{Model, World};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_nav::estimate::{EstimateStatus, Rolling, RollingNoise};
use rolima_nav::intercept::Interception;
use rolima_nav::{Field, Goal, MotorVolts, NavError, Settings};
use std::sync::Arc;

/// How a way among others went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// How the task went.
    pub outcome: TaskOutcome,
    /// Steps in which the robot touched anything.
    pub touches: u32,
    /// Longest time that it stood still before it arrived, s, after the first half second.
    pub stood_s: f64,
}

/// Robot 0 drives a task while all others stand where the places say.
pub fn among_others(
    model: &Arc<Model>,
    task: &Task,
    others: &[Pose2],
    settings: Settings,
    blur: Blur,
    rule: Rule,
) -> Result<Passage, NavError> {
    let mut world = World::with_seed(model.clone(), task.seed);
    let mut robots = model.robot_ids();
    let own = robots.next().ok_or(NavError::BadLimit)?;
    world.place_body(own, task.start);
    for (robot, pose) in robots.clone().zip(others) {
        world.place_body(robot, *pose);
    }
    out_of_the_way(&mut world);
    for robot in robots {
        send(&mut world, robot, MotorVolts::ZERO);
    }
    let mut pilot = Pilot::new(&world, own, settings, blur, Stream::new(task.seed, 0, "vision"))?;
    let (mut touches, mut stood, mut longest) = (0, 0.0f64, 0.0f64);
    let step_s = world.model().step_s;
    let (frame, goal) = ((own, pilot.steps()), Goal::stop_at(task.goal));
    let act = |world: &mut World| {
        pilot.frame(world, Some(goal));
    };
    let outcome = Referee::new(task, rule).watch(&mut world, frame, act, |world, truth| {
        touches += u32::from(world.contact_count() > 0);
        let is_still = truth.velocity.length() < 0.005 && truth.omega.abs() < 0.05;
        let on_its_way =
            world.time_s() > 0.5 && (truth.pose.position - task.goal.position).length() > 0.03;
        stood = if is_still && on_its_way { stood + step_s } else { 0.0 };
        longest = longest.max(stood);
    });
    Ok(Passage { outcome, touches, stood_s: longest })
}

/// A ball at a place with a velocity, and a robot that is to meet it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chase {
    /// Where the robot starts, at rest.
    pub robot: Pose2,
    /// Where the ball is, m.
    pub ball: Vec2,
    /// Its velocity, m/s.
    pub velocity: Vec2,
    /// Where it should be sent, m.
    pub aim: Vec2,
    /// Key of the noise.
    pub seed: u64,
}

/// Balls that roll at up to 0.3 m/s in the right half of the field and are to go into the right goal,
/// and robots that stand anywhere in the left half.
pub fn random_chases(count: u64, seed: u64) -> Vec<Chase> {
    let mut random = Stream::new(seed, 0, "chase");
    let mut draw = |low: f64, high: f64| random.between(low, high);
    let chase = |seed: u64| Chase {
        robot: Pose2::new(draw(-0.6, 0.0), draw(-0.5, 0.5), draw(-3.1, 3.1)),
        ball: Vec2::new(draw(0.1, 0.4), draw(-0.3, 0.3)),
        velocity: Vec2::new(draw(-0.25, 0.15), draw(-0.2, 0.2)),
        aim: Vec2::new(0.8, 0.0),
        seed,
    };
    (0..count).map(chase).collect()
}

/// How a robot met a ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallTouch {
    /// When they touched first, s.
    pub time_s: f64,
    /// Where the ball was then, as seen from the robot: ahead and to its left, m.
    pub at: Vec2,
    /// The ball's velocity along the way to the aim, and across it, [`AFTER_S`] later, m/s.
    pub sent: Vec2,
}

impl BallTouch {
    /// Whether the ball was before the robot's front, between its sides.
    pub fn is_in_front(&self) -> bool {
        self.at.x >= HALF && self.at.y.abs() <= HALF
    }

    /// Whether the ball then rolled towards the aim, within 45 degrees.
    pub fn is_towards_aim(&self) -> bool {
        self.sent.x > self.sent.y.abs()
    }
}

/// So long after the first touch the ball's course is looked at, s.
pub const AFTER_S: f64 = 0.2;
/// Half a side of the robot, a cube of 7.5 cm, m.
const HALF: f64 = 0.0375;

/// Robot 0 goes to meet ball 0 and to send it to the aim; how they touch first, within ten seconds.
pub fn chase(
    model: &Arc<Model>,
    chase: &Chase,
    settings: Settings,
    blur: Blur,
) -> Result<Option<BallTouch>, NavError> {
    let mut world = World::with_seed(model.clone(), chase.seed);
    let robot = model.robot_ids().next().ok_or(NavError::BadLimit)?;
    let ball = model.balls().next().ok_or(NavError::BadLimit)?;
    world.place_body(robot, chase.robot);
    let place = Pose2::new(chase.ball.x, chase.ball.y, 0.0);
    world.set_motion(ball, place, chase.velocity, 0.0);
    let mut pilot =
        Pilot::new(&world, robot, settings, blur, Stream::new(chase.seed, 0, "vision"))?;
    let mut robot_vision = Vision::new(blur, Stream::new(chase.seed, 1, "vision"));
    let (steps, step_s) = (pilot.steps(), world.model().step_s);
    let frame_s = steps as f64 * step_s;
    let mut track = Rolling::new(frame_s, RollingNoise::default())?;
    let radius = world.model().body(ball).map_or(0.02, |body| body.radius);
    let strike = Interception {
        aim: chase.aim,
        // Front of a cube of 7.5 cm against the ball, and a little into it.
        touch: HALF + radius - 0.005,
        speed: 0.3,
        field: Field::mirosot(),
        margin: settings.radius + settings.margin,
        early: 0.1,
    };
    let own = world.model().body(robot).map_or(settings.radius, |body| body.radius);
    let mut striker = Striker::new(strike, own, radius, blur.delay as f64 * frame_s);
    let mut touch: Option<BallTouch> = None;
    for frame in 0..(10.0 / frame_s) as u64 {
        let truth = truth_of(&world, ball).map(|truth| truth.pose);
        let seen = truth.and_then(|pose| robot_vision.frame(pose)).map(|pose| pose.position);
        track.frame(seen);
        let state = *pilot.navigator().filter().state();
        let knows =
            track.estimate_status() != EstimateStatus::Lost && frame as f64 * frame_s > 0.13;
        let wish = knows.then(|| striker.frame(&state, &track, &settings.limits)).transpose()?;
        let (goal, keep_off) = wish.map_or((None, None), |(goal, off)| (Some(goal), off));
        pilot.frame_heeding(&mut world, goal, keep_off);
        for step in 0..steps {
            world.step();
            let (Some(robot), Some(ball)) = (truth_of(&world, robot), truth_of(&world, ball))
            else {
                continue;
            };
            let time_s = frame_s * frame as f64 + step_s * step as f64;
            let at = robot.pose.inverse_transform(ball.pose.position);
            match &mut touch {
                None if touches(at, radius) => {
                    touch = Some(BallTouch { time_s, at, sent: Vec2::ZERO });
                }
                Some(touch) if time_s >= touch.time_s + AFTER_S => {
                    let course = (chase.aim - ball.pose.position).unit_or(Vec2::new(1.0, 0.0));
                    let v = ball.velocity;
                    touch.sent = Vec2::new(course.dot(v), course.cross(v));
                    return Ok(Some(*touch));
                }
                _ => {}
            }
        }
    }
    Ok(touch)
}

/// Whether the cube's outline and a ball that is there, as seen from it, are within half a millimetre.
fn touches(at: Vec2, radius: f64) -> bool {
    let beyond = Vec2::new((at.x.abs() - HALF).max(0.0), (at.y.abs() - HALF).max(0.0));
    beyond.length() < radius + 0.0005
}
