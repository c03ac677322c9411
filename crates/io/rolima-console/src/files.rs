//! Files that are written: new ones, and old ones by `--force` only.

use crate::failure::Usage;
use anyhow::{Error, Result};
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

/// Makes a file to write; one with something in it is lost by `force` only.
pub fn create(path: &Path, force: bool) -> Result<File> {
    let name = || format!("{} cannot be written", path.display());
    rolima_scene::create_file(path, force).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Usage(format!("{}: it exists; --force writes over it", name())).into()
        }
        _ => Error::from(error).context(name()),
    })
}
