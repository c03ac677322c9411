//! Stage 6, publish: state => step count, events, frame for observers.

use crate::events::{Event, Happened};
use crate::frame::Observer;
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::{LANES, Model, RobotId};

/// Stage 6: counts the step and shows the frame to those observers that want this one.
pub(crate) fn run(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    observers: &mut [Box<dyn Observer>],
) {
    if state.slipping != scratch.slipped {
        note_slips(model, state, scratch);
    }
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

/// Notes tyres that let go in this step.
fn note_slips(model: &Model, state: &mut State, scratch: &mut Scratch) {
    for block in 0..state.slipping.len() {
        let new = state.slipping[block] & !scratch.slipped[block];
        for lane in (0..LANES).filter(|lane| new >> lane & 1 == 1) {
            let Some(body) = &model.layout.bodies[block * LANES + lane] else { continue };
            let what = Happened::Slip { robot: RobotId(body.index) };
            scratch.log.push(&mut state.event_counts, Event { step: state.step, what });
        }
    }
    scratch.slipped.clone_from(&state.slipping);
}
