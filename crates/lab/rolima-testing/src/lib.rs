//! What tests of several crates share.
//!
//! | module | what |
//! |---|---|
//! | [`heap`] | an allocator that counts what each thread asks for and holds |
//! | [`Folder`] | a folder of a test's own, removed at its end |
//! | [`samples`], [`is_long`] | how much of its samples a test takes |

pub mod heap;

use std::path::{Path, PathBuf};

/// Set by `cargo xtask long tests`: tests take all of their samples.
const LONG: &str = "ROLIMA_LONG";

/// Whether tests are to take all of their samples, however long that lasts: in `cargo xtask long tests`.
pub fn is_long() -> bool {
    std::env::var_os(LONG).is_some_and(|value| value == "1")
}

/// How many samples a test takes: a few with every change, all of them in `cargo xtask long tests`. The few
/// are the first of all, so that what fails with every change fails there, too.
pub fn samples<T>(few: T, all: T) -> T {
    if is_long() { all } else { few }
}

/// A folder of a test's own, removed when this is dropped.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes it. The name tells the tests of one process apart; processes have folders of their own.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rolima-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for a test");
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where a file in it is, or would be.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
