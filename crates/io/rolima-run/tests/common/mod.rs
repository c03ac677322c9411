//! What the tests share.
#![allow(dead_code)] // each test file uses its part

pub(crate) mod played;

use rolima_core::{Model, World};
use rolima_run::live::log::{Bundle, Header};
use rolima_scene::{Scene, Source, load};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// A built-in scene.
fn scene(name: &str, sets: &[&str]) -> Scene {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let source = Source::resolve(name).expect("a built-in scene");
    load(&source, &sets).expect("a good scene")
}

/// The compiled model of a built-in scene.
pub(crate) fn model(name: &str, sets: &[&str]) -> Arc<Model> {
    Arc::new(scene(name, sets).compile().expect("a good model"))
}

/// The files of a built-in scene.
pub(crate) fn bundle(name: &str, sets: &[&str]) -> Arc<Bundle> {
    Arc::new(scene(name, sets).bundle)
}

/// The header of a log of a built-in scene with its own seed.
pub(crate) fn header(name: &str, sets: &[&str], model: &Model) -> Header {
    Header::new(name, bundle(name, sets), model, model.spec.sim.seed)
}

/// A fresh world of a built-in scene.
pub(crate) fn world(scene: &str, sets: &[&str]) -> World {
    World::new(model(scene, sets))
}

/// A file in memory.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Memory {
    pub(crate) fn text(&self) -> String {
        let bytes = self.0.lock().expect("nobody panicked").clone();
        String::from_utf8(bytes).expect("UTF-8")
    }
}
