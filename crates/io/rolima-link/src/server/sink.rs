//! What the loop leaves for the cameras: a copy of where everything was, where a camera has clients.

use super::stats::count;
use super::{FrameMaker, SceneCamera, Shared, lock};
use rolima_run::live::{Publication, PublishedScene, Sink};
use std::sync::Arc;

/// What is known of a camera in the scene that runs.
struct Watched {
    shared: Arc<Shared>,
    found: Option<SceneCamera>,
    /// Pictures taken when it was offered last.
    offered: Option<u64>,
}

/// The sink of a live run that camera links get their shots from.
pub struct LinkSink {
    cameras: Vec<Watched>,
}

impl LinkSink {
    pub(super) fn new(cameras: Vec<Arc<Shared>>) -> Self {
        let watched = |shared| Watched { shared, found: None, offered: None };
        Self { cameras: cameras.into_iter().map(watched).collect() }
    }
}

impl Sink for LinkSink {
    fn scene(&mut self, scene: &PublishedScene<'_>) {
        for camera in &mut self.cameras {
            let device = FrameMaker::device(scene.model, &camera.shared.name);
            camera.found = device.and_then(|device| {
                let known = &scene.model.devices[device];
                let (exposure, rate) = (known.exposure? as usize, known.rate);
                Some(SceneCamera { device, exposure, rate, step_s: scene.model.step_s })
            });
            *lock(&camera.shared.scene) = camera.found;
            camera.offered = None;
            camera.shared.inbox.leave(|slot| slot.begin(scene.generation, scene.model));
        }
    }

    fn publication(&mut self, publication: &Publication<'_>) {
        // There the turns say what is sent.
        if publication.status.lock_step {
            return;
        }
        for camera in &mut self.cameras {
            let Some(SceneCamera { device, exposure, .. }) = camera.found else { continue };
            let Some(noise) = publication.senses.camera_noise(device) else { continue };
            let now = publication.frame.step;
            if camera.offered == Some(noise.taken) || !camera.shared.outbox.has_clients() {
                camera.shared.inbox.pass(now);
                continue;
            }
            let Some(exposure) = publication.senses.exposures.get(exposure) else { continue };
            let left = camera.shared.inbox.try_leave(|slot| slot.put(exposure, noise));
            // Where the camera's thread is just looking, the next publication will do.
            let Some(is_drawn) = left else { continue };
            camera.shared.inbox.pass(now);
            count(&camera.shared.stats.skipped, u64::from(!is_drawn));
            camera.offered = Some(noise.taken);
        }
    }
}
