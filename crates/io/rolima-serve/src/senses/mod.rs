//! What cameras see, for everybody who asks: pictures are drawn once, on a thread of its own.
//!
//! ```text
//! live loop ── SenseSink ──► inbox (newest exposure) ──► render thread ──► pictures by camera
//!                                    ▲ wanted cameras                           │
//!                                    └────────── Senses::watch ◄──── viewers, Robot One clients
//! ```
//!
//! The loop copies where everything was, and only while somebody wants a picture; it never waits.
//! Whoever watches a camera gets the same picture as everybody else, by its number.

mod picture;
mod render_thread;
mod sink;

pub use picture::CameraImage;
pub use sink::SenseSink;
pub(crate) use sink::sigmas_of;

use render_thread::RenderThread;
use rolima_core::{CameraNoise, Exposure, Model};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};

/// What the loop leaves for the render thread.
#[derive(Default)]
struct Inbox {
    generation: u32,
    model: Option<Arc<Model>>,
    /// Where everything was when cameras took their pictures, by the model's rates of cameras.
    exposures: Vec<Exposure>,
    /// Wanted cameras by their number among all sensors, with what they get wrong.
    cameras: Vec<(usize, CameraNoise)>,
    /// Whether there is something to draw.
    fresh: bool,
    /// What was ordered by those who need the pictures of one instant.
    orders: Vec<PictureOrder>,
    stopped: bool,
}

/// Pictures of one instant.
pub(crate) struct PictureOrder {
    pub(crate) generation: u32,
    /// Where everything was when cameras took their pictures, by the model's rates of cameras.
    pub(crate) exposures: Vec<Exposure>,
    /// Cameras by their number among all sensors, with what they get wrong.
    pub(crate) cameras: Vec<(usize, CameraNoise)>,
    pub(crate) drawn: oneshot::Sender<Vec<CameraImage>>,
}

/// A camera that somebody watches.
struct Wanted {
    watchers: usize,
    newest: watch::Sender<Option<Arc<CameraImage>>>,
}

impl Wanted {
    fn has_picture(&self) -> bool {
        self.newest.borrow().is_some()
    }
}

#[derive(Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    /// Rung when the inbox has something.
    work: Condvar,
    wanted: Mutex<BTreeMap<usize, Wanted>>,
    /// Rung when there is a new picture.
    drawn: Condvar,
    /// How many cameras are wanted: all that the loop looks at while nobody wants one.
    count: AtomicUsize,
    /// Somebody new wants the picture of now, also if the world stands still.
    asked: AtomicBool,
    /// Whether somebody wants to know standard deviations.
    sigmas_wanted: AtomicBool,
    sigmas: Mutex<Sigmas>,
}

/// Standard deviations of all sensors of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sigmas {
    /// Which scene.
    pub generation: u32,
    /// By sensor and axis, as [`rolima_core::SenseState::sigma`] counts them.
    pub values: Vec<Vec<f64>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What cameras see, for everybody who asks.
#[derive(Clone)]
pub struct Senses {
    shared: Arc<Shared>,
    // Ends the thread with the last of the clones.
    _render_thread: Arc<RenderThread>,
}

impl Senses {
    /// The senses of a live run, and the sink that its loop must get.
    pub fn new() -> std::io::Result<(Self, SenseSink)> {
        let shared = Arc::new(Shared::default());
        let render_thread = Arc::new(RenderThread::start(Arc::clone(&shared))?);
        let sink = SenseSink::new(Arc::clone(&shared));
        Ok((Self { shared, _render_thread: render_thread }, sink))
    }

    /// Watches a camera, by its number among all sensors of the scene. Pictures are drawn as long
    /// as somebody watches. A number that is no camera gives none.
    pub fn watch(&self, device: usize) -> Watching {
        let mut wanted = lock(&self.shared.wanted);
        let entry = wanted.entry(device).or_insert_with(|| {
            self.shared.count.fetch_add(1, Relaxed);
            Wanted { watchers: 0, newest: watch::Sender::new(None) }
        });
        entry.watchers += 1;
        let newest = entry.newest.subscribe();
        drop(wanted);
        self.shared.asked.store(true, Relaxed);
        Watching { senses: self.clone(), device, newest }
    }

    /// Has the pictures of one instant drawn, after those that are being drawn.
    pub(crate) fn order(&self, order: PictureOrder) {
        lock(&self.shared.inbox).orders.push(order);
        self.shared.work.notify_one();
    }

    /// Standard deviations as they were a moment ago; the first call says only that they are
    /// wanted.
    pub fn sigmas(&self) -> Sigmas {
        self.shared.sigmas_wanted.store(true, Relaxed);
        lock(&self.shared.sigmas).clone()
    }
}

/// Somebody who watches a camera.
pub struct Watching {
    senses: Senses,
    device: usize,
    newest: watch::Receiver<Option<Arc<CameraImage>>>,
}

impl Watching {
    /// Which camera, by its number among all sensors.
    pub fn device(&self) -> usize {
        self.device
    }

    /// The newest picture, if it was not taken here before.
    pub fn take_new(&mut self) -> Option<Arc<CameraImage>> {
        if !self.newest.has_changed().unwrap_or(false) {
            return None;
        }
        self.newest.borrow_and_update().clone()
    }

    /// The newest picture that `wanted` likes; waits for one until `until`.
    pub fn wait(
        &self,
        until: Instant,
        wanted: impl Fn(&CameraImage) -> bool,
    ) -> Option<Arc<CameraImage>> {
        let shared = &self.senses.shared;
        let mut guard = lock(&shared.wanted);
        loop {
            let newest = self.newest.borrow().clone();
            if let Some(picture) = newest.filter(|picture| wanted(picture)) {
                return Some(picture);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left == Duration::ZERO {
                return None;
            }
            let waited = shared.drawn.wait_timeout(guard, left);
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let shared = &self.senses.shared;
        let mut wanted = lock(&shared.wanted);
        if let Some(entry) = wanted.get_mut(&self.device) {
            entry.watchers -= 1;
            if entry.watchers == 0 {
                wanted.remove(&self.device);
                shared.count.fetch_sub(1, Relaxed);
            }
        }
    }
}
