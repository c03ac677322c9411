//! Golden state hashes: the same bits on every machine, build, thread count and path through time.
//!
//! `golden.txt` holds lines `name milliseconds hash`. A debug build checks only the early ones; the
//! wasm32 build checks them all (`cargo xtask test`). After a change of the physics, mint them anew:
//!
//! ```text
//! ROLIMA_MINT=1 cargo test --release --package rolima-core --test golden
//! ```

use rolima_core::{
    BodyId, EventKind, Frame, Model, Observer, RobotId, SnapshotError, Volts, World,
};
use rolima_math::Pose2;
use rolima_scene::golden::{GOLDENS, Golden};
use rolima_scene::{Source, load};
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");

fn compile(scene: &str, sets: &[&str]) -> Arc<Model> {
    let sets: Vec<String> = sets.iter().map(|&s| s.to_owned()).collect();
    let scene = load(&Source::BuiltIn(format!("{scene}.toml")), &sets).expect("a built-in scene");
    Arc::new(scene.compile().expect("a good scene"))
}

fn named(name: &str) -> &'static Golden {
    Golden::named(name).expect("a golden's name")
}

/// The model of a golden.
fn model(name: &str) -> Arc<Model> {
    named(name).model().expect("a good scene")
}

/// How many steps this build runs: debug builds only to the early moment.
fn steps(name: &str) -> u64 {
    let golden = named(name);
    u64::from(if cfg!(debug_assertions) { golden.early_ms } else { golden.late_ms })
}

/// The hash after an undisturbed run of [`steps`].
fn undisturbed(name: &str) -> u64 {
    static HASHES: [OnceLock<u64>; GOLDENS.len()] = [const { OnceLock::new() }; GOLDENS.len()];
    let number = GOLDENS.iter().position(|g| g.name == name).expect("a golden's name");
    *HASHES[number].get_or_init(|| run(World::new(model(name)), steps(name)))
}

fn run(mut world: World, steps: u64) -> u64 {
    world.steps(steps - world.state().step);
    world.state_hash()
}

#[test]
fn the_state_hashes_are_the_golden_ones() {
    let old = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    let mut new = String::from("# name milliseconds hash; tests/golden.rs says how to mint them\n");
    for Golden { name, early_ms, late_ms, .. } in GOLDENS {
        let mut world = World::new(model(name));
        assert_eq!(world.model().step_s, 1e-3, "a step is a millisecond");
        for ms in [early_ms, late_ms] {
            if u64::from(ms) <= steps(name) {
                world.steps(u64::from(ms) - world.state().step);
                let broken = world.state().event_count(EventKind::Quarantine);
                assert_eq!(broken, 0, "{name}: bodies were taken out of a good world");
                writeln!(new, "{name} {ms} {:016x}", world.state_hash())
                    .expect("a string takes text");
            } else if let Some(line) = old.lines().find(|l| l.starts_with(&format!("{name} {ms} ")))
            {
                writeln!(new, "{line}").expect("a string takes text");
            }
        }
    }
    if std::env::var_os("ROLIMA_MINT").is_some() {
        std::fs::write(GOLDEN, &new).expect("golden.txt can be written");
    } else {
        assert!(
            new == old,
            "the hashes are\n{new}and golden.txt says\n{old}If the change is meant, mint them anew: \
             ROLIMA_MINT=1 cargo test --release --package rolima-core --test golden"
        );
    }
}

#[cfg(feature = "parallel")]
mod threads {
    use super::*;

    fn on_threads(count: usize, work: impl FnOnce() -> u64 + Send) -> u64 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads");
        pool.install(work)
    }

    #[test]
    fn one_thread_and_two_reach_the_golden_states() {
        for Golden { name, .. } in GOLDENS {
            for count in [1, 2] {
                let hash = on_threads(count, || run(World::new(model(name)), steps(name)));
                assert_eq!(hash, undisturbed(name), "{name} on {count} threads");
            }
        }
    }

    #[test]
    fn one_thread_and_several_move_a_crowd_alike_that_is_large_enough_to_be_split() {
        // 2,000 robots fill 250 blocks, well over the 128 from which blocks are moved in parallel.
        let steps = if cfg!(debug_assertions) { 100 } else { 1_000 };
        for layout in ["grid", "clump"] {
            let model = compile("crowd", &["robots=2000", &format!("layout={layout}")]);
            assert!(model.layout.blocks.len() >= 250);
            let hash = |count| on_threads(count, || run(World::new(model.clone()), steps));
            let one = hash(1);
            for count in [2, 4] {
                assert_eq!(hash(count), one, "{layout}: {count} threads");
            }
        }
    }
}

struct Watcher {
    every: u64,
    seen: Arc<AtomicU64>,
}

impl Observer for Watcher {
    fn every_steps(&self) -> u64 {
        self.every
    }
    fn on_frame(&mut self, frame: &Frame) {
        assert!(frame.step.is_multiple_of(self.every) && !frame.bodies.is_empty());
        self.seen.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn observers_see_their_frames_and_change_nothing() {
    for Golden { name, .. } in GOLDENS {
        let mut world = World::new(model(name));
        let seen: [Arc<AtomicU64>; 2] = Default::default();
        for (every, seen) in [1, 30].into_iter().zip(&seen) {
            world.observe(Box::new(Watcher { every, seen: seen.clone() }));
        }
        assert_eq!(run(world, steps(name)), undisturbed(name), "{name}");
        let counts = seen.map(|s| s.load(Ordering::Relaxed));
        assert_eq!(counts, [steps(name), steps(name) / 30], "{name}");
    }
}

#[test]
fn a_fresh_world_goes_on_from_a_snapshot_bit_for_bit_also_amid_contacts() {
    for (name, stride) in [("soccer", 5_001), ("crowd", 9_001)] {
        let model = model(name);
        let mut world = World::new(model.clone());
        let mut amid_contacts = 0;
        while world.state().step < steps(name) {
            world.step();
            let step = world.state().step;
            let touching = world.contact_count() > 0 && amid_contacts < 50;
            if step.is_multiple_of(stride) || (touching && step.is_multiple_of(7)) {
                let (bytes, hash) = (world.snapshot(), world.state_hash());
                amid_contacts += u32::from(world.contact_count() > 0);
                world = World::new(model.clone());
                world.restore(&bytes).expect("a snapshot of the same scene");
                assert_eq!(world.state_hash(), hash, "{name}: restoring loses nothing");
            }
        }
        assert_eq!(world.state_hash(), undisturbed(name), "{name}");
        // In the little that a debug build runs hardly anything touches yet.
        let enough = amid_contacts > 5 || cfg!(debug_assertions);
        assert!(enough, "{name}: {amid_contacts} snapshots amid contacts");
    }
}

#[test]
fn a_used_world_goes_on_from_a_snapshot_bit_for_bit() {
    for Golden { name, .. } in GOLDENS {
        let mut world = World::new(model(name));
        world.steps(steps(name) / 3);
        let bytes = world.snapshot();
        disturb(&mut world);
        world.restore(&bytes).expect("its own snapshot");
        assert_eq!(run(world, steps(name)), undisturbed(name), "{name}");
    }
}

#[test]
fn a_world_that_is_reset_starts_over_bit_for_bit() {
    for Golden { name, .. } in GOLDENS {
        let mut world = World::new(model(name));
        let first = world.state_hash();
        disturb(&mut world);
        world.reset();
        assert_eq!(world.state_hash(), first, "{name}");
        assert_eq!(run(world, steps(name)), undisturbed(name), "{name}");
    }
}

#[test]
fn another_seed_gives_another_course_and_going_back_the_old_one() {
    let early = 2_000;
    let golden = run(World::new(model("soccer")), early);
    let mut world = World::with_seed(model("soccer"), 77);
    world.steps(early);
    let other = world.state_hash();
    assert_ne!(other, golden);
    world.reset_with_seed(1);
    world.steps(early);
    assert_eq!(world.state_hash(), golden);
    world.reset_with_seed(77);
    world.steps(early);
    assert_eq!(world.state_hash(), other);
}

/// Commands, teleports and some steps that a restore or reset must undo.
fn disturb(world: &mut World) {
    for robot in 0..world.model().robots.len() as u32 {
        world.command(RobotId(robot), Volts { right: 3.0, left: -9.0 }).expect("a good command");
    }
    world.steps(150);
    assert!(world.place_body(BodyId(0), Pose2::new(0.3, 0.2, 1.0)));
    world.release(RobotId(0));
    world.steps(50);
    let last = world.model().robots.len() as u32 - 1;
    world.command(RobotId(last.min(1)), Volts { right: 1.0, left: 1.0 }).expect("a good command");
}

#[test]
fn bytes_that_are_no_snapshot_of_this_scene_are_refused_and_leave_the_world_alone() {
    let mut world = World::new(model("soccer"));
    world.steps(500);
    let (hash, good) = (world.state_hash(), world.snapshot());
    let mut other = World::new(compile("soccer", &["driver=chaser"]));
    other.steps(500);
    let (expected, got) = (world.model().fingerprint, other.model().fingerprint);

    let mut longer = good.clone();
    longer.extend([0; 8]);
    let mut many_impulses = good.clone();
    many_impulses[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    let mut one_more = good.clone();
    let impulses = u64::from_le_bytes(good[16..24].try_into().expect("eight bytes"));
    one_more[16..24].copy_from_slice(&(impulses + 1).to_le_bytes());
    let mut newer = good.clone();
    newer[7] ^= 0x80;

    let mut refused = |bytes: &[u8]| {
        let error = world.restore(bytes).expect_err("bad bytes");
        assert_eq!(world.state_hash(), hash, "{error}");
        error
    };
    assert_eq!(refused(&other.snapshot()), SnapshotError::OtherModel { expected, got });
    assert_eq!(refused(&newer), SnapshotError::NotASnapshot);
    assert_eq!(refused(&[]), SnapshotError::NotASnapshot);
    assert_eq!(refused(&[0xA5; 4096]), SnapshotError::NotASnapshot);
    for bytes in [&longer, &many_impulses, &one_more] {
        assert!(matches!(refused(bytes), SnapshotError::Length { .. }));
    }
    for length in 0..good.len() {
        let error = refused(&good[..length]);
        let expected = if length < 24 {
            error == SnapshotError::NotASnapshot
        } else {
            error == SnapshotError::Length { expected: good.len(), got: length }
        };
        assert!(expected, "cut to {length} of {} bytes: {error}", good.len());
    }
    // It still goes on as if nobody had tried.
    let mut copy = World::new(model("soccer"));
    copy.steps(1_000);
    world.steps(500);
    assert_eq!(world.state_hash(), copy.state_hash());
}
