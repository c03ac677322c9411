//! Sending a robot somewhere: what it may be sent to, and what it sets out with.

use super::{GoToPose, IN_WALL, MOST_POINTS};
use crate::encounter::Encounter;
use crate::grid_planner::{ClearanceMap, GridPlanner};
use crate::nearest::{MOST_HEEDED, Nearest};
use crate::pilot::{drive_of, frame_of, truth_of};
use crate::progress::{GoalProgress, GoalRefusal, Progress};
use crate::robot_vision::RobotVision;
use crate::route::Target;
use crate::vision::Blur;
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Rot2, larger};
use rolima_nav::estimate::Noise;
use rolima_nav::{Caps, Drive, NavError, Navigator, Settings};

impl GoToPose {
    /// Sends a robot of a world, by its number, to a pose; it sees true poses.
    pub fn new(world: &World, robot: RobotId, goal: Pose2) -> Result<Self, GoalRefusal> {
        Self::seeing(world, robot, Target::Pose(goal), (Blur::default(), 0))
    }

    /// Sends a robot of a world somewhere; it sees as a camera does, whose noise has this key.
    pub fn seeing(
        world: &World,
        robot: RobotId,
        target: Target,
        (blur, seed): (Blur, u64),
    ) -> Result<Self, GoalRefusal> {
        let (drive, settings, radius) = known_of(world.model(), robot, &blur)?;
        let navigator = Navigator::new(&drive, settings).map_err(GoalRefusal::Robot)?;
        let robot_vision = RobotVision::new(world, robot, blur, settings.period, seed)
            .map_err(GoalRefusal::Robot)?;
        let mut go_to_pose = Self {
            robot,
            goal: Pose2::IDENTITY,
            encounter: None,
            robot_vision,
            believed: None,
            drive,
            settings,
            navigator,
            planner: GridPlanner::new(radius, settings.margin),
            clearances: ClearanceMap::default(),
            corner: 0,
            stuck: 0,
            rest: 0,
            wait: 0,
            looks: 0,
            looked: None,
            frames: 0,
            next_look: 0,
            unsought: false,
            near_others: Nearest::default(),
            near_walls: Nearest::default(),
            obstacles: Vec::with_capacity(MOST_HEEDED + 1),
            barriers: Vec::with_capacity(MOST_HEEDED),
            goal_progress: GoalProgress {
                references: Vec::with_capacity(MOST_POINTS),
                beyond: Vec::with_capacity(MOST_POINTS),
                ..GoalProgress::default()
            },
            plans: 0,
            drawn: None,
            braking: None,
        };
        go_to_pose.send_on(world, target)?;
        Ok(go_to_pose)
    }

    /// Another goal for the same robot; where it is refused, the old one stays.
    pub fn send_to(&mut self, world: &World, goal: Pose2) -> Result<(), GoalRefusal> {
        self.send_on(world, Target::Pose(goal))
    }

    /// The same for any goal.
    pub fn send_on(&mut self, world: &World, target: Target) -> Result<(), GoalRefusal> {
        self.check(world, target)?;
        let truth = truth_of(world, self.robot).map(|truth| truth.pose);
        let here = if self.robot_vision.are_true() { truth } else { self.believed };
        match target {
            Target::Pose(goal) => {
                self.encounter = None;
                self.goal = goal;
            }
            Target::Ball { ball, aim } => {
                let settings = &self.settings;
                let encounter =
                    Encounter::new(world, self.robot, (ball, aim), settings, &self.robot_vision);
                self.encounter = Some(Box::new(encounter.map_err(GoalRefusal::Robot)?));
                // Until the ball is known it stays where it is.
                self.goal = here.or(truth).unwrap_or(self.goal);
            }
        }
        self.braking = None;
        self.goal_progress.state = Progress::Driving;
        self.goal_progress.reference = here.unwrap_or(self.goal);
        // Until it has looked, where it stands.
        self.goal_progress.believed = here.or(truth).unwrap_or(self.goal);
        let straight = here.map_or(0.0, |here| (self.goal.position - here.position).length());
        (self.goal_progress.left_m, self.goal_progress.left_s) = (straight, 0.0);
        self.search_path(world, here);
        Ok(())
    }

    /// Whether it could go there.
    pub fn check(&self, world: &World, target: Target) -> Result<(), GoalRefusal> {
        let (goal, ball) = match target {
            Target::Pose(goal) => (goal, None),
            Target::Ball { ball, aim } => (Pose2 { position: aim, ..Pose2::IDENTITY }, Some(ball)),
        };
        let Rot2 { c, s } = goal.rotation;
        let sane = goal.position.length() < 1e6 && (c * c + s * s - 1.0).abs() < 1e-3;
        // Not a number compares false.
        if !sane {
            return Err(GoalRefusal::NotFinite);
        }
        if let Some(ball) = ball {
            let is_there = world.model().balls().any(|known| known == ball);
            return if is_there { Ok(()) } else { Err(GoalRefusal::NoSuchBall) };
        }
        let (walls, most) = (self.walls(world), IN_WALL * self.settings.radius);
        let clearance = walls.clearance_at(goal.position, most, &mut 0);
        let in_wall = clearance < most || walls.hold(goal.position);
        if in_wall { Err(GoalRefusal::InWall) } else { Ok(()) }
    }

    /// Whether it has done what it was sent for: it is at its goal, or has met its ball.
    pub fn is_done(&self) -> bool {
        match &self.encounter {
            Some(encounter) => encounter.is_over(),
            None => self.goal_progress.state == Progress::Arrived,
        }
    }

    /// It stays where it is: what it was to meet, it has met.
    pub fn settle(&mut self, world: &World) {
        if self.encounter.take().is_some() {
            let truth = truth_of(world, self.robot).map(|truth| truth.pose);
            self.goal = self.believed.or(truth).unwrap_or(self.goal);
            self.search_path(world, self.believed);
        }
    }
}

/// What navigation knows of a robot of a model that sees through a blur: its drive, settings, and its
/// radius, m.
pub(super) fn known_of(
    model: &Model,
    robot: RobotId,
    blur: &Blur,
) -> Result<(Drive, Settings, f64), GoalRefusal> {
    let unknown = GoalRefusal::Robot(NavError::BadLimit);
    let entry = model.robots.get(robot.index()).ok_or(unknown)?;
    let body = model.body(robot).ok_or(unknown)?;
    let drive = model.drives.get(entry.drive as usize).ok_or(unknown)?;
    let drive = drive_of(drive, model.spec.sim.gravity).map_err(GoalRefusal::Robot)?;
    let caps = entry.servo.map_or(Caps::NONE, |servo| Caps {
        speed: servo.max_speed,
        acceleration: servo.acceleration,
        turning: servo.max_turning,
        turning_change: servo.turning_acceleration,
    });
    let own = Settings::for_robot(&drive, body.radius, &caps).map_err(GoalRefusal::Robot)?;
    let period = frame_of(model) as f64 * model.step_s;
    Ok((drive, blurred(Settings { period, ..own }, blur), body.radius))
}

/// Settings for who sees through a blur: the filter believes poses no more than they deserve, and a
/// goal is reached as well as can be told.
fn blurred(settings: Settings, blur: &Blur) -> Settings {
    let Settings { noise, arrived, margin, .. } = settings;
    let noise = Noise {
        position: larger(noise.position, blur.position),
        heading: larger(noise.heading, blur.heading),
        ..noise
    };
    // A filter halves the noise of vision.
    let arrived = (larger(arrived.0, 1.5 * blur.position), larger(arrived.1, 1.5 * blur.heading));
    Settings { delay: blur.delay, noise, arrived, margin: margin + blur.position, ..settings }
}
