//! Golden state hashes: the same bits on every machine, build and path through time.
//!
//! `golden.txt` holds lines `name milliseconds hash`. A debug build checks only the early ones; the
//! wasm32 build checks them all (`cargo xtask test`). After a change of the physics, mint them anew:
//!
//! ```text
//! ROLIMA_MINT=1 cargo test --release --package rolima-spatial --features bodies --test golden
//! ```

use rolima_spatial::golden::{MOMENTS, run_to, world};
use rolima_spatial::{DriveVolts, SpatialWorld};
use std::fmt::Write;

/// Until when this build runs, ms.
fn end(early: u32, late: u32) -> u32 {
    if cfg!(debug_assertions) { early } else { late }
}

fn golden_world(name: &str) -> SpatialWorld {
    world(name).expect("a good world")
}

/// Compares the hashes of worlds with those in a file, or writes it anew.
fn compare(file: &str, moments: &[(&str, u32, u32)]) {
    let old = std::fs::read_to_string(file).unwrap_or_default();
    let mut new = String::from("# name milliseconds hash; tests/golden.rs says how to mint them\n");
    for &(name, early, late) in moments {
        let mut world = golden_world(name);
        for ms in [early, late] {
            if ms <= end(early, late) {
                run_to(&mut world, u64::from(ms));
                writeln!(new, "{name} {ms} {:016x}", world.state_hash())
                    .expect("a string takes text");
            } else if let Some(line) = old.lines().find(|l| l.starts_with(&format!("{name} {ms} ")))
            {
                writeln!(new, "{line}").expect("a string takes text");
            }
        }
    }
    if std::env::var_os("ROLIMA_MINT").is_some() {
        std::fs::write(file, &new).expect("the file can be written");
    } else {
        assert!(
            new == old,
            "the hashes are\n{new}and {file} says\n{old}If the change is meant, mint them anew: \
             ROLIMA_MINT=1 cargo test --release --package rolima-spatial --features bodies --test \
             golden"
        );
    }
}

#[test]
fn the_state_hashes_are_the_golden_ones() {
    compare(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt"), &MOMENTS);
}

/// A file of its own, as the feature may be off.
#[cfg(feature = "bodies")]
#[test]
fn the_state_hashes_of_a_world_with_bodies_are_the_golden_ones() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_bodies.txt");
    compare(file, &[rolima_spatial::golden::BODIES]);
    let mut world = golden_world(rolima_spatial::golden::BODIES.0);
    run_to(&mut world, 400);
    assert!(!world.touches().is_empty(), "bodies touch");
}

/// Worlds with something to meet need the feature, and say so.
#[cfg(not(feature = "bodies"))]
#[test]
fn without_the_feature_bodies_are_refused() {
    let message = world(rolima_spatial::golden::BODIES.0).expect_err("no bodies").to_string();
    assert!(message.contains("feature `bodies`"), "{message}");
}

#[test]
fn a_fresh_world_goes_on_from_a_snapshot_bit_for_bit() {
    for (name, early, late) in MOMENTS {
        let ms = u64::from(end(early, late).min(2000));
        let mut straight = golden_world(name);
        run_to(&mut straight, ms);
        let mut broken = golden_world(name);
        let mut now = 0;
        while now < ms {
            now = (now + 37).min(ms);
            run_to_from(&mut broken, now);
            let (words, hash) = (broken.save(), broken.state_hash());
            broken = golden_world(name);
            assert!(broken.restore(&words));
            assert_eq!(broken.state_hash(), hash, "{name}: restoring loses nothing");
        }
        assert_eq!(broken.state_hash(), straight.state_hash(), "{name}");
    }
}

/// As `run_to`, which gives orders only at whole tenths of a second: those lie in the snapshot.
fn run_to_from(world: &mut SpatialWorld, ms: u64) {
    run_to(world, ms);
}

#[test]
fn words_of_another_world_are_refused_and_change_nothing() {
    let mut one = golden_world("vehicle_hills");
    run_to(&mut one, 50);
    let hash = one.state_hash();
    let good = one.save();
    let other = golden_world("vehicle_tumble").save();
    let mut longer = good.clone();
    longer.push(0);
    for bad in [&[][..], &other, &longer, &good[..good.len() - 1]] {
        assert!(!one.restore(bad));
        assert_eq!(one.state_hash(), hash);
    }
    assert!(one.restore(&good));
}

#[test]
fn a_reset_world_starts_over_and_orders_change_the_course() {
    let mut one = golden_world("vehicle_hills");
    let first = one.state_hash();
    run_to(&mut one, 60);
    let after = one.state_hash();
    one.reset();
    assert_eq!(one.state_hash(), first);
    run_to(&mut one, 60);
    assert_eq!(one.state_hash(), after);
    one.reset();
    assert!(one.command(0, DriveVolts { left_volts: 1.0, right_volts: -1.0, brake: 0.0 }));
    one.steps(60);
    assert_ne!(one.state_hash(), after);
}

#[test]
fn steps_one_by_one_or_all_at_once_are_the_same() {
    for (name, ..) in MOMENTS {
        let (mut one, mut other) = (golden_world(name), golden_world(name));
        for _ in 0..157 {
            one.step();
        }
        other.steps(157);
        assert_eq!(one.state_hash(), other.state_hash(), "{name}");
    }
}
