//! All files of a scene by their names and contents: what a log keeps of a run, so that the scene can
//! be read again on another machine, or by a later program with other built-in files.

use crate::error::SceneError;
use crate::files::{Files, GIVEN_MAP};
use crate::home::{Home, Store};
use crate::{MAP_SCENE, Scene, assemble, assemble_map};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Files by name. Names are as in messages: a path, or `built-in:` and a path.
pub type BundledFiles = BTreeMap<Arc<str>, Arc<[u8]>>;

/// Which file of a bundle is the scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The one of this name, from disk or built in.
    File(String),
    /// The text of this name, which was in memory: only built-in files are beside it.
    Text(String),
    /// The scene of a map, which is in the bundle as `given-map`.
    Map {
        /// Where the map came from: its meshes stand there.
        folder: Option<String>,
    },
}

/// All that a scene was read from, by content.
///
/// ```
/// use rolima_scene::{Source, load};
/// let scene = load(&Source::resolve("soccer")?, &["driver=random".to_owned()])?;
/// let again = scene.bundle.load()?;
/// assert_eq!(again.compile()?.fingerprint, scene.compile()?.fingerprint);
/// # Ok::<(), rolima_scene::SceneError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// Which file is the scene.
    pub root: Root,
    /// What was changed in it (`--set`).
    pub sets: Vec<String>,
    /// Its title where that is not the file's own: a map that somebody sent is called as it came.
    pub title: Option<String>,
    /// The files.
    pub files: BundledFiles,
}

impl Bundle {
    /// Reads the scene again from these files alone: neither the disk nor the files of this program are
    /// looked at.
    pub fn load(&self) -> Result<Scene, SceneError> {
        let mut store = Store::of_bundle(self.files.clone());
        let mut scene = match &self.root {
            Root::File(name) | Root::Text(name) => {
                let home = match self.root {
                    Root::Text(_) => Home::Memory,
                    _ => Home::of_name(name),
                };
                let (files, root) = Files::open_root(name.as_str().into(), home, store)?;
                assemble(files, &root, &self.sets, self.root.clone())?
            }
            Root::Map { folder } => {
                let text = store.text(&GIVEN_MAP.into(), &Home::Memory)?;
                let map = rolima_map::parse(GIVEN_MAP, &text)?;
                let opened = Files::open_root(MAP_SCENE.into(), Home::Memory, store)?;
                let mut scene =
                    assemble_map(opened, &map, folder.as_deref().map(Path::new), &self.sets)?;
                scene.bundle.set_map_text(&text);
                scene
            }
        };
        if let Some(title) = &self.title {
            scene.set_title(title);
        }
        Ok(scene)
    }

    /// The text of the map that the scene is made of, if it is one of a map alone.
    pub fn map_text(&self) -> Option<&str> {
        match self.root {
            Root::Map { .. } => str::from_utf8(self.files.get(GIVEN_MAP)?).ok(),
            Root::File(_) | Root::Text(_) => None,
        }
    }

    /// Puts the text that a map was written as, comments included, in the place of the one that was made
    /// of it. It must say the same.
    pub fn set_map_text(&mut self, text: &str) {
        if matches!(self.root, Root::Map { .. }) {
            self.files.insert(GIVEN_MAP.into(), text.as_bytes().into());
        }
    }

    /// Bytes of all files.
    pub fn size_bytes(&self) -> u64 {
        self.files.values().map(|bytes| bytes.len() as u64).sum()
    }
}

impl Scene {
    /// Calls the scene otherwise than its file does; so does its bundle.
    pub fn set_title(&mut self, title: &str) {
        self.spec.title = title.to_owned();
        self.bundle.title = Some(title.to_owned());
    }
}
