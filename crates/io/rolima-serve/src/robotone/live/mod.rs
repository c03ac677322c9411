//! The robots of a live run.
//!
//! ```text
//!  loop ── LiveSink ──► triple buffer: three slots ◄── newest ── LiveRobots ◄── sessions
//!   ▲                        └─ unpark ─► notifier thread ──────────────────► │
//!   └───────────────── mailbox: acts, then a mark ◄──────────────────────────┘
//! ```
//!
//! In lock step the programs together are one controller: the world goes on when all of them wait.
//!
//! | module | what |
//! |---|---|
//! | `triple_buffer` | what was published last; the loop waits for no reader |
//! | `sink` | the loop's side |
//! | `layout` | where a scene's robots have their senses |
//! | `cameras` | pictures, watched while programs ask |
//! | `drivers` | robots that programs take and give back |
//! | `world` | sensors of the world, and pictures of all cameras |

mod cameras;
mod drivers;
mod layout;
mod sink;
mod triple_buffer;
mod world;

pub use sink::LiveSink;

use super::robots::{
    Driver, LidarPlace, Notifier, RequestError, RobotAction, RobotNow, Robots, Shot, Ticket,
    Viewpoint, WorldChange, WorldNow,
};
use super::view_hints::{MOST_TRACED, Notice, ViewHints};
use super::world_sensors::WorldSensors;
use crate::senses::Senses;
use crate::shm::prepare_scene;
use crate::web::SceneLoaded;
use cameras::Cameras;
use layout::{Robot, RobotLayout};
use rolima_core::{Command, RobotId};
use rolima_math::Pose2;
use rolima_run::live::{Action, Mailbox, Request, SharedSeats, Undelivered};
use rolima_wire::robotone::CYCLE_S;
use sink::{Current, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use triple_buffer::TripleBuffer;
use world::ProgramCamera;

/// The number of the programs as a controller in lock step; viewers count from 1 up.
const CONTROLLER: u32 = u32::MAX;
/// How often a world is handed to a loop whose queue is full; a millisecond each.
const MOST_TRIES: usize = 1_000;
/// How often idle cameras are looked for.
const LOOK: Duration = Duration::from_millis(500);

/// Makes another world. Runs on a thread of its own.
pub type WorldMaker = Arc<dyn Fn(WorldChange) -> Result<NewWorld, String> + Send + Sync>;

/// Refuses other worlds of which a glance tells that they cannot be made. Must not block.
pub type WorldGlance = Arc<dyn Fn(&WorldChange) -> Result<(), String> + Send + Sync>;

/// Another world.
pub struct NewWorld {
    /// What it is called.
    pub name: String,
    /// The scene; it has a map if it is a maze.
    pub scene: SceneLoaded,
}

/// Largest error of motion that programs may set where robots have to drive, m and rad a cycle:
/// over a minute a robot that stands strays by some 0.3 m.
const MOST_HELD_STD: f64 = 0.005;

/// What stands behind the robots of a live run.
pub struct LiveRobotsSetup {
    /// The way to the loop.
    pub mailbox: Mailbox,
    /// Pictures; none where robots are blind.
    pub senses: Option<Senses>,
    /// Refuses other worlds before they wait for their turn to be made.
    pub glance: WorldGlance,
    /// Makes other worlds.
    pub make: WorldMaker,
    /// Whether programs may put robots elsewhere than where they start, and let their motion err
    /// as they like.
    pub may_place: bool,
    /// Time of a step, s, if the world advances only with the programs.
    pub lock_step: Option<f64>,
    /// Who drives which robot: the same that the page and the terminal ask.
    pub seats: SharedSeats,
    /// Where others learn what programs want people to see.
    pub view_hints: ViewHints,
}

/// What counts as a robot's start, m around it.
const START_M: f64 = 0.05;

/// The robots of a live run, for programs.
pub struct LiveRobots {
    setup: LiveRobotsSetup,
    buffer: Arc<TripleBuffer>,
    state: Arc<Mutex<State>>,
    /// The step that the world waits at, plus one; 0 if it does not.
    asked: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    ringing: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct State {
    tickets: u64,
    cameras: Cameras,
    /// Programs by their robot, also those that let people drive: in lock step the world goes on when all
    /// of them wait.
    programs: BTreeMap<u32, u32>,
    waiting: BTreeSet<u32>,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveRobots {
    /// The robots of a live run, and the sink that its loop must get.
    pub fn new(setup: LiveRobotsSetup) -> (Self, LiveSink) {
        let buffer = Arc::new(TripleBuffer::default());
        let current = Current::default();
        let asked = Arc::new(AtomicU64::new(0));
        if let Some(step_s) = setup.lock_step {
            let turns = Turn {
                buffer: Arc::clone(&buffer),
                current: Arc::clone(&current),
                asked: Arc::clone(&asked),
            };
            // Until a scene is shown; from then on turns follow the cycle, see `Turn`.
            let period = ((CYCLE_S / step_s).round() as u64).max(1);
            let turns = Box::new(turns);
            // The queue is empty, as nobody else has it yet.
            let _ = setup.mailbox.send(Request::Join { controller: CONTROLLER, period, turns });
        }
        let shared = setup.lock_step.map(|_| Arc::clone(&asked));
        let view_hints = setup.view_hints.clone();
        let sink = LiveSink { buffer: Arc::clone(&buffer), current, view_hints, asked: shared };
        let robots = Self {
            setup,
            buffer,
            state: Arc::default(),
            asked,
            stop: Arc::default(),
            ringing: Mutex::default(),
        };
        (robots, sink)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn layout(&self) -> Arc<RobotLayout> {
        Arc::clone(&self.buffer.newest().layout)
    }

    fn send(&self, request: Request) -> Result<(), RequestError> {
        self.setup.mailbox.send(request).map_err(|why| match why {
            Undelivered::Full => RequestError::Busy,
            Undelivered::Ended => RequestError::Refused(why.to_string()),
        })
    }

    /// A mark after what was sent.
    fn mark(&self) -> Result<Ticket, RequestError> {
        // Under the lock, so that marks go out in order.
        let mut state = self.state();
        let number = state.tickets + 1;
        self.send(Request::Mark { done: Arc::clone(&self.buffer.marks), number })?;
        state.tickets = number;
        Ok(Ticket(number))
    }

    /// Everything that an act is for the loop.
    fn actions(
        &self,
        number: u32,
        robot: &Robot,
        action: RobotAction,
    ) -> Result<Vec<Action>, RequestError> {
        let lacks = |what: &str| RequestError::Refused(format!("the robot has no {what}"));
        let pose = |[x, y, theta]: [f64; 3]| Pose2::new(x, y, theta);
        let own = RobotId(number);
        let command = |command| Action::Command { robot: own, command };
        let placed = |to: [f64; 3]| {
            let mut actions = vec![Action::Place { body: own.body(), pose: pose(to) }];
            let believe = Action::Believe { robot: own, pose: pose(to) };
            actions.extend(robot.odometry.is_some().then_some(believe));
            actions
        };
        let sigmas = |sensor: &Option<layout::Sensor>, what: &str, values: &[f64]| {
            let device = sensor.as_ref().ok_or_else(|| lacks(what))?.device as u32;
            let axes = (0u32..).zip(values);
            Ok(axes.map(|(axis, sigma)| Action::Sigma { device, axis, sigma: *sigma }).collect())
        };
        Ok(match action {
            RobotAction::Velocity { .. } | RobotAction::Wheels { .. } if robot.limits.is_none() => {
                return Err(lacks("speed controller"));
            }
            RobotAction::Velocity { linear: v, angular: omega } => {
                vec![command(Command::Velocity { v, omega })]
            }
            RobotAction::Wheels { left, right } => vec![command(Command::Wheels { right, left })],
            RobotAction::Actuate { actuator, .. } if actuator as usize >= robot.actuators.len() => {
                return Err(lacks("such actuator"));
            }
            RobotAction::Actuate { actuator, value } => {
                vec![command(Command::Direct { actuator, value })]
            }
            RobotAction::Place(to) if !self.setup.may_place && is_elsewhere(to, robot.start) => {
                let why = "in this run robots are put nowhere but where they start";
                return Err(RequestError::Refused(why.to_owned()));
            }
            RobotAction::Place(to) => placed(to),
            RobotAction::Believe(to) if robot.odometry.is_some() => {
                vec![Action::Believe { robot: own, pose: pose(to) }]
            }
            RobotAction::Believe(_) => return Err(lacks("odometry")),
            RobotAction::Reset => {
                let mut actions = vec![Action::Stop { robot: own }];
                actions.extend(placed(robot.start));
                actions
            }
            // It moves the robot itself, so that a large one is as good as putting it elsewhere.
            RobotAction::OdometryStd(std)
                if !self.setup.may_place && std.iter().any(|&std| std > MOST_HELD_STD) =>
            {
                let why = format!(
                    "in this run errors of motion are at most {MOST_HELD_STD} m and rad a cycle"
                );
                return Err(RequestError::Refused(why));
            }
            RobotAction::OdometryStd(std) => sigmas(&robot.odometry, "odometry", &std)?,
            RobotAction::GpsStd(std) => sigmas(&robot.gps, "GPS", &std)?,
            RobotAction::LidarStd(std) => sigmas(&robot.lidar, "lidar", &[std])?,
            RobotAction::Trace(_) => vec![],
        })
    }

    /// Lets a robot leave a trace, or no more.
    fn trace(&self, number: u32, robot: &Robot, traced: bool) -> Result<Ticket, RequestError> {
        if !traced {
            self.setup.view_hints.untrace(number);
        } else if !self.setup.view_hints.trace(number, robot.reach) {
            return Err(RequestError::Refused(format!(
                "{MOST_TRACED} robots leave traces already"
            )));
        }
        Ok(Ticket::default())
    }

    /// In lock step, lets the world go on if all programs wait.
    fn go_on(&self, state: &mut State) {
        let all_wait = state.programs.values().all(|client| state.waiting.contains(client));
        if state.waiting.is_empty() || !all_wait {
            return;
        }
        let asked = self.asked.load(Ordering::Acquire);
        let Some(step) = asked.checked_sub(1) else { return };
        let answer = Request::Answer { controller: CONTROLLER, step, commands: vec![] };
        // Cleared first: the next turn may come before this thread goes on.
        self.asked.store(0, Ordering::Release);
        if self.send(answer).is_ok() {
            state.waiting.clear();
        } else {
            self.asked.store(asked, Ordering::Release);
        }
    }
}

impl Robots for LiveRobots {
    fn connected(&self, programs: u64) -> Result<Ticket, RequestError> {
        self.buffer.wanted.store(programs > 0, Ordering::Relaxed);
        if programs > 0 { self.mark() } else { Ok(Ticket::default()) }
    }

    fn world(&self) -> WorldNow {
        let newest = self.buffer.newest();
        WorldNow {
            time_s: newest.time_s,
            robots: newest.layout.robots.len() as u32,
            done: Ticket(newest.done),
            is_maze: newest.layout.is_maze,
            ended: newest.ended,
        }
    }

    fn robot(&self, robot: u32) -> Option<RobotNow> {
        let now = self.buffer.newest().robots.get(robot as usize).copied()?;
        Some(RobotNow { trace: self.setup.view_hints.is_traced(robot), ..now })
    }

    fn name(&self, robot: u32) -> Option<String> {
        self.buffer.newest().layout.robots.get(robot as usize).map(|robot| robot.name.clone())
    }

    fn actuators(&self, robot: u32) -> Vec<String> {
        let newest = self.buffer.newest();
        newest.layout.robots.get(robot as usize).map_or(vec![], |robot| robot.actuators.clone())
    }

    fn lidar(&self, robot: u32, out: &mut Vec<f32>) -> Option<LidarPlace> {
        let newest = self.buffer.newest();
        let robot = newest.layout.robots.get(robot as usize)?;
        let readings = newest.readings.get(robot.lidar.as_ref()?.range.clone())?;
        out.extend(readings.iter().map(|distance| *distance as f32));
        Some(robot.lidar_place)
    }

    fn shot(&self, robot: u32, had: Option<u64>) -> Shot {
        let camera = {
            let newest = self.buffer.newest();
            let found = newest.layout.robots.get(robot as usize).and_then(|r| r.camera);
            found.map(|(device, exposure)| ProgramCamera { device, exposure })
        };
        self.shot_of((RobotId(robot).into(), 0), camera, had)
    }

    fn world_sensors(&self) -> Option<&dyn WorldSensors> {
        Some(self)
    }

    fn act(&self, robot: u32, action: RobotAction) -> Result<Ticket, RequestError> {
        let layout = self.layout();
        let known = layout.robots.get(robot as usize);
        let known = known.ok_or_else(|| RequestError::Refused(format!("robot {robot} is gone")))?;
        if let RobotAction::Trace(traced) = action {
            return self.trace(robot, known, traced);
        }
        for action in self.actions(robot, known, action)? {
            self.send(Request::Action(action))?;
        }
        let ticket = self.mark()?;
        if matches!(action, RobotAction::Place(_) | RobotAction::Reset) {
            self.setup.view_hints.begin_anew(robot, ticket.0);
        }
        Ok(ticket)
    }

    fn hand_over(&self, robot: u32, to: Driver) -> Result<(), RequestError> {
        self.change_driver(robot, to)
    }

    fn view(&self) -> Viewpoint {
        self.setup.view_hints.view()
    }

    fn set_view(&self, view: Viewpoint) {
        self.setup.view_hints.set_view(view);
    }

    fn tell_of_first_picture(&self) {
        self.setup.view_hints.tell(Notice::FirstPicture);
    }

    fn change_world(&self, change: WorldChange) -> Result<Ticket, RequestError> {
        let made = (self.setup.make)(change).map_err(RequestError::Refused)?;
        let NewWorld { name, scene } = made;
        let loaded = Arc::new(prepare_scene(name, scene));
        until_taken(|| self.send(Request::Load(Arc::clone(&loaded))))?;
        until_taken(|| self.mark())
    }

    fn may_change(&self, change: &WorldChange) -> Result<(), RequestError> {
        (self.setup.glance)(change).map_err(RequestError::Refused)
    }

    fn waits(&self, client: u32) {
        if self.setup.lock_step.is_some() {
            let mut state = self.state();
            state.waiting.insert(client);
            self.go_on(&mut state);
        }
    }

    fn notify(&self, notifier: Notifier) {
        let stop = Arc::clone(&self.stop);
        let (own, state) = (notifier.clone(), Arc::clone(&self.state));
        let to_notify = std::thread::Builder::new().name("rolima-notify".to_owned());
        let ringing = to_notify.spawn(move || {
            let mut looked = Instant::now();
            while !stop.load(Ordering::Relaxed) {
                std::thread::park_timeout(LOOK);
                own.notify();
                if looked.elapsed() >= LOOK {
                    lock(&state).cameras.rest();
                    looked = Instant::now();
                }
            }
        });
        let Ok(ringing) = ringing else { return };
        let thread = ringing.thread().clone();
        let mut to_notify = self.buffer.to_notify.lock().unwrap_or_else(PoisonError::into_inner);
        *to_notify = Some((thread, notifier));
        *self.ringing.lock().unwrap_or_else(PoisonError::into_inner) = Some(ringing);
    }
}

impl Drop for LiveRobots {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        *self.buffer.to_notify.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let ringing = self.ringing.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(ringing) = ringing.take() {
            ringing.thread().unpark();
            let _ = ringing.join();
        }
    }
}

/// Tries again while the loop's queue is full, which it is for a moment only.
fn until_taken<T>(mut send: impl FnMut() -> Result<T, RequestError>) -> Result<T, RequestError> {
    for _ in 0..MOST_TRIES {
        match send() {
            Err(RequestError::Busy) => std::thread::sleep(Duration::from_millis(1)),
            sent => return sent,
        }
    }
    send()
}

/// Whether a place is not the start: many programs begin by putting their robot there.
fn is_elsewhere([x, y, _]: [f64; 3], [start_x, start_y, _]: [f64; 3]) -> bool {
    let (dx, dy) = (x - start_x, y - start_y);
    dx * dx + dy * dy > START_M * START_M
}
