//! Throw-away memory of the planar engine.

use super::contacts::Movers;
use super::contacts::broad::Broad;
use super::contacts::solver::Solver;
use super::dynamics::Reach;
use super::tyre_forces::Slid;
use super::{Block, State};
use crate::walls::WallGrid;
use rolima_model::Model;
use std::sync::Arc;

/// Throw-away memory of the planar engine.
pub(crate) struct Scratch {
    /// Motion at the start of the step.
    pub(crate) before: Vec<Block>,
    /// Which robots slipped at the end of the last step, a bit each.
    pub(crate) slipped: Vec<u8>,
    /// How far any point of each body may have got since the world began, by slot, m; the last
    /// entry is for walls and stays zero.
    pub(crate) sweeps: Vec<f64>,
    /// What tyres gave when they last slid, by slot.
    pub(crate) slid: Vec<Slid>,
    /// How far this step's motion without contacts reaches at most.
    pub(crate) reach: Reach,
    /// Length of the last substep of the contacts, s.
    pub(crate) substep_s: f64,
    /// Which pairs may touch.
    pub(crate) broad: Broad,
    /// Motion of bodies that are near something.
    pub(crate) movers: Movers,
    /// Contacts of this step.
    pub(crate) solver: Solver,
}

impl Scratch {
    /// The memory for a model and its state, among these walls; empty where another engine runs.
    pub(crate) fn new(model: &Model, walls: Arc<WallGrid>, state: Option<&State>) -> Self {
        let slots = if state.is_some() { model.layout.bodies.len() } else { 0 };
        Self {
            before: state.map(|state| state.motion.clone()).unwrap_or_default(),
            slipped: state.map(|state| state.slipping.clone()).unwrap_or_default(),
            sweeps: vec![0.0; slots + 1],
            slid: vec![Slid::default(); slots],
            reach: Reach::default(),
            substep_s: model.step_s,
            broad: Broad::among(walls, model),
            movers: Movers::new(slots),
            solver: Solver::new(model),
        }
    }

    /// Forgets what no longer holds because bodies were put elsewhere.
    pub(crate) fn moved_by_hand(&mut self, state: &State) {
        self.broad.invalidate();
        self.slipped.clone_from(&state.slipping);
    }
}
