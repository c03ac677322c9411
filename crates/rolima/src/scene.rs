//! From an argument to a compiled scene.

use crate::cli::SceneArguments;
use rolima_core::Model;
use rolima_scene::{Scene, SceneError, Source, load};
use std::sync::Arc;

/// A scene that was read and compiled.
pub(crate) struct Opened {
    pub(crate) source: Source,
    pub(crate) scene: Scene,
    pub(crate) model: Arc<Model>,
}

/// Reads and compiles what the command line names.
pub(crate) fn open(arguments: &SceneArguments) -> Result<Opened, SceneError> {
    let source = Source::resolve(&arguments.scene)?;
    let scene = load(&source, &arguments.sets)?;
    let model = Arc::new(scene.compile()?);
    Ok(Opened { source, scene, model })
}

/// The compiled model of a built-in scene.
pub(crate) fn builtin(name: &str, sets: &[String]) -> Result<Arc<Model>, SceneError> {
    let arguments = SceneArguments { scene: format!("built-in:{name}"), sets: sets.to_vec() };
    Ok(open(&arguments)?.model)
}
