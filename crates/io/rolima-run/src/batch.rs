//! Steps many independent simulations on all cores.

use rayon::prelude::*;
use rolima_agents::Simulation;
use rolima_core::{Model, WorldEnd};
use rolima_math::Hash64;
use std::sync::Arc;

/// Independent simulations of one model: worlds with their agents.
///
/// Each is stepped by one thread at a time, as many at once as the pool has threads. As they know
/// nothing of one another, the bits are those of stepping them one by one.
pub struct Batch {
    simulations: Vec<Simulation>,
}

impl Batch {
    /// A simulation for every seed.
    pub fn new(model: &Arc<Model>, seeds: impl IntoIterator<Item = u64>) -> Self {
        let simulation = |seed| Simulation::with_seed(model.clone(), seed);
        Self { simulations: seeds.into_iter().map(simulation).collect() }
    }

    /// Steps every one by `count` steps, or up to its end, on the threads of the pool that this
    /// is called in.
    pub fn steps(&mut self, count: u64) {
        self.simulations.par_iter_mut().for_each(|one| _ = one.steps(count));
    }

    /// Which worlds have come to their end, and why; in the order of their seeds.
    pub fn ends(&self) -> impl Iterator<Item = (usize, WorldEnd)> {
        let ends = self.simulations.iter().map(|one| one.world().end());
        ends.enumerate().filter_map(|(i, end)| Some((i, end?)))
    }

    /// The simulations, in the order of their seeds.
    pub fn simulations(&self) -> &[Simulation] {
        &self.simulations
    }

    /// The same, to act on them.
    pub fn simulations_mut(&mut self) -> &mut [Simulation] {
        &mut self.simulations
    }

    /// Hash of every bit of all states.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash64::default();
        self.simulations.iter().for_each(|one| hash.word(one.state_hash()));
        hash.finish()
    }
}
