//! Where the page of a run is, beside its state block: for viewers in other processes of this user, who
//! see there what is not in the block, such as who drives, goals and pictures.

use super::StateError;
use super::place::{runtime_folder, suffixed};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// What the file's name ends with, behind that of the block.
const SUFFIX: &str = "page";
/// Longest address that is read.
const MOST_BYTES: u64 = 1024;

/// Tells other processes of this user where the page of a run is, as long as this lives.
pub struct PageFile {
    path: PathBuf,
    /// As that of a block: it tells a file in use from one that was left behind.
    _lock: File,
}

impl PageFile {
    /// Writes the address into a file beside the block, which only this user can read.
    pub fn create(block: &Path, address: &str) -> Result<Self, StateError> {
        let path = suffixed(block, SUFFIX);
        let hidden = suffixed(&path, &format!("new-{}", std::process::id()));
        let made = write_locked(&hidden, address).and_then(|file| {
            fs::rename(&hidden, &path)?;
            Ok(file)
        });
        match made {
            Ok(file) => Ok(Self { path, _lock: file }),
            Err(error) => {
                let _ = fs::remove_file(&hidden);
                Err(StateError::file(&path, error))
            }
        }
    }
}

impl Drop for PageFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn write_locked(path: &Path, address: &str) -> io::Result<File> {
    // Left by a process of the same number that died.
    let _ = fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(address.as_bytes())?;
    // Some file systems have no locks: then it stays until this process removes it. Some systems (Windows)
    // keep others from reading what is locked: there the block has to do.
    let _ = file.try_lock();
    Ok(file)
}

/// Where the page of the run with this block is, if it serves one. Only blocks in the [`runtime_folder`]
/// are believed: nobody but this user writes there.
pub fn page_of(block: &Path) -> Option<String> {
    let folder = runtime_folder().ok()?.canonicalize().ok()?;
    // Not the block itself, which may be a link to memory.
    if block.parent()?.canonicalize().ok()? != folder {
        return None;
    }
    let mut address = String::new();
    let file = File::open(suffixed(block, SUFFIX)).ok()?;
    file.take(MOST_BYTES).read_to_string(&mut address).ok()?;
    Some(address)
}

#[cfg(test)]
mod tests {
    use super::super::place::states_in;
    use super::*;

    #[test]
    fn a_page_is_told_as_long_as_its_run_lives_and_is_no_run_of_its_own() {
        let folder = rolima_testing::Folder::new("page");
        let told = PageFile::create(&folder.join("1-soccer.state"), "http://127.0.0.1:1/").unwrap();
        let alive = folder.join("1-soccer.state.page");
        let left = folder.join("2-soccer.state.page");
        fs::write(&left, "http://127.0.0.1:2/").unwrap();
        assert_eq!(states_in(&folder).unwrap(), []);
        assert_eq!(fs::read_to_string(&alive).unwrap(), "http://127.0.0.1:1/");
        assert!(!left.exists(), "its process is gone");
        // Outside of this user's own folder nothing is believed.
        assert_eq!(page_of(&folder.join("1-soccer.state")), None);
        drop(told);
        assert!(!alive.exists());
    }
}
