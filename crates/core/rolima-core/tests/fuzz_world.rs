//! Maps, scenes and pictures from bytes to 100 steps: the fuzz target `world` with its seeds, and
//! with seeds that were changed at random.

use crate::world;
use rolima_math::Stream;
use std::path::Path;

/// The seeds of the fuzz target, by name.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fuzz/seeds/world");
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    let read = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, std::fs::read(entry.path()).expect("a seed"))
    };
    let mut seeds: Vec<_> = entries.map(read).collect();
    seeds.sort();
    seeds
}

#[test]
fn every_seed_is_a_world_that_can_be_stepped() {
    let seeds = seeds();
    assert!(seeds.len() >= 8, "{}", seeds.len());
    for (name, bytes) in seeds {
        assert!(world::run(&bytes), "{name} is refused");
    }
}

#[test]
fn changed_seeds_are_refused_or_run() {
    let count = if cfg!(debug_assertions) { 3 } else { 40 };
    let mut random = Stream::new(1, 0, "worlds");
    let mut worlds = 0;
    for (name, seed) in seeds() {
        for case in 0..count {
            let bytes = changed(&mut random, &seed);
            let outcome = std::panic::catch_unwind(|| world::run(&bytes));
            let Ok(is_world) = outcome else {
                panic!("change {case} of {name}: {:?}", String::from_utf8_lossy(&bytes));
            };
            worlds += u32::from(is_world);
        }
    }
    assert!(worlds > 20, "only {worlds} are worlds");
}

/// The seed with digits, bytes and stretches changed.
fn changed(random: &mut Stream, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    let mut below = |limit: usize| (random.next_u64() % limit.max(1) as u64) as usize;
    for _ in 0..1 + below(4) {
        // The first byte says what it is.
        let at = 1 + below(bytes.len() - 1);
        match below(4) {
            0 if bytes[at].is_ascii_digit() => bytes[at] = b'0' + below(10) as u8,
            0 | 1 => bytes[at] ^= 1 << below(7),
            2 => drop(bytes.drain(at..(at + below(12)).min(bytes.len()))),
            _ => {
                let stretch = bytes[at..(at + below(30)).min(bytes.len())].to_vec();
                bytes.splice(at..at, stretch);
            }
        }
    }
    bytes
}
