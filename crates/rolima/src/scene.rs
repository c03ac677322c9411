//! From arguments to a compiled scene.

use crate::cli::SceneArguments;
use anyhow::Result;
use rolima_console::failure::tell;
pub(crate) use rolima_serve::OpenedWorld as Opened;
use rolima_serve::WorldSource;

impl SceneArguments {
    /// What they name.
    pub(crate) fn world(&self) -> WorldSource {
        let Self { maze, size, sets, .. } = self.clone();
        WorldSource { name: self.name(), maze, size, sets, tell }
    }
}

/// Reads and compiles what the command line names.
pub(crate) fn open(arguments: &SceneArguments) -> Result<Opened> {
    Ok(arguments.world().open()?)
}
