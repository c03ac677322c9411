//! Errors of the executed motion in the plane.

use super::contacts::SKIN;
use super::contacts::broad::WALL_BASE;
use super::dynamics::Reach;
use super::{Block, Scratch, State, place};
use crate::dynamics::errors::{
    Drift, ErrorScratch, LEAST_SPEED, LEAST_TURNING, Moved, StepMotion, clear, draw, drop_near,
};
use crate::sensors::SenseState;
use rolima_math::Pose2;
use rolima_model::{BodyModel, Model};

/// Lets robots err, after all bodies have moved as if nothing touched.
pub(crate) fn run(
    model: &Model,
    state: &mut State,
    (scratch, errors): (&mut Scratch, &mut ErrorScratch),
    drawn: (&mut [Drift], &SenseState),
) {
    // What was done in the step before is behind the bodies only now: there it was not within reach
    // of anything, and the contacts measured from where that step began.
    for e in &errors.erred {
        let radius = model.layout.block_radius[place(e.slot).0];
        scratch.sweeps[e.slot as usize] += e.distance.abs() + e.turn.abs() * radius;
    }
    errors.forget();
    draw(model, drawn, errors, |_, slot| {
        let (block, lane) = place(slot);
        let motion = &state.motion[block];
        let moves = motion.vx[lane].abs() > LEAST_SPEED || motion.omega[lane].abs() > LEAST_TURNING;
        (moves && !state.is_quarantined(slot)).then(|| motion.pose(lane))
    });
    if errors.erred.is_empty() {
        return;
    }
    mark_near_pairs(model, state, scratch, errors);
    drop_near(errors);
    let Scratch { before, reach, .. } = scratch;
    for e in &errors.erred {
        let (block, lane) = place(e.slot);
        let (before, after) = (&before[block], &mut state.motion[block]);
        let position = e.free.position + e.free.rotation.x_axis() * e.distance;
        let rotation = e.free.rotation.turned(e.turn);
        after.set_pose(lane, Pose2 { position, rotation });
        let turn = e.turn.abs() + turning(before, after, lane) * model.step_s;
        reach.merge(Reach::of_lane(before, after, lane, turn));
    }
}

/// Marks the errors of robots that have something within reach, from the list of near pairs.
fn mark_near_pairs(model: &Model, state: &State, scratch: &mut Scratch, errors: &mut ErrorScratch) {
    let Scratch { broad, before, reach, .. } = scratch;
    let most = errors.erred.iter().map(|e| e.distance.abs()).fold(0.0, f64::max);
    let distance = reach.distance_squared.sqrt() + most;
    // With this way the list holds all pairs whose circles get as near as `clear` asks.
    broad.update(model, before, Reach { distance_squared: distance * distance, ..*reach });
    // A third body may push by twice what anything moves.
    let course = |body: &BodyModel| {
        let (block, lane) = place(body.slot);
        let (before, after) = (&before[block], &state.motion[block]);
        let from = before.pose(lane);
        let distance = (after.pose(lane).position - from.position).length();
        StepMotion { from, distance, turning: turning(before, after, lane) }
    };
    let moved = Moved { model, course, margin: SKIN + 2.0 * distance };
    for pair in &broad.pairs {
        if !errors.is_open(pair.a) && !errors.is_open(pair.b) {
            continue;
        }
        let wall = pair.b.checked_sub(WALL_BASE).map(|wall| &model.walls[wall as usize]);
        let other = if wall.is_none() { model.layout.body(pair.b) } else { None };
        let Some(body) = model.layout.body(pair.a) else { continue };
        if !clear(&moved, errors, body, other, wall) {
            errors.mark_near(pair.a);
            errors.mark_near(pair.b);
        }
    }
}

fn turning(before: &Block, after: &Block, lane: usize) -> f64 {
    before.omega[lane].abs().max(after.omega[lane].abs())
}
