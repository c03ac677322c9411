//! Takes what viewers ask, checks it and passes it on to the loop.

use super::drivers;
use super::loads::Loads;
use super::options::{Backend, ServerLimits, ServerOptions};
use super::outbox::Outbox;
use super::recordings::{GhostList, RunRecording};
use super::refusal::{MOST_GRABBED, RequestRefusal};
use super::tick::Tick;
use super::timeline::PastMaker;
use crate::robotone::ForPrograms;
use crate::shm::prepare_scene;
use axum::body::Bytes;
use rolima_core::model::Mount;
use rolima_core::{BodyId, RobotId};
use rolima_run::Speed;
use rolima_run::live::{Action, HeldSeat, Holder, Idle, Request, Seats, TimedRequest};
use rolima_wire::{Ask, Role, now, pb};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// How often silent drivers are looked for, at least this many times within the time allowed.
const LOOKS: u32 = 5;

/// What is known of the connections, besides who drives what ([`rolima_run::live::Seats`]).
#[derive(Default)]
struct Connections {
    /// Clients that have asked to be controllers in lock step.
    controllers: BTreeMap<u32, Outbox>,
    /// What must reach the loop though its queue was full.
    owed: Vec<Owed>,
    /// What viewers were told last of who drives.
    told: Option<DriversVersion>,
}

/// Changes of who drives, changes of what programs may drive, and the scene.
type DriversVersion = (u64, u64, u32);

impl Connections {
    /// Whether a client is a controller in lock step: the world waits for it, so it is never silent.
    fn controls(&self, client: u32) -> bool {
        self.controllers.get(&client).is_some_and(Outbox::controls)
    }

    /// Takes note of what must reach the loop.
    fn owe(&mut self, action: Action) {
        self.owed.push(Owed::Action(action));
    }
}

/// What must not be lost.
#[derive(Clone)]
enum Owed {
    Action(Action),
    Leave { controller: u32, robots: Vec<u32> },
}

impl Owed {
    fn request(&self) -> Request {
        match self.clone() {
            Self::Action(action) => Request::Action(action),
            Self::Leave { controller, robots } => {
                Request::Leave { controller, robots: robots.into_iter().map(RobotId).collect() }
            }
        }
    }
}

/// Takes what viewers ask, checks it and passes it on to the loop.
pub(crate) struct RequestHandler {
    pub(crate) backend: Backend,
    pub(super) limits: ServerLimits,
    /// Names of the robots that the role drive may drive; none: all.
    pub(super) drive_robots: Option<BTreeSet<String>>,
    ticks: watch::Receiver<Option<Arc<Tick>>>,
    drivers: watch::Sender<Bytes>,
    /// Never locked by whoever has locked the seats.
    connections: Mutex<Connections>,
    pub(super) loads: Loads,
    pub(super) past: PastMaker,
    pub(super) recording: RunRecording,
    pub(super) ghosts: GhostList,
}

/// What is known of one client.
pub(crate) struct Client {
    pub(crate) number: u32,
    pub(crate) outbox: Outbox,
    pub(super) role: Role,
    grabbed: BTreeSet<BodyId>,
    /// Whether a series is being made for it.
    pub(super) makes_series: Arc<AtomicBool>,
}

impl Client {
    pub(crate) fn new(number: u32, outbox: Outbox, role: Role) -> Self {
        let makes_series = Arc::default();
        Self { number, outbox, role, grabbed: BTreeSet::new(), makes_series }
    }

    /// Itself as somebody who holds robots.
    pub(super) fn holder(&self) -> Holder {
        Holder::Viewer(self.number)
    }

    pub(super) fn refuse(&self, why: &RequestRefusal) {
        self.outbox.refuse(pb::notice::Level::Warning, why);
    }
}

impl RequestHandler {
    pub(crate) fn new(
        backend: Backend,
        options: &ServerOptions,
        ticks: watch::Receiver<Option<Arc<Tick>>>,
    ) -> Self {
        let (drivers, _) = watch::channel(Bytes::new());
        let (connections, loads) = (Mutex::default(), Loads::default());
        let limits = options.limits;
        let drive_robots = options.drive_robots.clone().map(BTreeSet::from_iter);
        let (past, recording, ghosts) = Default::default();
        let handler = Self {
            backend,
            limits,
            drive_robots,
            ticks,
            drivers,
            connections,
            loads,
            past,
            recording,
            ghosts,
        };
        if let Some(file) = &handler.backend.recorded {
            handler.is_recorded(file);
        }
        for (name, history) in &handler.backend.ghosts {
            // Its scene was read when it was opened.
            let _ = handler.add_ghost(name, Arc::clone(history), 0.0);
        }
        handler.tell_drivers();
        handler
    }

    /// Who drives, as a message, whenever it changes.
    pub(crate) fn drivers(&self) -> watch::Receiver<Bytes> {
        self.drivers.subscribe()
    }

    pub(crate) fn may_control(&self) -> bool {
        self.backend.send.is_some()
    }

    /// Somebody comes.
    pub(crate) fn enter(&self, client: u32, name: &str) {
        self.backend.seats.lock().rename(client, name);
    }

    /// Somebody goes: what they drove and held is given back.
    pub(crate) fn leave(&self, client: &Client) {
        let mut connections = self.connections();
        let controller = client.number;
        client.grabbed.iter().for_each(|body| connections.owe(Action::LetGo { body: *body }));
        let mut seats = self.backend.seats.lock();
        // The loop knows which robots obey a controller's answers; those of several do not depend on who
        // answered last.
        let is_claimed = |held: &HeldSeat| held.holder == client.holder();
        let robots: Vec<u32> = seats.all().filter(is_claimed).map(|held| held.robot).collect();
        seats.leave(client.holder());
        if connections.controllers.remove(&controller).is_some() {
            // It also knows at which step they are to be released.
            connections.owed.push(Owed::Leave { controller, robots });
        } else {
            let release = |robot| connections.owe(Action::Release { robot: RobotId(robot) });
            robots.into_iter().for_each(release);
        }
        self.pay(&mut connections);
        drop((seats, connections));
        self.tell_drivers();
    }

    /// Stops robots whose drivers are silent and sends what is owed, for ever.
    pub(crate) async fn watch(&self) {
        let mut clock = tokio::time::interval(self.limits.drive_silence / LOOKS);
        clock.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            clock.tick().await;
            self.look_for_silence();
        }
    }

    fn look_for_silence(&self) {
        let tick = self.tick();
        // What robots did then says nothing of who drives them now.
        let is_past = self.is_past();
        let mut connections = self.connections();
        let mut seats = self.seats();
        let idle = |robot: u32| {
            let body = tick.as_ref().and_then(|t| t.publication.now.bodies.get(robot as usize));
            // After a reset its built-in driver is at it again.
            let drives_itself =
                !is_past && body.is_some_and(|b| b.flags & now::DRIVEN_FROM_OUTSIDE == 0);
            Idle { has_goal: self.has_goal(robot), drives_itself }
        };
        let controls = |client| connections.controls(client);
        let silent = seats.time_out(Instant::now(), self.limits.drive_silence, controls, idle);
        let stop = |robot| connections.owe(Action::Stop { robot: RobotId(robot) });
        silent.into_iter().for_each(stop);
        self.pay(&mut connections);
        drop((seats, connections));
        self.tell_drivers();
    }

    /// Does what is asked, or tells the viewer why not.
    pub(crate) fn handle(self: &Arc<Self>, ask: Ask, client: &mut Client) {
        self.obey(ask, client);
        self.tell_drivers();
    }

    fn obey(self: &Arc<Self>, ask: Ask, client: &mut Client) {
        if let Err(forbidden) = self.permit(&ask, client) {
            return Self::forbid(&ask, forbidden, client);
        }
        if let Ask::NewName(name) = ask {
            return self.rename(client, &name);
        }
        if matches!(ask, Ask::Pong) {
            return;
        }
        if let Ask::Watch { mounts, pictures } = ask {
            return client.outbox.watch(mounts, pictures);
        }
        if let Ask::WatchGoals(on) = ask {
            return client.outbox.watch_goals(on);
        }
        if let Ask::WatchChannels(channels) = ask {
            return client.outbox.wishes.channels(channels);
        }
        if let Ask::WatchProfile(on) = ask {
            if on && self.backend.profile.is_none() {
                return client.refuse(&RequestRefusal::NoProfile);
            }
            return client.outbox.wishes.profile(on);
        }
        if let Ask::WatchTimeline(on) = ask {
            return client.outbox.watch_timeline(on);
        }
        if let Ask::Series(asked) = ask {
            return self.series(asked, client);
        }
        if !self.may_control() {
            return client.refuse(&RequestRefusal::WatchOnly);
        }
        let result = match ask {
            Ask::Play => self.send(Request::Play),
            Ask::Pause => self.send(Request::Pause),
            Ask::Step(count) => self.send(Request::Step(count.into())),
            Ask::Speed(factor) => {
                self.send(Request::Speed(factor.map_or(Speed::Max, Speed::factor)))
            }
            Ask::Reset => self.send(Request::Reset),
            Ask::Seed(seed) => self.send(Request::Seed(seed)),
            Ask::Load(name) => return self.load(name, client),
            Ask::LoadMap(map) => return self.load_map(*map, client),
            Ask::Claim { body } => self.claim(body, client),
            Ask::GiveUp { body } => {
                self.give_up(body, client);
                Ok(())
            }
            Ask::Drive(drive) => self.drive(vec![drive], client),
            Ask::DriveTeam(drives) => self.drive(drives, client),
            Ask::Actuate(actuate) => self.actuate(&actuate, client),
            Ask::Goal { body, goal: Some(goal) } => self.send_to(body, goal, client),
            Ask::Goal { body, goal: None } => self.call_back(body, client),
            Ask::Place { body, pose } => {
                self.body(body).and_then(|body| self.act(Action::Place { body, pose }))
            }
            Ask::Push { body, point, impulse } => {
                self.body(body).and_then(|body| self.act(Action::Push { body, point, impulse }))
            }
            Ask::Grab { body, own, hand } => self.body(body).and_then(|body| {
                if client.grabbed.len() >= MOST_GRABBED && !client.grabbed.contains(&body) {
                    return Err(RequestRefusal::TooManyGrabbed);
                }
                client.grabbed.insert(body);
                self.act(Action::Grab { body, own, hand })
            }),
            Ask::LetGo { body } => self.body(body).and_then(|body| {
                client.grabbed.remove(&body);
                self.act(Action::LetGo { body })
            }),
            Ask::ForPrograms { body, on } => self.allow_programs(body, on),
            Ask::Join { period } => self.join(period, client),
            Ask::Answer { step, drives } => self.answer(step, drives, client),
            Ask::Sigma { mount, sensor, axis, sigma } => self
                .device(mount, sensor)
                .and_then(|device| self.act(Action::Sigma { device, axis, sigma })),
            Ask::NewName(_) | Ask::Pong | Ask::Watch { .. } | Ask::WatchGoals(_) => Ok(()),
            Ask::WatchChannels(_) | Ask::WatchProfile(_) => Ok(()),
            Ask::TimeTravel(asked) => self.travel(asked, client),
            Ask::Record(on) => self.record(on, client),
            Ask::Ghosts(asked) => self.change_ghosts(asked, client),
            Ask::Series(_) | Ask::WatchTimeline(_) => Ok(()),
        };
        if let Err(why) = result {
            client.refuse(&why);
        }
    }

    fn rename(&self, client: &Client, name: &str) {
        if name.is_empty() {
            return client.refuse(&RequestRefusal::NameEmpty);
        }
        self.backend.seats.lock().rename(client.number, name);
    }

    fn load(self: &Arc<Self>, name: String, client: &Client) {
        if !self.backend.scenes.iter().any(|scene| scene.name == name) {
            return client.refuse(&RequestRefusal::UnknownScene(name));
        }
        let Some(load) = self.loads.begin(client.number) else {
            return client.refuse(&RequestRefusal::Loading);
        };
        let (handler, outbox) = (Arc::clone(self), client.outbox.clone());
        self.loads.read(move || {
            let level = pb::notice::Level::Error;
            match (handler.backend.load)(&name) {
                Ok(scene) => {
                    let loaded = Arc::new(prepare_scene(name, scene));
                    if let Err(why) = handler.send(Request::Load(loaded)) {
                        outbox.refuse(level, &why);
                    }
                }
                // What is wrong with a file is said in the words of whoever read it.
                Err(why) => outbox.notice(level, why),
            }
            drop(load);
        });
    }

    pub(super) fn tick(&self) -> Option<Arc<Tick>> {
        self.ticks.borrow().clone()
    }

    /// The number of a sensor of a robot or of the world among all.
    fn device(&self, mount: Mount, sensor: u32) -> Result<u32, RequestRefusal> {
        let tick = match mount {
            Mount::Robot(robot) => self.robot(robot.0)?,
            Mount::World => self.tick().ok_or(RequestRefusal::NoScene)?,
        };
        let own = tick.scene.sensors_of(mount).map_or(0..0, |of| of.devices);
        let device = own.start + sensor as usize;
        if own.contains(&device) {
            Ok(device as u32)
        } else {
            Err(RequestRefusal::NoSensor { mount, sensor })
        }
    }

    /// The present picture, if this body is a robot in it.
    pub(super) fn robot(&self, body: u32) -> Result<Arc<Tick>, RequestRefusal> {
        let tick = self.tick().ok_or(RequestRefusal::NoScene)?;
        if (body as usize) < tick.publication.now.robots {
            return Ok(tick);
        }
        Err(RequestRefusal::NotRobot(body))
    }

    /// A body of the present picture, by its number.
    fn body(&self, body: u32) -> Result<BodyId, RequestRefusal> {
        let tick = self.tick().ok_or(RequestRefusal::NoScene)?;
        let found = tick.publication.now.bodies.get(body as usize);
        found.map(|_| BodyId(body)).ok_or(RequestRefusal::NoBody(body))
    }

    pub(super) fn act(&self, action: Action) -> Result<(), RequestRefusal> {
        self.send(Request::Action(action))
    }

    pub(super) fn send(&self, request: Request) -> Result<(), RequestRefusal> {
        let send = self.backend.send.as_ref().ok_or(RequestRefusal::WatchOnly)?;
        Ok(send(TimedRequest { at: Instant::now(), request })?)
    }

    /// Sends what is owed, as far as the loop takes it.
    fn pay(&self, connections: &mut Connections) {
        let owed = &mut connections.owed;
        let sent = owed.iter().take_while(|owed| self.send(owed.request()).is_ok()).count();
        owed.drain(..sent);
        if !self.may_control() {
            owed.clear();
        }
    }

    /// Gives a robot up: its own driver goes on, now or as soon as the loop takes it.
    fn give_up(&self, robot: u32, client: &Client) {
        let mut connections = self.connections();
        if self.seats().give_back(robot, client.holder()) {
            connections.owe(Action::Release { robot: RobotId(robot) });
            self.pay(&mut connections);
        }
    }

    /// Who drives which robot of the scene that is shown.
    pub(super) fn seats(&self) -> MutexGuard<'_, Seats> {
        let generation = self.tick().map_or(0, |tick| tick.publication.now.generation);
        let mut seats = self.backend.seats.lock();
        seats.begin_scene(generation);
        seats
    }

    /// Tells everybody who drives, if that has changed: also by the terminal or a program.
    fn tell_drivers(&self) {
        let tick = self.tick();
        let generation = tick.as_ref().map_or(0, |tick| tick.publication.now.generation);
        let for_programs = self.backend.for_programs.as_ref().map_or(0, ForPrograms::changes);
        let mut connections = self.connections();
        let seats = self.seats();
        let version = (seats.changes(), for_programs, generation);
        if connections.told != Some(version) {
            connections.told = Some(version);
            self.drivers.send_replace(drivers::message(&seats, &self.backend, tick.as_deref()));
        }
    }

    /// Takes note of somebody who asks to be a controller.
    pub(super) fn note_controller(&self, client: &Client) {
        self.connections().controllers.insert(client.number, client.outbox.clone());
    }

    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
