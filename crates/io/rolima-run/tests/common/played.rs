//! A clock that a test plays, with a script of arrivals, and an outlet that remembers.

use rolima_core::Event;
use rolima_run::Clock;
use rolima_run::live::{Arrival, LiveClock, Moment, Outlet, Request, SceneShown, Status};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A clock that only moves by waiting, and by so much at every look. Arrivals come by a script.
pub(crate) struct PlayedClock {
    epoch: Instant,
    now_s: Cell<f64>,
    a_look_takes_s: f64,
    script: RefCell<VecDeque<(f64, Request)>>,
}

impl PlayedClock {
    pub(crate) fn new(
        a_look_takes_s: f64,
        script: impl IntoIterator<Item = (f64, Request)>,
    ) -> Self {
        Self {
            epoch: Instant::now(),
            now_s: Cell::new(0.0),
            a_look_takes_s,
            script: RefCell::new(script.into_iter().collect()),
        }
    }
}

impl Clock for PlayedClock {
    fn now_s(&self) -> f64 {
        self.now_s.set(self.now_s.get() + self.a_look_takes_s);
        self.now_s.get()
    }
}

impl LiveClock for PlayedClock {
    fn at_s(&self, instant: Instant) -> f64 {
        (instant - self.epoch).as_secs_f64()
    }
    fn receive(&self, inbox: &Receiver<Arrival>, until_s: f64) -> Option<Arrival> {
        if let Ok(arrival) = inbox.try_recv() {
            return Some(arrival);
        }
        let until_s = until_s.max(self.now_s.get());
        let next_s = self.script.borrow().front().map(|(at_s, _)| *at_s);
        let at_s = next_s.filter(|&at_s| at_s <= until_s);
        self.now_s.set(at_s.unwrap_or(until_s).max(self.now_s.get()));
        let at = self.epoch + Duration::from_secs_f64(at_s?);
        let (_, request) = self.script.borrow_mut().pop_front()?;
        Some(Arrival { at, request })
    }
}

/// A moment as an outlet saw it.
pub(crate) struct Seen {
    pub(crate) generation: u32,
    pub(crate) step: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) events_dropped: u64,
    pub(crate) contacts: usize,
    pub(crate) status: Status,
}

/// What an outlet saw.
#[derive(Default)]
pub(crate) struct Album {
    pub(crate) scenes: Vec<(u32, String)>,
    pub(crate) moments: Vec<Seen>,
}

/// An outlet that remembers.
#[derive(Clone, Default)]
pub(crate) struct Camera(pub(crate) Arc<Mutex<Album>>);

impl Outlet for Camera {
    fn scene(&mut self, scene: &SceneShown<'_>) {
        self.0
            .lock()
            .expect("nobody panicked")
            .scenes
            .push((scene.generation, scene.name.to_owned()));
    }
    fn moment(&mut self, moment: &Moment<'_>) {
        self.0.lock().expect("nobody panicked").moments.push(Seen {
            generation: moment.generation,
            step: moment.frame.step,
            events: moment.events.to_vec(),
            events_dropped: moment.events_dropped,
            contacts: moment.contacts.len(),
            status: *moment.status,
        });
    }
}
