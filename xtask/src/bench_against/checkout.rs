//! The other revision as a checkout of its own, and both programs built.
//!
//! There is one such checkout, `target/bench-against/checkout`, which moves from revision to revision:
//! what was built of other crates is good for all of them, and cargo builds again only what differs.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, output_of, program, release_program, succeed, target_folder, works};
use crate::page;

/// A commit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Revision {
    hash: String,
    /// First line of its message.
    subject: String,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.hash.get(..12).unwrap_or(&self.hash), self.subject)
    }
}

/// The commit that a name means.
pub(super) fn resolve(name: &str) -> Result<Revision> {
    let commit = format!("{name}^{{commit}}");
    let ask = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
    let Ok(hash) = output_of(&mut program("git", &ask)) else {
        bail!("expected a revision of this repository, got `{name}`");
    };
    let hash = hash.trim().to_owned();
    let subject = output_of(&mut program("git", &["log", "-1", "--format=%s", &hash]))?;
    Ok(Revision { hash, subject: subject.trim().to_owned() })
}

/// What is measured against it, in words.
pub(super) fn this_tree() -> Result<String> {
    let head = resolve("HEAD")?;
    let changes = output_of(&mut program("git", &["status", "--porcelain"]))?;
    Ok(match changes.lines().count() {
        0 => head.to_string(),
        files => format!("{head}, with uncommitted changes in {files} files"),
    })
}

/// Builds that revision and gives back where its program is.
pub(super) fn build_revision(revision: &Revision) -> Result<PathBuf> {
    let folder = folder().join("checkout");
    check_out(&folder, revision)?;
    page::copy_to(&folder)?;
    let target = folder.join("target");
    let mut build = build();
    succeed(build.current_dir(&folder).env("CARGO_TARGET_DIR", &target))
        .with_context(|| format!("{revision} cannot be built"))?;
    keep(&release_program(&target), "old")
}

/// Builds the working tree as it is, and gives back where its program is.
pub(super) fn build_this_tree() -> Result<PathBuf> {
    succeed(&mut build())?;
    keep(&release_program(&target_folder()), "new")
}

fn build() -> Command {
    cargo(&["build", "--release", "--package", "rolima"])
}

fn folder() -> PathBuf {
    target_folder().join("bench-against")
}

/// A copy of a program, so that work can go on and be built while it is measured.
fn keep(built: &Path, side: &str) -> Result<PathBuf> {
    let copy = folder().join(format!("rolima-{side}{}", std::env::consts::EXE_SUFFIX));
    fs::copy(built, &copy).with_context(|| format!("{} cannot be copied", built.display()))?;
    Ok(copy)
}

/// Moves the checkout to a revision, or makes it; nothing half made is left.
fn check_out(folder: &Path, revision: &Revision) -> Result<()> {
    let git = |arguments: &[&str]| {
        let mut git = program("git", arguments);
        git.current_dir(folder);
        git
    };
    // Without a `.git` of its own git would take the folder for a part of this tree.
    if folder.join(".git").exists()
        && works(&mut git(&["checkout", "--quiet", "--force", "--detach", &revision.hash]))
    {
        return Ok(());
    }
    remove(folder)?;
    // Forced, as git may still know of a checkout that was deleted together with `target`.
    let mut add = program("git", &["worktree", "add", "--quiet", "--force", "--detach"]);
    succeed(add.arg(folder).arg(&revision.hash)).or_else(|error| {
        remove(folder)?;
        Err(error)
    })
}

/// Removes a checkout, or what is left of one, from the disk and from git's list.
fn remove(folder: &Path) -> Result<()> {
    let mut known = program("git", &["worktree", "remove", "--force", "--force"]);
    works(known.arg(folder));
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("{} cannot be removed", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_means_no_commit_is_refused() {
        let error = resolve("no-such-branch").unwrap_err().to_string();
        assert_eq!(error, "expected a revision of this repository, got `no-such-branch`");
    }

    #[test]
    fn a_revision_is_shown_by_its_short_hash_and_subject() {
        let hash = "0123456789abcdef".repeat(2);
        let revision = Revision { hash, subject: "Why it was done".to_owned() };
        assert_eq!(revision.to_string(), "0123456789ab Why it was done");
    }
}
