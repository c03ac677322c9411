//! Scenes on their way into a live run.

use super::contract::MapSource;
use super::history::{Forgotten, HistoryScene};
use rolima_core::{Model, World};
use rolima_scene::Bundle;
use std::any::Any;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A scene that is ready to run: compiled, and its world built with the scene's own seed, by the
/// thread that loads it. The loop only puts it in the place of the one that runs.
pub struct Loaded {
    /// What the scene is called.
    pub name: String,
    /// The scene.
    pub model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<Arc<MapSource>>,
    /// What people may want to know of the pictures that it was read from, a line each.
    pub notes: Vec<String>,
    /// All that the scene was read from, for a log; one that is written breaks off without it.
    pub source: Option<Arc<Bundle>>,
    /// What sinks need not do on the loop's thread; [`super::PublishedScene`] has it.
    pub prepared: Prepared,
    /// Taken by the loop.
    world: Mutex<Option<World>>,
}

impl Loaded {
    /// Builds the world of a scene and warms it, which may take long.
    pub fn new(name: impl Into<String>, model: Arc<Model>, map: Option<Arc<MapSource>>) -> Self {
        let world = Mutex::new(Some(warm_world(&model)));
        let prepared = Prepared::default();
        Self { name: name.into(), model, map, notes: vec![], source: None, prepared, world }
    }

    /// The world at its first instant; built again if it was taken before.
    pub fn take_world(&self) -> World {
        let built = self.world.lock().unwrap_or_else(PoisonError::into_inner).take();
        built.unwrap_or_else(|| warm_world(&self.model))
    }
}

/// A world at its first instant whose scratch has been through a step: what the first step allocates is
/// there, and the loop's thread has nothing of it to do.
fn warm_world(model: &Arc<Model>) -> World {
    let mut world = World::new(Arc::clone(model));
    world.step();
    world.reset();
    world
}

/// What whoever loads a scene has made ready for a sink, which alone knows its type. Sinks do
/// without where there is nothing of theirs.
#[derive(Default)]
pub struct Prepared(Mutex<Option<Box<dyn Any + Send>>>);

impl Prepared {
    /// Something for a sink.
    pub fn new(what: impl Any + Send) -> Self {
        Self(Mutex::new(Some(Box::new(what))))
    }

    fn content(&self) -> std::sync::MutexGuard<'_, Option<Box<dyn Any + Send>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what was prepared, if it is of this type.
    pub fn take<T: Any>(&self) -> Option<Box<T>> {
        let mut content = self.content();
        if content.as_deref().is_some_and(|what| what.is::<T>()) {
            return content.take()?.downcast().ok();
        }
        None
    }

    /// Leaves something in its place that takes long to free: that happens on another thread.
    pub fn leave(&self, what: impl Any + Send) {
        *self.content() = Some(Box::new(what));
    }
}

/// Worlds that may wait to be freed; more are freed by the loop itself.
const MOST_WAITING: usize = 4;

/// What a run no longer needs once another scene has begun.
pub(super) struct Gone {
    /// The world before.
    pub(super) world: World,
    /// The map before.
    pub(super) map: Option<Arc<MapSource>>,
    /// What is left of the scene that has begun.
    pub(super) loaded: Arc<Loaded>,
    /// What was kept of the run before.
    pub(super) forgotten: Option<Forgotten>,
    /// The scene before, which those who show the run hold until they show the next.
    pub(super) scene: Option<Arc<HistoryScene>>,
}

/// How often is looked whether somebody else still holds a scene.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Frees what a run no longer needs, on a thread of its own: a large world takes many milliseconds.
pub(super) struct Disposal(Option<SyncSender<Gone>>);

impl Disposal {
    /// A thread that frees worlds and ends with the run; without one the loop does it.
    pub(super) fn start() -> Self {
        crate::memory::give_back_large_blocks();
        let (sender, gone) = sync_channel::<Gone>(MOST_WAITING);
        let thread = std::thread::Builder::new().name("rolima-disposal".to_owned());
        let started = thread.spawn(move || {
            // Held here until nobody else does, so that nobody else has to free them.
            let mut scenes: Vec<Arc<HistoryScene>> = vec![];
            loop {
                let next = match scenes.is_empty() {
                    true => gone.recv().map_err(|_| RecvTimeoutError::Disconnected),
                    false => gone.recv_timeout(LOOK_EVERY),
                };
                let held = scenes.len();
                match next {
                    Ok(Gone { world, map, loaded, forgotten, scene }) => {
                        drop((world, map, loaded, forgotten));
                        crate::memory::give_back();
                        scenes.extend(scene);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                scenes.retain(|scene| Arc::strong_count(scene) > 1);
                if scenes.len() < held {
                    crate::memory::give_back();
                }
            }
        });
        Self(started.is_ok().then_some(sender))
    }

    /// Frees it, some time.
    pub(super) fn take(&self, gone: Gone) {
        if let Some(sender) = &self.0 {
            // Too many at a time come back and are freed here.
            let _ = sender.try_send(gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_scene::{Source, builtin_scenes, load};

    #[test]
    fn a_warm_world_goes_on_bit_for_bit_as_a_new_one_does() {
        for name in builtin_scenes() {
            let scene = Source::resolve(&name).and_then(|source| load(&source, &[]));
            let model = Arc::new(scene.and_then(|scene| scene.compile()).expect("a good scene"));
            let mut fresh = World::new(Arc::clone(&model));
            let mut warm = Loaded::new(name.as_str(), model, None).take_world();
            for _ in 0..40 {
                assert_eq!(warm.snapshot(), fresh.snapshot(), "{name}");
                fresh.step();
                warm.step();
            }
        }
    }
}
