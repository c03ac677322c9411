//! Scene files to specifications.
//!
//! [`load`] reads a scene (TOML, with the parts and presets that it includes) into a
//! [`SceneSpec`] and a [`Ledger`] that says of every parameter where it
//! came from. Every error names file, line and key, what was expected and what was there.
//!
//! ```
//! use rolima_scene::{Source, load};
//! let source = Source::resolve("soccer")?;
//! let scene = load(&source, &["driver=random".to_owned(), "sim.step_s=0.0005".to_owned()])?;
//! let model = scene.compile()?;
//! assert_eq!(model.robots.len(), 6);
//! # Ok::<(), rolima_scene::SceneError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `files`, `home`, `builtin` | texts from disk, memory or the program itself; includes |
//! | `bundle` | all files of a scene by content, to read it again elsewhere |
//! | `tree` | TOML as a tree in which every value knows its line |
//! | `set`, `variables` | `--set` and `"$name"`, applied to the tree |
//! | `reader`, `kinds`, `log` | typed reading of a table; ledger and errors |
//! | `scene`, `physics`, `walls`, `bodies`, `outline`, `robot`, `swarm` | the tables of a scene |
//! | `ground`, `relief`, `texture`, `vehicle`, `vehicle_keys`, `undercarriage`, `hitch`, `drawn`, `woods` | rough ground, what drives on it and how it was drawn, trees |
//! | `map`, `map_parts`, `geometry` | mazes from text maps and pictures, and what is kept of their meshes |
//! | `keys` | all keys, table by table, for lists and documentation |
//! | `locate` | from the model's errors back to file and line |
//! | [`golden`] | the scenes with golden state hashes |

mod bodies;
mod builtin;
mod bundle;
mod drawn;
mod error;
mod files;
mod geometry;
mod go_to;
pub mod golden;
mod ground;
mod grouped;
mod hitch;
mod home;
mod keys;
mod kinds;
mod ledger;
mod locate;
mod log;
mod map;
mod map_parts;
mod material;
mod outline;
mod physics;
mod placement;
mod reader;
mod relief;
mod robot;
mod scene;
mod sensor_keys;
mod sensors;
mod servo;
mod set;
mod swarm;
mod texture;
mod tree;
mod undercarriage;
mod variables;
mod vehicle;
mod vehicle_keys;
mod walls;
mod woods;

pub use builtin::{builtin_files, builtin_presets, builtin_scenes};
pub use bundle::{Bundle, BundledFiles, Root};
pub use error::SceneError;
pub use files::{MAX_FILE_BYTES, MAX_INCLUDE_DEPTH, MAX_MESH_BYTES, MAX_VALUES, Source};
pub use grouped::grouped;
pub use home::{NOT_REGULAR, create_file, open_regular};
pub use keys::{DeclaredKey, KeyTable, key_tables};
pub use ledger::{Ledger, LedgerRow, Origin};
pub use map_parts::{MapParts, MapStyle, map_parts};
pub use robot::MAX_ROBOTS;
pub use rolima_map;

use crate::files::{Files, GIVEN_MAP, ParsedFile};
use crate::ground::Footing;
use crate::home::Store;
use crate::locate::Places;
use crate::log::Log;
use crate::map::DEFAULT_PRESET;
use crate::scene::Assembler;
use crate::set::MapRobotSets;
use rolima_map::Map;
use rolima_model::{Model, ModelError, SceneSpec};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// A scene that was read.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What the scene says.
    pub spec: SceneSpec,
    /// Where every parameter came from.
    pub ledger: Ledger,
    /// The map that all of it comes from: a `[[map]]` that stands at the origin, and nothing else.
    pub map: Option<Map>,
    /// What is worth knowing about the pictures of its maps, such as ink that was left out. One line
    /// each, which begins with the file.
    pub notes: Vec<String>,
    /// All that it was read from, by content.
    pub bundle: Bundle,
    places: Places,
    file: Origin,
}

impl Scene {
    /// The model's error with the file and line that caused it.
    pub fn locate(&self, error: &ModelError) -> SceneError {
        self.places.locate(&self.ledger, &self.file, error)
    }

    /// Compiles the scene; an error names file and line.
    pub fn compile(&self) -> Result<Model, SceneError> {
        Model::compile(&self.spec).map_err(|error| self.locate(&error))
    }
}

/// Reads and compiles a built-in scene, with what is set in it.
pub fn builtin_model(name: &str, sets: &[String]) -> Result<Arc<Model>, SceneError> {
    let source = Source::resolve(&format!("built-in:{name}"))?;
    Ok(Arc::new(load(&source, sets)?.compile()?))
}

/// Reads a scene. `sets` are `KEY=VALUE` arguments that change it; later ones win.
pub fn load(source: &Source, sets: &[String]) -> Result<Scene, SceneError> {
    let (files, root) = Files::open(source, Store::default())?;
    let name = root.name.to_string();
    let root_kind = match source {
        Source::File(_) | Source::BuiltIn(_) => Root::File(name),
        Source::Text { .. } => Root::Text(name),
    };
    assemble(files, &root, sets, root_kind)
}

/// Gravity of the Robot One thesis, m/s2 (equations 3.24 to 3.29).
const THESIS_GRAVITY: f64 = 9.81365;

/// What the scene of a map alone is called.
const MAP_SCENE: &str = "map";

/// A scene of a map alone, such as one that a client sends. `sets` change it as those of [`load`]
/// do; its variable `robot` is what the map's robots are, `driver` who drives
/// them while no client does.
pub fn load_map(map: &Map, sets: &[String]) -> Result<Scene, SceneError> {
    load_map_in(map, None, sets)
}

/// The same for a map that stands in a folder, where its meshes are looked for. Without a folder
/// they are left out.
pub fn load_map_in(map: &Map, folder: Option<&Path>, sets: &[String]) -> Result<Scene, SceneError> {
    let text = format!(
        "title = \"Map\"\n[variables]\nrobot = {DEFAULT_PRESET:?}\ndriver = \"none\"\n\
         [sim]\ngravity = {THESIS_GRAVITY:?}\n\
         [[map]]\nfile = {GIVEN_MAP:?}\n\
         robot = {{ preset = \"$robot\", driver = {{ kind = \"$driver\" }} }}\n"
    );
    let source = Source::Text { name: MAP_SCENE.to_owned(), text };
    let opened = Files::open(&source, Store::default())?;
    assemble_map(opened, map, folder, sets)
}

/// Reads the scene of a map from its files.
fn assemble_map(
    (mut files, root): (Files, ParsedFile),
    map: &Map,
    folder: Option<&Path>,
    sets: &[String],
) -> Result<Scene, SceneError> {
    files.give_map(Rc::new(map.clone()), folder);
    let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
    assemble(files, &root, sets, Root::Map { folder })
}

fn assemble(
    files: Files,
    root: &ParsedFile,
    sets: &[String],
    root_kind: Root,
) -> Result<Scene, SceneError> {
    let mut tree = (*root.tree).clone();
    let mut log = Log::default();
    let mut robot_sets = MapRobotSets::default();
    for argument in sets {
        set::apply(&mut tree, &mut robot_sets, argument).unwrap_or_else(|error| log.error(error));
    }
    let good = variables::substitute(&mut log, &mut tree, None, "");
    let (spec, places) = (SceneSpec::default(), Places::default());
    let footing = Footing::default();
    let (maps, drawn_shapes) = (vec![], vec![]);
    let mut assembler =
        Assembler { files, log, spec, places, maps, robot_sets, footing, drawn_shapes };
    if good {
        assembler.scene(&tree, &root.name);
    }
    let Assembler { files, log, spec, places, maps, .. } = assembler;
    let map = map::sole_map(&spec, &maps);
    let Files { notes, store, .. } = files;
    let bundle =
        Bundle { root: root_kind, sets: sets.to_vec(), title: None, files: store.into_read() };
    Ok(Scene { spec, ledger: log.finish()?, map, notes, bundle, places, file: tree.origin })
}

/// Reads, compiles and locates whatever the bytes are: the entry of a fuzz target.
///
/// The first line is taken as a `--set` argument, the rest as a scene in memory.
pub fn fuzz_entry(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (argument, scene) = text.split_once('\n').unwrap_or(("", &text));
    let source = Source::Text { name: "fuzz".to_owned(), text: scene.to_owned() };
    for sets in [vec![], vec![argument.to_owned()]] {
        match load(&source, &sets) {
            Ok(scene) => drop(scene.compile().map_err(|error| error.to_string())),
            Err(error) => drop(error.to_string()),
        }
    }
}
