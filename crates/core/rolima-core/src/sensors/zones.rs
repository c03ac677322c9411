//! Balls that enter zones.

use crate::events::{Event, Happened};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Notices balls that enter zones; a zone may call for a kick-off.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if model.spec.zones.is_empty() {
        return;
    }
    let mut kick_off = false;
    for (b, (&slot, ball)) in model.layout.ball_slots.iter().zip(model.balls()).enumerate() {
        let position = state.pose(slot).position;
        for (z, zone) in model.spec.zones.iter().enumerate() {
            let inside = position.x >= zone.min.x
                && position.x <= zone.max.x
                && position.y >= zone.min.y
                && position.y <= zone.max.y;
            let known = &mut state.inside[z * model.layout.ball_slots.len() + b];
            if inside && !*known {
                state.scores[z] = state.scores[z].saturating_add(1);
                kick_off |= zone.kick_off;
                let what = Happened::Goal { zone: z as u32, ball };
                scratch.log.push(&mut state.event_counts, Event { step: state.step, what });
            }
            *known = inside;
        }
    }
    if kick_off {
        state.send_home(model);
        scratch.moved_by_hand(state);
    }
}
