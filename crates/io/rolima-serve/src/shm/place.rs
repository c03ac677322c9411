//! Where state blocks lie, and which of them are alive.

use super::StateError;
use super::layout::{BlockLayout, header};
use super::memory::SharedWords;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

#[cfg_attr(not(target_os = "linux"), path = "place/unsealed.rs")]
mod sealed;

/// Where a state block lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BlockPlace {
    /// In this process's memory: for viewers inside it.
    Anonymous,
    /// In a file of the [`runtime_folder`], named by process and scene.
    #[default]
    Runtime,
    /// In this file, which must not exist, unless it was left by a process that is gone.
    File(PathBuf),
}

impl BlockPlace {
    pub(crate) fn file(&self, scene: &str) -> Result<Option<PathBuf>, StateError> {
        match self {
            Self::Anonymous => Ok(None),
            Self::File(path) => Ok(Some(path.clone())),
            Self::Runtime => {
                let folder = runtime_folder()?;
                let scene: String = scene
                    .chars()
                    .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
                    .take(60)
                    .collect();
                let pid = std::process::id();
                let name = |n: u32| match n {
                    0 => format!("{pid}-{scene}.{EXTENSION}"),
                    n => format!("{pid}-{scene}-{n}.{EXTENSION}"),
                };
                // Several runs of one process.
                let free = (0..10_000).map(|n| folder.join(name(n))).find(|path| !path.exists());
                Ok(free)
            }
        }
    }
}

const EXTENSION: &str = "state";

/// The folder of this user's state blocks, made where it is missing: `$XDG_RUNTIME_DIR/rolima`,
/// `/dev/shm/rolima-UID`, or `rolima` in the temporary folder.
pub fn runtime_folder() -> Result<PathBuf, StateError> {
    let folder = choose_folder();
    make_private_folder(&folder).map_err(|error| StateError::file(&folder, error))?;
    Ok(folder)
}

#[cfg(unix)]
fn choose_folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from)
        && folder.is_absolute()
        && folder.is_dir()
    {
        return folder.join("rolima");
    }
    let name = format!("rolima-{}", rustix::process::geteuid().as_raw());
    let shared = Path::new("/dev/shm");
    if shared.is_dir() { shared.join(name) } else { std::env::temp_dir().join(name) }
}

#[cfg(not(unix))]
fn choose_folder() -> PathBuf {
    // The temporary folder is the user's own there.
    std::env::temp_dir().join("rolima")
}

#[cfg(unix)]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, MetadataExt};
    match fs::DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    // Somebody else may have made it first, in a folder that everybody can write to.
    let found = fs::symlink_metadata(folder)?;
    let is_mine = found.uid() == rustix::process::geteuid().as_raw();
    if found.is_dir() && is_mine && found.mode() & 0o022 == 0 {
        return Ok(());
    }
    let text = "not a folder that only this user can write to";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
}

#[cfg(not(unix))]
fn make_private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// The file of a block. The writer holds its lock as long as it lives, so that a file left behind
/// can be told from one in use.
pub(crate) struct StateFile {
    /// Under this name it is found.
    path: PathBuf,
    /// Until it is shown, it has this one.
    hidden: Option<PathBuf>,
    _lock: File,
}

impl StateFile {
    /// A new file that nobody finds yet, zero, with its memory really there: a full disk is an
    /// error here and not a crash later.
    pub(crate) fn create(path: &Path, words: usize) -> Result<(Self, SharedWords), StateError> {
        if path.exists() && !is_stale(path) {
            let text = "it exists; a state block needs a file of its own";
            let error = io::Error::new(io::ErrorKind::AlreadyExists, text);
            return Err(StateError::file(path, error));
        }
        Self::create_hidden(path, words)
    }

    /// The file of a larger block that takes over.
    pub(crate) fn successor(&self, words: usize) -> Result<(Self, SharedWords), StateError> {
        Self::create_hidden(&self.path, words)
    }

    /// The same where its memory is there already.
    pub(crate) fn successor_in(&self, memory: File) -> Result<Self, StateError> {
        let hidden = hidden(&self.path);
        let made = sealed::link(&memory, &hidden)
            .ok_or_else(|| io::Error::other("no link to its memory can be made"))
            .and_then(|()| lock(&memory));
        Self::made(&self.path, hidden, made.map(|()| (memory, ()))).map(|(file, ())| file)
    }

    fn create_hidden(path: &Path, words: usize) -> Result<(Self, SharedWords), StateError> {
        let hidden = hidden(path);
        let make = || {
            let bytes = words as u64 * 8;
            let sealed = sealed::memory(bytes).filter(|file| sealed::link(file, &hidden).is_some());
            let file = match sealed {
                Some(file) => file,
                None => plain(&hidden, bytes)?,
            };
            lock(&file)?;
            let map = SharedWords::map_to_write(&file, words)?;
            Ok((file, map))
        };
        let made = make();
        Self::made(path, hidden, made)
    }

    /// A file that nobody finds yet, unless making it went wrong.
    fn made<T>(
        path: &Path,
        hidden: PathBuf,
        made: io::Result<(File, T)>,
    ) -> Result<(Self, T), StateError> {
        match made {
            Ok((file, with)) => {
                Ok((Self { path: path.to_owned(), hidden: Some(hidden), _lock: file }, with))
            }
            Err(error) => {
                let _ = fs::remove_file(&hidden);
                Err(StateError::file(path, error))
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.hidden.as_deref().unwrap_or(&self.path)
    }

    /// Gives the file its name. Where a mapped file cannot be replaced (Windows), it gets a
    /// number behind, which is returned; zero otherwise.
    pub(crate) fn show(&mut self) -> Result<u64, StateError> {
        let Some(hidden) = self.hidden.take() else { return Ok(0) };
        let Err(error) = fs::rename(&hidden, &self.path) else { return Ok(0) };
        for number in 1..1000 {
            let other = suffixed(&self.path, &number.to_string());
            if !other.exists() && fs::rename(&hidden, &other).is_ok() {
                self.path = other;
                return Ok(number);
            }
        }
        let _ = fs::remove_file(&hidden);
        Err(StateError::file(&self.path, error))
    }

    pub(crate) fn remove(&mut self) {
        let _ = fs::remove_file(self.path());
    }
}

/// Memory of so many words for a block, zero, that other processes can map once it has a name; none
/// where the system has no such memory.
pub(crate) fn memory(words: usize) -> Option<(File, SharedWords)> {
    let file = sealed::memory(words as u64 * 8)?;
    let map = SharedWords::map_to_write(&file, words).ok()?;
    Some((file, map))
}

/// The name of a file until it is shown. What a process of the same number left there is removed.
fn hidden(path: &Path) -> PathBuf {
    let hidden = suffixed(path, &format!("new-{}", std::process::id()));
    let _ = fs::remove_file(&hidden);
    hidden
}

/// Locks a block's file, so that it is known to be in use.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        // Some file systems have no locks; then the process number has to do.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// An ordinary file of so many zeros. Whoever shortens it ends the process that has it mapped.
fn plain(path: &Path, bytes: u64) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    fill(&mut file, bytes)?;
    Ok(file)
}

/// Really takes the memory: a full disk is an error here and not a crash later.
fn fill(file: &mut File, bytes: u64) -> io::Result<()> {
    io::copy(&mut io::Read::take(io::repeat(0), bytes), file).map(|_| ())
}

/// A path with something behind its name.
pub(crate) fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    path.with_file_name(name)
}

/// Whether the process that wrote a block's file is gone: nobody holds its lock, or it is a link to
/// memory that went with its process.
pub(crate) fn is_stale(path: &Path) -> bool {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return error.kind() == io::ErrorKind::NotFound && path.is_symlink(),
    };
    matches!(file.try_lock_shared(), Ok(()))
}

/// A run that has a state block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningState {
    /// The block's file.
    pub path: PathBuf,
    /// The process that writes it.
    pub pid: u32,
    /// What the scene was called when the run began.
    pub scene: String,
}

/// The runs of this user that have a state block in the [`runtime_folder`], oldest first. Files
/// that dead processes have left are removed.
pub fn running_states() -> Result<Vec<RunningState>, StateError> {
    states_in(&runtime_folder()?)
}

/// Why there is no run to look at.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// There is none, or not one alone.
    #[error("{0}")]
    No(String),
    /// The folder cannot be read.
    #[error(transparent)]
    State(#[from] StateError),
}

/// The state block of a run: by file, by process, or the only one there is.
pub fn find_state(run: Option<&str>) -> Result<PathBuf, FindError> {
    if let Some(file) = run.filter(|run| Path::new(run).exists()) {
        return Ok(file.into());
    }
    let mut running = running_states()?;
    let found = match run {
        Some(run) => running.iter().position(|state| run.parse() == Ok(state.pid)),
        None => (running.len() == 1).then_some(0),
    };
    if let Some(found) = found {
        return Ok(running.swap_remove(found).path);
    }
    Err(FindError::No(match run {
        Some(run) => format!("expected a process, a file or HOST:PORT of a run, got `{run}`"),
        None if running.is_empty() => "no run to view: start one with `rolima run`".to_owned(),
        None => {
            let line = |state: &RunningState| {
                format!("\n  {}  {}  {}", state.pid, state.scene, state.path.display())
            };
            let listed: String = running.iter().map(line).collect();
            format!("{} runs to choose from by process:{listed}", running.len())
        }
    }))
}

pub(crate) fn states_in(folder: &Path) -> Result<Vec<RunningState>, StateError> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).map_err(|error| StateError::file(folder, error))?.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        // PID-SCENE.state, perhaps with a suffix.
        let Some((stem, _)) = name.split_once(&format!(".{EXTENSION}")) else { continue };
        let Some((pid, scene)) = stem.split_once('-') else { continue };
        let Ok(pid) = pid.parse() else { continue };
        if is_stale(&path) {
            let _ = fs::remove_file(&path);
            continue;
        }
        let is_block = File::open(&path)
            .and_then(|file| SharedWords::map_to_read(&file))
            .is_ok_and(|words| BlockLayout::read(&words).is_ok() && words.load(header::FLAGS) == 0);
        if is_block {
            let age = entry.metadata().and_then(|m| m.modified()).ok();
            found.push((age, RunningState { path, pid, scene: scene.to_owned() }));
        }
    }
    found.sort_by(|a, b| (a.0, &a.1.path).cmp(&(b.0, &b.1.path)));
    Ok(found.into_iter().map(|(_, state)| state).collect())
}
