//! How far wheels have turned.

use crate::engine;
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Counts how far the wheels have turned in this step.
pub(super) fn count(model: &Model, state: &mut State, scratch: &Scratch) {
    for &(robot, further) in &scratch.senses.counted {
        let turned = engine::turned(model, state, scratch, robot);
        let angles = &mut state.senses.wheel_angles[robot as usize];
        *angles = [angles[0] + turned[0] * further, angles[1] + turned[1] * further];
    }
}
