//! Stage 2, actuators: commanded voltages, speeds and values => motor voltages, values of all actuators.
//!
//! Each engine has speed controllers of its own: see the modules `actuators` of [`crate::planar`] and
//! [`crate::spatial`].

use crate::commands::Control;
use crate::engine;
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::{DriveModel, Model};

/// What robots are told, by their numbers.
#[derive(Clone, Copy)]
pub(crate) struct Orders<'a> {
    /// See [`State::commanded`].
    pub(crate) commanded: &'a [[f64; 2]],
    /// See [`State::control`].
    pub(crate) control: &'a [Option<Control>],
}

/// Stage 2: saturates voltages, lets the speed controllers act.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &Scratch) {
    engine::actuate(model, state, scratch);
}

/// Voltages (right, left) as far as a robot's supply gives them, V.
pub(crate) fn within_supply(model: &Model, robot: usize, volts: [f64; 2]) -> [f64; 2] {
    let supply = model.drives[model.robots[robot].drive as usize].spec.supply;
    volts.map(|volts| volts.clamp(-supply, supply))
}

/// Speed and turning of a robot whose wheels (right, left) roll at these speeds: equations 3.2 to
/// 3.7 of the Robot One thesis.
pub(crate) fn body_speeds(drive: &DriveModel, wheels: [f64; 2]) -> [f64; 2] {
    let [right, left] = [0, 1].map(|i| wheels[i] * drive.wheels[i].radius);
    [0.5 * (right + left), (right - left) / drive.spec.wheel_distance]
}
