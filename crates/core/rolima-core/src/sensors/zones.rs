//! Balls that enter zones.

use crate::events::{Event, EventKind};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Notices balls that enter zones; a zone may call for a kick-off.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if model.spec.zones.is_empty() {
        return;
    }
    let mut kick_off = false;
    for (b, &slot) in model.ball_slots.iter().enumerate() {
        let ball = state.pose(slot).position;
        for (z, zone) in model.spec.zones.iter().enumerate() {
            let inside = ball.x >= zone.min.x
                && ball.x <= zone.max.x
                && ball.y >= zone.min.y
                && ball.y <= zone.max.y;
            let known = &mut state.inside[z * model.ball_slots.len() + b];
            if inside && !*known {
                state.scores[z] = state.scores[z].saturating_add(1);
                kick_off |= zone.kick_off;
                let event = Event {
                    step: state.step,
                    kind: EventKind::Goal,
                    subject: z as u32,
                    other: Some(slot),
                    value: 0.0,
                };
                scratch.log.push(&mut state.event_counts, event);
            }
            *known = inside;
        }
    }
    if kick_off {
        state.send_home(model);
        scratch.moved_by_hand(state);
    }
}
