//! Errors, and the exit code of each.

use rolima_scene::SceneError;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// What the user asked for cannot be.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Tells the error, and how the program ends.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(scene) = error.downcast_ref::<SceneError>() {
        // A line each, without any decoration: editors and scripts jump to `file:line:`.
        tell(&scene.to_string());
        return ExitCode::from(2);
    }
    if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) {
        // Whoever reads has read enough (`| head`).
        return ExitCode::SUCCESS;
    }
    tell(&format!("error: {error:#}"));
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}

/// A line on standard error. Nobody there to read it is no failure.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A line on standard output. Fails if it cannot be written, instead of a panic as `println!`.
pub(crate) fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
