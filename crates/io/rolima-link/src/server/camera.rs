//! The thread of a camera: takes shots, delivers frames, holds late ones back.

use super::outbox::Sent;
use super::stats::count;
use super::{FrameMaker, Shared, lock, start};
use crate::messages::Turn;
use rolima_core::model::FrameFate;
use rolima_core::{CameraNoise, Exposure, Model};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Most late frames that are held back at a time.
const MOST_HELD: usize = 256;

/// What the loop leaves for a camera.
#[derive(Default)]
pub(crate) struct Inbox {
    slot: Mutex<Slot>,
    /// Rung when there is something.
    work: Condvar,
    /// Steps of the world now: when late frames go.
    now: AtomicU64,
    /// Whether frames are held back until some step.
    holds: AtomicBool,
}

#[derive(Default)]
pub(crate) struct Slot {
    generation: u32,
    model: Option<Arc<Model>>,
    exposure: Exposure,
    noise: Option<CameraNoise>,
    /// In lock step: the world waits.
    turn: Option<Turn>,
    stopped: bool,
}

impl Slot {
    /// Another scene begins.
    pub(crate) fn begin(&mut self, generation: u32, model: &Arc<Model>) {
        *self = Self {
            generation,
            model: Some(Arc::clone(model)),
            exposure: std::mem::take(&mut self.exposure),
            stopped: self.stopped,
            ..Self::default()
        };
    }

    /// A shot to be drawn; false where one that was not drawn yet is left out for it.
    pub(crate) fn put(&mut self, exposure: &Exposure, noise: CameraNoise) -> bool {
        self.exposure.clone_from(exposure);
        self.noise.replace(noise).is_none()
    }
}

impl Inbox {
    /// Leaves something, and wakes the camera; nothing where its thread is just looking.
    pub(crate) fn try_leave<T>(&self, leave: impl FnOnce(&mut Slot) -> T) -> Option<T> {
        let mut slot = self.slot.try_lock().ok()?;
        let left = leave(&mut slot);
        drop(slot);
        self.work.notify_one();
        Some(left)
    }

    /// The same where it must not be lost: the camera's thread holds the slot for moments only.
    pub(crate) fn leave(&self, leave: impl FnOnce(&mut Slot)) {
        leave(&mut lock(&self.slot));
        self.work.notify_one();
    }

    /// How far the world has got: told often, so that one time that wakes nobody does not matter.
    pub(crate) fn pass(&self, now: u64) {
        self.now.store(now, Relaxed);
        if self.holds.load(Relaxed) {
            self.work.notify_one();
        }
    }

    /// In lock step: a shot if there is one, and then the world waits.
    pub(crate) fn turn(&self, shot: Option<(&Exposure, CameraNoise)>, turn: Turn) {
        self.leave(|slot| {
            if let Some((exposure, noise)) = shot {
                slot.put(exposure, noise);
            }
            self.now.store(turn.step, Relaxed);
            slot.turn = Some(turn);
        });
    }
}

/// The thread, ended when this is dropped.
pub(crate) struct CameraThread {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl CameraThread {
    pub(crate) fn start(shared: Arc<Shared>, first_key: u32) -> std::io::Result<Self> {
        let own = Arc::clone(&shared);
        let worker = Worker { shared: own, generation: 0, first_key, maker: None, held: vec![] };
        let thread = start("link camera", move || worker.run())?;
        Ok(Self { shared, thread: Some(thread) })
    }
}

impl Drop for CameraThread {
    fn drop(&mut self) {
        self.shared.inbox.leave(|slot| slot.stopped = true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Worker {
    shared: Arc<Shared>,
    generation: u32,
    first_key: u32,
    maker: Option<FrameMaker>,
    /// Late frames, with the step at which they go.
    held: Vec<(u64, Arc<[u8]>, u64)>,
}

/// What the thread takes out.
struct Taken {
    scene: Option<(u32, Arc<Model>)>,
    shot: Option<CameraNoise>,
    turn: Option<Turn>,
}

impl Worker {
    fn run(mut self) {
        let mut exposure = Exposure::default();
        let mut message = vec![];
        while let Some(taken) = self.wait(&mut exposure) {
            if let Some((generation, model)) = taken.scene {
                self.begin(generation, &model);
            }
            // The oldest first.
            self.release();
            if let Some(noise) = taken.shot {
                self.shoot(&exposure, &noise, &mut message);
            }
            self.shared.inbox.holds.store(!self.held.is_empty(), Relaxed);
            if let Some(turn) = taken.turn {
                self.shared.outbox.turn(turn);
            }
        }
    }

    /// Waits until there is something to do; none at the end.
    fn wait(&self, exposure: &mut Exposure) -> Option<Taken> {
        let inbox = &self.shared.inbox;
        let mut slot = lock(&inbox.slot);
        loop {
            if slot.stopped {
                return None;
            }
            let is_new = slot.generation != self.generation;
            let now = inbox.now.load(Relaxed);
            let is_due = self.held.iter().any(|(step, ..)| *step <= now);
            if is_new || slot.noise.is_some() || slot.turn.is_some() || is_due {
                break;
            }
            slot = inbox.work.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
        let is_new = slot.generation != self.generation;
        let scene = slot.model.clone().filter(|_| is_new).map(|model| (slot.generation, model));
        let shot = slot.noise.take();
        if shot.is_some() {
            std::mem::swap(exposure, &mut slot.exposure);
        }
        Some(Taken { scene, shot, turn: slot.turn.take() })
    }

    /// Another scene: it may have no such camera, or one that cannot be drawn.
    fn begin(&mut self, generation: u32, model: &Arc<Model>) {
        self.generation = generation;
        self.held.clear();
        let device = FrameMaker::device(model, &self.shared.name);
        let key = self.first_key.wrapping_add(generation);
        self.maker = device.and_then(|device| FrameMaker::new(model, device, key).ok());
        match &self.maker {
            Some(maker) => {
                let key: Arc<[u8]> = maker.key_message().into();
                self.shared.outbox.begin(maker.info_messages().map(Into::into), key);
            }
            None => self.shared.outbox.nothing(),
        }
    }

    /// Draws a shot, and delivers it if it is neither lost nor late.
    fn shoot(&mut self, exposure: &Exposure, noise: &CameraNoise, message: &mut Vec<u8>) {
        let Some(maker) = &mut self.maker else { return };
        let (fate, stats) = (maker.fate(noise), &self.shared.stats);
        if fate == FrameFate::Lost {
            return count(&stats.lost, 1);
        }
        message.clear();
        if maker.make(exposure, noise, message).is_err() {
            // The scene was checked: nothing but a lens that cannot be drawn with.
            return;
        }
        count(&stats.frames, 1);
        count(&stats.frame_bytes, message.len() as u64);
        let body: Arc<[u8]> = message.as_slice().into();
        if let FrameFate::Late(late_s) = fate {
            count(&stats.late, 1);
            let due = exposure.step + (late_s / maker.step_s()).ceil() as u64;
            if due > self.shared.inbox.now.load(Relaxed) && self.held.len() < MOST_HELD {
                self.held.push((due, body, noise.taken));
                return;
            }
        }
        self.shared.outbox.frame(Sent { body, number: noise.taken });
        if self.shared.jpeg.is_wanted() {
            self.shared.jpeg.put(maker.size(), maker.rgb());
        }
    }

    /// Delivers what is due.
    fn release(&mut self) {
        let now = self.shared.inbox.now.load(Relaxed);
        let due = self.held.extract_if(.., |(step, ..)| *step <= now).collect::<Vec<_>>();
        for (_, body, number) in due {
            self.shared.outbox.frame(Sent { body, number });
        }
    }
}
