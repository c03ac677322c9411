//! What the tests share.
#![allow(dead_code)] // each test file uses its part

pub(crate) mod played;

use rolima_core::{Model, World};
use rolima_scene::{Source, load};
use std::sync::Arc;

/// The compiled model of a built-in scene.
pub(crate) fn model(scene: &str, sets: &[&str]) -> Arc<Model> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let source = Source::resolve(scene).expect("a built-in scene");
    Arc::new(load(&source, &sets).expect("a good scene").compile().expect("a good model"))
}

/// A fresh world of a built-in scene.
pub(crate) fn world(scene: &str, sets: &[&str]) -> World {
    World::new(model(scene, sets))
}
