//! Where files stand, on disk, in the program or in a bundle, what is beside them, and what is in them.

use crate::builtin;
use crate::bundle::BundledFiles;
use crate::error::SceneError;
use crate::files::MAX_FILE_BYTES;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

/// Where the includes of a file are looked for.
#[derive(Clone, Debug)]
pub(crate) enum Home {
    /// Beside the file at this path.
    Disk(PathBuf),
    /// In this folder of the built-in scenes.
    BuiltIn(String),
    Memory,
}

impl Home {
    /// The home of a file by its name in a bundle.
    pub(crate) fn of_name(name: &str) -> Self {
        match name.strip_prefix(BUILT_IN) {
            Some(path) => Self::BuiltIn(folder_of(path)),
            None => Self::Disk(name.into()),
        }
    }
}

/// The files of a scene: those of the disk and of the program, or those of a bundle and no others;
/// and what was read of them so far.
#[derive(Default)]
pub(crate) struct Store {
    bundle: Option<BundledFiles>,
    read: BundledFiles,
}

impl Store {
    /// The files of a bundle alone.
    pub(crate) fn of_bundle(files: BundledFiles) -> Self {
        Self { bundle: Some(files), read: BundledFiles::new() }
    }

    /// Whether there are only files of a bundle, and none on disk.
    pub(crate) fn is_bundle(&self) -> bool {
        self.bundle.is_some()
    }

    /// Notes a file that is neither on disk nor in the program.
    pub(crate) fn note(&mut self, name: &str, text: &str) {
        self.read.insert(name.into(), text.as_bytes().into());
    }

    /// All that was read, by name.
    pub(crate) fn into_read(self) -> BundledFiles {
        self.read
    }

    /// Name and home of the file at a path on disk, if there is one.
    pub(crate) fn on_disk(&self, path: &Path) -> Option<(Arc<str>, Home)> {
        let found = disk_home(path);
        let is_there = match &self.bundle {
            Some(files) => files.contains_key(&found.0),
            None => path.is_file(),
        };
        is_there.then_some(found)
    }

    /// Name and home of a file beside this one, or a built-in one.
    pub(crate) fn find_beside(&self, home: &Home, wanted: &str) -> Option<(Arc<str>, Home)> {
        let mut builtin_paths = vec![];
        match home {
            Home::Disk(file) => {
                if let Some(found) = self.on_disk(&file.with_file_name(wanted)) {
                    return Some(found);
                }
            }
            Home::BuiltIn(folder) => {
                builtin_paths.extend(normal_path(&format!("{folder}{wanted}")))
            }
            Home::Memory => {}
        }
        builtin_paths.extend(normal_path(wanted));
        let is_there = |path: &String| match &self.bundle {
            Some(files) => files.contains_key(&builtin_name(path)),
            None => builtin::bytes(path).is_some(),
        };
        let path = builtin_paths.into_iter().find(is_there)?;
        Some((builtin_name(&path), Home::BuiltIn(folder_of(&path))))
    }

    /// What is in a file, but never more than the limit. It is read once, so that all of the scene sees
    /// the same of a file that changes meanwhile.
    pub(crate) fn bytes(
        &mut self,
        name: &Arc<str>,
        home: &Home,
        most: u64,
    ) -> Result<Arc<[u8]>, SceneError> {
        let missing = || SceneError::Io { file: name.to_string(), message: "not found".to_owned() };
        let known = self.read.get(name).cloned();
        let bytes: Arc<[u8]> = match (known, &self.bundle, home) {
            (Some(bytes), _, _) => bytes,
            (None, Some(files), _) => files.get(name).cloned().ok_or_else(missing)?,
            (None, None, Home::Disk(path)) => read_bytes(path, most)?.into(),
            (None, None, Home::BuiltIn(_) | Home::Memory) => {
                let bytes = name.strip_prefix(BUILT_IN).and_then(builtin::bytes);
                (*bytes.ok_or_else(missing)?).into()
            }
        };
        if bytes.len() as u64 > most {
            return Err(too_large(name, most));
        }
        self.read.insert(name.clone(), bytes.clone());
        Ok(bytes)
    }

    /// The same of a file that must be text.
    pub(crate) fn text(&mut self, name: &Arc<str>, home: &Home) -> Result<String, SceneError> {
        let bytes = self.bytes(name, home, MAX_FILE_BYTES)?;
        let no_text = || "not a text in UTF-8".to_owned();
        str::from_utf8(&bytes)
            .map(str::to_owned)
            .map_err(|_| SceneError::Io { file: name.to_string(), message: no_text() })
    }
}

/// What the names of built-in files begin with in messages.
const BUILT_IN: &str = "built-in:";

pub(crate) fn builtin_name(path: &str) -> Arc<str> {
    format!("{BUILT_IN}{path}").into()
}

/// Name of a file on disk, and where its includes are looked for.
pub(crate) fn disk_home(path: &Path) -> (Arc<str>, Home) {
    // `a/./b` is `a/b`: the same file must have the same name for a cycle to be seen.
    let path: PathBuf = path.components().collect();
    let name = path.to_string_lossy();
    // Bundles are read on other systems, too, and all of them take this separator.
    let name = if MAIN_SEPARATOR == '/' { name } else { name.replace(MAIN_SEPARATOR, "/").into() };
    (name.into(), Home::Disk(path))
}

/// `fields/` of `fields/mirosot.toml`.
pub(crate) fn folder_of(path: &str) -> String {
    path.rfind('/').map_or(String::new(), |slash| path[..=slash].to_owned())
}

/// The path without `.` and `..`; none if it leaves the scenes.
fn normal_path(path: &str) -> Option<String> {
    let mut parts = vec![];
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

pub(crate) fn too_large(name: &str, most: u64) -> SceneError {
    let message = format!("larger than {} MiB", most >> 20);
    SceneError::Io { file: name.to_owned(), message }
}

/// What [`open_regular`] refuses, as [`io::ErrorKind::InvalidInput`].
pub const NOT_REGULAR: &str = "a folder, pipe or device";

/// Opens a file to read. Refuses pipes and devices, which may be waited for without an end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        let why = format!("expected a regular file, got {NOT_REGULAR}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    File::open(path)
}

/// Opens a file to write. One with something in it is refused as [`io::ErrorKind::AlreadyExists`] unless it
/// may be lost (`forced`). What is no regular file, such as a pipe, loses nothing.
pub fn create_file(path: &Path, forced: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    match options.write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let found = path.metadata()?;
            if found.is_file() && found.len() > 0 && !forced {
                return Err(error);
            }
            options.create_new(false).truncate(true).open(path)
        }
        opened => opened,
    }
}

/// Reads a file, but never more than the limit.
fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>, SceneError> {
    let name = path.to_string_lossy();
    let failed = |message: String| SceneError::Io { file: name.to_string(), message };
    let file = open_regular(path).map_err(|error| failed(error.to_string()))?;
    let mut bytes = vec![];
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| failed(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(too_large(&name, most));
    }
    Ok(bytes)
}
