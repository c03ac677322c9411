//! Balls that enter zones.

use crate::events::{Event, Happened};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_math::Vec2;
use rolima_model::Model;

/// Notices balls that enter zones; a zone may call for a kick-off ([`crate::rules`]).
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if model.spec.zones.is_empty() {
        return;
    }
    let balls = model.layout.ball_slots.len();
    for (b, ball) in model.balls().enumerate() {
        let Some(body) = model.body(ball) else { continue };
        let Vec2 { x, y } = state.engine.pose(model, body).position;
        for (z, zone) in model.spec.zones.iter().enumerate() {
            let inside =
                (zone.min.x <= x) & (x <= zone.max.x) & (zone.min.y <= y) & (y <= zone.max.y);
            let known = &mut state.inside[z * balls + b];
            // Nearly always: a ball is where it was.
            if inside == *known {
                continue;
            }
            *known = inside;
            if inside {
                state.scores[z] = state.scores[z].saturating_add(1);
                scratch.kick_off |= zone.kick_off;
                let what = Happened::Goal { zone: z as u32, ball };
                scratch.log.push(&mut state.event_counts, Event { step: state.step, what });
            }
        }
    }
}
