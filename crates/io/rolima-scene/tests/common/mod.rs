//! What the tests share.
#![allow(dead_code)] // not every test needs all of it

use rolima_scene::{Scene, SceneError, Source, load};

/// A scene in memory, named `x.toml`.
pub(crate) fn text(scene: &str) -> Source {
    Source::Text { name: "x.toml".to_owned(), text: scene.to_owned() }
}

/// Loads and compiles.
pub(crate) fn check(source: &Source, sets: &[&str]) -> Result<Scene, SceneError> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let scene = load(source, &sets)?;
    scene.compile()?;
    Ok(scene)
}

/// A built-in scene that must be good.
pub(crate) fn builtin(name: &str, sets: &[&str]) -> Scene {
    let scene = Source::resolve(name).and_then(|source| check(&source, sets));
    scene.unwrap_or_else(|error| panic!("{error}"))
}
