//! Both sides built alike: the revision, and the working tree as it is.
//!
//! Both are built in one checkout, `target/bench-against/checkout`, which moves from one to the other.
//! A program has paths of its sources in it; built elsewhere, its code lies at other addresses, which
//! alone makes it some percent faster or slower. What was built of other crates is good for all
//! revisions, and cargo builds again only what differs.

use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, output_of, program, release_program, succeed, target_folder, works};
use crate::page;

/// What is measured: a commit, or the working tree as one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Revision {
    commit: String,
    /// What to tell of it.
    told: String,
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.told)
    }
}

/// What git prints, without the end of the line.
fn git(arguments: &[&str]) -> Result<String> {
    Ok(output_of(&mut program("git", arguments))?.trim_end().to_owned())
}

/// The commit that a name means.
pub(super) fn resolve(name: &str) -> Result<Revision> {
    let wanted = format!("{name}^{{commit}}");
    let ask = ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted];
    let Ok(commit) = git(&ask) else {
        bail!("expected a revision of this repository, got `{name}`");
    };
    let told = git(&["log", "-1", "--format=%h %s", &commit])?;
    Ok(Revision { commit, told })
}

/// The working tree as it is: with changes and new files that are not committed, without ignored ones.
///
/// They become a commit that no branch has; git removes it some day.
pub(super) fn working_tree() -> Result<Revision> {
    let head = resolve("HEAD")?;
    let changes = git(&["status", "--porcelain"])?.lines().count();
    if changes == 0 {
        return Ok(head);
    }
    fs::create_dir_all(folder())
        .with_context(|| format!("{} cannot be made", folder().display()))?;
    // An index of its own: what is staged stays as it is.
    let index = folder().join("index");
    let apart = |arguments: &[&str]| {
        let mut git = program("git", arguments);
        git.env("GIT_INDEX_FILE", &index);
        Ok::<_, anyhow::Error>(output_of(&mut git)?.trim_end().to_owned())
    };
    apart(&["read-tree", "HEAD"])?;
    apart(&["add", "--all", "--", ":/"])?;
    let tree = apart(&["write-tree"])?;
    let name = ["-c", "user.name=bench-against", "-c", "user.email=bench-against"];
    let made = ["commit-tree", &tree, "-p", &head.commit, "-m", "working tree"];
    let commit = git(&[&name[..], &made[..]].concat())?;
    Ok(Revision { commit, told: format!("{head}, with uncommitted changes in {changes} files") })
}

/// Builds both and gives back where their programs are; equal ones are the same program.
pub(super) fn build(both: [&Revision; 2]) -> Result<[PathBuf; 2]> {
    let built = [build_one(both[0])?, build_one(both[1])?];
    // Programs are large: only those of the last comparison are kept for the next.
    for entry in fs::read_dir(folder()).into_iter().flatten().flatten() {
        let is_program = entry.file_name().to_string_lossy().starts_with(KEPT);
        if is_program && !built.contains(&entry.path()) {
            fs::remove_file(entry.path())
                .with_context(|| format!("{} cannot be removed", entry.path().display()))?;
        }
    }
    Ok(built)
}

/// How names of kept programs begin.
const KEPT: &str = "rolima-";

/// The program of a revision: kept from an earlier comparison, or built.
fn build_one(revision: &Revision) -> Result<PathBuf> {
    let kept = folder().join(format!("{KEPT}{:016x}", key(revision)?));
    if kept.is_file() {
        return Ok(kept);
    }
    let checkout = folder().join("checkout");
    check_out(&checkout, revision)?;
    page::copy_to(&checkout)?;
    let target = checkout.join("target");
    let mut build = cargo(&["build", "--release", "--package", "rolima"]);
    succeed(build.current_dir(&checkout).env("CARGO_TARGET_DIR", &target))
        .with_context(|| format!("{revision} cannot be built"))?;
    let built = release_program(&target);
    keep(&built, &kept).with_context(|| format!("{} cannot be copied", built.display()))?;
    Ok(kept)
}

/// Copies a program under another name first: what has the kept name is whole, whenever copying ends.
/// What is left of a copy that did not end is removed with the programs that are not kept.
fn keep(built: &Path, kept: &Path) -> std::io::Result<()> {
    let part = kept.with_extension(format!("part-{}", std::process::id()));
    fs::copy(built, &part)?;
    fs::rename(&part, kept)
}

/// What a program is made of: its sources, the compiler and its options, the page.
fn key(revision: &Revision) -> Result<u64> {
    let mut hash = DefaultHasher::new();
    git(&["rev-parse", &format!("{}^{{tree}}", revision.commit)])?.hash(&mut hash);
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    output_of(&mut program(compiler, &["-vV"]))?.hash(&mut hash);
    std::env::var_os("RUSTFLAGS").hash(&mut hash);
    page::stamp().hash(&mut hash);
    Ok(hash.finish())
}

fn folder() -> PathBuf {
    target_folder().join("bench-against")
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
        && works(&mut git(&["checkout", "--quiet", "--force", "--detach", &revision.commit]))
    {
        return Ok(());
    }
    remove(folder)?;
    // Forced, as git may still know of a checkout that was deleted together with `target`.
    let mut add = program("git", &["worktree", "add", "--quiet", "--force", "--detach"]);
    succeed(add.arg(folder).arg(&revision.commit)).or_else(|error| {
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
    fn a_commit_is_told_by_its_short_hash_and_subject() {
        let head = resolve("HEAD").unwrap();
        let (hash, subject) = head.told.split_once(' ').unwrap();
        assert!(head.commit.starts_with(hash) && !subject.is_empty(), "{head}");
    }

    #[test]
    fn a_program_that_cannot_be_copied_whole_is_not_kept() {
        let folder = std::env::temp_dir().join(format!("{KEPT}keep-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (built, kept) = (folder.join("built"), folder.join(format!("{KEPT}0")));
        fs::write(&built, "program").unwrap();
        // Copying to a folder fails: nothing gets the kept name.
        let part = kept.with_extension(format!("part-{}", std::process::id()));
        fs::create_dir(&part).unwrap();
        assert!(keep(&built, &kept).is_err() && !kept.exists());
        fs::remove_dir(&part).unwrap();
        keep(&built, &kept).unwrap();
        assert_eq!(fs::read_to_string(&kept).unwrap(), "program");
        assert!(!part.exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn sources_decide_which_program_is_kept() {
        let head = resolve("HEAD").unwrap();
        let renamed = Revision { told: "the same by another name".to_owned(), ..head.clone() };
        assert_eq!(key(&head).unwrap(), key(&renamed).unwrap());
    }
}
