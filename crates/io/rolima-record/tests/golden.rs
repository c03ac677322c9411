//! Golden hashes of recordings: equal runs give equal files, byte for byte, on every machine.
//!
//! `golden.txt` holds lines `scene milliseconds hash`. After a change of what is recorded, mint them anew:
//!
//! ```text
//! ROLIMA_MINT=1 cargo test --release --package rolima-record --test golden
//! ```

use rolima_record::golden::{MOMENTS, hash};
use std::fmt::Write;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");

#[test]
fn the_hashes_of_recordings_are_the_golden_ones() {
    let old = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    let mut new = String::from("# scene ms hash; tests/golden.rs says how to mint them\n");
    for (name, early, late) in MOMENTS {
        for ms in [early, late] {
            writeln!(new, "{name} {ms} {:016x}", hash(name, ms)).unwrap();
        }
    }
    if std::env::var_os("ROLIMA_MINT").is_some() {
        std::fs::write(GOLDEN, &new).unwrap();
    } else {
        assert_eq!(new, old, "recordings have changed");
    }
}

#[test]
fn a_golden_that_does_not_exist_has_no_hash() {
    assert_eq!(hash("nothing", 1), 0);
    assert_ne!(hash("soccer", 1), hash("soccer", 2));
}
