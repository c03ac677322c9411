//! Throw-away memory of a world: never saved, rebuilt from the state at any time.

use crate::dynamics::errors::ErrorScratch;
use crate::engine;
use crate::events::EventLog;
use crate::frame::Frame;
use crate::sensors::SenseScratch;
use crate::state::State;
use crate::walls::{WallGrid, WallIndex};
use crate::{planar, spatial};
use rolima_model::Model;
use std::sync::Arc;

/// Throw-away memory of a world.
pub struct Scratch {
    /// Number of the last step; of none, one that no step has.
    pub(crate) stepped_at: u64,
    /// Errors of the motion in this step.
    pub(crate) errors: ErrorScratch,
    /// Robots with voltages waiting.
    pub(crate) queued: Vec<u32>,
    /// Robots whose voltages changed in this step.
    pub(crate) commanded_now: Vec<u32>,
    /// Robots with a speed controller.
    pub(crate) servos: Vec<u32>,
    /// What rays meet, and which robots' wheels are counted.
    pub(crate) senses: SenseScratch,
    /// Whether a zone calls for a kick-off in this step.
    pub(crate) kick_off: bool,
    /// Walls by place.
    walls: Arc<WallGrid>,
    /// Memory of the engine that runs; that of the other is empty.
    pub(crate) planar: planar::Scratch,
    pub(crate) spatial: spatial::Scratch,
    /// Events not yet taken.
    pub(crate) log: EventLog,
    /// The last frame.
    pub(crate) frame: Frame,
}

/// Robots with voltages waiting.
fn waiting(state: &State) -> Vec<u32> {
    let mut robots = Vec::with_capacity(state.waiting.len());
    robots.extend((0..state.waiting.len() as u32).filter(|&i| state.waiting[i as usize].is_some()));
    robots
}

impl Scratch {
    /// Scratch memory for a model and its state.
    pub(crate) fn new(model: &Model, state: &State) -> Self {
        Self::around(SenseScratch::new(model), Arc::new(WallGrid::new(model)), model, state)
    }

    /// The rest, around what follows from the model alone.
    fn around(senses: SenseScratch, walls: Arc<WallGrid>, model: &Model, state: &State) -> Self {
        let (planar, spatial) = engine::memory(model, state, Arc::clone(&walls));
        Self {
            stepped_at: u64::MAX,
            errors: ErrorScratch::new(model, &state.drifts),
            queued: waiting(state),
            commanded_now: Vec::with_capacity(2 * model.robots.len()),
            servos: (0..model.robots.len() as u32)
                .filter(|&i| model.robots[i as usize].servo.is_some())
                .collect(),
            senses,
            kick_off: false,
            walls,
            planar,
            spatial,
            log: EventLog::default(),
            frame: Frame::default(),
        }
    }

    /// Walls by place.
    pub(crate) fn walls(&self) -> &WallIndex {
        self.walls.index()
    }

    /// Begins anew for another state of the same model: what follows from the model alone stays.
    pub(crate) fn renew(&mut self, model: &Model, state: &State) {
        let senses = core::mem::take(&mut self.senses);
        *self = Self::around(senses, Arc::clone(&self.walls), model, state);
    }

    /// The scratch of another world of the same model, in this state; the index of walls is shared.
    pub(crate) fn beside(&self, model: &Model, state: &State) -> Self {
        Self::around(SenseScratch::new(model), Arc::clone(&self.walls), model, state)
    }

    /// Forgets what no longer holds because bodies were put elsewhere.
    pub(crate) fn moved_by_hand(&mut self, state: &State) {
        engine::forget_motion(state, self);
        // What lies between the two motions is no step any more.
        self.stepped_at = u64::MAX;
    }
}
