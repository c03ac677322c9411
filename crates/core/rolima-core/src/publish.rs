//! Stage 6, publish: state => kick-off, step count, events, frame for observers.

use crate::engine;
use crate::frame::Observer;
use crate::rules;
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Stage 6: applies the rules, counts the step and shows the frame to those observers that want this one.
pub(crate) fn run(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    observers: &mut [Box<dyn Observer>],
) {
    rules::run(model, state, scratch);
    engine::note_slips(model, state, scratch);
    state.step = state.step.wrapping_add(1);
    if observers.is_empty() {
        return;
    }
    let mut filled = false;
    for observer in observers {
        if state.step.is_multiple_of(observer.every_steps().max(1)) {
            if !filled {
                scratch.frame.fill(model, state);
                filled = true;
            }
            observer.on_frame(&scratch.frame);
        }
    }
}
