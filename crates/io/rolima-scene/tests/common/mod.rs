//! What the tests share.

use rolima_scene::{Scene, SceneError, Source, load};

/// A scene in memory, named `x.toml`.
pub fn text(scene: &str) -> Source {
    Source::Text { name: "x.toml".to_owned(), text: scene.to_owned() }
}

/// Loads and compiles.
pub fn check(source: &Source, sets: &[&str]) -> Result<Scene, SceneError> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let scene = load(source, &sets)?;
    scene.compile()?;
    Ok(scene)
}
