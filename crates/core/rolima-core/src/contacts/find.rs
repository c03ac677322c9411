//! Finding the contacts that are possible in a step: from the list of pairs to contact points.

use super::SKIN;
use super::broad::{self, Pair, WALL_BASE};
use super::gather::Reachable;
use crate::dynamics::sweep_bound;
use crate::scratch::Scratch;
use crate::state::{Block, State, place};
use rolima_math::Vec2;
use rolima_model::Model;

/// Nothing that moves less than this in a step can push a body at rest far into its neighbour, m.
const GENTLE: f64 = 2e-3;

/// Fills the solver with the contacts that are possible in this step.
///
/// Returns the largest way of two bodies against one another.
pub(super) fn find(model: &Model, state: &State, scratch: &mut Scratch, way: f64) -> f64 {
    let Scratch { broad, solver, before, sweeps, .. } = scratch;
    solver.clear();
    let mut relative = 0.0f64;
    let push = push_allowance(way);
    for i in 0..broad.limits.len() {
        // Sweeps already hold this step's motion.
        let [a, b] = broad.sweepers[i];
        let swept = sweeps[a as usize] + sweeps[b as usize];
        if swept + push < broad.limits[i] {
            continue;
        }
        let pair = broad.pairs[i];
        if is_out(state, pair) {
            continue;
        }
        let motions = (&before[..], &state.motion[..]);
        let (shift, own) = relative_way(model, motions, pair);
        let gap = circle_gap(model, before, pair);
        let found = if gap > SKIN + shift + push {
            // Circles do not turn, and the list holds every pair that gets past here.
            Err(gap)
        } else if own == 0.0 && way < GENTLE && !presses(state, pair) {
            // Both at rest and nothing between them: only an overlap needs to be looked after. While
            // neither moves there is none if there was none.
            if broad.quiet[i] != swept {
                let overlap = solver.collide_if_overlapping(model, (state, before), pair);
                broad.quiet[i] = if overlap { f64::NAN } else { swept };
            }
            continue;
        } else {
            let reachable = Reachable { margin: SKIN + own + push, push, h: model.step_s };
            solver.collide(model, (state, before), pair, reachable)
        };
        if found.is_ok() {
            relative = relative.max(own);
        }
        let (Ok(gap) | Err(gap)) = found;
        broad.limits[i] = if gap <= SKIN {
            f64::NEG_INFINITY
        } else {
            // The gap is that of the start of the step, which the sweeps have left behind.
            swept - most_swept(model, motions, pair) + gap - SKIN
        };
    }
    relative
}

/// How far a third body may push one in a step that moves nothing farther than `way` by itself.
///
/// A heavy body can hit a light one away at twice its own speed. Where nothing is fast, a push may
/// close some of that, a few millimetres at most, before the next step sees it: that keeps most
/// neighbours in a crowd out of the solver.
pub(super) fn push_allowance(way: f64) -> f64 {
    if way > GENTLE { 2.0 * way } else { 0.5 * way }
}

fn is_out(state: &State, pair: Pair) -> bool {
    state.is_quarantined(pair.a) || (pair.b < WALL_BASE && state.is_quarantined(pair.b))
}

/// Whether the pair pressed on one another in the last step.
fn presses(state: &State, pair: Pair) -> bool {
    let (from, to) = (super::key_of(pair, 0, 0), super::key_of(pair, 63, 63));
    let at = state.impulses.partition_point(|i| i.key < from);
    state.impulses.get(at).is_some_and(|i| i.key <= to)
}

#[inline]
fn circle_gap(model: &Model, before: &[Block], pair: Pair) -> f64 {
    let (block, lane) = place(pair.a);
    let a = before[block].pose(lane).position;
    let radius = |slot: u32| model.bodies[slot as usize].as_ref().map_or(0.0, |b| b.radius);
    if pair.b >= WALL_BASE {
        let wall = &model.walls[(pair.b - WALL_BASE) as usize];
        broad::distance(wall, a) - radius(pair.a)
    } else {
        let (block, lane) = place(pair.b);
        let b = before[block].pose(lane).position;
        (a - b).length() - radius(pair.a) - radius(pair.b)
    }
}

/// Way of a body's origin in this step, and how far turning moves its rim.
#[inline]
fn motion(model: &Model, (before, after): (&[Block], &[Block]), slot: u32) -> (Vec2, f64) {
    let (block, lane) = place(slot);
    let (from, to) = (&before[block], &after[block]);
    let way = Vec2::new(to.x[lane] - from.x[lane], to.y[lane] - from.y[lane]);
    let spin = from.omega[lane].abs().max(to.omega[lane].abs()) * model.step_s;
    (way, spin * model.block_radius[block])
}

/// How far the two bodies' origins, and any points of them, get against one another in this step.
#[inline]
fn relative_way(model: &Model, motions: (&[Block], &[Block]), pair: Pair) -> (f64, f64) {
    let (way_a, turn_a) = motion(model, motions, pair.a);
    if pair.b >= WALL_BASE {
        let shift = way_a.length();
        return (shift, shift + turn_a);
    }
    let (way_b, turn_b) = motion(model, motions, pair.b);
    let shift = (way_a - way_b).length();
    (shift, shift + turn_a + turn_b)
}

/// What this step has added to the sweeps of both bodies, at most.
///
/// A robot whose tyres let go in this step has been counted twice: as sticking and as sliding.
fn most_swept(model: &Model, (before, after): (&[Block], &[Block]), pair: Pair) -> f64 {
    let of = |slot: u32| {
        let (block, lane) = place(slot);
        let scale = [model.step_s, model.step_s * model.block_radius[block]];
        let (from, to) = (&before[block], &after[block]);
        let speed = |b: &Block| b.velocity(lane).length();
        2.0 * sweep_bound(
            speed(from).max(speed(to)),
            from.omega[lane].abs().max(to.omega[lane].abs()),
            scale,
        )
    };
    of(pair.a) + if pair.b < WALL_BASE { of(pair.b) } else { 0.0 }
}
