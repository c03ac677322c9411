//! Threads change no bit.

use crate::common;

use common::model;
use rolima_core::World;
use rolima_run::live::{Live, Setup};
use rolima_run::{Batch, PoolError, Speed, thread_pool};

#[test]
fn a_crowd_has_the_same_hash_on_one_and_two_threads() {
    let crowd = model("crowd", &["robots=2000", "layout=clump"]);
    let hashes = [1, 2].map(|threads| {
        let setup = Setup::new("crowd", crowd.clone());
        let live = Live::new(Setup { speed: Speed::Max, steps: Some(100), ..setup });
        thread_pool(threads).unwrap().install(|| live.run()).session.state_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
    let mut alone = World::new(crowd);
    alone.steps(100);
    assert_eq!(alone.state_hash(), hashes[0]);
}

#[test]
fn worlds_of_a_batch_are_those_stepped_one_by_one() {
    let soccer = model("soccer", &["driver=random"]);
    let hashes = [1, 2].map(|threads| {
        let mut batch = Batch::new(&soccer, 0..20);
        thread_pool(threads).unwrap().install(|| (0..5).for_each(|_| batch.steps(100)));
        batch.state_hash()
    });
    assert_eq!(hashes[0], hashes[1]);
    let mut batch = Batch::new(&soccer, 0..20);
    batch.steps(500);
    for (seed, world) in (0..).zip(batch.simulations()) {
        let mut alone = World::with_seed(soccer.clone(), seed);
        alone.steps(500);
        assert_eq!(alone.state_hash(), world.state_hash(), "seed {seed}");
    }
}

#[test]
fn a_pool_has_at_least_one_thread_and_not_too_many() {
    assert!(matches!(thread_pool(0), Err(PoolError::Count(0))));
    assert!(matches!(thread_pool(1_000_000), Err(PoolError::Count(_))));
    assert_eq!(thread_pool(3).unwrap().current_num_threads(), 3);
}
