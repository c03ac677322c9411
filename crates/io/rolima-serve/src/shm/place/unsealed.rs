//! Memory files that keep their length: not on this system.

use std::fs::File;
use std::path::Path;

/// None: an ordinary file has to do.
pub(super) fn create(_link: &Path, _bytes: u64) -> Option<File> {
    None
}
