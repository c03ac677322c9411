//! Stage 2, actuators: commanded voltages => motor voltages.
//!
//! The driver stage of a motor cannot give more than its supply.

use crate::scratch::Scratch;
use crate::state::{State, place};
use rolima_model::Model;

/// Stage 2: saturates the voltages that changed in this step.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &Scratch) {
    for &robot in &scratch.commanded_now {
        let r = &model.robots[robot as usize];
        let supply = model.drives[r.drive as usize].spec.supply;
        let [right, left] = state.commanded[robot as usize];
        let (block, lane) = place(r.slot);
        state.volts[block].right[lane] = right.clamp(-supply, supply);
        state.volts[block].left[lane] = left.clamp(-supply, supply);
    }
}
