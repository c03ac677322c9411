//! Rules of the game: what follows from what the sensors noticed.
//!
//! They act at the end of the step, before anybody looks at it, so that no state ever waits for them: what
//! is saved between two steps is complete, and a goal and its kick-off are seen together.

use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Sends everything home where a zone calls for a kick-off.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if core::mem::take(&mut scratch.kick_off) {
        state.send_home(model);
        scratch.moved_by_hand(state);
    }
}
