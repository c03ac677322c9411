//! `rolima check`: what is in a scene.

use crate::cli::SceneArguments;
use crate::scene;
use anyhow::Result;
use rolima_console::contents::contents;
use rolima_console::failure::say;

/// Reads and compiles a scene, and says what is in it.
pub(crate) fn check(arguments: &SceneArguments) -> Result<()> {
    let opened = scene::open(arguments)?;
    Ok(say(&format!("{}: good\n{}", arguments.name(), contents(&opened.model)))?)
}
