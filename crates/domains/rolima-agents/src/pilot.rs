//! A navigator at a robot of a world.

use crate::others::Others;
use crate::vision::{Blur, Vision};
use rolima_core::model::DriveModel;
use rolima_core::{BodyId, Model, RobotId, Twist, Volts as WorldVolts, World};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_nav::{Drive, Goal, MotorVolts, NavError, Navigator, Obstacle, Output, Settings};

/// Time between frames of a camera, s (the thesis: 30 ms).
pub const FRAME_S: f64 = 0.03;

/// What navigation needs to know of a simulated robot.
pub fn drive_of(model: &DriveModel, gravity: f64) -> Result<Drive, NavError> {
    let grip = model.spec.traction.map_or(f64::INFINITY, |tyres| tyres.mu_static * gravity);
    Drive::new(model.a, model.b, model.spec.supply, grip)
}

/// Pose, speed along the heading and turning of a robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobotTruth {
    /// Where it is.
    pub pose: Pose2,
    /// Its velocity in the world, m/s.
    pub velocity: Vec2,
    /// Its turning, rad/s.
    pub omega: f64,
}

/// The true motion of a body.
pub fn truth_of(world: &World, body: impl Into<BodyId>) -> Option<RobotTruth> {
    let body = body.into();
    let Twist { velocity, omega, .. } = world.twist(body)?;
    Some(RobotTruth { pose: world.pose(body)?, velocity, omega })
}

/// A navigator at one robot, that is told of it and of all others by a camera.
#[derive(Clone, Debug)]
pub struct Pilot {
    /// The robot's number.
    pub robot: RobotId,
    steps: u64,
    navigator: Navigator,
    vision: Vision,
    others: Others,
    heeded: Vec<Obstacle>,
}

impl Pilot {
    /// For a robot of a world, with settings and a kind of vision; the settings' delay is that of
    /// the vision, their period is rounded to whole steps of the world.
    pub fn new(
        world: &World,
        robot: RobotId,
        settings: Settings,
        blur: Blur,
        random: Stream,
    ) -> Result<Self, NavError> {
        let model = world.model();
        let entry = model.robots.get(robot.index()).ok_or(NavError::BadLimit)?;
        let body = model.body(robot).ok_or(NavError::BadLimit)?;
        let drive = drive_of(&model.drives[entry.drive as usize], model.spec.sim.gravity)?;
        let steps = steps_of(world, settings.period)?;
        let period = steps as f64 * model.step_s;
        let settings = Settings { period, delay: blur.delay, radius: body.radius, ..settings };
        let seed = random.clone().next_u64();
        Ok(Self {
            robot,
            steps,
            navigator: Navigator::new(&drive, settings)?,
            vision: Vision::new(blur, random),
            others: Others::new(world, robot, period, blur, seed)?,
            // The others, and one more thing.
            heeded: Vec::with_capacity(model.robots.len() + 1),
        })
    }

    /// Steps of the world from one frame to the next.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The navigator, for what it shows.
    pub fn navigator(&self) -> &Navigator {
        &self.navigator
    }

    /// One frame: looks, decides, and commands the robot until the next.
    pub fn frame(&mut self, world: &mut World, goal: Option<Goal>) -> Output {
        self.frame_heeding(world, goal, None)
    }

    /// The same with something else in the way, such as a ball that is not to be touched yet.
    pub fn frame_heeding(
        &mut self,
        world: &mut World,
        goal: Option<Goal>,
        also: Option<Obstacle>,
    ) -> Output {
        self.heeded.clear();
        self.heeded.extend(self.others.frame(world).iter().copied().chain(also));
        let truth = truth_of(world, self.robot).map(|truth| truth.pose);
        let seen = truth.and_then(|pose| self.vision.frame(pose));
        let output = self.navigator.frame(seen, goal, &self.heeded);
        send(world, self.robot, output.volts);
        output
    }
}

/// Commands a robot; voltages that the world refuses are its own affair.
pub fn send(world: &mut World, robot: RobotId, volts: MotorVolts) {
    let _ = world.command(robot, WorldVolts { right: volts.right, left: volts.left });
}

/// Whole steps of a frame of the thesis.
pub fn steps_of_frame(world: &World) -> u64 {
    frame_of(world.model())
}

/// The same in a world of this model.
pub(crate) fn frame_of(model: &Model) -> u64 {
    (FRAME_S / model.step_s).round().max(1.0) as u64
}

/// Whole steps of a period, s.
fn steps_of(world: &World, period: f64) -> Result<u64, NavError> {
    if !(period > 0.0 && period.is_finite()) {
        return Err(NavError::BadLimit);
    }
    Ok((period / world.model().step_s).round().max(1.0) as u64)
}
