//! Situations on the soccer field: others in the way, a rolling ball.

use crate::pilot::{Pilot, send, truth_of};
use crate::tasks::{Outcome, Referee, Rule, Task};
use crate::vision::{Blur, Vision};
use rolima_core::{Model, World};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_nav::estimate::{Rolling, RollingNoise, Sight};
use rolima_nav::intercept::{Meeting, meet};
use rolima_nav::{Field, Goal, NavError, Settings, Volts};
use std::sync::Arc;

/// How a way among others went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Passage {
    /// How the task went.
    pub outcome: Outcome,
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
    let slots: Vec<u32> = world.model().robots.iter().map(|robot| robot.slot).collect();
    let own = *slots.first().ok_or(NavError::BadLimit)?;
    world.place_body(own, task.start);
    for (slot, pose) in slots.iter().skip(1).zip(others) {
        world.place_body(*slot, *pose);
    }
    for (i, slot) in world.model().ball_slots.clone().into_iter().enumerate() {
        world.place_body(slot, Pose2::new(3.0 + i as f64, 3.0, 0.0));
    }
    for robot in 1..slots.len() as u32 {
        send(&mut world, robot, Volts::ZERO);
    }
    let mut pilot = Pilot::new(&world, 0, settings, blur, Stream::new(task.seed, 0, "vision"))?;
    let mut referee = Referee::new(task, rule);
    let (mut touches, mut stood, mut longest) = (0, 0.0f64, 0.0f64);
    let (steps, step_s) = (pilot.steps(), world.model().step_s);
    let frame_s = steps as f64 * step_s;
    for frame in 0..(rule.within_s / frame_s).round() as u64 {
        pilot.frame(&mut world, Some(Goal::stop_at(task.goal)));
        for _ in 0..steps {
            world.step();
            touches += u32::from(world.contact_points() > 0);
            let Some(truth) = truth_of(&world, own) else { continue };
            referee.step(truth.pose, step_s);
            let is_still = truth.velocity.length() < 0.005 && truth.omega.abs() < 0.05;
            let on_its_way = frame as f64 * frame_s > 0.5
                && (truth.pose.position - task.goal.position).length() > 0.03;
            stood = if is_still && on_its_way { stood + step_s } else { 0.0 };
            longest = longest.max(stood);
        }
        if referee.is_done() {
            break;
        }
    }
    Ok(Passage { outcome: referee.outcome(), touches, stood_s: longest })
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

/// Robot 0 goes to meet ball 0; the time of the first touch, s, within ten seconds.
pub fn chase(
    model: &Arc<Model>,
    chase: &Chase,
    settings: Settings,
    blur: Blur,
) -> Result<Option<f64>, NavError> {
    let mut world = World::with_seed(model.clone(), chase.seed);
    let robot = world.model().robots.first().ok_or(NavError::BadLimit)?.slot;
    let ball = *world.model().ball_slots.first().ok_or(NavError::BadLimit)?;
    world.place_body(robot, chase.robot);
    let place = Pose2::new(chase.ball.x, chase.ball.y, 0.0);
    world.set_motion(ball, place, chase.velocity, 0.0);
    let mut pilot = Pilot::new(&world, 0, settings, blur, Stream::new(chase.seed, 0, "vision"))?;
    let mut eyes = Vision::new(blur, Stream::new(chase.seed, 1, "vision"));
    let (steps, step_s) = (pilot.steps(), world.model().step_s);
    let frame_s = steps as f64 * step_s;
    let mut track = Rolling::new(frame_s, RollingNoise::default())?;
    let radius = world.model().body(ball).map_or(0.02, |body| body.radius);
    let meeting = Meeting {
        aim: chase.aim,
        // Front of a cube of 7.5 cm against the ball, and a little into it.
        touch: 0.0375 + radius - 0.005,
        speed: 0.3,
        field: Field::mirosot(),
        margin: settings.radius + settings.margin,
        early: 0.1,
    };
    for frame in 0..(10.0 / frame_s) as u64 {
        let truth = truth_of(&world, ball).map(|truth| truth.pose);
        let seen = truth.and_then(|pose| eyes.frame(pose)).map(|pose| pose.position);
        track.frame(seen);
        let state = *pilot.navigator().filter().state();
        let meets = (track.sight() != Sight::Lost && frame as f64 * frame_s > 0.13)
            .then(|| meet(state.pose(), &track, &settings.limits, &meeting))
            .transpose()?;
        pilot.frame(&mut world, meets.map(|(goal, _)| goal));
        for step in 0..steps {
            world.step();
            if touches_ball(&world, robot, ball, radius) {
                return Ok(Some(frame_s * frame as f64 + step_s * step as f64));
            }
        }
    }
    Ok(None)
}

/// Whether the cube's outline and the ball are within half a millimetre.
fn touches_ball(world: &World, robot: u32, ball: u32, radius: f64) -> bool {
    let (Some(robot), Some(ball)) = (truth_of(world, robot), truth_of(world, ball)) else {
        return false;
    };
    let seen = robot.pose.inverse_transform(ball.pose.position);
    let half = 0.0375;
    let beyond = Vec2::new((seen.x.abs() - half).max(0.0), (seen.y.abs() - half).max(0.0));
    beyond.length() < radius + 0.0005
}
