//! The thread that draws.

use super::{CameraImage, Inbox, PictureOrder, Shared, Wanted, lock};
use rolima_core::{CameraNoise, Exposure, Model};
use rolima_render::{CameraRenderer, CameraShot, Grain, Pictures, camera_of};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;

/// The thread that draws, ended when this is dropped.
pub(super) struct RenderThread {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl RenderThread {
    pub(super) fn start(shared: Arc<Shared>) -> std::io::Result<Self> {
        let own = Arc::clone(&shared);
        let named = std::thread::Builder::new().name("pictures".to_owned());
        let thread = named.spawn(move || RenderWorker::default().run(&own))?;
        Ok(Self { shared, thread: Some(thread) })
    }
}

impl Drop for RenderThread {
    fn drop(&mut self) {
        lock(&self.shared.inbox).stopped = true;
        self.shared.work.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the render thread works on.
#[derive(Default)]
struct RenderWorker {
    generation: u32,
    model: Option<Arc<Model>>,
    camera_renderer: Option<CameraRenderer>,
    exposures: Vec<Exposure>,
    cameras: Vec<(usize, CameraNoise)>,
    /// The last picture of each camera: scene, number and step.
    drawn: BTreeMap<usize, (u32, u64, u64)>,
}

impl RenderWorker {
    fn run(mut self, shared: &Shared) {
        loop {
            let mut inbox = lock(&shared.inbox);
            while !inbox.fresh && inbox.orders.is_empty() && !inbox.stopped {
                inbox = shared.work.wait(inbox).unwrap_or_else(PoisonError::into_inner);
            }
            if inbox.stopped {
                return;
            }
            let orders = std::mem::take(&mut inbox.orders);
            let fresh = self.take(&mut inbox);
            drop(inbox);
            orders.into_iter().for_each(|order| self.fill(order));
            if fresh {
                self.draw_all(shared);
            }
        }
    }

    /// Takes what is to be drawn, if there is something, and leaves its own memory for the next.
    fn take(&mut self, inbox: &mut Inbox) -> bool {
        if self.generation != inbox.generation {
            self.generation = inbox.generation;
            self.model.clone_from(&inbox.model);
            self.camera_renderer = None;
        }
        let fresh = std::mem::take(&mut inbox.fresh);
        if fresh {
            std::mem::swap(&mut self.exposures, &mut inbox.exposures);
            std::mem::swap(&mut self.cameras, &mut inbox.cameras);
        }
        fresh
    }

    /// Draws what was ordered; nothing of a scene that is gone.
    fn fill(&mut self, order: PictureOrder) {
        let mut pictures = vec![];
        if order.generation == self.generation {
            let draw = |(device, noise): &_| self.draw(&order.exposures, *device, noise);
            pictures = order.cameras.iter().filter_map(draw).collect();
        }
        // Who ordered may be gone.
        let _ = order.drawn.send(pictures);
    }

    /// What a camera took.
    fn draw(
        &mut self,
        exposures: &[Exposure],
        device: usize,
        noise: &CameraNoise,
    ) -> Option<CameraImage> {
        let model = self.model.clone()?;
        let (known, spec) = camera_of(&model, device)?;
        let exposure = exposures.get(known.exposure? as usize)?;
        let Exposure { step, poses, spatial, motions } = exposure;
        if self.camera_renderer.is_none() {
            // A stage that cannot be built was refused with its scene.
            self.camera_renderer = CameraRenderer::new(&model).ok();
        }
        let camera_renderer = self.camera_renderer.as_mut()?;
        camera_renderer.place(poses, spatial);
        let [width, height] = spec.pixels;
        let mut rgb = vec![0; 3 * (width * height) as usize];
        let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: None };
        let CameraNoise { sigma, taken, stream } = *noise;
        let grain = Some(Grain { sigma, stream, number: taken });
        let time_s = *step as f64 * model.step_s;
        let shot = CameraShot { poses, spatial, motions, time_s, grain };
        camera_renderer.draw(&model, device, &shot, pictures).ok()?;
        Some(CameraImage {
            generation: self.generation,
            mount: known.mount,
            sensor: (device - model.devices_of(known.mount).start) as u32,
            step: *step,
            number: taken,
            width,
            height,
            rgb,
            png: std::sync::OnceLock::new(),
        })
    }

    /// Draws what is watched.
    fn draw_all(&mut self, shared: &Shared) {
        let exposures = std::mem::take(&mut self.exposures);
        let cameras = std::mem::take(&mut self.cameras);
        for (device, noise) in &cameras {
            let Some(step) = self.exposed(&exposures, *device) else { continue };
            let key = (self.generation, noise.taken, step);
            let known = self.drawn.get(device) == Some(&key);
            // One that nobody has is drawn again: its watchers are new.
            if known && lock(&shared.wanted).get(device).is_some_and(Wanted::has_picture) {
                continue;
            }
            let Some(picture) = self.draw(&exposures, *device, noise) else { continue };
            self.drawn.insert(*device, key);
            let wanted = lock(&shared.wanted);
            if let Some(entry) = wanted.get(device) {
                entry.newest.send_replace(Some(Arc::new(picture)));
            }
            drop(wanted);
            shared.drawn.notify_all();
        }
        (self.exposures, self.cameras) = (exposures, cameras);
    }

    /// The step at which a camera took its picture.
    fn exposed(&self, exposures: &[Exposure], device: usize) -> Option<u64> {
        let group = self.model.as_ref()?.devices.get(device)?.exposure?;
        exposures.get(group as usize).map(|exposure| exposure.step)
    }
}
