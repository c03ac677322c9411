//! Scenes on their way into a live run.

use super::contract::MapSource;
use rolima_core::{Model, World};
use rolima_scene::Bundle;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// A scene that is ready to run: compiled, and its world built with the scene's own seed, by the
/// thread that loads it. The loop only puts it in the place of the one that runs.
pub struct Loaded {
    /// What the scene is called.
    pub name: String,
    /// The scene.
    pub model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<Arc<MapSource>>,
    /// The scene as outlets pass it on, so that the loop need not encode it; [`super::SceneShown`]
    /// has it. Outlets do without where there is none.
    pub encoded: Option<Vec<u8>>,
    /// All that the scene was read from, for a log; one that is written breaks off without it.
    pub source: Option<Arc<Bundle>>,
    /// Taken by the loop.
    world: Mutex<Option<World>>,
}

impl Loaded {
    /// Builds the world of a scene, which may take long.
    pub fn new(name: impl Into<String>, model: Arc<Model>, map: Option<Arc<MapSource>>) -> Self {
        let world = Mutex::new(Some(World::new(Arc::clone(&model))));
        Self { name: name.into(), model, map, encoded: None, source: None, world }
    }

    /// The world at its first instant; built again if it was taken before.
    pub fn take_world(&self) -> World {
        let built = self.world.lock().unwrap_or_else(PoisonError::into_inner).take();
        built.unwrap_or_else(|| World::new(Arc::clone(&self.model)))
    }
}

/// Worlds that may wait to be freed; more are freed by the loop itself.
const MOST_WAITING: usize = 4;

/// Frees what a run no longer needs, on a thread of its own: a large world takes many milliseconds.
pub(super) struct Disposal(Option<SyncSender<World>>);

impl Disposal {
    /// A thread that frees worlds and ends with the run; without one the loop does it.
    pub(super) fn start() -> Self {
        let (sender, worlds) = sync_channel::<World>(MOST_WAITING);
        let thread = std::thread::Builder::new().name("rolima-disposal".to_owned());
        let started = thread.spawn(move || {
            for world in worlds {
                drop(world);
                crate::memory::give_back();
            }
        });
        Self(started.is_ok().then_some(sender))
    }

    /// Frees a world, some time.
    pub(super) fn take(&self, world: World) {
        if let Some(sender) = &self.0 {
            // Too many at a time come back and are freed here.
            let _ = sender.try_send(world);
        }
    }
}
