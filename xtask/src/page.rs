//! The page of `viewer/`: built when stale, and tested in a browser.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::command::{Output, program, program_of, repository, succeed, target_folder, works};
use crate::test::PROFILE;

/// What the page is made of, besides its own sources.
const SCHEMA: &str = "crates/io/rolima-wire/proto/live.proto";

/// Kept beside what it stands for: a hash of all that went into it.
const STAMP: &str = ".built-from";

/// Builds the page if it is missing or older than its sources.
///
/// Without Node there is no page, and that is said: the simulator runs all the same.
pub(crate) fn build() -> Result<()> {
    if !works(&mut npm(&["--version"])) {
        println!(
            "note: Node is not installed, so the page is left out; \
             with Node 20.19 or later, `cargo xtask run` builds it"
        );
        return Ok(());
    }
    install()?;
    let sources = sources()?;
    unless_fresh(&viewer().join("dist"), &sources, "building the page", || {
        succeed(&mut npm(&["run", "--silent", "build"]))
    })
}

/// What the page of this checkout was built from; nothing where there is none.
pub(crate) fn stamp() -> Option<Vec<u8>> {
    fs::read(viewer().join("dist").join(STAMP)).ok()
}

/// Gives another checkout the page of this one as it stands, be there one or not, so that programs
/// built from both have as much in them. What is there already is left alone: a touched file would
/// have its program built again.
pub(crate) fn copy_to(checkout: &Path) -> Result<()> {
    let (ours, theirs) = (viewer().join("dist"), checkout.join("viewer").join("dist"));
    if theirs.is_dir() && stamp() == fs::read(theirs.join(STAMP)).ok() {
        return Ok(());
    }
    if theirs.is_dir() {
        fs::remove_dir_all(&theirs)
            .with_context(|| format!("{} cannot be removed", theirs.display()))?;
    }
    let mut files = Vec::new();
    if ours.is_dir() {
        list(&ours, &mut files)?;
    }
    let make = |folder: &Path| {
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
    };
    make(&theirs)?;
    for file in files {
        let copy = theirs.join(file.strip_prefix(&ours).unwrap_or(&file));
        make(copy.parent().unwrap_or(&theirs))?;
        fs::copy(&file, &copy).with_context(|| format!("{} cannot be copied", file.display()))?;
    }
    Ok(())
}

/// Tests the page's logic, then the page itself in Chromium against the simulator as the tests' build
/// left it.
pub(crate) fn test(out: &Output) -> Result<()> {
    if !works(&mut npm(&["--version"])) {
        return out.say("note: the page is not tested: Node is not installed");
    }
    out.succeed(&mut npm(&["test", "--silent"]))?;
    let chromium = chromium()?;
    let simulator = program_of(&target_folder(), PROFILE);
    if !simulator.is_file() {
        bail!("{} is missing, which compiling the tests leaves there", simulator.display());
    }
    let mut on_simulator = npm(&["run", "--silent", "test:e2e"]);
    out.succeed(on_simulator.env("CHROMIUM", &chromium).env("ROLIMA", simulator))
}

/// Where Chromium is; installed from the system's packages if it is missing.
fn chromium() -> Result<String> {
    if let Ok(path) = std::env::var("CHROMIUM") {
        return Ok(path);
    }
    let find = || {
        ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find(|name| works(&mut program(name, &["--version"])))
    };
    if find().is_none() {
        crate::tools::system_package("chromium")?;
    }
    let name = find().context("no Chromium: install it, or set CHROMIUM to where it is")?;
    let path = crate::command::output_of(&mut program("which", &[name]))?;
    Ok(path.trim().to_owned())
}

/// Installs the packages that the lock file names, if they are not there.
fn install() -> Result<()> {
    let lock = [viewer().join("package-lock.json"), viewer().join("package.json")];
    unless_fresh(&viewer().join("node_modules"), &lock, "installing the page's packages", || {
        succeed(&mut npm(&["ci", "--no-audit", "--no-fund", "--loglevel=error"]))
    })
}

/// Does the work unless `result` was made from just these files.
fn unless_fresh(
    result: &Path,
    sources: &[PathBuf],
    what: &str,
    work: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let stamp = result.join(STAMP);
    let wanted = format!("{:016x}\n", hash_of(sources)?);
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    println!("{what}");
    work()?;
    fs::write(&stamp, wanted).with_context(|| format!("{} cannot be written", stamp.display()))
}

/// Everything that the page is built from.
fn sources() -> Result<Vec<PathBuf>> {
    let mut files = vec![repository().join(SCHEMA)];
    for entry in fs::read_dir(viewer()).context("viewer/ cannot be listed")?.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_file() {
            files.push(path);
        } else if ["src", "public", "scripts"].iter().any(|folder| name == *folder) {
            list(&path, &mut files)?;
        }
    }
    files.sort();
    Ok(files)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("{} cannot be listed", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        // What the build generates is no source.
        if path.is_dir() && !path.ends_with("src/proto") {
            list(&path, files)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn hash_of(files: &[PathBuf]) -> Result<u64> {
    let mut hash = DefaultHasher::new();
    for file in files {
        let content =
            fs::read(file).with_context(|| format!("{} cannot be read", file.display()))?;
        file.strip_prefix(repository()).unwrap_or(file).hash(&mut hash);
        content.hash(&mut hash);
    }
    Ok(hash.finish())
}

fn viewer() -> PathBuf {
    repository().join("viewer")
}

fn npm(arguments: &[&str]) -> std::process::Command {
    let name = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = program(name, arguments);
    command.current_dir(viewer());
    command
}
