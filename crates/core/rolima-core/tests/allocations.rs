//! A warm world steps without touching the heap: seen by an allocator that counts.

use rolima_core::{Frame, Observer, RobotId, Volts, World};
use rolima_scene::{Source, load};
use rolima_testing::heap::{self, Allocations, allocations};
use std::sync::Arc;

struct Watcher(u64, f64);

impl Observer for Watcher {
    fn every_steps(&self) -> u64 {
        self.0
    }
    fn on_frame(&mut self, frame: &Frame) {
        self.1 += frame.bodies[0].pose.position.x;
    }
}

const WARM_UP: u64 = 3_000;
const FURTHER: u64 = 10_000;

/// Steps a scene warm, then further with observers, commands and all, and counts.
fn steps_without_allocation(scene: &str, sets: &[&str]) {
    let sets: Vec<String> = sets.iter().map(|&s| s.to_owned()).collect();
    let spec = load(&Source::BuiltIn(format!("{scene}.toml")), &sets).expect("a built-in scene");
    let mut world = World::new(Arc::new(spec.compile().expect("a good scene")));
    world.observe(Box::new(Watcher(1, 0.0)));
    world.observe(Box::new(Watcher(30, 0.0)));
    let robots = world.model().robots.len() as u32;
    world.steps(WARM_UP);
    let mut at = None;
    let before = heap::count();
    let Allocations { count, first, .. } = allocations(|| {
        for i in 0..FURTHER {
            world.step();
            if i % 1_000 == 500 {
                let robot = (i / 1_000) as u32 % robots;
                let refused = world.command(RobotId(robot), Volts { right: f64::NAN, left: 0.0 });
                assert!(refused.is_err());
                world
                    .command(RobotId(robot), Volts { right: 5.0, left: 4.0 })
                    .expect("a good command");
            }
            if i % 1_000 == 700 {
                (0..robots).for_each(|robot| world.release(RobotId(robot)));
            }
            if at.is_none() && heap::count() > before {
                at = Some(world.state().step);
            }
        }
    });
    assert!(
        count == 0,
        "{scene} {sets:?}: {count} allocations in steps {WARM_UP} to {}, the first in step {at:?}:\n{}",
        WARM_UP + FURTHER,
        first.map(|b| b.to_string()).unwrap_or_default()
    );
}

#[test]
fn the_allocator_counts() {
    let Allocations { count, first, .. } =
        allocations(|| drop(std::hint::black_box(vec![1u8; 100])));
    assert!(count == 1 && first.is_some());
    let Allocations { count, .. } = allocations(|| {
        let mut grows: Vec<u64> = Vec::with_capacity(4);
        (0..9).for_each(|i| grows.push(std::hint::black_box(i)));
    });
    assert_eq!(count, 3, "one to begin with, two to grow");
}

#[test]
fn soccer_with_random_drivers_steps_without_allocating() {
    steps_without_allocation("soccer", &["driver=random"]);
}

#[test]
fn soccer_with_chasers_steps_without_allocating() {
    steps_without_allocation("soccer", &["driver=chaser"]);
}

#[test]
fn a_scrum_steps_without_allocating() {
    steps_without_allocation("scrum", &[]);
}

#[test]
fn a_pile_steps_without_allocating() {
    steps_without_allocation("pile", &[]);
}

#[test]
fn a_playground_of_many_shapes_steps_without_allocating() {
    steps_without_allocation("playground", &[]);
}

#[test]
fn a_crowd_steps_without_allocating() {
    steps_without_allocation("crowd", &["robots=200"]);
}

#[test]
fn a_clumped_crowd_steps_without_allocating() {
    steps_without_allocation("crowd", &["robots=200", "layout=clump"]);
}

#[test]
fn the_papers_own_responses_step_without_allocating() {
    steps_without_allocation("scrum", &["contact.response=equivalent-sphere"]);
}

#[test]
fn vehicles_on_rough_ground_step_without_allocating() {
    steps_without_allocation("tests/rough", &[]);
}

#[test]
fn a_state_is_hashed_in_place_as_it_is_as_a_copy_without_allocating() {
    for scene in ["soccer", "tests/rough"] {
        let spec = load(&Source::BuiltIn(format!("{scene}.toml")), &[]).expect("a built-in scene");
        let mut world = World::new(Arc::new(spec.compile().expect("a good scene")));
        world.steps(500);
        let expected = world.state_hash();
        let mut hash = 0;
        let Allocations { count, .. } = allocations(|| hash = world.state_hash_in_place());
        assert_eq!((hash, count), (expected, 0), "{scene}");
        assert_eq!(world.state_hash(), expected, "{scene}: looking changes nothing");
    }
}

#[test]
fn robots_with_sensors_of_every_kind_step_without_allocating() {
    steps_without_allocation("tests/senses", &[]);
    steps_without_allocation("hall", &["robots=30", "beams=180"]);
}
