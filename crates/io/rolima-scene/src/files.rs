//! Where scene files come from: disk, the program itself, or memory; and how they include others.

use crate::builtin;
use crate::drawn::at_line;
use crate::error::{SceneError, suggestion};
use crate::geometry::{geometry_of, is_below};
use crate::home::{Home, Store, builtin_name, disk_home, folder_of, too_large};
use crate::ledger::Origin;
use crate::log::Log;
use crate::reader::quoted;
use crate::tree::{self, Node};
use rolima_map::{MAX_PICTURE_BYTES, Map, MapError, Recognised, Size};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

/// Largest scene file, bytes.
pub const MAX_FILE_BYTES: u64 = 4 << 20;
/// Largest terrain file, bytes: room for the largest terrain as text.
pub(crate) const MAX_TERRAIN_BYTES: u64 = 64 << 20;
/// How deep files may include files.
pub const MAX_INCLUDE_DEPTH: usize = 16;
/// Most values of all files of a scene, counted as often as they are included.
pub const MAX_VALUES: usize = 1_000_000;

/// Most bytes of the meshes of all maps of a scene, counted as often as they are placed: they are
/// read, checked and hashed as often.
pub const MAX_MESH_BYTES: usize = 64 << 20;

/// What to load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file on disk.
    File(PathBuf),
    /// A built-in file by its path, such as `soccer.toml`.
    BuiltIn(String),
    /// Text in memory. It may include built-in files only.
    Text {
        /// Name for messages.
        name: String,
        /// The scene.
        text: String,
    },
}

impl Source {
    /// What a user's argument means: an existing file, else a built-in scene (with or without
    /// `scenes/` and `.toml`), else a built-in robot, which becomes a scene with it alone.
    pub fn resolve(argument: &str) -> Result<Self, SceneError> {
        let path = Path::new(argument);
        if path.exists() && !path.is_dir() {
            return Ok(Self::File(argument.into()));
        }
        let stem = argument.strip_prefix("built-in:").unwrap_or(argument);
        let stem = stem.strip_prefix("scenes/").unwrap_or(stem);
        let stem = stem.strip_suffix(".toml").unwrap_or(stem);
        let presets = builtin::builtin_presets();
        if builtin::text(&format!("{stem}.toml")).is_some() {
            match stem.strip_prefix(builtin::PRESETS) {
                Some(preset) => Ok(Self::preset(preset)),
                None => Ok(Self::BuiltIn(format!("{stem}.toml"))),
            }
        } else if presets.iter().any(|preset| preset == stem) {
            Ok(Self::preset(stem))
        } else if path.is_dir() {
            let message = "is a directory, not a scene file".to_owned();
            Err(SceneError::Io { file: argument.to_owned(), message })
        } else {
            let scenes = builtin::builtin_scenes();
            let all = || scenes.iter().chain(&presets).map(String::as_str);
            let known = format!("{}; robots: {}", scenes.join(", "), presets.join(", "));
            let known = format!("{known}{}", suggestion(stem, all()));
            Err(SceneError::NotFound { argument: argument.to_owned(), known })
        }
    }

    /// A scene with one robot of a preset.
    pub fn preset(name: &str) -> Self {
        let text = format!("title = {name:?}\n[[robot]]\npreset = {name:?}\n");
        Self::Text { name: format!("preset:{name}"), text }
    }
}

/// The files that include one another on the way to the present one.
#[derive(Clone, Copy)]
pub(crate) struct Chain<'a> {
    file: &'a str,
    parent: Option<&'a Chain<'a>>,
}

impl<'a> Chain<'a> {
    pub(crate) fn root(file: &'a str) -> Self {
        Self { file, parent: None }
    }

    pub(crate) fn with(&'a self, file: &'a str) -> Self {
        Self { file, parent: Some(self) }
    }

    /// From the scene file to the present one.
    fn names(&self) -> Vec<&'a str> {
        let mut names = self.parent.map(Chain::names).unwrap_or_default();
        names.push(self.file);
        names
    }
}

/// What a key asks to include.
pub(crate) struct Wanted<'a> {
    /// A path, or the name of a preset.
    pub(crate) name: &'a str,
    pub(crate) is_preset: bool,
    /// Where it is asked for.
    pub(crate) origin: &'a Origin,
    pub(crate) key: &'a str,
}

impl Wanted<'_> {
    fn path(&self) -> String {
        if self.is_preset {
            format!("{}{}.toml", builtin::PRESETS, self.name)
        } else {
            self.name.to_owned()
        }
    }

    /// What was expected and what was got if there is no such file.
    fn missing(&self) -> (String, String) {
        let (known, expected) = if self.is_preset {
            let presets = builtin::builtin_presets();
            let expected = format!("one of {}", quoted(presets.iter().map(String::as_str)));
            (presets, expected)
        } else {
            let expected = "a file beside the including one, or a built-in one".to_owned();
            (builtin::builtin_files(), expected)
        };
        let near = suggestion(self.name, known.iter().map(String::as_str));
        (expected, format!("{:?}{near}", self.name))
    }
}

/// A parsed file.
#[derive(Clone)]
pub(crate) struct ParsedFile {
    pub(crate) name: Arc<str>,
    pub(crate) tree: Rc<Node>,
    size: usize,
}

/// All files of a scene, each parsed once.
pub(crate) struct Files {
    /// Where they are read from.
    pub(crate) store: Store,
    loaded: BTreeMap<Arc<str>, (ParsedFile, Home)>,
    root: Home,
    values_left: usize,
    /// Whether an include was refused because no values were left.
    exhausted: bool,
    /// The map that a scene in memory calls [`GIVEN_MAP`].
    given_map: Option<Rc<Map>>,
    /// Where that map came from: its meshes stand there.
    map_folder: Option<PathBuf>,
    /// Bytes that meshes may still have; none once it was told that they are too many.
    mesh_bytes_left: Option<usize>,
    /// What is kept of each mesh that was read, however often it is placed.
    meshes: BTreeMap<Arc<str>, Arc<str>>,
    /// What is worth knowing about the maps, each with its file.
    pub(crate) notes: Vec<String>,
}

/// Which meshes a map may name.
pub(crate) const MESHES_BESIDE: &str = "meshes in files beside the map or in folders below it";

/// What a scene in memory calls the map that it was made for.
pub(crate) const GIVEN_MAP: &str = "given-map";

impl Files {
    /// Loads the scene file itself.
    pub(crate) fn open(
        source: &Source,
        mut store: Store,
    ) -> Result<(Self, ParsedFile), SceneError> {
        let (name, home): (Arc<str>, Home) = match source {
            Source::File(path) => disk_home(path),
            Source::BuiltIn(path) if builtin::text(path).is_some() => {
                (builtin_name(path), Home::BuiltIn(folder_of(path)))
            }
            Source::BuiltIn(path) => {
                let known = builtin::builtin_scenes().join(", ");
                return Err(SceneError::NotFound { argument: path.clone(), known });
            }
            Source::Text { name, text } => {
                store.note(name, text);
                (name.as_str().into(), Home::Memory)
            }
        };
        Self::open_root(name, home, store)
    }

    /// Loads the scene file of this name and home.
    pub(crate) fn open_root(
        name: Arc<str>,
        home: Home,
        mut store: Store,
    ) -> Result<(Self, ParsedFile), SceneError> {
        let text = store.text(&name, &home)?;
        let mut files = Self {
            store,
            loaded: BTreeMap::new(),
            root: home.clone(),
            values_left: MAX_VALUES,
            exhausted: false,
            given_map: None,
            map_folder: None,
            mesh_bytes_left: Some(MAX_MESH_BYTES),
            meshes: BTreeMap::new(),
            notes: vec![],
        };
        let loaded = files.parse(name, home, &text)?;
        files.values_left = files.values_left.saturating_sub(loaded.size);
        Ok((files, loaded))
    }

    fn parse(&mut self, name: Arc<str>, home: Home, text: &str) -> Result<ParsedFile, SceneError> {
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(too_large(&name, MAX_FILE_BYTES));
        }
        let tree = Rc::new(tree::parse(&name, text)?);
        let loaded = ParsedFile { name: name.clone(), size: tree.size(), tree };
        self.loaded.insert(name, (loaded.clone(), home));
        Ok(loaded)
    }

    /// The file that the value at `origin` includes as `wanted`. Tells the log if there is none,
    /// if it cannot be read, or if including it would never end.
    pub(crate) fn include(
        &mut self,
        log: &mut Log,
        wanted: &Wanted<'_>,
        chain: &Chain<'_>,
    ) -> Option<ParsedFile> {
        if self.exhausted {
            return None; // told already
        }
        let Wanted { origin, key, .. } = *wanted;
        let Some((name, home)) = self.find(&wanted.path(), origin) else {
            let (expected, got) = wanted.missing();
            log.wrong(origin, key, expected, got);
            return None;
        };
        let mut names = chain.names();
        let repeats = names.contains(&&*name);
        names.push(&name);
        if repeats || names.len() > MAX_INCLUDE_DEPTH {
            let expected = if repeats {
                "files that do not include themselves".to_owned()
            } else {
                format!("includes at most {MAX_INCLUDE_DEPTH} deep")
            };
            log.wrong(origin, key, expected, names.join(" -> "));
            return None;
        }
        let loaded = match self.loaded.get(&name) {
            Some((loaded, _)) => Ok(loaded.clone()),
            None => {
                let text = self.store.text(&name, &home);
                text.and_then(|text| self.parse(name, home, &text))
            }
        };
        let loaded = loaded.map_err(|error| log.error(error)).ok()?;
        if loaded.size > self.values_left {
            self.exhausted = true;
            let expected = format!("at most {MAX_VALUES} values in all included files");
            log.wrong(origin, key, expected, "more");
            return None;
        }
        self.values_left -= loaded.size;
        Some(loaded)
    }

    /// Lets a scene in memory have `map` by the name [`GIVEN_MAP`].
    pub(crate) fn give_map(&mut self, map: Rc<Map>, folder: Option<&Path>) {
        self.store.note(GIVEN_MAP, &map.to_string());
        self.given_map = Some(map);
        self.map_folder = folder.map(Path::to_owned);
    }

    /// The map that the value at `origin` names. Tells the log if there is none or if it is bad.
    pub(crate) fn map(
        &mut self,
        log: &mut Log,
        wanted: &Wanted<'_>,
        size: Option<Size>,
    ) -> Option<Rc<Map>> {
        let Wanted { origin, key, .. } = *wanted;
        let given = self.given_map.clone().filter(|_| wanted.name == GIVEN_MAP);
        let map = match (given, self.find(wanted.name, origin)) {
            (Some(map), _) => map,
            (None, Some((name, home))) => {
                let bytes = self.store.bytes(&name, &home, MAX_PICTURE_BYTES as u64);
                let wrong = |error| match error {
                    // It need not be a map at all, and is no file of whoever gets the error.
                    MapError::Text { .. } => SceneError::from(error).withheld(),
                    error => error.into(),
                };
                let read =
                    bytes.and_then(|bytes| rolima_map::read(&name, &bytes, size).map_err(wrong));
                let found = read.map_err(|error| log.error(error)).ok()?;
                self.take_notes(&name, &found);
                Rc::new(found.map)
            }
            (None, None) => {
                let (expected, got) = wanted.missing();
                log.wrong(origin, key, expected, got);
                return None;
            }
        };
        if map.elements.len() > self.values_left {
            let expected = format!("at most {MAX_VALUES} values in all included files");
            log.wrong(origin, key, expected, "more");
            return None;
        }
        self.values_left -= map.elements.len();
        Some(map)
    }

    /// Keeps what is worth knowing about a map, once for each file.
    fn take_notes(&mut self, name: &str, found: &Recognised) {
        let proposal = found.proposal().map(|proposal| format!("{proposal}; size gives another"));
        for note in proposal.iter().chain(&found.notes) {
            let note = format!("{name}: {note}");
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
    }

    /// The text of the OBJ file that a map names, which stands beside the map. A map that came
    /// without a folder has none: its meshes are left out. `map` is the map's own name.
    pub(crate) fn mesh(
        &mut self,
        log: &mut Log,
        wanted: &Wanted<'_>,
        map: &str,
    ) -> Option<Arc<str>> {
        let homeless = map == GIVEN_MAP;
        let left = self.mesh_bytes_left?;
        let found = match (homeless, &self.map_folder) {
            (true, None) => return None,
            (true, Some(folder)) => self.store.on_disk(&folder.join(wanted.name)),
            (false, _) => self.find(wanted.name, wanted.origin),
        };
        let Some((name, home)) = found else {
            let (expected, got) = wanted.missing();
            log.wrong(wanted.origin, wanted.key, expected, got);
            return None;
        };
        let folder = match homeless {
            true => self.map_folder.clone(),
            false => self.folder_of_map(map, wanted.origin),
        };
        if let (Home::Disk(file), Some(folder), false) = (&home, folder, self.store.is_bundle())
            && !is_below(file, &folder)
        {
            let got = format!("{:?}, a link out of them", wanted.name);
            log.wrong(wanted.origin, wanted.key, MESHES_BESIDE, got);
            return None;
        }
        let text = self.store.text(&name, &home).map_err(|error| log.error(error)).ok()?;
        self.mesh_bytes_left = left.checked_sub(text.len());
        if self.mesh_bytes_left.is_none() {
            let most = MAX_MESH_BYTES >> 20;
            let expected =
                format!("meshes of at most {most} MiB in all, counted as often as they are placed");
            log.wrong(wanted.origin, wanted.key, expected, "more");
            return None;
        }
        if let Some(known) = self.meshes.get(&name) {
            return Some(Arc::clone(known));
        }
        let plain = rolima_render::Paint::plain([128; 3]);
        if let Err(error) = rolima_render::Solid::from_obj(&text, plain, |_| None) {
            log.error(at_line(&name, &error));
            return None;
        }
        let geometry: Arc<str> = geometry_of(&text).into();
        self.meshes.insert(name, Arc::clone(&geometry));
        Some(geometry)
    }

    /// The folder of a map on disk.
    fn folder_of_map(&self, map: &str, origin: &Origin) -> Option<PathBuf> {
        match self.find(map, origin)? {
            (_, Home::Disk(path)) => path.parent().map(Path::to_owned),
            _ => None,
        }
    }

    /// Name and bytes of the file that the value at `origin` names. Tells the log if there is none.
    pub(crate) fn bytes(
        &mut self,
        log: &mut Log,
        wanted: &Wanted<'_>,
    ) -> Option<(String, Arc<[u8]>)> {
        let Some((name, home)) = self.find(wanted.name, wanted.origin) else {
            let (expected, got) = wanted.missing();
            log.wrong(wanted.origin, wanted.key, expected, got);
            return None;
        };
        let bytes = self.store.bytes(&name, &home, MAX_TERRAIN_BYTES);
        let bytes = bytes.map_err(|error| log.error(error)).ok()?;
        Some((name.to_string(), bytes))
    }

    /// Name, text and home of the file that the value at `origin` names. Tells the log if there is
    /// none.
    pub(crate) fn text(
        &mut self,
        log: &mut Log,
        wanted: &Wanted<'_>,
    ) -> Option<(Arc<str>, String, Home)> {
        let Some((name, home)) = self.find(wanted.name, wanted.origin) else {
            let (expected, got) = wanted.missing();
            log.wrong(wanted.origin, wanted.key, expected, got);
            return None;
        };
        let text = self.store.text(&name, &home).map_err(|error| log.error(error)).ok()?;
        Some((name, text, home))
    }

    /// Name and home of an included file, if there is one.
    fn find(&self, wanted: &str, origin: &Origin) -> Option<(Arc<str>, Home)> {
        let including = match origin {
            Origin::File { file, .. } => self.loaded.get(file).map_or(&self.root, |(_, home)| home),
            Origin::Set(_) | Origin::Default(_) => &self.root,
        };
        self.store.find_beside(including, wanted)
    }
}
