//! The folder that a page's recordings are in.

use crate::error::{RecordError, short};
use crate::history::RecordedHistory;
use crate::options::Options;
use crate::recorder::{FileRecorder, RecordAlarm};
use crate::recording::Recording;
use rolima_run::live::log::Header;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// How recordings' names end.
const ENDING: &str = ".mcap";
/// Longest name, bytes.
const MOST_NAME_BYTES: usize = 200;
/// Most recordings that are listed.
const MOST_LISTED: usize = 1000;
/// Most recordings of one scene.
const MOST_OF_A_SCENE: u32 = 1_000_000;

/// A folder of recordings, by their names. It is made when the first one is.
#[derive(Clone, Debug)]
pub struct RecordingsFolder {
    folder: PathBuf,
}

/// A recording in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderEntry {
    /// Its name, without the folder.
    pub name: String,
    /// Bytes of the file.
    pub bytes: u64,
}

impl RecordingsFolder {
    /// This folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// What is in it, the newest first; nothing where there is no such folder.
    pub fn list(&self) -> io::Result<Vec<FolderEntry>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(vec![]),
            Err(error) => return Err(error),
        };
        let mut found: Vec<(SystemTime, FolderEntry)> = vec![];
        for entry in entries {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let Ok(about) = entry.metadata() else { continue };
            if is_name(&name) && about.is_file() {
                let when = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                found.push((when, FolderEntry { name, bytes: about.len() }));
            }
        }
        found.sort_by(|(one, a), (other, b)| other.cmp(one).then_with(|| b.name.cmp(&a.name)));
        found.truncate(MOST_LISTED);
        Ok(found.into_iter().map(|(_, entry)| entry).collect())
    }

    /// Where the file of this name is, or would be.
    pub fn path_of(&self, name: &str) -> Result<PathBuf, RecordError> {
        if is_name(name) {
            return Ok(self.folder.join(name));
        }
        Err(RecordError::Not {
            file: short(name),
            expected: format!("a name such as soccer-1{ENDING}, without folders"),
            got: "another one".to_owned(),
        })
    }

    /// Bytes of the file of this name.
    pub fn bytes_of(&self, name: &str) -> Option<u64> {
        Some(std::fs::metadata(self.path_of(name).ok()?).ok()?.len())
    }

    /// Opens a recording, to be gone over.
    pub fn open(&self, name: &str) -> Result<Arc<RecordedHistory>, RecordError> {
        Ok(RecordedHistory::new(Recording::open(&self.path_of(name)?)?))
    }

    /// Begins a recording by the first free name of its scene. Returns the name, too.
    pub fn create(
        &self,
        header: &Header,
        options: &Options,
        alarm: RecordAlarm,
    ) -> Result<(String, FileRecorder), RecordError> {
        let failed =
            |file: &Path, source| RecordError::File { file: file.display().to_string(), source };
        std::fs::create_dir_all(&self.folder).map_err(|why| failed(&self.folder, why))?;
        for number in 1..MOST_OF_A_SCENE {
            let name = format!("{}-{number}{ENDING}", plain(&header.scene));
            let path = self.folder.join(&name);
            match create_new(&path) {
                Ok(output) => {
                    let file = path.display().to_string();
                    let recorder =
                        FileRecorder::new(&file, output, header, options.clone(), alarm)?;
                    return Ok((name, recorder));
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed(&path, error)),
            }
        }
        let source = io::Error::other("there are too many recordings of this scene");
        Err(failed(&self.folder, source))
    }

    /// A new file of this name, to be written; [`RecordingsFolder::keep`] says whether it may stay.
    pub fn receive(&self, name: &str) -> Result<File, RecordError> {
        let path = self.path_of(name)?;
        let failed = |source| RecordError::File { file: path.display().to_string(), source };
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        create_new(&path).map_err(failed)
    }

    /// Whether what was received is a recording; else it is removed.
    pub fn keep(&self, name: &str) -> Result<(), RecordError> {
        let path = self.path_of(name)?;
        let opened = Recording::open(&path).map(drop);
        if opened.is_err() {
            let _ = std::fs::remove_file(&path);
        }
        opened
    }

    /// Removes what was not received whole.
    pub fn discard(&self, name: &str) {
        if let Ok(path) = self.path_of(name) {
            let _ = std::fs::remove_file(path);
        }
    }
}

fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

/// Whether this is a recording's name and nothing else.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':');
    name.len() <= MOST_NAME_BYTES
        && name.len() > ENDING.len()
        && name.ends_with(ENDING)
        && !name.starts_with('.')
        && name.chars().all(is_plain)
}

/// A scene's name as a part of a file's name.
fn plain(scene: &str) -> String {
    let name = Path::new(scene).file_stem().map_or(scene.into(), |stem| stem.to_string_lossy());
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    let name: String = name.chars().map(letter).take(60).collect();
    let name = name.trim_matches('-').to_owned();
    if name.is_empty() { "run".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_and_no_ways_out_of_the_folder() {
        for name in ["soccer-1.mcap", "a b.mcap", "Zürich.mcap"] {
            assert!(is_name(name), "{name}");
        }
        let long = format!("{}.mcap", "a".repeat(300));
        for name in
            ["", ".mcap", "../a.mcap", "/etc/a.mcap", "a\\b.mcap", "c:a.mcap", "a.txt", &long]
        {
            assert!(!is_name(name), "{name}");
            assert!(RecordingsFolder::new("nowhere").path_of(name).is_err());
        }
        assert_eq!(plain("scenes/my maze.png"), "my-maze");
        assert_eq!(plain("..."), "run");
    }
}
