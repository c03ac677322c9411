//! Throw-away memory of the spatial engine.

use super::State;
use rolima_math::Vec3;
use rolima_model::Model;

/// Throw-away memory of the spatial engine.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Velocities of vehicles at the start of the step, m/s, by robot.
    pub(crate) velocities_before: Vec<Vec3>,
    /// How far the wheels (right, left) of vehicles had turned before the step, rad, by robot; empty
    /// where nobody counts.
    pub(crate) turned_before: Vec<[f64; 2]>,
    /// Velocities of vehicles and bodies before they met, m/s.
    pub(crate) speeds_before: Vec<Vec3>,
    /// Names of the contacts in the step before, sorted.
    pub(crate) touched_before: Vec<u64>,
}

impl Scratch {
    /// The memory for a model and its state, whose wheels have been counted so far; empty where another
    /// engine runs.
    pub(crate) fn new(model: &Model, state: Option<&State>, wheel_angles: &[[f64; 2]]) -> Self {
        let Some(state) = state else { return Self::default() };
        let bodies = state.world.bodies().len();
        Self {
            velocities_before: Vec::with_capacity(model.robots.len()),
            turned_before: wheel_angles.to_vec(),
            speeds_before: Vec::with_capacity(model.robots.len() + bodies),
            touched_before: Vec::with_capacity(state.touching.capacity()),
        }
    }
}
