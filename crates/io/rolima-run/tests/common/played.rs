//! A clock that a test plays, with a script of requests, and a sink that remembers.

use rolima_core::{Event, Frame};
use rolima_run::Clock;
use rolima_run::live::{
    LiveClock, Publication, PublishedScene, Request, RunStatus, ShownTimeline, Sink, TimedRequest,
    Travel,
};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A clock that only moves by waiting, and by so much at every look. Requests come by a script.
pub(crate) struct PlayedClock {
    epoch: Instant,
    now_s: Cell<f64>,
    a_look_takes_s: f64,
    script: RefCell<VecDeque<(f64, Request)>>,
    /// Whether an instant of the past is being gone to, on another thread: the script waits for that.
    seeking: Arc<AtomicBool>,
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
            seeking: Arc::default(),
        }
    }

    /// The same, with a script that waits until every instant of the past that it asks for is shown, as this
    /// sink sees.
    pub(crate) fn patient(self, past: &Past) -> Self {
        Self { seeking: Arc::clone(&past.seeking), ..self }
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
    fn receive(&self, inbox: &Receiver<TimedRequest>, until_s: f64) -> Option<TimedRequest> {
        if let Ok(timed_request) = inbox.try_recv() {
            return Some(timed_request);
        }
        let until_s = until_s.max(self.now_s.get());
        let waits = self.seeking.load(Ordering::Relaxed);
        if waits {
            std::thread::yield_now();
        }
        let next_s = self.script.borrow().front().map(|(at_s, _)| *at_s).filter(|_| !waits);
        let at_s = next_s.filter(|&at_s| at_s <= until_s);
        self.now_s.set(at_s.unwrap_or(until_s).max(self.now_s.get()));
        let at = self.epoch + Duration::from_secs_f64(at_s?);
        let (_, request) = self.script.borrow_mut().pop_front()?;
        if matches!(request, Request::Travel(Travel::Seek(_) | Travel::Step(_) | Travel::Play(_))) {
            self.seeking.store(true, Ordering::Relaxed);
        }
        Some(TimedRequest { at, request })
    }
}

/// A publication as a sink saw it.
pub(crate) struct Seen {
    pub(crate) generation: u32,
    pub(crate) step: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) events_dropped: u64,
    pub(crate) contacts: usize,
    pub(crate) status: RunStatus,
}

/// What a sink saw.
#[derive(Default)]
pub(crate) struct Album {
    pub(crate) scenes: Vec<(u32, String)>,
    pub(crate) publications: Vec<Seen>,
}

/// A sink that remembers.
#[derive(Clone, Default)]
pub(crate) struct Camera(pub(crate) Arc<Mutex<Album>>);

impl Sink for Camera {
    fn scene(&mut self, scene: &PublishedScene<'_>) {
        self.0
            .lock()
            .expect("nobody panicked")
            .scenes
            .push((scene.generation, scene.name.to_owned()));
    }
    fn publication(&mut self, publication: &Publication<'_>) {
        self.0.lock().expect("nobody panicked").publications.push(Seen {
            generation: publication.generation,
            step: publication.frame.step,
            events: publication.events.to_vec(),
            events_dropped: publication.events_dropped,
            contacts: publication.contacts.len(),
            status: *publication.status,
        });
    }
}

/// A sink that remembers what is shown of the past, and that waits while it is being gone to.
#[derive(Clone, Default)]
pub(crate) struct Past {
    /// Whether an instant is being gone to.
    seeking: Arc<AtomicBool>,
    /// What was shown, where it is another instant than before.
    pub(crate) shown: Arc<Mutex<Vec<(ShownTimeline, Frame)>>>,
}

impl Sink for Past {
    fn scene(&mut self, _: &PublishedScene<'_>) {}
    fn publication(&mut self, publication: &Publication<'_>) {
        let timeline = publication.timeline;
        let mut shown = self.shown.lock().expect("nobody panicked");
        let is_new = shown.last().is_none_or(|(before, _)| {
            (before.at, before.mode, before.seeking_s, before.playing)
                != (timeline.at, timeline.mode, timeline.seeking_s, timeline.playing)
        });
        if is_new {
            shown.push((timeline.clone(), publication.frame.clone()));
        }
        // What is played backwards is waited for until it stops.
        let is_going = timeline.playing && timeline.speed < 0.0;
        if timeline.seeking_s.is_none() && !is_going {
            self.seeking.store(false, Ordering::Relaxed);
        }
    }
}
