//! Pictures for programs: watched while they ask.

use crate::senses::{CameraImage, Senses, Watching};
use rolima_core::model::Mount;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A camera that no program has asked for this long is not watched any more.
const IDLE: Duration = Duration::from_secs(2);

/// The cameras that programs look through.
#[derive(Default)]
pub(super) struct Cameras {
    known: BTreeMap<Which, Camera>,
}

/// Which camera: of a robot the first; of the world one by its place among its sensors.
pub(super) type Which = (Mount, usize);

struct Camera {
    device: usize,
    watching: Option<Watching>,
    asked: Instant,
    /// The newest picture, and how many there were.
    newest: Option<Arc<CameraImage>>,
    count: u64,
}

/// What a camera has.
pub(super) struct Seen {
    pub(super) number: u64,
    pub(super) picture: Arc<CameraImage>,
}

impl Cameras {
    /// The newest picture of a camera, of this scene.
    pub(super) fn newest(
        &mut self,
        senses: &Senses,
        which: Which,
        device: usize,
        generation: u32,
    ) -> Option<Seen> {
        let fresh =
            || Camera { device, watching: None, asked: Instant::now(), newest: None, count: 0 };
        let camera = self.known.entry(which).or_insert_with(fresh);
        camera.asked = Instant::now();
        if camera.device != device {
            camera.watching = None;
            camera.device = device;
        }
        let watching = camera.watching.get_or_insert_with(|| senses.watch(device));
        if let Some(picture) = watching.take_new() {
            let key = |picture: &CameraImage| (picture.generation, picture.step);
            if camera.newest.as_deref().map(key) != Some(key(&picture)) {
                camera.count += 1;
                camera.newest = Some(picture);
            }
        }
        let newest = camera.newest.as_ref().filter(|picture| picture.generation == generation)?;
        Some(Seen { number: camera.count, picture: Arc::clone(newest) })
    }

    /// Lets go of cameras that nobody asks for.
    pub(super) fn rest(&mut self) {
        for camera in self.known.values_mut() {
            if camera.asked.elapsed() > IDLE {
                camera.watching = None;
            }
        }
    }
}
