//! Stage 4 on rough ground: what happened is noted, and shadows are cast into the plane.

use crate::events::{Event, EventKind};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;
use rolima_model::spatial::VehicleEvent;

/// Stage 4 on rough ground.
pub(super) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    crate::rough::cast_shadows(model, state);
    note_events(model, state, scratch);
}

/// Takes the vehicles' events over.
fn note_events(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let (step, counts) = (state.step, &mut state.event_counts);
    let Some(rough) = &mut state.rough else { return };
    rough.world.hear(|event| {
        let kind = match event.kind {
            VehicleEvent::RolledOver => EventKind::RolledOver,
            VehicleEvent::Righted => EventKind::Righted,
            VehicleEvent::LeftTerrain => EventKind::LeftTerrain,
            VehicleEvent::Quarantined => EventKind::Quarantine,
        };
        let subject = model.robots[event.vehicle as usize].slot;
        let event = Event { step, kind, subject, other: None, value: 0.0 };
        scratch.log.push(counts, event);
    });
}
