//! Finding the contacts that are possible in a step: from the list of pairs to contact points.

use super::SKIN;
use super::broad::{Pair, WALL_BASE};
use super::gather::Reachable;
use super::mover::Mover;
use crate::planar::Scratch;
use crate::planar::State;
use rolima_model::Model;

/// Nothing that moves less than this in a step can push a body at rest far into its neighbour, m.
const GENTLE: f64 = 2e-3;

/// Fills the solver with the contacts that are possible in this step.
///
/// Returns the largest way of two bodies against one another.
pub(super) fn find(model: &Model, state: &State, scratch: &mut Scratch, distance: f64) -> f64 {
    let Scratch { broad, solver, movers, before, sweeps, .. } = scratch;
    let at = (state, &before[..]);
    solver.clear();
    movers.begin();
    let mut relative = 0.0f64;
    let push = push_allowance(distance);
    broad.wake(sweeps, push);
    for k in 0..broad.awake.len() {
        let i = broad.awake[k] as usize;
        let [a, b] = broad.sweepers[i];
        let swept = sweeps[a as usize] + sweeps[b as usize];
        let pair = broad.pairs[i];
        // Nothing has moved since the two were seen at rest and apart, as a ball beside a wall.
        if broad.quiet[i] == swept && distance < GENTLE && !presses(state, pair) {
            continue;
        }
        let [a, b] = movers.pair(model, at, [pair.a, pair.b]);
        if a.is_out || b.is_out {
            continue;
        }
        // How far the two origins, and any points of the bodies, get against one another.
        let shift = (a.displacement - b.displacement).length();
        let own = shift + a.turn + b.turn;
        let gap = circle_gap(model, pair, a, b);
        let found = if gap > SKIN + shift + push {
            // Circles do not turn, and the list holds every pair that gets past here.
            Err(gap)
        } else if own == 0.0 && distance < GENTLE && !presses(state, pair) {
            // Both at rest and nothing between them: only an overlap needs to be looked after.
            let overlap = solver.collide_if_overlapping(model, at, pair, [a.pose, b.pose]);
            broad.quiet[i] = if overlap { f64::NAN } else { swept };
            continue;
        } else {
            let reachable = Reachable { margin: SKIN + own + push, push, h: model.step_s };
            solver.collide(model, at, pair, [a.pose, b.pose], reachable)
        };
        if found.is_ok() {
            relative = relative.max(own);
        }
        let (Ok(gap) | Err(gap)) = found;
        broad.limits[i] = if gap <= SKIN {
            f64::NEG_INFINITY
        } else {
            // The gap is that of the start of the step, which the sweeps have left behind.
            swept - (a.most_swept + b.most_swept) + gap - SKIN
        };
    }
    if solver.most_hit > push {
        broad.widen(model, before, 2.0 * distance + solver.most_hit + SKIN);
        relative = relative.max(pass_on(model, state, scratch, push));
    }
    relative
}

/// Takes in the pairs that were left out because nothing but `push` was expected of others, and of
/// which a body will be hit harder, or may be by a hit that is passed on. Returns the largest way of two
/// of them against one another.
///
/// Pairs are gone through forwards and backwards, so that a row of bodies in either order takes one
/// round; all is over after a round that adds nothing.
fn pass_on(model: &Model, state: &State, scratch: &mut Scratch, push: f64) -> f64 {
    let Scratch { broad, solver, movers, before, sweeps, .. } = scratch;
    let at = (state, &before[..]);
    broad.wake(sweeps, solver.most_hit);
    let sorted = solver.contacts.len();
    let mut relative = 0.0f64;
    let count = broad.awake.len();
    solver.looked_at.clear();
    solver.looked_at.resize(count, push);
    let mut backwards = false;
    loop {
        let mut more = false;
        for k in 0..count {
            let k = if backwards { count - 1 - k } else { k };
            let i = broad.awake[k];
            let pair = broad.pairs[i as usize];
            let hit = solver.hit_distance(pair.a).max(solver.hit_distance(pair.b));
            let [s, t] = broad.sweepers[i as usize];
            let swept = sweeps[s as usize] + sweeps[t as usize];
            let is_seen = hit <= solver.looked_at[k] || solver.has(pair, sorted);
            if is_seen || swept + hit < broad.limits[i as usize] {
                continue;
            }
            solver.looked_at[k] = hit;
            let [a, b] = movers.pair(model, at, [pair.a, pair.b]);
            if a.is_out || b.is_out {
                continue;
            }
            let own = (a.displacement - b.displacement).length() + a.turn + b.turn;
            let reachable = Reachable { margin: SKIN + own + hit, push: hit, h: model.step_s };
            let known = solver.contacts.len();
            let found = solver.collide(model, at, pair, [a.pose, b.pose], reachable);
            if found.is_ok() && solver.contacts.len() > known {
                relative = relative.max(own);
                solver.note_hit(pair, hit);
                solver.looked_at[k] = f64::INFINITY;
                more = true;
            }
        }
        if !more {
            break;
        }
        backwards = !backwards;
    }
    relative
}

/// How far a third body may push one in a step that moves nothing farther than `distance` by
/// itself.
///
/// A heavy body can hit a light one away at twice its own speed. Where nothing is fast, less is
/// expected at first, and [`pass_on`] looks again at the neighbours of those that are hit: that keeps
/// most neighbours in a crowd out of the solver.
pub(super) fn push_allowance(distance: f64) -> f64 {
    if distance > GENTLE { 2.0 * distance } else { 0.5 * distance }
}

/// Whether the pair pressed on one another in the last step.
fn presses(state: &State, pair: Pair) -> bool {
    let (from, to) = (super::key_of(pair, 0, 0), super::key_of(pair, 63, 63));
    let at = state.impulses.partition_point(|i| i.key < from);
    state.impulses.get(at).is_some_and(|i| i.key <= to)
}

#[inline]
fn circle_gap(model: &Model, pair: Pair, a: &Mover, b: &Mover) -> f64 {
    if pair.b >= WALL_BASE {
        let wall = &model.walls[(pair.b - WALL_BASE) as usize];
        wall.least_distance(a.pose.position) - a.radius
    } else {
        (a.pose.position - b.pose.position).length() - a.radius - b.radius
    }
}
