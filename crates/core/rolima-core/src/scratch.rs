//! Throw-away memory of a world: never saved, rebuilt from the state at any time.

use crate::contacts::Movers;
use crate::contacts::broad::Broad;
use crate::contacts::solver::Solver;
use crate::dynamics::Reach;
use crate::dynamics::errors::ErrorScratch;
use crate::events::EventLog;
use crate::frame::Frame;
use crate::sensors::SenseScratch;
use crate::state::{Block, State};
use crate::tyre_forces::Slid;
use rolima_math::Vec3;
use rolima_model::Model;

/// Throw-away memory of a world.
pub struct Scratch {
    /// Motion at the start of the step.
    pub(crate) before: Vec<Block>,
    /// Which robots slipped at the end of the last step, a bit each.
    pub(crate) slipped: Vec<u8>,
    /// How far any point of each body may have got since the world began, by slot, m; the last
    /// entry is for walls and stays zero.
    pub(crate) sweeps: Vec<f64>,
    /// What tyres gave when they last slid, by slot.
    pub(crate) slid: Vec<Slid>,
    /// Number of the last step; of none, one that no step has.
    pub(crate) stepped_at: u64,
    /// Velocities of vehicles on rough ground at the start of the step, m/s, by robot.
    pub(crate) velocities_before: Vec<Vec3>,
    /// How far this step's motion without contacts reaches at most.
    pub(crate) reach: Reach,
    /// Errors of the motion in this step.
    pub(crate) errors: ErrorScratch,
    /// Robots with voltages waiting.
    pub(crate) queued: Vec<u32>,
    /// Robots whose voltages changed in this step.
    pub(crate) commanded_now: Vec<u32>,
    /// How far the wheels (right, left) of vehicles had turned before the step, rad, by robot.
    pub(crate) turned_before: Vec<[f64; 2]>,
    /// Velocities of vehicles and bodies on rough ground before they met, m/s.
    pub(crate) speeds_before: Vec<Vec3>,
    /// Names of contacts on rough ground in the step before, sorted.
    pub(crate) touched_before: Vec<u64>,
    /// Robots with a speed controller.
    pub(crate) servos: Vec<u32>,
    /// Planes that sensors look into, and which robots' wheels are counted.
    pub(crate) senses: SenseScratch,
    /// Length of the last substep of the contacts, s.
    pub(crate) substep_s: f64,
    /// Which pairs may touch.
    pub(crate) broad: Broad,
    /// Motion of bodies that are near something.
    pub(crate) movers: Movers,
    /// Contacts of this step.
    pub(crate) solver: Solver,
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
        Self::around(SenseScratch::new(model), Broad::new(model), model, state)
    }

    /// The rest, around what follows from the model alone.
    fn around(senses: SenseScratch, broad: Broad, model: &Model, state: &State) -> Self {
        Self {
            before: state.motion.clone(),
            slipped: state.slipping.clone(),
            sweeps: vec![0.0; model.layout.bodies.len() + 1],
            slid: vec![Slid::default(); model.layout.bodies.len()],
            stepped_at: u64::MAX,
            velocities_before: Vec::with_capacity(
                model.spatial.as_ref().map_or(0, |spatial| spatial.vehicles.len()),
            ),
            reach: Reach::default(),
            errors: ErrorScratch::new(model, state),
            queued: waiting(state),
            commanded_now: Vec::with_capacity(2 * model.robots.len()),
            servos: (0..model.robots.len() as u32)
                .filter(|&i| model.robots[i as usize].servo.is_some())
                .collect(),
            turned_before: match model.spatial {
                Some(_) => state.senses.wheel_angles.clone(),
                None => vec![],
            },
            speeds_before: Vec::with_capacity(
                model
                    .spatial
                    .as_ref()
                    .map_or(0, |spatial| spatial.vehicles.len() + spatial.spec.bodies.len()),
            ),
            touched_before: Vec::with_capacity(state.impulses.capacity()),
            senses,
            substep_s: model.step_s,
            broad,
            movers: Movers::new(model.layout.bodies.len()),
            solver: Solver::new(model),
            log: EventLog::default(),
            frame: Frame::default(),
        }
    }

    /// Begins anew for another state of the same model: what follows from the model alone stays.
    pub(crate) fn renew(&mut self, model: &Model, state: &State) {
        let senses = core::mem::take(&mut self.senses);
        let broad = Broad::among(self.broad.walls(), model);
        *self = Self::around(senses, broad, model, state);
    }

    /// The scratch of another world of the same model, in this state; the index of walls is shared.
    pub(crate) fn beside(&self, model: &Model, state: &State) -> Self {
        let broad = Broad::among(self.broad.walls(), model);
        Self::around(SenseScratch::new(model), broad, model, state)
    }

    /// Forgets what no longer holds because bodies were put elsewhere.
    pub(crate) fn moved_by_hand(&mut self, state: &State) {
        self.broad.invalidate();
        self.slipped.clone_from(&state.slipping);
        // What lies between the two motions is no step any more.
        self.stepped_at = u64::MAX;
    }
}
