//! Random goals on the soccer field, and how well they are reached.

use crate::pilot::{Pilot, RobotTruth, truth_of};
use crate::vision::Blur;
use core::f64::consts::PI;
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_nav::{Field, Goal, NavError, Settings};
use std::sync::Arc;

/// A start at rest and a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Task {
    /// Where the robot starts.
    pub start: Pose2,
    /// Where it should stop.
    pub goal: Pose2,
    /// Key of its noise.
    pub seed: u64,
}

/// When a goal counts as reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Largest distance of the true position, m.
    pub distance: f64,
    /// Largest error of the true heading, rad.
    pub angle: f64,
    /// For how long, s.
    pub hold_s: f64,
    /// Within which time, the holding included, s.
    pub within_s: f64,
}

/// 1 cm and 3 degrees for 0.5 s within 6 s.
pub const RULE: Rule = Rule { distance: 0.01, angle: 3.0 * PI / 180.0, hold_s: 0.5, within_s: 6.0 };

/// How a task went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskOutcome {
    /// When the robot came to stay, s; none where it did not.
    pub reached_s: Option<f64>,
    /// Distance at the end, m.
    pub distance: f64,
    /// Error of the heading at the end, rad.
    pub angle: f64,
    /// How far it went beyond the goal along the straight way from start to goal, m.
    pub overshoot: f64,
}

/// Least distance of starts and goals from walls, m.
pub const FROM_WALLS: f64 = 0.06;

/// Tasks with starts and goals anywhere on the MiroSot field, at least 6 cm from its walls.
pub fn random_tasks(count: usize, seed: u64) -> Vec<Task> {
    let field = Field::mirosot();
    let mut random = Stream::new(seed, 0, "tasks");
    let mut pose = || loop {
        let (x, y) = (random.between(-0.75, 0.75), random.between(-0.65, 0.65));
        let theta = random.between(-PI, PI);
        if field.clearance(Vec2::new(x, y)) >= FROM_WALLS {
            return Pose2::new(x, y, theta);
        }
    };
    (0..count).map(|i| Task { start: pose(), goal: pose(), seed: seed + i as u64 }).collect()
}

/// Follows one robot's way to a goal, step by step.
#[derive(Clone, Copy, Debug)]
pub struct Referee {
    goal: Pose2,
    rule: Rule,
    time_s: f64,
    since: Option<f64>,
    reached: Option<f64>,
    /// Direction of the way from start to goal.
    direction: Vec2,
    overshoot: f64,
    last: (f64, f64),
}

impl Referee {
    /// For a task and a rule.
    pub fn new(task: &Task, rule: Rule) -> Self {
        let direction = (task.goal.position - task.start.position).unit_or(Vec2::new(1.0, 0.0));
        let none = (f64::INFINITY, f64::INFINITY);
        Self {
            goal: task.goal,
            rule,
            time_s: 0.0,
            since: None,
            reached: None,
            direction,
            overshoot: 0.0,
            last: none,
        }
    }

    /// One step of the world has passed.
    pub fn step(&mut self, truth: Pose2, step_s: f64) {
        self.time_s += step_s;
        let gap = truth.position - self.goal.position;
        let (distance, angle) = (gap.length(), wrap_angle(truth.theta() - self.goal.theta()).abs());
        self.last = (distance, angle);
        self.overshoot = self.overshoot.max(gap.dot(self.direction));
        if distance <= self.rule.distance && angle <= self.rule.angle {
            let since = *self.since.get_or_insert(self.time_s);
            if self.time_s - since >= self.rule.hold_s {
                self.reached.get_or_insert(since);
            }
        } else {
            self.since = None;
        }
    }

    /// Lets a world run until the goal is held by a robot, or its time is over. Frames
    /// have so many steps; `act` is called before each frame, `look` after each step.
    pub fn watch(
        mut self,
        world: &mut World,
        (robot, steps): (RobotId, u64),
        mut act: impl FnMut(&mut World),
        mut look: impl FnMut(&World, &RobotTruth),
    ) -> TaskOutcome {
        let step_s = world.model().step_s;
        let frames = (self.rule.within_s / (steps as f64 * step_s)).round() as u64;
        for _ in 0..frames {
            act(world);
            for _ in 0..steps {
                world.step();
                let Some(truth) = truth_of(world, robot) else { continue };
                self.step(truth.pose, step_s);
                look(world, &truth);
            }
            if self.is_done() {
                break;
            }
        }
        self.outcome()
    }

    /// Whether the goal was held for long enough.
    pub fn is_done(&self) -> bool {
        self.reached.is_some()
    }

    /// The outcome so far.
    pub fn outcome(&self) -> TaskOutcome {
        let (distance, angle) = self.last;
        TaskOutcome { reached_s: self.reached, distance, angle, overshoot: self.overshoot }
    }
}

/// The settings for tasks on the soccer field.
pub fn field_settings() -> Settings {
    Settings { field: Field::mirosot(), ..Settings::default() }
}

/// Runs a task with a navigator at robot 0 of a model, alone on the field.
pub fn run(
    model: &Arc<Model>,
    task: &Task,
    settings: Settings,
    blur: Blur,
    rule: Rule,
) -> Result<TaskOutcome, NavError> {
    let mut world = World::with_seed(model.clone(), task.seed);
    let robot = world.model().robot_ids().next().ok_or(NavError::BadLimit)?;
    world.place_body(robot, task.start);
    out_of_the_way(&mut world);
    let random = Stream::new(task.seed, 0, "vision");
    let mut pilot = Pilot::new(&world, robot, settings, blur, random)?;
    let (frame, goal) = ((robot, pilot.steps()), Goal::stop_at(task.goal));
    let act = |world: &mut World| {
        pilot.frame(world, Some(goal));
    };
    Ok(Referee::new(task, rule).watch(&mut world, frame, act, |_, _| {}))
}

/// Balls out of the field: the robot is alone.
pub fn out_of_the_way(world: &mut World) {
    for (i, ball) in world.model().balls().enumerate() {
        world.place_body(ball, Pose2::new(3.0 + i as f64, 3.0, 0.0));
    }
}

/// Share of tasks that were reached, and the median time of those, s.
pub fn summary(outcomes: &[TaskOutcome]) -> (f64, f64) {
    let mut times: Vec<f64> = outcomes.iter().filter_map(|o| o.reached_s).collect();
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(f64::INFINITY);
    (times.len() as f64 / outcomes.len().max(1) as f64, median)
}
