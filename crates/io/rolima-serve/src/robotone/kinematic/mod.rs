//! Robots in memory, for tests of programs and clients: unicycles among walls, without physics.
//!
//! They have all senses of the robots of the simulator, in a simple form. Their world runs at a
//! pace of its own, or advances only when all programs wait, so that a test takes as long as its
//! programs take to think, and always ends the same.

mod ground;
mod motion;

pub use ground::{GroundColour, grass, road};

use super::robots::{
    Driver, LidarPlace, Notifier, RequestError, RobotAction, RobotNow, Robots, Shot, Ticket,
    Viewpoint, WorldChange, WorldNow,
};
use motion::{KinematicRobot, KinematicScene, STEPS_A_CYCLE};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Acts that may wait.
const MOST_ACTIONS: usize = 64;
/// Time between two moments of a free world.
const TICK: Duration = Duration::from_millis(1);
/// Most that a free world makes up for at a time, s of simulated time.
const MOST_LATE_S: f64 = 0.1;

/// How time goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KinematicPace {
    /// So many simulated seconds a second.
    Free(f64),
    /// A cycle whenever all programs that have a robot wait.
    WithPrograms,
}

/// What a world starts with.
#[derive(Clone)]
pub struct KinematicSetup {
    /// Where robots start: x, y (m) and heading (rad).
    pub robots: Vec<[f64; 3]>,
    /// Walls: x and y of one end, then of the other, m.
    pub walls: Vec<[f64; 4]>,
    /// What the ground looks like.
    pub ground: GroundColour,
    /// How time goes.
    pub pace: KinematicPace,
    /// Key of all random numbers.
    pub seed: u64,
}

impl Default for KinematicSetup {
    fn default() -> Self {
        let ground = grass();
        Self {
            robots: vec![[0.0; 3]],
            walls: vec![],
            ground,
            pace: KinematicPace::WithPrograms,
            seed: 1,
        }
    }
}

/// Robots in memory.
pub struct Kinematic {
    inner: Arc<Inner>,
    stop: Arc<AtomicBool>,
    running: Option<JoinHandle<()>>,
}

struct Inner {
    state: Mutex<State>,
    pace: KinematicPace,
}

struct State {
    scene: KinematicScene,
    bodies: Vec<KinematicRobot>,
    steps: u64,
    frames: u64,
    actions: Vec<(u32, RobotAction)>,
    tickets: u64,
    done: u64,
    is_maze: bool,
    ended: bool,
    view: Viewpoint,
    drivers: BTreeMap<u32, Driver>,
    waiting: BTreeMap<u32, bool>,
    notifiers: Vec<Notifier>,
}

impl Kinematic {
    /// A world that runs from now on.
    pub fn new(setup: KinematicSetup) -> Self {
        let scene = KinematicScene { walls: setup.walls, ground: setup.ground, seed: setup.seed };
        let mut state = State {
            bodies: vec![],
            scene,
            steps: 0,
            frames: 0,
            actions: vec![],
            tickets: 0,
            done: 0,
            is_maze: true,
            ended: false,
            view: Viewpoint { zoom: 0.5, ..Viewpoint::default() },
            drivers: BTreeMap::new(),
            waiting: BTreeMap::new(),
            notifiers: vec![],
        };
        state.begin(&setup.robots);
        let inner = Arc::new(Inner { state: Mutex::new(state), pace: setup.pace });
        let stop = Arc::new(AtomicBool::new(false));
        let running = match setup.pace {
            KinematicPace::WithPrograms => None,
            KinematicPace::Free(factor) => {
                let (inner, stop) = (Arc::clone(&inner), Arc::clone(&stop));
                Some(std::thread::spawn(move || inner.run(factor, &stop)))
            }
        };
        Self { inner, stop, running }
    }

    /// Who drives a robot.
    pub fn driver(&self, robot: u32) -> Driver {
        self.state().drivers.get(&robot).copied().unwrap_or(Driver::People)
    }

    /// How far each robot went in all, m.
    pub fn distances(&self) -> Vec<f64> {
        self.state().bodies.iter().map(|body| body.travelled).collect()
    }

    /// Ends the world: nobody waits for it any more.
    pub fn end(&self) {
        self.state().ended = true;
        self.state().tell();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state()
    }
}

impl Drop for Kinematic {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(running) = self.running.take() {
            let _ = running.join();
        }
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Advances with the clock.
    fn run(&self, factor: f64, stop: &AtomicBool) {
        let mut due_s = 0.0;
        let mut last = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            std::thread::sleep(TICK);
            let now = Instant::now();
            due_s = f64::min(due_s + (now - last).as_secs_f64() * factor, MOST_LATE_S * factor);
            last = now;
            let mut state = self.state();
            state.apply();
            while due_s >= motion::STEP_S && !state.ended {
                state.step();
                due_s -= motion::STEP_S;
            }
            state.tell();
        }
    }
}

impl State {
    fn begin(&mut self, robots: &[[f64; 3]]) {
        let seed = self.scene.seed;
        let body =
            |(index, start): (usize, &[f64; 3])| KinematicRobot::new(*start, seed, index as u64);
        self.bodies = robots.iter().enumerate().map(body).collect();
        self.steps = 0;
        self.take_frames();
    }

    fn time_s(&self) -> f64 {
        self.steps as f64 * motion::STEP_S
    }

    fn step(&mut self) {
        self.steps += 1;
        let is_cycle = self.steps.is_multiple_of(STEPS_A_CYCLE);
        for body in &mut self.bodies {
            body.step(&self.scene, is_cycle);
        }
        // Thirty pictures a second.
        if self.steps.is_multiple_of(2 * STEPS_A_CYCLE) {
            self.take_frames();
        }
    }

    fn take_frames(&mut self) {
        self.frames += 1;
        self.bodies.iter_mut().for_each(|body| body.frame_pose = body.pose);
    }

    /// Applies what waits.
    fn apply(&mut self) {
        for (robot, action) in std::mem::take(&mut self.actions) {
            if let Some(body) = self.bodies.get_mut(robot as usize) {
                body.act(action);
            }
        }
        self.done = self.tickets;
    }

    fn tell(&self) {
        self.notifiers.iter().for_each(Notifier::notify);
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    /// Goes on by a cycle if all programs that have a robot wait.
    fn go_on(&mut self) {
        let mut programs = self.drivers.values().filter_map(|driver| match driver {
            Driver::People => None,
            Driver::Program(client) | Driver::PeopleBesides(client) => Some(client),
        });
        let somebody_waits = self.waiting.values().any(|waits| *waits);
        if somebody_waits && programs.all(|client| self.waiting.get(client) == Some(&true)) {
            self.waiting.clear();
            (0..STEPS_A_CYCLE).for_each(|_| self.step());
            self.tell();
        }
    }
}

impl Robots for Kinematic {
    fn world(&self) -> WorldNow {
        let state = self.state();
        WorldNow {
            time_s: state.time_s(),
            robots: state.bodies.len() as u32,
            done: Ticket(state.done),
            is_maze: state.is_maze,
            ended: state.ended,
        }
    }

    fn robot(&self, robot: u32) -> Option<RobotNow> {
        self.state().bodies.get(robot as usize).map(KinematicRobot::now)
    }

    fn actuators(&self, robot: u32) -> Vec<String> {
        let names = ["left", "right"].map(str::to_owned).to_vec();
        if robot < self.world().robots { names } else { vec![] }
    }

    fn lidar(&self, robot: u32, out: &mut Vec<f32>) -> Option<LidarPlace> {
        let mut state = self.state();
        let State { scene, bodies, .. } = &mut *state;
        bodies.get_mut(robot as usize).map(|body| body.scan(scene, out))
    }

    fn shot(&self, robot: u32, had: Option<u64>) -> Shot {
        let mut state = self.state();
        let State { scene, bodies, frames, .. } = &mut *state;
        let Some(body) = bodies.get_mut(robot as usize) else { return Shot::NoCamera };
        if had == Some(*frames) {
            return Shot::NotYet;
        }
        Shot::Picture { number: *frames, rgb: body.picture(&scene.ground, *frames) }
    }

    fn act(&self, robot: u32, action: RobotAction) -> Result<Ticket, RequestError> {
        let mut state = self.state();
        if state.ended {
            return Err(RequestError::Refused("the simulation has ended".to_owned()));
        }
        if state.actions.len() >= MOST_ACTIONS {
            return Err(RequestError::Busy);
        }
        state.actions.push((robot, action));
        let ticket = state.ticket();
        if self.inner.pace == KinematicPace::WithPrograms {
            state.apply();
        }
        Ok(ticket)
    }

    fn hand_over(&self, robot: u32, to: Driver) -> Result<(), RequestError> {
        let mut state = self.state();
        match to {
            Driver::People => state.drivers.remove(&robot),
            driver => state.drivers.insert(robot, driver),
        };
        state.actions.retain(|(of, _)| *of != robot);
        if let Some(body) = state.bodies.get_mut(robot as usize) {
            body.act(RobotAction::Velocity { linear: 0.0, angular: 0.0 });
        }
        if self.inner.pace == KinematicPace::WithPrograms {
            state.go_on();
        }
        Ok(())
    }

    fn view(&self) -> Viewpoint {
        self.state().view
    }

    fn set_view(&self, view: Viewpoint) {
        self.state().view = view;
    }

    fn change_world(&self, change: WorldChange) -> Result<Ticket, RequestError> {
        let mut state = self.state();
        let mut robots = vec![[0.0; 3]];
        match change {
            WorldChange::Realistic => state.is_maze = false,
            WorldChange::Maze => state.is_maze = true,
            WorldChange::Clear => state.scene.walls.clear(),
            WorldChange::Load(bytes) => {
                let (walls, found) = motion::read_map(&bytes).map_err(RequestError::Refused)?;
                state.scene.walls = walls;
                robots = found;
            }
        }
        state.begin(&robots);
        let ticket = state.ticket();
        state.apply();
        state.tell();
        Ok(ticket)
    }

    fn waits(&self, client: u32) {
        if self.inner.pace == KinematicPace::WithPrograms {
            let mut state = self.state();
            state.waiting.insert(client, true);
            state.go_on();
        }
    }

    fn notify(&self, notifier: Notifier) {
        self.state().notifiers.push(notifier);
    }
}
