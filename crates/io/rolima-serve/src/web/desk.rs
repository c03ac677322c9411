//! What viewers ask, and who drives which robot.

use super::drivers;
use super::loads::Loads;
use super::options::{Backend, Limits, SceneLoaded, ServerOptions};
use super::outbox::Outbox;
use super::tick::Tick;
use crate::robotone::ForPrograms;
use crate::shm::prepare_scene;
use axum::body::Bytes;
use rolima_run::Speed;
use rolima_run::live::{Act, Arrival, Request};
use rolima_wire::{Ask, Role, now, pb};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// Most bodies that one viewer holds at a time.
const MOST_GRABBED: usize = 16;
/// How often silent drivers are looked for, at least this many times within the time allowed.
const LOOKS: u32 = 5;

/// A robot that somebody drives.
pub(super) struct Claim {
    pub(super) client: u32,
    /// When it was last commanded.
    pub(super) commanded: Instant,
    /// Whether it was stopped because of silence.
    pub(super) stopped: bool,
    /// Whether it was sent somewhere and drives by itself, without commands.
    pub(super) sent: bool,
}

#[derive(Default)]
pub(super) struct Book {
    generation: u32,
    pub(super) claims: BTreeMap<u32, Claim>,
    pub(super) names: BTreeMap<u32, String>,
    /// Viewers that have asked to be controllers in lock step.
    controllers: BTreeMap<u32, Outbox>,
    /// What must reach the loop though its queue was full.
    owed: Vec<Owed>,
    /// Changes among the robots that programs have and may have, up to which viewers were told.
    programs_told: [u64; 2],
}

impl Book {
    /// Whether a viewer is a controller in lock step: the world waits for it, so it is never silent.
    fn controls(&self, client: u32) -> bool {
        self.controllers.get(&client).is_some_and(Outbox::controls)
    }

    /// Takes note of what must reach the loop.
    pub(super) fn owe(&mut self, act: Act) {
        self.owed.push(Owed::Act(act));
    }
}

/// What must not be lost.
#[derive(Clone)]
enum Owed {
    Act(Act),
    Leave { controller: u32, robots: Vec<u32> },
}

impl Owed {
    fn request(&self) -> Request {
        match self.clone() {
            Self::Act(act) => Request::Act(act),
            Self::Leave { controller, robots } => Request::Leave { controller, robots },
        }
    }
}

/// Takes what viewers ask, checks it and passes it on to the loop.
pub(crate) struct Desk {
    pub(crate) backend: Backend,
    pub(super) limits: Limits,
    /// Names of the robots that the role drive may drive; none: all.
    pub(super) drive_robots: Option<BTreeSet<String>>,
    ticks: watch::Receiver<Option<Arc<Tick>>>,
    drivers: watch::Sender<Bytes>,
    book: Mutex<Book>,
    pub(super) loads: Loads,
}

/// What a desk knows of one viewer.
pub(crate) struct Visitor {
    pub(crate) client: u32,
    pub(crate) outbox: Outbox,
    pub(super) role: Role,
    grabbed: BTreeSet<u32>,
}

impl Visitor {
    pub(crate) fn new(client: u32, outbox: Outbox, role: Role) -> Self {
        Self { client, outbox, role, grabbed: BTreeSet::new() }
    }

    pub(super) fn warn(&self, text: impl Into<String>) {
        self.outbox.notice(pb::notice::Level::Warning, text);
    }
}

impl Desk {
    pub(crate) fn new(
        backend: Backend,
        options: &ServerOptions,
        ticks: watch::Receiver<Option<Arc<Tick>>>,
    ) -> Self {
        let (drivers, _) = watch::channel(Bytes::new());
        let (book, loads) = (Mutex::default(), Loads::default());
        let limits = options.limits;
        let drive_robots = options.drive_robots.clone().map(BTreeSet::from_iter);
        let desk = Self { backend, limits, drive_robots, ticks, drivers, book, loads };
        desk.tell_drivers(&Book::default());
        desk
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
        self.book().names.insert(client, name.to_owned());
    }

    /// Somebody goes: what they drove and held is given back.
    pub(crate) fn leave(&self, visitor: &Visitor) {
        let mut book = self.book();
        let controller = visitor.client;
        book.names.remove(&controller);
        let driven = book.claims.extract_if(.., |_, claim| claim.client == controller);
        let robots: Vec<u32> = driven.map(|(robot, _)| robot).collect();
        let has_driven = !robots.is_empty();
        visitor.grabbed.iter().for_each(|slot| book.owe(Act::LetGo { slot: *slot }));
        if book.controllers.remove(&controller).is_some() {
            // The loop knows at which step they are to be released.
            book.owed.push(Owed::Leave { controller, robots });
        } else {
            robots.into_iter().for_each(|robot| book.owe(Act::Release { robot }));
        }
        self.pay(&mut book);
        if has_driven {
            self.tell_drivers(&book);
        }
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
        let mut book = self.book();
        self.forget_old_scene(&mut book, tick.as_deref());
        self.make_way_for_programs(&mut book);
        let now = Instant::now();
        let mut stops = vec![];
        let waited_for: BTreeSet<u32> =
            book.controllers.keys().copied().filter(|client| book.controls(*client)).collect();
        for (robot, claim) in &mut book.claims {
            let silence = now.saturating_duration_since(claim.commanded);
            if silence < self.limits.drive_silence || waited_for.contains(&claim.client) {
                continue;
            }
            // One that was sent somewhere needs no commands while it has its goal.
            claim.sent &= self.has_goal(*robot);
            if claim.sent {
                continue;
            }
            // After a reset its built-in driver is at it again.
            let body = tick.as_ref().and_then(|t| t.moment.now.bodies.get(*robot as usize));
            let is_driven_inside = body.is_some_and(|b| b.flags & now::DRIVEN_FROM_OUTSIDE == 0);
            if !claim.stopped || is_driven_inside {
                claim.stopped = true;
                claim.commanded = now;
                stops.push(Owed::Act(Act::Stop { robot: *robot }));
            }
        }
        book.owed.extend(stops);
        self.pay(&mut book);
    }

    /// Does what is asked, or tells the viewer why not.
    pub(crate) fn handle(self: &Arc<Self>, ask: Ask, visitor: &mut Visitor) {
        if let Err(forbidden) = self.permit(&ask, visitor) {
            return Self::forbid(&ask, forbidden, visitor);
        }
        if let Ask::NewName(name) = ask {
            return self.rename(visitor, name);
        }
        if matches!(ask, Ask::Pong) {
            return;
        }
        if let Ask::Watch { bodies, pictures } = ask {
            return visitor.outbox.watch(bodies, pictures);
        }
        if let Ask::WatchGoals(on) = ask {
            return visitor.outbox.watch_goals(on);
        }
        if !self.may_control() {
            return visitor.warn("This viewer can only watch.");
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
            Ask::Load(name) => return self.load(name, visitor),
            Ask::LoadMap(map) => return self.load_map(*map, visitor),
            Ask::Claim { body } => self.claim(body, visitor),
            Ask::GiveUp { body } => self.give_up(body, visitor),
            Ask::Drive(drive) => self.drive(vec![drive], visitor),
            Ask::DriveTeam(drives) => self.drive(drives, visitor),
            Ask::Goal { body, pose: Some(pose) } => self.send_to(body, pose, visitor),
            Ask::Goal { body, pose: None } => self.call_back(body, visitor),
            Ask::Place { body, pose } => {
                self.slot(body).and_then(|slot| self.act(Act::Place { slot, pose }))
            }
            Ask::Push { body, point, impulse } => {
                self.slot(body).and_then(|slot| self.act(Act::Push { slot, point, impulse }))
            }
            Ask::Grab { body, own, hand } => self.slot(body).and_then(|slot| {
                if visitor.grabbed.len() >= MOST_GRABBED && !visitor.grabbed.contains(&slot) {
                    return Err(format!("At most {MOST_GRABBED} bodies can be held at a time."));
                }
                visitor.grabbed.insert(slot);
                self.act(Act::Grab { slot, own, hand })
            }),
            Ask::LetGo { body } => self.slot(body).and_then(|slot| {
                visitor.grabbed.remove(&slot);
                self.act(Act::LetGo { slot })
            }),
            Ask::ForPrograms { body, on } => self.allow_programs(body, on),
            Ask::Join { period } => self.join(period, visitor),
            Ask::Answer { step, drives } => self.answer(step, drives, visitor),
            Ask::Sigma { body, sensor, axis, sigma } => self
                .device(body, sensor)
                .and_then(|device| self.act(Act::Sigma { device, axis, sigma })),
            Ask::NewName(_) | Ask::Pong | Ask::Watch { .. } | Ask::WatchGoals(_) => Ok(()),
        };
        if let Err(why) = result {
            visitor.warn(why);
        }
    }

    fn rename(&self, visitor: &Visitor, name: String) {
        if name.is_empty() {
            return visitor.warn("A name needs a letter at least.");
        }
        let mut book = self.book();
        book.names.insert(visitor.client, name);
        if book.claims.values().any(|claim| claim.client == visitor.client) {
            self.tell_drivers(&book);
        }
    }

    fn load(self: &Arc<Self>, name: String, visitor: &Visitor) {
        if !self.backend.scenes.iter().any(|scene| scene.name == name) {
            return visitor.warn(format!("There is no scene called {name:?}."));
        }
        let Some(load) = self.loads.begin(visitor.client) else {
            return visitor.warn("Another scene is being loaded.");
        };
        let (desk, outbox) = (Arc::clone(self), visitor.outbox.clone());
        self.loads.read(move || {
            let read = (desk.backend.load)(&name);
            let result = read.and_then(|SceneLoaded { model, map, source }| {
                desk.send(Request::Load(Arc::new(prepare_scene(name, model, map, source))))
            });
            if let Err(why) = result {
                outbox.notice(pb::notice::Level::Error, why);
            }
            drop(load);
        });
    }

    pub(super) fn tick(&self) -> Option<Arc<Tick>> {
        self.ticks.borrow().clone()
    }

    /// The number of a robot's sensor among those of all robots.
    fn device(&self, body: u32, sensor: u32) -> Result<u32, String> {
        let tick = self.robot(body)?;
        let bodies = &tick.scene.scene.bodies;
        let own = bodies.get(body as usize).map_or(0, |body| body.sensors.len());
        if sensor as usize >= own {
            return Err(format!("Robot {body} has no sensor {sensor}."));
        }
        let before: usize = bodies[..body as usize].iter().map(|body| body.sensors.len()).sum();
        Ok(before as u32 + sensor)
    }

    /// The present picture, if this body is a robot in it.
    pub(super) fn robot(&self, body: u32) -> Result<Arc<Tick>, String> {
        let tick = self.tick().ok_or("There is no scene yet.")?;
        if (body as usize) < tick.moment.now.robots {
            return Ok(tick);
        }
        Err(format!("Body {body} is no robot."))
    }

    fn slot(&self, body: u32) -> Result<u32, String> {
        let tick = self.tick().ok_or("There is no scene yet.")?;
        let found = tick.moment.now.bodies.get(body as usize);
        found.map(|found| found.slot).ok_or_else(|| format!("There is no body {body}."))
    }

    pub(super) fn act(&self, act: Act) -> Result<(), String> {
        self.send(Request::Act(act))
    }

    pub(super) fn send(&self, request: Request) -> Result<(), String> {
        let send = self.backend.send.as_ref().ok_or("This viewer can only watch.")?;
        send(Arrival { at: Instant::now(), request })
    }

    /// Sends what is owed, as far as the loop takes it.
    pub(super) fn pay(&self, book: &mut Book) {
        let sent = book.owed.iter().take_while(|owed| self.send(owed.request()).is_ok()).count();
        book.owed.drain(..sent);
        if !self.may_control() {
            book.owed.clear();
        }
    }

    /// Claims end with their scene: its robots are gone.
    pub(super) fn forget_old_scene(&self, book: &mut Book, tick: Option<&Tick>) {
        let Some(tick) = tick else { return };
        let generation = tick.moment.now.generation;
        if book.generation != generation {
            book.generation = generation;
            // The numbers of robots that programs may drive are those of the scene, too.
            let lists_robots = self.backend.for_programs.as_ref().is_some_and(|all| !all.is_all());
            if !book.claims.is_empty() || lists_robots {
                book.claims.clear();
                self.tell_drivers(book);
            }
        }
    }

    /// Claims end where a program has come.
    fn make_way_for_programs(&self, book: &mut Book) {
        let for_programs = self.backend.for_programs.as_ref();
        let changes =
            [self.backend.programs.changes(), for_programs.map_or(0, ForPrograms::changes)];
        if book.programs_told != changes {
            book.programs_told = changes;
            let programs = &self.backend.programs;
            let taken = book.claims.iter().filter(|(robot, _)| programs.have(**robot));
            // A program's first command ends an errand; till then it need not go on.
            let sent = taken.filter(|(_, claim)| claim.sent).map(|(robot, _)| *robot);
            let ends: Vec<Owed> = sent.map(|robot| Owed::Act(Act::NoGoal { robot })).collect();
            book.owed.extend(ends);
            book.claims.retain(|robot, _| !programs.have(*robot));
            self.tell_drivers(book);
        }
    }

    pub(super) fn tell_drivers(&self, book: &Book) {
        let name = |client: &u32| book.names.get(client).cloned().unwrap_or_default();
        let claimed = |(body, claim): (&u32, &Claim)| (*body, claim.client, name(&claim.client));
        let viewers = book.claims.iter().map(claimed);
        let message = drivers::message(viewers, &self.backend, self.tick().as_deref());
        self.drivers.send_replace(message);
    }

    /// Takes note of somebody who asks to be a controller.
    pub(super) fn note_controller(&self, visitor: &Visitor) {
        self.book().controllers.insert(visitor.client, visitor.outbox.clone());
    }

    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
