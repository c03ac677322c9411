//! Instants of a stretch of a run, kept close together: played backwards, one after the other is shown.

use super::rerun::Rerun;
use super::stretch::kept_bytes;
use super::{HistoryError, RunInstant};
use rolima_agents::KeptSimulation;
use std::sync::{Arc, Mutex, PoisonError};

/// Time between two instants that are kept close together, s: a picture of a screen.
pub(crate) const DENSE_S: f64 = 1.0 / 60.0;

/// Most bytes of such instants of one stretch; where they are larger they stand further apart.
const MOST_DENSE_BYTES: usize = 48 << 20;

/// An instant that was kept.
#[derive(Clone)]
pub struct KeptStep {
    /// When.
    pub at: RunInstant,
    /// The simulation there.
    pub kept: Arc<KeptSimulation>,
}

/// Instants of one stretch, in order.
pub(crate) struct DenseSteps {
    /// A run within the stretch.
    rerun: Mutex<Box<dyn Rerun>>,
    /// The steps at which the stretch begins and ends.
    pub(crate) stretch: [u64; 2],
    /// What was kept.
    pub(crate) steps: Vec<KeptStep>,
    /// The step up to which it was simulated.
    pub(crate) end_step: u64,
    /// Steps between two of them.
    pub(crate) spacing: u64,
}

impl DenseSteps {
    /// Of a run that is at its beginning.
    pub(crate) fn begin(rerun: &dyn Rerun) -> Self {
        let session = rerun.session();
        let (end_step, step_s) = (session.steps_done(), session.world().model().step_s);
        let length = rerun.stretch_end().saturating_sub(rerun.stretch_begin()).max(1);
        let room = (MOST_DENSE_BYTES / kept_bytes(session.simulation())).max(2);
        let spacing = ((DENSE_S / step_s) as u64).max(length.div_ceil(room as u64)).max(1);
        let stretch = [rerun.stretch_begin(), rerun.stretch_end()];
        let (rerun, steps) = (Mutex::new(rerun.fork()), vec![kept(rerun)]);
        Self { rerun, stretch, steps, end_step, spacing }
    }

    /// The step at which it begins.
    pub(crate) fn begin_step(&self) -> u64 {
        self.steps.first().map_or(self.end_step, |first| first.at.step)
    }

    /// The last instant at this step or before it.
    pub(crate) fn before(&self, step: u64) -> Option<&KeptStep> {
        let count = self.steps.partition_point(|kept| kept.at.step <= step);
        self.steps.get(count.checked_sub(1)?)
    }

    /// Whether this step lies within.
    pub(crate) fn covers(&self, step: u64) -> bool {
        (self.begin_step()..=self.end_step).contains(&step)
    }

    /// Adds the instant that a run is at.
    pub(crate) fn add(&mut self, rerun: &dyn Rerun) {
        self.steps.push(kept(rerun));
    }

    /// A run at an instant of it.
    pub(crate) fn rerun_at(&self, kept: &KeptStep) -> Result<Box<dyn Rerun>, HistoryError> {
        let mut rerun = self.rerun.lock().unwrap_or_else(PoisonError::into_inner).fork();
        rerun.go_to(kept)?;
        Ok(rerun)
    }
}

fn kept(rerun: &dyn Rerun) -> KeptStep {
    let session = rerun.session();
    let at = RunInstant { step: session.steps_done(), time_s: session.simulated_s() };
    KeptStep { at, kept: Arc::new(session.simulation().keep()) }
}
