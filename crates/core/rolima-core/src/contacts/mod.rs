//! Stage 4, contacts: motion before and after => motion with contacts.
//!
//! The dynamics stage has moved every body as if nothing touched. This stage looks, from the poses
//! at the start of the step, for everything that could touch on the way, finds the impulses, and
//! moves again only the bodies that got one. Gaps enter the constraints (u_n >= -gap/h), so a body
//! stops at a wall instead of in it, however thin the wall is; where things move far in a step,
//! the touching bodies are advanced in several substeps.
//!
//! | module | what |
//! |---|---|
//! | [`broad`] | which pairs may touch |
//! | [`narrow`] | where two outlines touch |
//! | [`solver`] | bodies and contacts of a step, their preparation and their sweeps (`rigid`) |
//! | `contact` | one contact: its rows and their solution |
//! | [`restitution`] | bouncing that never gains energy (`rigid`) |
//! | [`tyres`] | when a pushed robot's tyres let go |
//! | [`sphere`] | the paper's equivalent spheres (`equivalent-sphere`) |
//! | [`overlap`] | pushing apart what overlaps |

pub mod broad;
mod contact;
pub mod narrow;
pub mod overlap;
pub mod restitution;
pub mod solver;
pub mod sphere;
pub mod tyres;

use crate::events::{Event, EventKind};
use crate::scratch::Scratch;
use crate::state::{Block, CachedImpulse, State, place};
use broad::{Pair, WALL_BASE};
use rolima_math::Vec2;
use rolima_model::{BodyKind, ContactResponse, Model};
use solver::Solver;

/// Points this near count as touching, m. Resting contacts stay known from step to step by it.
pub(crate) const SKIN: f64 = 1e-4;

/// Bodies that may touch are advanced by at most this much at once, m; a fraction of a ball's
/// radius, so that the linear constraint at the start of a substep still holds at its end.
const SUBSTEP_WAY: f64 = 6e-3;

/// Most substeps of a step: bodies up to some 380 m/s at 1 ms.
const MOST_SUBSTEPS: u32 = 64;

/// Stage 4: finds and resolves the contacts of this step.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let (way, sweep) = scratch.broad.update(model, &scratch.before, scratch.reach);
    let mut pushed = Pushed::default();
    if scratch.broad.first_wake <= scratch.broad.horizon(sweep) {
        let relative = find_near(model, state, scratch, way, sweep);
        if !scratch.solver.contacts.is_empty() {
            pushed = resolve(model, state, scratch, way, relative);
        } else {
            state.impulses.clear();
        }
    } else if !state.impulses.is_empty() {
        state.impulses.clear();
    }
    scratch.broad.advance(way.max(pushed.way), sweep.max(pushed.sweep));
}

/// How far bodies got that were pushed.
#[derive(Clone, Copy, Default)]
struct Pushed {
    way: f64,
    sweep: f64,
}

/// Fills the solver with the contacts that are possible in this step.
///
/// Returns the largest way of two bodies against one another.
fn find_near(model: &Model, state: &State, scratch: &mut Scratch, way: f64, sweep: f64) -> f64 {
    let Scratch { broad, solver, before, .. } = scratch;
    solver.clear();
    let horizon = broad.horizon(sweep);
    let mut relative = 0.0f64;
    let mut first_wake = f64::INFINITY;
    for i in 0..broad.pairs.len() {
        if broad.wakes[i] > horizon {
            first_wake = first_wake.min(broad.wakes[i]);
            continue;
        }
        let pair = broad.pairs[i];
        let gap = circle_gap(model, before, pair);
        let (gap, touching) = if gap > SKIN + 3.0 * sweep || is_out(state, pair) {
            (gap, false)
        } else {
            let own = relative_way(model, (before, &state.motion), pair);
            let margin = SKIN + own + way;
            match solver.collide(model, (state, before), pair, margin) {
                Ok(()) => {
                    relative = relative.max(own);
                    (f64::NEG_INFINITY, true)
                }
                Err(gap) => (gap, false),
            }
        };
        broad.wakes[i] = if touching { f64::NEG_INFINITY } else { broad.wake_for(gap) };
        first_wake = first_wake.min(broad.wakes[i]);
    }
    broad.first_wake = first_wake;
    relative
}

fn is_out(state: &State, pair: Pair) -> bool {
    state.is_quarantined(pair.a) || (pair.b < WALL_BASE && state.is_quarantined(pair.b))
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

/// How far points of the two bodies get against one another in this step, at most.
#[inline]
fn relative_way(model: &Model, (before, after): (&[Block], &[Block]), pair: Pair) -> f64 {
    let motion = |slot: u32| {
        let (block, lane) = place(slot);
        let (from, to) = (&before[block], &after[block]);
        let way = Vec2::new(to.x[lane] - from.x[lane], to.y[lane] - from.y[lane]);
        let spin = from.omega[lane].abs().max(to.omega[lane].abs()) * model.step_s;
        let radius = model.bodies[slot as usize].as_ref().map_or(0.0, |b| b.radius);
        (way, spin * radius)
    };
    let (way_a, turn_a) = motion(pair.a);
    let (way_b, turn_b) = if pair.b < WALL_BASE { motion(pair.b) } else { (Vec2::ZERO, 0.0) };
    (way_a - way_b).length() + turn_a + turn_b
}

/// Finds the impulses, advances the touching bodies, and writes back those that were pushed.
fn resolve(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    way: f64,
    relative: f64,
) -> Pushed {
    let substeps = ((relative / SUBSTEP_WAY).ceil() as u32).clamp(1, MOST_SUBSTEPS);
    let h = model.step_s / f64::from(substeps);
    let solver = &mut scratch.solver;
    solver.remember(&state.impulses);
    for i in 0..substeps {
        if i > 0 {
            let margin = SKIN + (relative + way) / f64::from(substeps);
            solver.collide_again(model, margin);
        }
        match model.contact.response {
            ContactResponse::Rigid => {
                solver.solve_rigid(model, state, h);
            }
            ContactResponse::EquivalentSphere => {
                sphere::respond(model, solver, h, &mut state.sphere_energy);
            }
        }
        solver.advance(h);
        overlap::push_apart(solver, h);
        solver.note_impacts(model);
    }
    solver.store(&mut state.impulses, h);
    write_back(model, state, scratch)
}

/// Writes pushed bodies into the state and notes what happened to them.
fn write_back(model: &Model, state: &mut State, scratch: &mut Scratch) -> Pushed {
    let mut pushed = Pushed::default();
    let step = state.step;
    let Scratch { solver, log, before, .. } = &mut *scratch;
    for impact in &solver.impacts {
        let event = Event {
            step,
            kind: EventKind::Impact,
            subject: impact.pair.a,
            other: (impact.pair.b < WALL_BASE).then_some(impact.pair.b),
            value: impact.speed,
        };
        log.push(&mut state.event_counts, event);
    }
    if solver.energy_caps > 0 {
        let kind = EventKind::EnergyCap;
        let event = Event { step, kind, subject: 0, other: None, value: f64::from(solver.energy_caps) };
        log.push(&mut state.event_counts, event);
    }
    let mut broken = false;
    for i in 1..solver.bodies.len() {
        let body = &solver.bodies[i];
        if !body.touched {
            continue;
        }
        let (block, lane) = place(body.slot);
        let way = (body.pose.position - before[block].pose(lane).position).length();
        if !(way + body.pose.rotation.c + body.velocity.x + body.velocity.y + body.omega).is_finite() {
            broken = true;
            continue;
        }
        pushed.way = pushed.way.max(way);
        let spin = body.omega.abs().max(before[block].omega[lane].abs()) * model.step_s;
        pushed.sweep = pushed.sweep.max(way + spin * model.largest_radius);
        let motion = &mut state.motion[block];
        motion.set_pose(lane, body.pose);
        if body.kind != BodyKind::Robot {
            motion.set_velocity(lane, body.velocity, body.omega);
        } else if body.grips {
            motion.set_velocity(lane, Vec2::new(body.forward_speed(), 0.0), body.omega);
        } else {
            motion.set_velocity(lane, body.pose.rotation.unrotate(body.velocity), body.omega);
            state.set_slipping(body.slot, true);
            state.wheel_speeds[body.slot as usize] = body.wheel_speeds;
        }
    }
    if broken {
        take_out_broken(state, scratch);
    }
    pushed
}

/// Quarantines bodies that the solver gave numbers that are not finite.
#[cold]
fn take_out_broken(state: &mut State, scratch: &mut Scratch) {
    for i in 1..scratch.solver.bodies.len() {
        let body = &scratch.solver.bodies[i];
        let good = body.pose.is_finite() && body.velocity.is_finite() && body.omega.is_finite();
        if body.touched && !good {
            let slot = body.slot;
            let (block, lane) = place(slot);
            crate::dynamics::put_in_quarantine(state, scratch, slot);
            let last = scratch.before[block];
            state.motion[block].copy_lane(lane, &last);
            state.motion[block].set_velocity(lane, Vec2::ZERO, 0.0);
        }
    }
}

/// Name of a contact: its bodies and parts. Names sort as contacts are found.
pub(crate) fn key_of(pair: Pair, part_a: usize, part_b: usize) -> u64 {
    // 24 bits for a slot, 25 for a slot or a wall, 6 for each part.
    let b = if pair.b >= WALL_BASE { 1 << 24 | (pair.b - WALL_BASE) } else { pair.b };
    u64::from(pair.a) << 37 | u64::from(b) << 12 | (part_a as u64) << 6 | part_b as u64
}

impl CachedImpulse {
    /// Whether it belongs to this point.
    fn is(&self, key: u64, feature: u32) -> bool {
        self.key == key && self.feature == feature
    }
}

impl Solver {
    /// Notes contacts that began with a hit.
    fn note_impacts(&mut self, model: &Model) {
        let threshold = model.contact.restitution_threshold.max(1e-3);
        for c in &self.contacts {
            for p in &c.points[..c.count] {
                if p.approach > threshold && p.normal > 0.0 && !c.known && self.impacts.len() < 256 {
                    self.impacts.push(solver::Impact { pair: c.pair, speed: p.approach });
                    break;
                }
            }
        }
    }
}
