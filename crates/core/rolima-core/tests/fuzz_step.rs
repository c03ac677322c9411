//! Random scenes and commands through the step: the fuzz target's own drive with seeded bytes.

use crate::drive;

use rolima_math::Stream;
use rolima_testing::samples;

/// Drives seeded random inputs of up to `length` bytes; returns how many were scenes.
fn drive_inputs(seed: u64, count: u32, length: u64) -> u32 {
    let mut rng = Stream::new(seed, 0, "fuzz");
    let mut scenes = 0;
    for case in 0..count {
        let length = (rng.next_u64() % length) as usize;
        let bytes: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
        let outcome = std::panic::catch_unwind(|| drive::drive(&bytes));
        let Ok(scene) = outcome else { panic!("input {case} of seed {seed}: {bytes:?}") };
        scenes += u32::from(scene);
    }
    scenes
}

/// Inputs of a test.
fn count() -> u32 {
    if cfg!(debug_assertions) { 200 } else { samples(500, 1_500) }
}

#[test]
fn random_scenes_and_commands_neither_panic_nor_leave_a_body_that_is_not_finite() {
    let count = count();
    let scenes = drive_inputs(1, count, 2048);
    assert!(scenes > count / 10, "only {scenes} of {count} inputs are scenes");
}

#[test]
fn short_inputs_do_neither() {
    let count = count();
    let scenes = drive_inputs(2, count, 100);
    assert!(scenes > count / 4, "only {scenes} of {count} inputs are scenes");
}
