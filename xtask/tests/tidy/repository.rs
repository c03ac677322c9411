//! What the rules look at: the repository's files and crates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One crate under `crates/`.
pub(crate) struct Crate {
    /// Folder of its manifest, such as `crates/base/rolima-math`.
    pub(crate) folder: String,
    /// Text of its `Cargo.toml`.
    pub(crate) manifest: String,
}

/// The repository's root and the files that belong to it.
pub(crate) struct Repository {
    root: PathBuf,
    files: Vec<String>,
}

impl Repository {
    /// The repository that this crate is part of.
    pub(crate) fn find() -> Repository {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let files = listed_by_git(&root).unwrap_or_else(|| {
            let mut files = Vec::new();
            walk(&root, &root, &mut files);
            files
        });
        Repository { root, files }
    }

    /// A file that has to be there.
    pub(crate) fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}: write it, the rules ask for it"))
    }

    /// Paths of all files.
    pub(crate) fn files(&self) -> Vec<&str> {
        self.files.iter().map(String::as_str).collect()
    }

    /// Every text file with its path; pictures and other binary files are passed over.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, String)> {
        self.files.iter().filter_map(|path| {
            let text = fs::read_to_string(self.root.join(path)).ok()?;
            Some((path.as_str(), text))
        })
    }

    /// Every crate under `crates/`.
    pub(crate) fn crates(&self) -> Vec<Crate> {
        let manifests = self.texts().filter_map(|(path, manifest)| {
            let folder = path.strip_suffix("/Cargo.toml")?;
            let is_crate = folder.starts_with("crates/");
            is_crate.then(|| Crate { folder: folder.to_owned(), manifest })
        });
        manifests.collect()
    }
}

/// Tracked files and new ones that are not ignored; nothing outside of a git checkout.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    let listing = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let files: Vec<String> = listing.split_terminator('\0').map(str::to_owned).collect();
    (!files.is_empty()).then_some(files)
}

/// All files below, apart from what builds leave behind.
fn walk(root: &Path, folder: &Path, files: &mut Vec<String>) {
    const LEFT_BEHIND: [&str; 6] = ["target", ".git", "node_modules", "out", "dist", "__pycache__"];
    let entries = fs::read_dir(folder).expect("a folder of the repository can be listed");
    for entry in entries.flatten() {
        let path = entry.path();
        if !path.is_dir() {
            let relative = path.strip_prefix(root).unwrap_or(&path);
            files.push(relative.to_string_lossy().replace('\\', "/"));
        } else if !LEFT_BEHIND.iter().any(|name| path.ends_with(name)) {
            walk(root, &path, files);
        }
    }
}

#[test]
fn walking_finds_the_same_crates_as_git() {
    let repository = Repository::find();
    let mut walked = Vec::new();
    walk(&repository.root, &repository.root, &mut walked);
    let missing: Vec<&String> = repository
        .files
        .iter()
        .filter(|path| path.ends_with("Cargo.toml") && !walked.contains(path))
        .collect();
    assert!(missing.is_empty(), "not found by walking: {missing:?}");
}
