//! From an argument to a compiled scene.

use crate::cli::SceneArguments;
use crate::map;
use anyhow::Result;
use rolima_console::failure::tell;
use rolima_core::Model;
use rolima_map::Map;
use rolima_run::live::MapSource;
use rolima_scene::{Bundle, Scene, Source, load, load_map, load_map_in};
use rolima_serve::web::SceneLoaded;
use std::path::Path;
use std::sync::Arc;

/// A scene that was read and compiled.
pub(crate) struct Opened {
    /// Whether it is one robot of the built-in ones, alone.
    pub(crate) is_preset: bool,
    pub(crate) scene: Scene,
    pub(crate) model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub(crate) map: Option<Arc<MapSource>>,
    /// What people may want to know of the pictures that it was read from, a line each.
    pub(crate) notes: Vec<String>,
    /// All that it was read from, for a log.
    pub(crate) source: Arc<Bundle>,
}

impl Opened {
    pub(crate) fn loaded(self) -> SceneLoaded {
        SceneLoaded {
            model: self.model,
            map: self.map,
            notes: self.notes,
            source: Some(self.source),
        }
    }
}

/// Reads and compiles what the command line names.
pub(crate) fn open(arguments: &SceneArguments) -> Result<Opened> {
    if let Some(file) = &arguments.maze {
        let (found, map) = map::open_world(file, arguments.size)?;
        let folder = Some(file.parent().unwrap_or(Path::new("")));
        let mut scene = load_map_in(&found.map, folder, &arguments.sets)?;
        scene.bundle.set_map_text(&map.text);
        let model = Arc::new(scene.compile()?);
        let source = Arc::new(scene.bundle.clone());
        let (map, notes) = (Some(Arc::new(map)), map::notes_of(&found));
        return Ok(Opened { is_preset: false, scene, model, map, notes, source });
    }
    let source = Source::resolve(&arguments.name())?;
    let scene = load(&source, &arguments.sets)?;
    scene.notes.iter().for_each(|note| tell(note));
    let is_preset = matches!(source, Source::Text { .. });
    let model = Arc::new(scene.compile()?);
    let text = scene.map.as_ref().map(ToString::to_string);
    let map = text.map(|text| Arc::new(MapSource { text, ..MapSource::default() }));
    let source = Arc::new(scene.bundle.clone());
    let notes = scene.notes.iter().map(|note| without_folder(note)).collect();
    Ok(Opened { is_preset, scene, model, map, notes, source })
}

/// A note that begins with a file's path, without the file's folder: those who watch a run from
/// elsewhere have no use for it.
fn without_folder(note: &str) -> String {
    let named = note.split_once(": ").and_then(|(path, rest)| {
        let name = Path::new(path).file_name()?.to_string_lossy();
        Some(format!("{name}: {rest}"))
    });
    named.unwrap_or_else(|| note.to_owned())
}

/// The scene of a map that somebody sent to a run that was started with `started`. What was set
/// for a map on the command line is set for this one, too. `source` is what the map was read from.
pub(crate) fn open_map(
    started: &SceneArguments,
    name: &str,
    map: &Map,
    source: &MapSource,
) -> Result<(Arc<Model>, Arc<Bundle>)> {
    let sets = if started.maze.is_some() { &started.sets[..] } else { &[] };
    let mut scene = load_map(map, sets)?;
    scene.set_title(name);
    scene.bundle.set_map_text(&source.text);
    let model = Arc::new(scene.compile()?);
    Ok((model, Arc::new(scene.bundle)))
}

/// Opens a scene by its name, in a run that was started with another or with this one, which then
/// is as it was.
pub(crate) fn open_again(started: &SceneArguments, name: &str) -> Result<Opened> {
    if name == started.name() { open(started) } else { open(&SceneArguments::named(name)) }
}
