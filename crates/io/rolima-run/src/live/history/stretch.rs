//! A part of a run: a saved simulation, and what was done from there on.

use super::{HistoryError, RunInstant};
use crate::live::contract::MapSource;
use crate::live::log::Entry;
use crate::live::session::Session;
use rolima_agents::{KeptSimulation, Simulation};
use rolima_core::Model;
use rolima_scene::Bundle;
use std::sync::{Arc, Mutex, PoisonError};

/// A scene of a run.
pub struct HistoryScene {
    /// What it is called.
    pub name: String,
    /// The scene.
    pub model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<Arc<MapSource>>,
    /// All that it was read from, where that is known.
    pub source: Option<Arc<Bundle>>,
    /// One of its simulations: others begin as it, rather than build what stays.
    any: Mutex<Option<Simulation>>,
}

impl HistoryScene {
    /// A scene by its name.
    pub fn new(name: impl Into<String>, model: Arc<Model>) -> Self {
        Self { name: name.into(), model, map: None, source: None, any: Mutex::new(None) }
    }

    /// A simulation of it, in some state.
    pub fn any_simulation(&self) -> Simulation {
        let mut any = self.any.lock().unwrap_or_else(PoisonError::into_inner);
        any.get_or_insert_with(|| Simulation::new(Arc::clone(&self.model))).fork()
    }

    /// One of its simulations.
    pub(crate) fn any_is(&self, simulation: Simulation) {
        *self.any.lock().unwrap_or_else(PoisonError::into_inner) = Some(simulation);
    }
}

/// What a stretch begins with.
#[derive(Clone)]
pub enum StretchStart {
    /// The first instant of its scene, with this seed.
    First(u64),
    /// A simulation that was saved.
    Saved(Arc<[u8]>),
    /// A simulation as it was kept.
    Kept(Arc<KeptSimulation>),
}

/// Memory of a simulation that is kept, by that of one that is saved.
const KEPT_BY_SAVED: usize = 3;
/// What small ones take besides, bytes.
const KEPT_AT_LEAST: usize = 16 << 10;

/// About how much memory a simulation that is kept takes, bytes: no less. Takes as long as saving it does.
pub fn kept_bytes(simulation: &Simulation) -> usize {
    KEPT_BY_SAVED * simulation.save().len() + KEPT_AT_LEAST
}

/// A part of a run within one scene.
#[derive(Clone)]
pub struct Stretch {
    /// The scene.
    pub scene: Arc<HistoryScene>,
    /// Where it begins.
    pub begin: RunInstant,
    /// The simulation there.
    pub start: StretchStart,
    /// What was done from there on, each with the steps that the run had done before it, in order.
    pub entries: Vec<(u64, Entry)>,
    /// The step at which the next one begins, or what is known of the run ends.
    pub end_step: u64,
    /// Whether there is no next one.
    pub is_last: bool,
}

impl Stretch {
    /// The run at its beginning.
    pub fn session(&self) -> Result<Session, HistoryError> {
        let mut simulation = self.scene.any_simulation();
        match &self.start {
            StretchStart::First(seed) => simulation.reset_with_seed(*seed),
            StretchStart::Saved(bytes) => {
                simulation.restore(bytes).map_err(|why| HistoryError(why.to_string()))?;
            }
            StretchStart::Kept(kept) => {
                if !simulation.go_back(kept) {
                    return Err(HistoryError("expected what was kept of this scene".to_owned()));
                }
            }
        }
        Ok(Session::of(simulation).counted_from(self.begin.step, self.begin.time_s))
    }
}
