//! From an argument to a compiled scene.

use crate::cli::SceneArguments;
use crate::map;
use anyhow::Result;
use rolima_core::Model;
use rolima_scene::{Scene, SceneError, Source, load, load_map};
use std::sync::Arc;

/// A scene that was read and compiled.
pub(crate) struct Opened {
    /// Whether it is one robot of the built-in ones, alone.
    pub(crate) is_preset: bool,
    pub(crate) scene: Scene,
    pub(crate) model: Arc<Model>,
}

/// Reads and compiles what the command line names.
pub(crate) fn open(arguments: &SceneArguments) -> Result<Opened> {
    let (scene, is_preset) = match &arguments.maze {
        Some(file) => (load_map(&map::open(file, arguments.size)?.map, &arguments.sets)?, false),
        None => {
            let source = Source::resolve(&arguments.name())?;
            (load(&source, &arguments.sets)?, matches!(source, Source::Text { .. }))
        }
    };
    let model = Arc::new(scene.compile()?);
    Ok(Opened { is_preset, scene, model })
}

/// Opens a scene by its name, in a run that was started with another or with this one, which then
/// is as it was.
pub(crate) fn open_again(started: &SceneArguments, name: &str) -> Result<Opened> {
    if name == started.name() { open(started) } else { open(&SceneArguments::named(name)) }
}

/// The compiled model of a built-in scene.
pub(crate) fn builtin(name: &str, sets: &[String]) -> Result<Arc<Model>, SceneError> {
    let source = Source::resolve(&format!("built-in:{name}"))?;
    Ok(Arc::new(load(&source, sets)?.compile()?))
}
