//! Starting other programs.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The repository's root: the directory above this crate's.
pub(crate) fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Where cargo puts what it builds of this repository.
pub(crate) fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository().join("target"), PathBuf::from)
}

/// The simulator of a release build.
pub(crate) fn release_program(target: &Path) -> PathBuf {
    program_of(target, "release")
}

/// The simulator as a profile's builds leave it.
pub(crate) fn program_of(target: &Path, profile: &str) -> PathBuf {
    target.join(profile).join(format!("rolima{}", env::consts::EXE_SUFFIX))
}

/// A program that starts in the repository's root.
pub(crate) fn program(name: impl AsRef<OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(repository());
    command
}

/// The cargo that started this program, so that toolchain overrides (`cargo +beta`) hold. What that one
/// said of this package is taken back: build scripts that look at it (ring's) would run again, and all that
/// depends on them be compiled again, whenever cargo is started from here and by hand in turns.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = program(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), arguments);
    for (name, _) in env::vars_os() {
        let of_package = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if of_package {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a program on this terminal; an error if it cannot start or fails.
pub(crate) fn succeed(command: &mut Command) -> Result<()> {
    let line = command_line(command);
    let status = command.status().with_context(|| format!("`{line}` cannot be started"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Where programs and what is said about them are printed.
pub(crate) enum Output {
    Terminal,
    /// Kept apart from what other programs print at the same time, in this file.
    Kept(PathBuf, File),
}

impl Output {
    /// Keeps what is printed in a file of this name in the target folder.
    pub(crate) fn kept(name: &str) -> Result<Self> {
        let path = target_folder().join(format!("{name}.txt"));
        let file = File::create(&path);
        let file = file.with_context(|| format!("{} cannot be written", path.display()))?;
        Ok(Self::Kept(path, file))
    }

    /// What was kept so far.
    pub(crate) fn text(&self) -> Result<String> {
        let Self::Kept(path, _) = self else { return Ok(String::new()) };
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Prints a line.
    pub(crate) fn say(&self, line: &str) -> Result<()> {
        match self {
            Self::Terminal => println!("{line}"),
            Self::Kept(path, file) => writeln!(&mut &*file, "{line}")
                .with_context(|| format!("{} cannot be written", path.display()))?,
        }
        Ok(())
    }

    /// Prints a command and runs it; an error if it cannot start or fails.
    pub(crate) fn succeed(&self, command: &mut Command) -> Result<()> {
        self.say(&format!("$ {}", command_line(command)))?;
        if let Self::Kept(_, file) = self {
            command.stdout(file.try_clone()?).stderr(file.try_clone()?).stdin(Stdio::null());
        }
        succeed(command)
    }
}

/// Runs a program and gives back what it printed; its errors go to this terminal.
pub(crate) fn output_of(command: &mut Command) -> Result<String> {
    let line = command_line(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("`{line}` cannot be started"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` printed no text"))
}

/// Whether a program starts and succeeds, silently: for asking whether a tool is there.
pub(crate) fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Turns this process into the program, which so gets the terminal, its signals and the exit code
/// to itself: on Ctrl-C nobody returns to the shell before it has put the terminal in order.
#[cfg(unix)]
pub(crate) fn become_child(mut command: Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    let line = command_line(&command);
    // Comes back only if the program could not be started.
    Err(command.exec()).with_context(|| format!("`{line}` cannot be started"))
}

/// Runs the program to its end and leaves with its exit code.
#[cfg(not(unix))]
pub(crate) fn become_child(mut command: Command) -> Result<()> {
    let line = command_line(&command);
    let status = command.status().with_context(|| format!("`{line}` cannot be started"))?;
    std::process::exit(status.code().unwrap_or(1));
}

/// The command as one would type it, with the program's bare name.
pub(crate) fn command_line(command: &Command) -> String {
    let path = Path::new(command.get_program());
    let name = path.file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(name).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
