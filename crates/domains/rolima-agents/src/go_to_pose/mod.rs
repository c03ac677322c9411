//! A robot of any kind that is sent to a pose: among others, among walls.
//!
//! It sees true poses, or what a camera tells of them ([`crate::vision`]), plans by [`rolima_nav`] every
//! 30 ms and commands voltages, whether the robot has a speed controller or not. Robots and loose objects near its way are avoided, balls are not: they
//! are there to be played. Where walls stand between it and the goal, a [`GridPlanner`] finds the
//! way, also behind the ball that it is to meet, which it goes for by a striker from wherever there is room.

mod chasing;
mod restored;
mod sending;
mod showing;

pub use crate::progress::{GoalProgress, GoalRefusal, Phase, Progress};

use crate::braking::Braking;
use crate::effort::{Cost, Effort};
use crate::encounter::Encounter;
use crate::grid_planner::{ClearanceMap, GridPlanner, Search};
use crate::nearest::Nearest;
use crate::pilot::{send, truth_of};
use crate::robot_vision::RobotVision;
use crate::walls::{Looked, Walls};
use rolima_core::{RobotId, World};
use rolima_math::{Pose2, Rot2, Vec2, larger, smaller};
use rolima_nav::estimate::EstimateStatus;
use rolima_nav::{
    Barrier, Detours, Drive, Goal, MotorVolts, NavStatus, Navigator, Obstacle, Output, Settings,
};
use serde::{Deserialize, Serialize};

/// So many frames in a row without a way, and another one is sought, around those who stand.
const PATIENCE: u32 = 10;
/// One that is blocked tries again after one frame, then after two, and so on up to this.
const LONGEST_WAIT: u32 = 6;
/// After a search that found nothing it waits for so many frames.
const REST: u32 = 66;
/// Goals nearer to a wall than this share of the robot's radius are in it.
const IN_WALL: f64 = 0.5;
/// Who goes slower than this share of the robot's top speed stands.
const STANDING: f64 = 0.05;
/// A corner that was not in sight is looked for again after so many frames.
const LOOK_AHEAD_EVERY: u32 = 4;
/// Most references that are shown of a plan.
const MOST_POINTS: usize = 64;
/// Time between them, s, where the plan is not too long for it.
const POINTS_EVERY: f64 = 0.1;

/// A robot that is sent to a pose, or to meet a ball.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GoToPose {
    robot: RobotId,
    goal: Pose2,
    /// The ball that it is to meet, until it has.
    encounter: Option<Box<Encounter>>,
    robot_vision: RobotVision,
    /// Where it takes itself to be, where it does not see that.
    believed: Option<Pose2>,
    drive: Drive,
    settings: Settings,
    navigator: Navigator,
    planner: GridPlanner,
    /// Of the walls, where nobody shares what is known of them.
    clearances: ClearanceMap,
    /// The corner of the planner's way that it goes for.
    corner: usize,
    /// Frames without a way, and until it may search again.
    stuck: u32,
    rest: u32,
    /// Frames that it stands until it tries again to get past what blocks it.
    wait: u32,
    /// Walls that it may look at in this frame; less than zero, what it has to make up for.
    looks: isize,
    /// The way whose walls it knows.
    looked: Option<Looked>,
    /// Its frames so far.
    frames: u64,
    /// Frames until it looks whether the next corner is in sight.
    next_look: u32,
    /// Whether it did not know where it was when it should have looked for a way.
    unsought: bool,
    near_others: Nearest<Obstacle>,
    near_walls: Nearest<Barrier>,
    obstacles: Vec<Obstacle>,
    barriers: Vec<Barrier>,
    goal_progress: GoalProgress,
    /// Plans of navigators before this one, and what was last shown.
    plans: u64,
    drawn: Option<(u64, usize)>,
    /// Once its goal is taken away.
    braking: Option<Braking>,
}

impl GoToPose {
    fn walls<'a>(&self, world: &'a World) -> Walls<'a> {
        Walls::of(world, self.settings.radius)
    }

    /// Whether it searches for a way among walls.
    pub fn is_searching(&self) -> bool {
        self.planner.search() == Search::Working
    }

    /// The robot's number.
    pub fn robot(&self) -> RobotId {
        self.robot
    }

    /// Where it is sent.
    pub fn goal(&self) -> Pose2 {
        self.goal
    }

    /// The settings that its drive gave it.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How it goes, to show.
    pub fn goal_progress(&self) -> &GoalProgress {
        &self.goal_progress
    }

    /// One frame: looks, decides, and commands the robot until the next.
    pub fn frame(&mut self, world: &mut World) {
        let mut clearances = std::mem::take(&mut self.clearances);
        let (volts, _) = self.decide(world, &mut clearances, Effort::ALONE);
        self.clearances = clearances;
        send(world, self.robot, volts);
    }

    /// One frame without commanding the robot, with its share of the effort of all, and with what all
    /// found out about the walls. Returns the voltages until the next frame, and what that cost.
    pub fn decide(
        &mut self,
        world: &World,
        clearances: &mut ClearanceMap,
        effort: Effort,
    ) -> (MotorVolts, Cost) {
        let most = effort.looks as isize;
        self.looks = (self.looks + most).min(most);
        let may_look = self.looks > 0;
        let seen = self.see(world);
        self.notice_jumps(world, seen);
        let here = if self.robot_vision.are_true() { seen } else { self.believed.or(seen) };
        self.rest = self.rest.saturating_sub(1);
        self.next_look = self.next_look.saturating_sub(1);
        self.frames += 1;
        if self.unsought && here.is_some() {
            self.search_path(world, here);
        }
        let search = match here {
            Some(_) => self.planner.work(&self.walls(world), clearances, effort.search),
            None => 0,
        };
        let (target, keep_off) = match self.chase(world) {
            Some((goal, keep_off)) => (self.on_way_to_ball(world, here, goal, may_look), keep_off),
            None => (here.and_then(|here| self.target(world, here, may_look)), None),
        };
        let target = target.filter(|_| may_look || self.looked.is_some());
        self.look_around(world, here, target.map(|goal| goal.pose), may_look);
        self.obstacles.extend(keep_off);
        let tries = target.filter(|_| self.wait == 0);
        let detours = Detours::new(effort.detours.unwrap_or(usize::MAX));
        let around = (&self.obstacles[..], &self.barriers[..]);
        let mut output = self.navigator.frame_within(seen, tries, around, Some(&detours));
        self.believe(&output);
        if output.status == NavStatus::Idle && target.is_some() {
            output.status = NavStatus::Blocked;
        }
        // Who could not look tries again as soon as it may: that is not being blocked.
        if !detours.is_short() {
            self.mind_blocks(here, &output);
        }
        self.show(here, target, &output);
        (output.volts, Cost { search, detours: detours.looked() })
    }

    /// What is told of the robot in this frame.
    fn see(&mut self, world: &World) -> Option<Pose2> {
        let truth = truth_of(world, self.robot).filter(|_| !world.is_quarantined(self.robot));
        self.robot_vision.own(truth.map(|truth| truth.pose))
    }

    /// Where it takes itself to be, after a frame.
    fn believe(&mut self, output: &Output) {
        let is_lost = self.navigator.filter().estimate_status() == EstimateStatus::Lost;
        self.believed = (!is_lost).then(|| output.state.pose());
    }

    /// Takes the goal away: frames are those of [`GoToPose::braking_frame`] from now on.
    pub fn brake(&mut self) {
        self.braking = Some(Braking::new(&self.navigator, &self.drive));
    }

    /// One frame of a robot whose goal was taken away: it brakes within its limits, along the way that
    /// it was on. Returns whether it stands, and the task is over.
    pub fn braking_frame(&mut self, world: &mut World) -> bool {
        let (volts, is_over) = self.decide_braking(world);
        if let Some(volts) = volts {
            send(world, self.robot, volts);
        }
        is_over
    }

    /// The same without commanding the robot: the voltages, if any, and whether it stands.
    pub fn decide_braking(&mut self, world: &World) -> (Option<MotorVolts>, bool) {
        let is_there = !world.is_quarantined(self.robot) && world.pose(self.robot).is_some();
        if !is_there {
            return (None, true);
        }
        let seen = self.see(world);
        // Whoever is put elsewhere stands there.
        if self.has_jumped(seen) {
            return (None, true);
        }
        let idle = self.navigator.frame(seen, None, &[]);
        let (navigator, drive) = (&self.navigator, &self.drive);
        let braking = self.braking.get_or_insert_with(|| Braking::new(navigator, drive));
        let volts = braking.frame(&idle.state, &self.settings).unwrap_or(idle.volts);
        let is_over = braking.is_over(&idle.state, &self.settings);
        self.navigator.was_sent(volts);
        (Some(volts), is_over)
    }

    fn has_jumped(&mut self, seen: Option<Pose2>) -> bool {
        let a_frame = 2.0 * self.settings.period * self.settings.limits.speed;
        self.robot_vision.has_jumped(seen, (a_frame, self.settings.radius))
    }

    /// A robot that was put elsewhere starts over from there.
    fn notice_jumps(&mut self, world: &World, seen: Option<Pose2>) {
        if self.has_jumped(seen)
            && let Ok(fresh) = Navigator::new(&self.drive, self.settings)
        {
            self.plans += self.navigator.taken();
            self.navigator = fresh;
            self.believed = None;
            self.search_path(world, seen);
        }
    }

    /// Straight on where nothing but others is in the way; else the planner has work.
    fn search_path(&mut self, world: &World, here: Option<Pose2>) {
        (self.stuck, self.rest, self.corner) = (0, 0, 1);
        (self.looked, self.next_look, self.wait) = (None, 0, 0);
        self.planner.rest();
        self.unsought = here.is_none();
        let Some(here) = here.filter(|_| self.encounter.is_none()) else { return };
        let (path, mut looked) = ([here.position, self.goal.position], 0);
        if !self.walls(world).are_clear(path, self.keep(), &mut looked) {
            self.planner.seek(here.position, self.goal.position, &[]);
        }
        self.looks -= looked as isize;
    }

    /// Distance to keep from walls, m.
    fn keep(&self) -> f64 {
        self.settings.radius + self.settings.margin
    }

    /// What to go for now: the goal, or the next corner on the way to it.
    fn target(&mut self, world: &World, here: Pose2, may_look: bool) -> Option<Goal> {
        let goal = Goal::stop_at(self.goal);
        match self.planner.search() {
            Search::Working | Search::Nowhere => None,
            Search::Idle => Some(goal),
            Search::Found => Some(self.on_way(world, here, goal, may_look)),
        }
    }

    /// The next corner of the way that was found, or the goal where that comes next.
    fn on_way(&mut self, world: &World, here: Pose2, goal: Goal, may_look: bool) -> Goal {
        let last = self.planner.path().len() - 1;
        let place = |path: &[Vec2], i: usize| if i < last { path[i] } else { goal.pose.position };
        // The next corner as soon as it is in sight, or this one is reached.
        while self.corner < last {
            let path = self.planner.path();
            let corners = [self.corner, self.corner + 1].map(|i| place(path, i));
            if !self.is_corner_done(world, here.position, corners, may_look) {
                break;
            }
            self.corner += 1;
        }
        let path = self.planner.path();
        if self.corner >= last {
            return goal;
        }
        let corner = path[self.corner];
        let into = (corner - path[self.corner - 1]).unit_or(Vec2::new(1.0, 0.0));
        let out = (place(path, self.corner + 1) - corner).unit_or(into);
        let facing = (into + out).unit_or(into);
        let bend = larger(into.dot(out), 0.0);
        let limits = &self.settings.limits;
        let around = (limits.lateral * 2.0 * self.settings.radius).sqrt();
        let speed = smaller(limits.speed * (0.25 + 0.5 * bend), around);
        let rotation = Rot2 { c: facing.x, s: facing.y };
        Goal { pose: Pose2 { position: corner, rotation }, speed }
    }

    /// Whether the first corner, which it goes for, is reached, or the one after it in sight.
    fn is_corner_done(
        &mut self,
        world: &World,
        here: Vec2,
        [this, next]: [Vec2; 2],
        may_look: bool,
    ) -> bool {
        if (this - here).length() < self.settings.radius {
            return true;
        }
        if !may_look || self.next_look > 0 {
            return false;
        }
        // The planner's look, not that of walls alone: it went around others that stand, too.
        let (sees, looked) = self.planner.sees(&self.walls(world), here, next);
        self.looks -= looked as isize;
        self.next_look = if sees { 0 } else { LOOK_AHEAD_EVERY };
        sees
    }

    /// The nearest others and walls; the walls that it knew where it may not look, or need not.
    fn look_around(
        &mut self,
        world: &World,
        here: Option<Pose2>,
        to: Option<Pose2>,
        may_look: bool,
    ) {
        self.obstacles.clear();
        let here = here.map(|pose| pose.position);
        let to = to.map(|pose| pose.position).or(here).unwrap_or(Vec2::ZERO);
        let path = here.map_or(0.0, |here| (to - here).length());
        let (radius, speed) = (self.settings.radius, self.settings.limits.speed);
        let within = here.map(|here| (here, path + 12.0 * radius + speed));
        self.robot_vision.look(world, within, radius, &mut self.near_others);
        let Some(here) = here else { return };
        self.near_others.take(&mut self.obstacles);
        let knows = self
            .looked
            .as_ref()
            .is_some_and(|looked| looked.serves([here, to], self.frames, self.settings.radius));
        if may_look && !knows {
            let (within, mut count) = (0.6 * path + 6.0 * self.settings.radius, 0);
            let walls = self.walls(world);
            let known = walls.offer([here, to], within, &mut self.near_walls, &mut count);
            self.barriers.clear();
            self.near_walls.take(&mut self.barriers);
            self.looks -= count as isize;
            self.looked = Some(Looked { segment: [here, to], known, frame: self.frames });
        }
    }

    /// Stuck for a while: another way, around those who stand.
    fn mind_blocks(&mut self, here: Option<Pose2>, output: &Output) {
        if self.planner.search() == Search::Nowhere || output.status == NavStatus::Blocked {
            self.stuck += 1;
            // To find that there is no way past others takes longer than to find one.
            self.wait = if self.wait > 0 { self.wait - 1 } else { self.stuck.min(LONGEST_WAIT) };
        } else if self.planner.search() != Search::Working {
            self.stuck = 0;
        }
        let Some(here) = here.filter(|_| self.encounter.is_none()) else { return };
        if self.stuck >= PATIENCE && self.rest == 0 {
            (self.stuck, self.rest, self.corner) = (0, REST, 1);
            let most = STANDING * self.settings.limits.speed;
            self.obstacles.retain(|other| other.velocity.length() < most);
            self.planner.seek(here.position, self.goal.position, &self.obstacles);
        }
    }
}
