//! Runs of a fixed number of steps, timed.

use super::timer::thread_cpu_s;
use anyhow::{Result, ensure};
use rolima_core::{Model, World};
use rolima_run::thread_pool;
use std::sync::Arc;

/// Median and spread of some figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) runs: usize,
}

impl Spread {
    /// Of these figures, at least one.
    pub(super) fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        let at = |i: usize| figures.get(i).copied().unwrap_or(f64::NAN);
        let runs = figures.len();
        Self { median: at(runs / 2), min: at(0), max: at(runs.saturating_sub(1)), runs }
    }

    /// Each figure changed by a monotonous function.
    pub(super) fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let (a, b) = (f(self.min), f(self.max));
        Self { median: f(self.median), min: a.min(b), max: a.max(b), runs: self.runs }
    }
}

/// What is run to measure.
pub(super) struct Work {
    pub(super) model: Arc<Model>,
    /// Worlds of different seeds, one after the other.
    pub(super) worlds: u64,
    /// Steps of each world before those that count: until it has as many contacts as later on.
    pub(super) lead_in: u64,
    /// Steps of each world that count.
    pub(super) steps: u64,
    /// How often all that is repeated.
    pub(super) runs: usize,
}

/// What was found.
pub(super) struct Found {
    /// CPU time of a run, s.
    pub(super) cpu_s: Spread,
    /// Mean number of contact points in a step of a world.
    pub(super) contacts_per_step: f64,
    /// Hash at the end of the first world.
    pub(super) state_hash: u64,
}

impl Work {
    /// Steps of all worlds in a run.
    pub(super) fn total_steps(&self) -> f64 {
        (self.worlds * self.steps) as f64
    }

    /// Measures on one thread. A first, untimed run warms up and counts contacts.
    pub(super) fn measure(&self) -> Result<Found> {
        // In a pool of one, so that even large worlds stay on the thread whose time is taken.
        thread_pool(1)?.install(|| {
            let starts = self.starts();
            let (contacts, expected) = self.count_contacts(&starts)?;
            let mut times = vec![];
            for _ in 0..self.runs {
                let (cpu_s, hash) = self.timed(&starts)?;
                ensure!(hash == expected, "a run ended at {hash:016x}, another at {expected:016x}");
                times.push(cpu_s);
            }
            Ok(Found {
                cpu_s: Spread::of(times),
                contacts_per_step: contacts as f64 / self.total_steps(),
                state_hash: expected,
            })
        })
    }

    /// The worlds after their lead-in, as snapshots.
    fn starts(&self) -> Vec<Vec<u8>> {
        let first = self.model.spec.sim.seed;
        let start = |i| {
            let mut world = World::with_seed(self.model.clone(), first.wrapping_add(i));
            world.steps(self.lead_in);
            world.snapshot()
        };
        (0..self.worlds).map(start).collect()
    }

    fn world_at(&self, start: &[u8]) -> Result<World> {
        let mut world = World::new(self.model.clone());
        world.restore(start)?;
        Ok(world)
    }

    fn count_contacts(&self, starts: &[Vec<u8>]) -> Result<(usize, u64)> {
        let mut contacts = 0;
        let mut first_hash = None;
        for start in starts {
            let mut world = self.world_at(start)?;
            for _ in 0..self.steps {
                world.step();
                contacts += world.contact_count();
            }
            first_hash.get_or_insert_with(|| world.state_hash());
        }
        Ok((contacts, first_hash.unwrap_or_default()))
    }

    /// CPU time of a run, without making the worlds, s; and the hash of the first one.
    fn timed(&self, starts: &[Vec<u8>]) -> Result<(f64, u64)> {
        let mut cpu_s = 0.0;
        let mut first_hash = None;
        for start in starts {
            let mut world = self.world_at(start)?;
            let begin_s = thread_cpu_s();
            world.steps(self.steps);
            cpu_s += thread_cpu_s() - begin_s;
            first_hash.get_or_insert_with(|| world.state_hash());
        }
        Ok((cpu_s, first_hash.unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_scene::builtin_model;

    #[test]
    fn the_spread_has_median_lowest_and_highest() {
        let spread = Spread::of(vec![5.0, 1.0, 4.0]);
        assert_eq!(spread, Spread { median: 4.0, min: 1.0, max: 5.0, runs: 3 });
        let inverse = spread.map(|x| 20.0 / x);
        assert_eq!(inverse, Spread { median: 5.0, min: 4.0, max: 20.0, runs: 3 });
    }

    #[test]
    fn a_measured_world_ends_where_any_other_does() {
        let model = builtin_model("scrum", &[]).unwrap();
        let work = Work { model: model.clone(), worlds: 2, lead_in: 200, steps: 300, runs: 2 };
        let found = work.measure().unwrap();
        let mut world = World::new(model);
        world.steps(500);
        assert_eq!(found.state_hash, world.state_hash());
        assert!(found.contacts_per_step > 0.0 && found.cpu_s.runs == 2);
    }
}
