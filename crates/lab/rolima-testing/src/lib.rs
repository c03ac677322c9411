//! What tests of several crates share.
//!
//! | module | what |
//! |---|---|
//! | [`heap`] | an allocator that counts what each thread asks for and holds |
//! | [`Folder`] | a folder of a test's own, removed at its end |

pub mod heap;

use std::path::{Path, PathBuf};

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
