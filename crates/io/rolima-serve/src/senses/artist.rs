//! The thread that draws.

use super::{Inbox, Picture, Shared, Wanted, lock};
use rolima_core::{CameraNoise, Exposure, Model};
use rolima_render::{Eyes, Grain, Pictures, camera_of};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;

/// The thread that draws, ended when this is dropped.
pub(super) struct Artist {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Artist {
    pub(super) fn start(shared: Arc<Shared>) -> std::io::Result<Self> {
        let own = Arc::clone(&shared);
        let named = std::thread::Builder::new().name("artist".to_owned());
        let thread = named.spawn(move || Studio::default().run(&own))?;
        Ok(Self { shared, thread: Some(thread) })
    }
}

impl Drop for Artist {
    fn drop(&mut self) {
        lock(&self.shared.inbox).stopped = true;
        self.shared.work.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the artist works on.
#[derive(Default)]
struct Studio {
    generation: u32,
    model: Option<Arc<Model>>,
    eyes: Option<Eyes>,
    exposures: Vec<Exposure>,
    cameras: Vec<(usize, CameraNoise)>,
    /// The last picture of each camera: scene, number and step.
    drawn: BTreeMap<usize, (u32, u64, u64)>,
}

impl Studio {
    fn run(mut self, shared: &Shared) {
        loop {
            let mut inbox = lock(&shared.inbox);
            while !inbox.fresh && !inbox.stopped {
                inbox = shared.work.wait(inbox).unwrap_or_else(PoisonError::into_inner);
            }
            if inbox.stopped {
                return;
            }
            self.take(&mut inbox);
            drop(inbox);
            self.draw_all(shared);
        }
    }

    /// Takes what is to be drawn, and leaves its own memory for the next.
    fn take(&mut self, inbox: &mut Inbox) {
        inbox.fresh = false;
        if self.generation != inbox.generation {
            self.generation = inbox.generation;
            self.model.clone_from(&inbox.model);
            self.eyes = None;
        }
        std::mem::swap(&mut self.exposures, &mut inbox.exposures);
        std::mem::swap(&mut self.cameras, &mut inbox.cameras);
    }

    fn draw_all(&mut self, shared: &Shared) {
        let Some(model) = self.model.clone() else { return };
        if self.eyes.is_none() {
            // A stage that cannot be built was refused with its scene.
            self.eyes = Eyes::new(&model).ok();
        }
        let Some(eyes) = &mut self.eyes else { return };
        for (device, noise) in &self.cameras {
            let Some((robot, spec)) = camera_of(&model, *device) else { continue };
            let group = model.devices[*device].exposure;
            let exposure = group.and_then(|group| self.exposures.get(group as usize));
            let Some(Exposure { step, poses, spatial }) = exposure else { continue };
            let key = (self.generation, noise.taken, *step);
            let known = self.drawn.get(device) == Some(&key);
            // One that nobody has is drawn again: its watchers are new.
            if known && lock(&shared.wanted).get(device).is_some_and(Wanted::has_picture) {
                continue;
            }
            eyes.place(poses, spatial);
            let [width, height] = spec.pixels;
            let mut rgb = vec![0; 3 * (width * height) as usize];
            let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: None };
            let CameraNoise { sigma, taken, stream } = *noise;
            let grain = Some(Grain { sigma, stream, number: taken });
            if eyes.draw(&model, *device, poses, spatial, grain, pictures).is_err() {
                continue;
            }
            let first = model.devices_of(robot).start;
            let picture = Arc::new(Picture {
                generation: self.generation,
                robot,
                sensor: (*device - first) as u32,
                step: *step,
                number: taken,
                width,
                height,
                rgb,
                png: std::sync::OnceLock::new(),
            });
            self.drawn.insert(*device, key);
            let wanted = lock(&shared.wanted);
            if let Some(entry) = wanted.get(device) {
                entry.newest.send_replace(Some(picture));
            }
            drop(wanted);
            shared.drawn.notify_all();
        }
    }
}
