//! Memory files that keep their length (Linux).
//!
//! A process that writes to a mapped file beyond the file's end is killed, so an ordinary file lets
//! anybody who may write to it end the simulation by shortening it. A memory file has no name but
//! that of the process's descriptor, and seals that refuse to change its length to everybody. Under
//! the block's name stands a link to it: readers open, map and lock it as they would a file.

use rustix::fs::{MemfdFlags, Mode, SealFlags, fchmod, fcntl_add_seals, memfd_create};
use std::fs::{self, File};
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::path::Path;

/// A memory file of so many zeros; none where the system has no such files.
pub(super) fn memory(bytes: u64) -> Option<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let mut file = File::from(memfd_create("rolima-state", flags).ok()?);
    fchmod(&file, Mode::RUSR | Mode::WUSR).ok()?;
    super::fill(&mut file, bytes).ok()?;
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL).ok()?;
    Some(file)
}

/// Puts a link to a memory file under a name; none where nobody would find it by that.
pub(super) fn link(memory: &File, link: &Path) -> Option<()> {
    let target = format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd());
    symlink(target, link).ok()?;
    // Without /proc nobody would find it.
    let found = fs::metadata(link).and_then(|found| Ok((found.len(), memory.metadata()?.len())));
    if found.is_ok_and(|(found, own)| found == own) {
        return Some(());
    }
    let _ = fs::remove_file(link);
    None
}
