//! A robot of any kind that is sent to a pose: among others, among walls.
//!
//! It sees true poses, plans by [`rolima_nav`] every 30 ms and commands voltages, whether the robot has
//! a speed controller or not. Robots and loose objects near its way are avoided, balls are not: they
//! are there to be played. Where walls stand between it and the goal, a [`Guide`] finds the way.

pub use crate::progress::{Progress, Refusal, Shown};

use crate::braking::Braking;
use crate::effort::{Cost, Effort};
use crate::guide::{Guide, Rooms, Search};
use crate::nearest::{MOST_HEEDED, Nearest};
use crate::pilot::{drive_of, send, steps_of_frame, truth_of};
use crate::walls::{Looked, Walls};
use rolima_core::{RobotId, World};
use rolima_math::{Pose2, Rot2, Vec2, larger, smaller};
use rolima_nav::{
    Barrier, Caps, Detours, Drive, Goal, NavError, Navigator, Obstacle, Output, Settings, Status,
};

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
const SIGHT_EVERY: u32 = 4;
/// Most references that are shown of a plan.
const MOST_SHOWN: usize = 64;
/// Time between them, s, where the plan is not too long for it.
const SHOWN_EVERY: f64 = 0.1;

/// A robot that is sent to a pose.
#[derive(Clone, Debug)]
pub struct Errand {
    robot: RobotId,
    goal: Pose2,
    drive: Drive,
    settings: Settings,
    navigator: Navigator,
    guide: Guide,
    /// Of the walls, where nobody shares what is known of them.
    rooms: Rooms,
    /// The corner of the guide's way that it goes for.
    corner: usize,
    /// Frames without a way, and until it may search again.
    stuck: u32,
    rest: u32,
    /// Frames that it stands until it tries again to get past what blocks it.
    wait: u32,
    last: Option<Vec2>,
    /// Walls that it may look at in this frame; less than zero, what it has to make up for.
    looks: isize,
    /// The way whose walls it knows.
    looked: Option<Looked>,
    /// Its frames so far.
    frames: u64,
    /// Frames until it looks whether the next corner is in sight.
    next_sight: u32,
    near_others: Nearest<Obstacle>,
    near_walls: Nearest<Barrier>,
    obstacles: Vec<Obstacle>,
    barriers: Vec<Barrier>,
    shown: Shown,
    /// Plans of navigators before this one, and what was last shown.
    plans: u64,
    drawn: Option<(u64, usize)>,
    /// Once its goal is taken away.
    braking: Option<Braking>,
}

impl Errand {
    /// Sends a robot of a world, by its number, to a pose.
    pub fn new(world: &World, robot: RobotId, goal: Pose2) -> Result<Self, Refusal> {
        let model = world.model();
        let unknown = Refusal::Robot(NavError::BadLimit);
        let entry = model.robots.get(robot.index()).ok_or(unknown)?;
        let body = model.body(robot).ok_or(unknown)?;
        let drive = model.drives.get(entry.drive as usize).ok_or(unknown)?;
        let drive = drive_of(drive, model.spec.sim.gravity).map_err(Refusal::Robot)?;
        let caps = entry.servo.map_or(Caps::NONE, |servo| Caps {
            speed: servo.max_speed,
            acceleration: servo.acceleration,
            turning: servo.max_turning,
            turning_change: servo.turning_acceleration,
        });
        let own = Settings::for_robot(&drive, body.radius, &caps).map_err(Refusal::Robot)?;
        let period = steps_of_frame(world) as f64 * model.step_s;
        let settings = Settings { period, ..own };
        let navigator = Navigator::new(&drive, settings).map_err(Refusal::Robot)?;
        let mut errand = Self {
            robot,
            goal,
            drive,
            settings,
            navigator,
            guide: Guide::new(body.radius, settings.margin),
            rooms: Rooms::default(),
            corner: 0,
            stuck: 0,
            rest: 0,
            wait: 0,
            last: None,
            looks: 0,
            looked: None,
            frames: 0,
            next_sight: 0,
            near_others: Nearest::default(),
            near_walls: Nearest::default(),
            obstacles: Vec::with_capacity(MOST_HEEDED),
            barriers: Vec::with_capacity(MOST_HEEDED),
            shown: Shown {
                references: Vec::with_capacity(MOST_SHOWN),
                beyond: Vec::with_capacity(MOST_SHOWN),
                ..Shown::default()
            },
            plans: 0,
            drawn: None,
            braking: None,
        };
        errand.send_to(world, goal)?;
        Ok(errand)
    }

    /// Another goal for the same robot; where it is refused, the old one stays.
    pub fn send_to(&mut self, world: &World, goal: Pose2) -> Result<(), Refusal> {
        let Rot2 { c, s } = goal.rotation;
        let sane = goal.position.length() < 1e6 && (c * c + s * s - 1.0).abs() < 1e-3;
        // Not a number compares false.
        if !sane {
            return Err(Refusal::NotFinite);
        }
        let (walls, most) = (self.walls(world), IN_WALL * self.settings.radius);
        let room = walls.room_at(goal.position, most, &mut 0);
        if room < most || walls.hold(goal.position) {
            return Err(Refusal::InWall);
        }
        self.goal = goal;
        self.braking = None;
        self.shown.progress = Progress::Driving;
        let here = truth_of(world, self.robot).map(|truth| truth.pose);
        self.shown.reference = here.unwrap_or(goal);
        let straight = here.map_or(0.0, |here| (goal.position - here.position).length());
        self.shown.left = (straight, 0.0);
        self.look_for_way(world, here);
        Ok(())
    }

    fn walls<'a>(&self, world: &'a World) -> Walls<'a> {
        Walls::of(world, self.settings.radius)
    }

    /// Whether it searches for a way among walls.
    pub fn is_searching(&self) -> bool {
        self.guide.search() == Search::Working
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
    pub fn shown(&self) -> &Shown {
        &self.shown
    }

    /// One frame: looks, decides, and commands the robot until the next.
    pub fn frame(&mut self, world: &mut World) {
        let mut rooms = std::mem::take(&mut self.rooms);
        self.frame_within(world, &mut rooms, Effort::ALONE);
        self.rooms = rooms;
    }

    /// The same with its share of the effort of all, and with what all found out about the walls.
    /// Returns what that cost.
    pub fn frame_within(&mut self, world: &mut World, rooms: &mut Rooms, effort: Effort) -> Cost {
        let most = effort.looks as isize;
        self.looks = (self.looks + most).min(most);
        let may_look = self.looks > 0;
        let truth = truth_of(world, self.robot).filter(|_| !world.is_quarantined(self.robot));
        let here = truth.map(|truth| truth.pose);
        self.notice_jumps(world, here);
        self.rest = self.rest.saturating_sub(1);
        self.next_sight = self.next_sight.saturating_sub(1);
        self.frames += 1;
        let search = match here {
            Some(_) => self.guide.work(&self.walls(world), rooms, effort.search),
            None => 0,
        };
        let target = here.and_then(|here| self.target(world, here, may_look));
        let target = target.filter(|_| may_look || self.looked.is_some());
        self.look_around(world, here, target.map(|goal| goal.pose), may_look);
        let tries = target.filter(|_| self.wait == 0);
        let detours = Detours::new(effort.detours.unwrap_or(usize::MAX));
        let around = (&self.obstacles[..], &self.barriers[..]);
        let mut output = self.navigator.frame_within(here, tries, around, Some(&detours));
        if output.status == Status::Idle && target.is_some() {
            output.status = Status::Blocked;
        }
        // Who could not look tries again as soon as it may: that is not being blocked.
        if !detours.is_short() {
            self.mind_blocks(here, &output);
        }
        send(world, self.robot, output.volts);
        self.show(here, target, &output);
        Cost { search, detours: detours.looked() }
    }

    /// Takes the goal away: frames are those of [`Errand::braking_frame`] from now on.
    pub fn brake(&mut self) {
        self.braking = Some(Braking::new(&self.navigator, &self.drive));
    }

    /// One frame of a robot whose goal was taken away: it brakes within its limits, along the way that
    /// it was on. Returns whether it stands, and the errand is over.
    pub fn braking_frame(&mut self, world: &mut World) -> bool {
        let truth = truth_of(world, self.robot).filter(|_| !world.is_quarantined(self.robot));
        let Some(here) = truth.map(|truth| truth.pose) else { return true };
        // Whoever is put elsewhere stands there.
        if self.has_jumped(here) {
            return true;
        }
        self.last = Some(here.position);
        let idle = self.navigator.frame(Some(here), None, &[]);
        let (navigator, drive) = (&self.navigator, &self.drive);
        let braking = self.braking.get_or_insert_with(|| Braking::new(navigator, drive));
        let volts = braking.frame(&idle.state, &self.settings).unwrap_or(idle.volts);
        let is_over = braking.is_over(&idle.state, &self.settings);
        self.navigator.was_sent(volts);
        send(world, self.robot, volts);
        is_over
    }

    fn has_jumped(&self, here: Pose2) -> bool {
        let most = 2.0 * self.settings.period * self.settings.limits.speed + self.settings.radius;
        self.last.is_some_and(|last| (here.position - last).length() > most)
    }

    /// A robot that was put elsewhere starts over from there.
    fn notice_jumps(&mut self, world: &World, here: Option<Pose2>) {
        let Some(here) = here else { return };
        if self.has_jumped(here)
            && let Ok(fresh) = Navigator::new(&self.drive, self.settings)
        {
            self.plans += self.navigator.taken();
            self.navigator = fresh;
            self.look_for_way(world, Some(here));
        }
        self.last = Some(here.position);
    }

    /// Straight on where nothing but others is in the way; else the guide has work.
    fn look_for_way(&mut self, world: &World, here: Option<Pose2>) {
        (self.stuck, self.rest, self.corner) = (0, 0, 1);
        (self.looked, self.next_sight, self.wait) = (None, 0, 0);
        self.guide.rest();
        let Some(here) = here else { return };
        let (way, mut looked) = ([here.position, self.goal.position], 0);
        if !self.walls(world).are_clear(way, self.keep(), &mut looked) {
            self.guide.seek(here.position, self.goal.position, &[]);
        }
        self.looks -= looked as isize;
    }

    /// Distance to keep from walls, m.
    fn keep(&self) -> f64 {
        self.settings.radius + self.settings.margin
    }

    /// What to go for now: the goal, or the next corner on the way to it.
    fn target(&mut self, world: &World, here: Pose2, may_look: bool) -> Option<Goal> {
        match self.guide.search() {
            Search::Working | Search::Nowhere => return None,
            Search::Idle => return Some(Goal::stop_at(self.goal)),
            Search::Found => {}
        }
        let last = self.guide.way().len() - 1;
        // The next corner as soon as it is in sight, or this one is reached.
        while self.corner < last && self.is_corner_done(world, here.position, may_look) {
            self.corner += 1;
        }
        let way = self.guide.way();
        if self.corner >= last {
            return Some(Goal::stop_at(self.goal));
        }
        let corner = way[self.corner];
        let into = (corner - way[self.corner - 1]).unit_or(Vec2::new(1.0, 0.0));
        let out = (way[self.corner + 1] - corner).unit_or(into);
        let facing = (into + out).unit_or(into);
        let bend = larger(into.dot(out), 0.0);
        let limits = &self.settings.limits;
        let around = (limits.lateral * 2.0 * self.settings.radius).sqrt();
        let speed = smaller(limits.speed * (0.25 + 0.5 * bend), around);
        let rotation = Rot2 { c: facing.x, s: facing.y };
        Some(Goal { pose: Pose2 { position: corner, rotation }, speed })
    }

    /// Whether the corner that it goes for is reached, or the one after it in sight.
    fn is_corner_done(&mut self, world: &World, here: Vec2, may_look: bool) -> bool {
        let way = self.guide.way();
        let (this, next) = (way[self.corner], way[self.corner + 1]);
        if (this - here).length() < self.settings.radius {
            return true;
        }
        if !may_look || self.next_sight > 0 {
            return false;
        }
        // The guide's sight, not that of walls alone: it went around others that stand, too.
        let (sees, looked) = self.guide.sees(&self.walls(world), here, next);
        self.looks -= looked as isize;
        self.next_sight = if sees { 0 } else { SIGHT_EVERY };
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
        let Some(here) = here.map(|pose| pose.position) else { return };
        let to = to.map_or(here, |pose| pose.position);
        let (model, way) = (world.model(), (to - here).length());
        let reach = way + 12.0 * self.settings.radius + self.settings.limits.speed;
        let robots = model.robot_ids().filter(|robot| *robot != self.robot).map(RobotId::body);
        for body in robots.chain(model.objects()) {
            let Some(truth) = truth_of(world, body) else { continue };
            let (position, velocity) = (truth.pose.position, truth.velocity);
            let distance = (position - here).length();
            if distance < reach {
                let radius = model.body(body).map_or(self.settings.radius, |body| body.radius);
                let other = Obstacle { position, velocity, radius };
                self.near_others.offer(distance - radius, body.0, other);
            }
        }
        self.near_others.take(&mut self.obstacles);
        let knows = self
            .looked
            .as_ref()
            .is_some_and(|looked| looked.serves([here, to], self.frames, self.settings.radius));
        if may_look && !knows {
            let (within, mut count) = (0.6 * way + 6.0 * self.settings.radius, 0);
            let walls = self.walls(world);
            let known = walls.offer([here, to], within, &mut self.near_walls, &mut count);
            self.barriers.clear();
            self.near_walls.take(&mut self.barriers);
            self.looks -= count as isize;
            self.looked = Some(Looked { way: [here, to], known, frame: self.frames });
        }
    }

    /// Stuck for a while: another way, around those who stand.
    fn mind_blocks(&mut self, here: Option<Pose2>, output: &Output) {
        if self.guide.search() == Search::Nowhere || output.status == Status::Blocked {
            self.stuck += 1;
            // To find that there is no way past others takes longer than to find one.
            self.wait = if self.wait > 0 { self.wait - 1 } else { self.stuck.min(LONGEST_WAIT) };
        } else if self.guide.search() != Search::Working {
            self.stuck = 0;
        }
        let Some(here) = here else { return };
        if self.stuck >= PATIENCE && self.rest == 0 {
            (self.stuck, self.rest, self.corner) = (0, REST, 1);
            let most = STANDING * self.settings.limits.speed;
            self.obstacles.retain(|other| other.velocity.length() < most);
            self.guide.seek(here.position, self.goal.position, &self.obstacles);
        }
    }

    fn show(&mut self, here: Option<Pose2>, target: Option<Goal>, output: &Output) {
        let is_last = target.is_some_and(|goal| goal.pose == self.goal && goal.speed == 0.0);
        self.shown.progress = Progress::of(output.status, self.guide.search(), is_last);
        self.shown.reference = output.reference;
        let key = (self.plans + self.navigator.taken(), self.corner);
        let Some((trajectory, clock)) = self.navigator.trajectory() else {
            let straight = here.map_or(0.0, |p| (self.goal.position - p.position).length());
            self.shown.left = (straight, 0.0);
            if !self.shown.references.is_empty() {
                self.shown.references.clear();
                self.shown.beyond.clear();
                self.shown.plan += 1;
            }
            self.drawn = None;
            return;
        };
        let beyond = self.guide.way().get(self.corner..).unwrap_or(&[]);
        let path = trajectory.path();
        let done = trajectory.at(clock).and_then(|now| path.at(now.parameter));
        let rest: f64 = beyond.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum();
        let left = trajectory.length() - done.map_or(0.0, |done| done.way);
        self.shown.left = (larger(left, 0.0) + rest, output.left);
        self.shown.clock = clock;
        if self.drawn == Some(key) {
            return;
        }
        self.drawn = Some(key);
        self.shown.plan += 1;
        let duration = trajectory.duration();
        let pieces = ((duration / SHOWN_EVERY).ceil() as usize).clamp(1, MOST_SHOWN - 1);
        self.shown.every = duration / pieces as f64;
        self.shown.references.clear();
        self.shown.references.extend((0..=pieces).filter_map(|i| {
            trajectory.at(self.shown.every * i as f64).map(|then| then.pose.position)
        }));
        self.shown.beyond.clear();
        self.shown.beyond.extend(beyond.iter().skip(1).take(MOST_SHOWN));
    }
}
