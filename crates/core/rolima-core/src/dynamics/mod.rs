//! Stage 3, dynamics: motion and motor voltages => motion without contacts.
//!
//! Each engine moves its bodies in its own way: see the modules `dynamics` of [`crate::planar`] and
//! [`crate::spatial`]. What robots do is not quite what their wheels say: [`errors`].

pub mod errors;

use crate::engine;
use crate::probe::{Probe, StepPart};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Stage 3: moves every body as if nothing touched, then lets robots err.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch, probe: &mut impl Probe) {
    scratch.stepped_at = state.step;
    engine::advance(model, state, scratch, probe);
    probe.begin(StepPart::MotionErrors);
    if !state.drifts.is_empty() {
        engine::err(model, state, scratch);
    }
}
