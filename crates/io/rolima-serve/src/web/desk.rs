//! What viewers ask, and who drives which robot.

use super::drivers;
use super::options::{Backend, Limits, SceneLoaded};
use super::tick::Tick;
use super::viewer::Outbox;
use axum::body::Bytes;
use rolima_run::Speed;
use rolima_run::live::{Act, Arrival, Request};
use rolima_wire::{Ask, DriveAsked, now, pb};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::{Semaphore, watch};

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
    names: BTreeMap<u32, String>,
    /// What must reach the loop though its queue was full.
    owed: Vec<Owed>,
    /// Changes among the robots that programs have, up to which viewers were told.
    programs_told: u64,
}

/// What must not be lost.
#[derive(Clone, Copy)]
enum Owed {
    Act(Act),
    Leave(u32),
}

impl Owed {
    fn request(self) -> Request {
        match self {
            Self::Act(act) => Request::Act(act),
            Self::Leave(controller) => Request::Leave { controller },
        }
    }
}

/// Takes what viewers ask, checks it and passes it on to the loop.
pub(crate) struct Desk {
    pub(crate) backend: Backend,
    limits: Limits,
    ticks: watch::Receiver<Option<Arc<Tick>>>,
    drivers: watch::Sender<Bytes>,
    book: Mutex<Book>,
    pub(super) loading: Arc<Semaphore>,
}

/// What a desk knows of one viewer.
pub(crate) struct Visitor {
    pub(crate) client: u32,
    pub(crate) outbox: Outbox,
    pub(super) joined: bool,
    grabbed: BTreeSet<u32>,
}

impl Visitor {
    pub(crate) fn new(client: u32, outbox: Outbox) -> Self {
        Self { client, outbox, joined: false, grabbed: BTreeSet::new() }
    }

    fn warn(&self, text: impl Into<String>) {
        self.outbox.notice(pb::notice::Level::Warning, text);
    }
}

impl Desk {
    pub(crate) fn new(
        backend: Backend,
        limits: Limits,
        ticks: watch::Receiver<Option<Arc<Tick>>>,
    ) -> Self {
        let (drivers, _) = watch::channel(drivers_message(&Book::default(), &[]));
        let (book, loading) = (Mutex::default(), Arc::new(Semaphore::new(1)));
        Self { backend, limits, ticks, drivers, book, loading }
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
        book.names.remove(&visitor.client);
        let driven = book.claims.iter().filter(|(_, claim)| claim.client == visitor.client);
        let driven: Vec<u32> = driven.map(|(robot, _)| *robot).collect();
        let mut owed: Vec<Owed> =
            visitor.grabbed.iter().map(|slot| Owed::Act(Act::LetGo { slot: *slot })).collect();
        for robot in &driven {
            book.claims.remove(robot);
            owed.push(Owed::Act(Act::Release { robot: *robot }));
        }
        if visitor.joined {
            owed.push(Owed::Leave(visitor.client));
        }
        book.owed.extend(owed);
        self.pay(&mut book);
        if !driven.is_empty() {
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
        for (robot, claim) in &mut book.claims {
            if now.saturating_duration_since(claim.commanded) < self.limits.drive_silence {
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
            Ask::Drive(drive) => self.drive(drive, visitor),
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
        let Ok(permit) = Arc::clone(&self.loading).try_acquire_owned() else {
            return visitor.warn("Another scene is being loaded.");
        };
        let (desk, outbox) = (Arc::clone(self), visitor.outbox.clone());
        tokio::task::spawn_blocking(move || {
            let loaded = (desk.backend.load)(&name);
            let result = loaded.and_then(|SceneLoaded { model, map }| {
                desk.send(Request::Load { name, model, map })
            });
            if let Err(why) = result {
                outbox.notice(pb::notice::Level::Error, why);
            }
            drop(permit);
        });
    }

    fn claim(&self, body: u32, visitor: &Visitor) -> Result<(), String> {
        let tick = self.robot(body)?;
        self.check_program(body)?;
        let mut book = self.book();
        self.forget_old_scene(&mut book, Some(&tick));
        if self.is_mine(&book, body, visitor, &tick)? {
            return Ok(());
        }
        // Its built-in driver lets go; it stands until the first command.
        self.act(Act::Stop { robot: body })?;
        let (client, commanded) = (visitor.client, Instant::now());
        book.claims.insert(body, Claim { client, commanded, stopped: true, sent: false });
        self.tell_drivers(&book);
        Ok(())
    }

    /// Whether this viewer drives a robot, or nobody does; refused if somebody else does.
    pub(super) fn is_mine(
        &self,
        book: &Book,
        body: u32,
        visitor: &Visitor,
        tick: &Tick,
    ) -> Result<bool, String> {
        let Some(claim) = book.claims.get(&body) else { return Ok(false) };
        if claim.client == visitor.client {
            return Ok(true);
        }
        let name = book.names.get(&claim.client).map_or("somebody", String::as_str);
        let robot = tick.scene.scene.bodies.get(body as usize).map_or("it", |b| &b.name);
        Err(format!("{name} drives {robot}."))
    }

    fn give_up(&self, body: u32, visitor: &Visitor) -> Result<(), String> {
        let mut book = self.book();
        if book.claims.get(&body).is_none_or(|claim| claim.client != visitor.client) {
            return Ok(());
        }
        book.claims.remove(&body);
        book.owed.push(Owed::Act(Act::Release { robot: body }));
        self.pay(&mut book);
        self.tell_drivers(&book);
        Ok(())
    }

    fn drive(&self, drive: DriveAsked, visitor: &Visitor) -> Result<(), String> {
        self.check_program(drive.body)?;
        let mut book = self.book();
        let claim = book.claims.get_mut(&drive.body);
        let Some(claim) = claim.filter(|claim| claim.client == visitor.client) else {
            return Err("Claim a robot before you drive it.".to_owned());
        };
        // One that holds longer counts as given later.
        let longer = drive.hold.saturating_sub(self.limits.drive_silence);
        claim.commanded = Instant::now() + longer;
        (claim.stopped, claim.sent) = (false, false);
        drop(book);
        self.act(Act::Command { robot: drive.body, command: drive.command })
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
    fn pay(&self, book: &mut Book) {
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
            if !book.claims.is_empty() {
                book.claims.clear();
                self.tell_drivers(book);
            }
        }
    }

    /// A robot that a program has cannot be driven by anybody else.
    pub(super) fn check_program(&self, robot: u32) -> Result<(), String> {
        match self.backend.programs.have(robot) {
            true => Err("A program drives this robot (Robot One).".to_owned()),
            false => Ok(()),
        }
    }

    /// Claims end where a program has come.
    fn make_way_for_programs(&self, book: &mut Book) {
        let changes = self.backend.programs.changes();
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
        self.drivers.send_replace(drivers_message(book, &self.backend.programs.all()));
    }

    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn drivers_message(book: &Book, programs: &[u32]) -> Bytes {
    let name = |client: &u32| book.names.get(client).cloned().unwrap_or_default();
    let claimed = |(body, claim): (&u32, &Claim)| (*body, claim.client, name(&claim.client));
    drivers::message(book.claims.iter().map(claimed), programs)
}
