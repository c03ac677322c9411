//! Errors, and the exit code of each.

use rolima_scene::SceneError;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

/// What the user asked for cannot be.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The scene ended the run, for this reason.
#[derive(Debug)]
pub struct Over(pub String);

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the run has ended: {}", self.0)
    }
}

impl std::error::Error for Over {}

/// The outcome was told, and is not a good one.
#[derive(Debug)]
pub struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed")
    }
}

impl std::error::Error for Failed {}

/// Tells the error, and how the program ends.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(scene) = error.downcast_ref::<SceneError>() {
        // A line each, without any decoration: editors and scripts jump to `file:line:`.
        tell(&scene.to_string());
        return ExitCode::from(2);
    }
    if error.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe) {
        // Whoever reads has read enough (`| head`).
        return ExitCode::SUCCESS;
    }
    if error.is::<Failed>() {
        return ExitCode::from(1);
    }
    if error.is::<Over>() {
        tell(&error.to_string());
        return ExitCode::from(3);
    }
    tell(&format!("error: {}", in_full(error)));
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}

/// An error with its causes, but none that its text has already.
fn in_full(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// A line on standard error. Nobody there to read it is no failure.
pub fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// A line on standard output. Fails if it cannot be written, instead of a panic as `println!`.
pub fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn causes_are_told_once() {
        let disk = || io::Error::other("disk full");
        let plain = anyhow::Error::from(disk()).context("the log");
        assert_eq!(in_full(&plain), "the log: disk full");
        let with_text = anyhow::Error::from(disk()).context("the log: disk full");
        assert_eq!(in_full(&with_text), "the log: disk full");
        assert_eq!(in_full(&anyhow!("alone")), "alone");
    }
}
