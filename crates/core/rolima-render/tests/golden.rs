//! Golden hashes of pictures, depths and objects: the same bits on every machine and build.
//!
//! `golden.txt` holds lines `name pictures hash`. After a change of what is drawn, mint them anew:
//!
//! ```text
//! ROLIMA_MINT=1 cargo test --release --package rolima-render --test golden
//! ```

use rolima_render::scenes::{GOLDENS, golden};
use std::fmt::Write;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");

/// How many pictures of each golden are hashed, first few, then more.
const COUNTS: [u32; 2] = [2, 24];

#[test]
fn the_hashes_of_pictures_are_the_golden_ones() {
    let old = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    let mut new = String::from("# name pictures hash; tests/golden.rs says how to mint them\n");
    for name in GOLDENS {
        for count in COUNTS {
            if cfg!(debug_assertions) && count > COUNTS[0] {
                let line = old.lines().find(|line| line.starts_with(&format!("{name} {count} ")));
                writeln!(new, "{}", line.unwrap_or_default()).unwrap();
                continue;
            }
            writeln!(new, "{name} {count} {:016x}", golden(name, count)).unwrap();
        }
    }
    if std::env::var_os("ROLIMA_MINT").is_some() {
        std::fs::write(GOLDEN, &new).unwrap();
    } else {
        assert_eq!(new, old, "pictures have changed");
    }
}

#[test]
fn a_golden_that_does_not_exist_has_no_hash() {
    assert_eq!(golden("nothing", 1), 0);
    assert_ne!(golden("maze", 1), golden("maze", 2));
}
