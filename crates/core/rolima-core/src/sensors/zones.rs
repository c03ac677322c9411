//! Balls that enter zones.

use crate::events::{Event, Happened};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::Model;

/// Notices balls that enter zones; a zone may call for a kick-off ([`crate::rules`]).
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if model.spec.zones.is_empty() {
        return;
    }
    for (b, ball) in model.balls().enumerate() {
        let Some(body) = model.body(ball) else { continue };
        let position = state.engine.pose(model, body).position;
        for (z, zone) in model.spec.zones.iter().enumerate() {
            let inside = position.x >= zone.min.x
                && position.x <= zone.max.x
                && position.y >= zone.min.y
                && position.y <= zone.max.y;
            let known = &mut state.inside[z * model.layout.ball_slots.len() + b];
            if inside && !*known {
                state.scores[z] = state.scores[z].saturating_add(1);
                scratch.kick_off |= zone.kick_off;
                let what = Happened::Goal { zone: z as u32, ball };
                scratch.log.push(&mut state.event_counts, Event { step: state.step, what });
            }
            *known = inside;
        }
    }
}
