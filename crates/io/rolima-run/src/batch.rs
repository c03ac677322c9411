//! Steps many independent worlds on all cores.

use rayon::prelude::*;
use rolima_core::{End, Model, World};
use rolima_math::Hash64;
use std::sync::Arc;

/// Independent worlds of one model.
///
/// Each world is stepped by one thread at a time, as many at once as the pool has threads. As the
/// worlds know nothing of one another, the bits are those of stepping them one by one.
pub struct Batch {
    worlds: Vec<World>,
}

impl Batch {
    /// A world for every seed.
    pub fn new(model: &Arc<Model>, seeds: impl IntoIterator<Item = u64>) -> Self {
        let world = |seed| World::with_seed(model.clone(), seed);
        Self { worlds: seeds.into_iter().map(world).collect() }
    }

    /// Steps every world by `count` steps, or up to its end, on the threads of the pool that this
    /// is called in.
    pub fn steps(&mut self, count: u64) {
        self.worlds.par_iter_mut().for_each(|world| _ = world.steps(count));
    }

    /// Which worlds have come to their end, and why; in the order of their seeds.
    pub fn ends(&self) -> impl Iterator<Item = (usize, End)> {
        self.worlds.iter().enumerate().filter_map(|(i, world)| Some((i, world.end()?)))
    }

    /// The worlds, in the order of their seeds.
    pub fn worlds(&self) -> &[World] {
        &self.worlds
    }

    /// The worlds, to command their robots.
    pub fn worlds_mut(&mut self) -> &mut [World] {
        &mut self.worlds
    }

    /// Hash of every bit of all states.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash64::default();
        self.worlds.iter().for_each(|world| hash.word(world.state_hash()));
        hash.finish()
    }
}
