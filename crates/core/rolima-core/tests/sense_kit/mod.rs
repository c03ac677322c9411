//! Worlds with sensors for the tests.
#![allow(dead_code, unreachable_pub)] // each test file uses a part

use rolima_core::World;
use rolima_core::model::{Model, SceneSpec};
use rolima_math::Pose2;
use rolima_scene::{Source, load};
use std::sync::Arc;

pub fn scene(text: &str) -> SceneSpec {
    let source = Source::Text { name: "test".to_owned(), text: text.to_owned() };
    load(&source, &[]).unwrap_or_else(|error| panic!("{error}")).spec
}

pub fn world(spec: &SceneSpec) -> World {
    World::new(Arc::new(Model::compile(spec).unwrap_or_else(|error| panic!("{error}"))))
}

/// A robot of a preset at the origin.
pub fn preset(name: &str, more: &str) -> SceneSpec {
    scene(&format!("[[robot]]\npreset = \"{name}\"\n{more}"))
}

pub fn device(world: &World, kind: &str) -> usize {
    let found = world.model().devices.iter().position(|d| d.kind.name() == kind);
    found.unwrap_or_else(|| panic!("no {kind}"))
}

pub fn reading(world: &World, kind: &str) -> Vec<f64> {
    world.reading(device(world, kind)).to_vec()
}

pub fn pose(world: &World) -> Pose2 {
    world.frame().bodies[0].pose
}

pub fn close(a: f64, b: f64, most: f64) {
    assert!((a - b).abs() <= most, "{a} against {b}, by more than {most}");
}
