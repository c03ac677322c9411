//! The worlds of a run: what it is started with, and what is loaded into it later.
//!
//! | module | what |
//! |---|---|
//! | `maps` | drawn mazes and text maps, from files and from those who send them |
//! | `loaders` | scenes for viewers, worlds for programs of Robot One |

mod loaders;
mod maps;

pub use loaders::glance;
pub use maps::{map_notes, read_map_file, tell_map_notes};

use crate::web::SceneLoaded;
use maps::read_world_map;
use rolima_core::Model;
use rolima_run::live::MapSource;
use rolima_scene::rolima_map::{Map, Size};
use rolima_scene::{Bundle, Scene, SceneError, Source, load, load_map, load_map_in};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a run is started with: a scene, or a maze that stands for one.
#[derive(Clone, Debug)]
pub struct WorldSource {
    /// A scene file, or a built-in scene or robot; the name of the maze where there is one.
    pub name: String,
    /// A maze drawn in a paint program, or a text map.
    pub maze: Option<PathBuf>,
    /// Real size of a drawn maze.
    pub size: Option<Size>,
    /// `--set` arguments.
    pub sets: Vec<String>,
    /// Takes what is worth knowing about scenes and maps, a line each.
    pub tell: fn(&str),
}

/// A scene that was read and compiled.
pub struct OpenedWorld {
    /// Whether it is one robot of the built-in ones, alone.
    pub is_preset: bool,
    /// What was read.
    pub scene: Scene,
    /// What was compiled of it.
    pub model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<Arc<MapSource>>,
    /// What people may want to know of the pictures that it was read from, a line each.
    pub notes: Vec<String>,
    /// All that it was read from, for a log.
    pub source: Arc<Bundle>,
}

impl OpenedWorld {
    /// The same for a run that is going on.
    pub fn loaded(self) -> SceneLoaded {
        SceneLoaded {
            model: self.model,
            map: self.map,
            notes: self.notes,
            source: Some(self.source),
        }
    }
}

impl WorldSource {
    /// Reads and compiles it.
    pub fn open(&self) -> Result<OpenedWorld, SceneError> {
        if let Some(file) = &self.maze {
            let (found, map) = read_world_map(file, self.size, self.tell)?;
            let folder = Some(file.parent().unwrap_or(Path::new("")));
            let mut scene = load_map_in(&found.map, folder, &self.sets)?;
            scene.bundle.set_map_text(&map.text);
            let model = Arc::new(scene.compile()?);
            let source = Arc::new(scene.bundle.clone());
            let (map, notes) = (Some(Arc::new(map)), map_notes(&found));
            return Ok(OpenedWorld { is_preset: false, scene, model, map, notes, source });
        }
        let source = Source::resolve(&self.name)?;
        let scene = load(&source, &self.sets)?;
        scene.notes.iter().for_each(|note| (self.tell)(note));
        let is_preset = matches!(source, Source::Text { .. });
        let model = Arc::new(scene.compile()?);
        let text = scene.map.as_ref().map(ToString::to_string);
        let map = text.map(|text| Arc::new(MapSource { text, ..MapSource::default() }));
        let source = Arc::new(scene.bundle.clone());
        let notes = scene.notes.iter().map(|note| without_folder(note)).collect();
        Ok(OpenedWorld { is_preset, scene, model, map, notes, source })
    }

    /// Opens a scene by its name, in a run that was started with this one, which then is as it was.
    fn open_again(&self, name: &str) -> Result<OpenedWorld, SceneError> {
        if name == self.name {
            return self.open();
        }
        let other = Self { name: name.to_owned(), maze: None, size: None, sets: vec![], ..*self };
        other.open()
    }

    /// The scene of a map that somebody sent to a run that was started with this. What was set for a map
    /// at the start is set for this one, too. `source` is what the map was read from.
    fn open_map(
        &self,
        name: &str,
        map: &Map,
        source: &MapSource,
    ) -> Result<(Arc<Model>, Arc<Bundle>), SceneError> {
        let sets = if self.maze.is_some() { &self.sets[..] } else { &[] };
        let mut scene = load_map(map, sets)?;
        scene.set_title(name);
        scene.bundle.set_map_text(&source.text);
        let model = Arc::new(scene.compile()?);
        Ok((model, Arc::new(scene.bundle)))
    }
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
