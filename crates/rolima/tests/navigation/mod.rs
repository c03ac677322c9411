//! `rolima plan` and `rolima reproduce` on the command line.

mod pictures;
mod plans;
mod refusals;
mod report;

use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rolima-nav-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}
