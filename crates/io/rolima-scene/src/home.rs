//! Where files stand, on disk or in the program, what is beside them, and what is in them.

use crate::builtin;
use crate::error::SceneError;
use crate::files::MAX_FILE_BYTES;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
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
    /// Name and home of a file beside this one, or a built-in one.
    pub(crate) fn find_beside(&self, wanted: &str) -> Option<(Arc<str>, Home)> {
        let mut builtin_paths = vec![];
        match self {
            Home::Disk(file) => {
                let path = file.with_file_name(wanted);
                if path.is_file() {
                    return Some(disk_home(&path));
                }
            }
            Home::BuiltIn(folder) => {
                builtin_paths.extend(normal_path(&format!("{folder}{wanted}")))
            }
            Home::Memory => {}
        }
        builtin_paths.extend(normal_path(wanted));
        let path = builtin_paths.into_iter().find(|path| builtin::bytes(path).is_some())?;
        Some((builtin_name(&path), Home::BuiltIn(folder_of(&path))))
    }
}

pub(crate) fn text_of(name: &Arc<str>, home: &Home) -> Result<String, SceneError> {
    let missing = || SceneError::Io { file: name.to_string(), message: "not found".to_owned() };
    match home {
        Home::Disk(path) => read_bounded(path),
        _ => name.strip_prefix(BUILT_IN).and_then(builtin::text).ok_or_else(missing),
    }
}

pub(crate) fn bytes_of(name: &Arc<str>, home: &Home, most: u64) -> Result<Vec<u8>, SceneError> {
    let missing = || SceneError::Io { file: name.to_string(), message: "not found".to_owned() };
    match home {
        Home::Disk(path) => read_bytes(path, most),
        _ => {
            let bytes = name.strip_prefix(BUILT_IN).and_then(builtin::bytes);
            bytes.map(Cow::into_owned).ok_or_else(missing)
        }
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
    (path.to_string_lossy().into(), Home::Disk(path))
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

/// Opens a file to read. Refuses pipes and devices, which may be waited for without an end.
pub fn open_regular(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("expected a regular file, got a folder, pipe or device"));
    }
    File::open(path)
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

pub(crate) fn read_bounded(path: &Path) -> Result<String, SceneError> {
    let failed =
        |message: String| SceneError::Io { file: path.to_string_lossy().into_owned(), message };
    String::from_utf8(read_bytes(path, MAX_FILE_BYTES)?)
        .map_err(|_| failed("not a text in UTF-8".to_owned()))
}
