//! Stage 4 in the plane: motion before and after => motion with contacts.
//!
//! The dynamics stage has moved every body as if nothing touched. This stage looks, from the poses
//! at the start of the step, for everything that could touch on the way, finds the impulses, and
//! moves again only the bodies that got one. What hits does so at its own time, one hit after the
//! other; then what presses is solved for the whole step, with the gaps in the constraints
//! (u_n >= -gap/h), so that a body stops at a wall instead of in it, however thin the wall is. Where
//! things move far in a step, the touching bodies are advanced in several substeps.
//!
//! | module | what |
//! |---|---|
//! | [`broad`] | which pairs may touch soon |
//! | `find` | which pairs touch in this step |
//! | `mover` | motion of the bodies that are near something |
//! | [`narrow`] | where two outlines touch |
//! | `gather` | the bodies and contacts of a step, from poses |
//! | [`solver`] | solving them, from the last warm start to the next |
//! | `contact` | one contact: its rows and their solution |
//! | `hits` | which contacts hit, when, and in which order (`rigid`) |
//! | `queue` | which contact hits next (`rigid`) |
//! | `impact` | the law of one impact (`rigid`) |
//! | `island` | contacts that hang together: their preparation and their sweeps (`rigid`) |
//! | [`energy`] | what presses never gains energy (`rigid`) |
//! | [`tyres`] | when a pushed robot's tyres let go |
//! | `ground` | friction of loose objects on the ground |
//! | [`sphere`] | the paper's equivalent spheres (`equivalent-sphere`) |
//! | [`overlap`] | pushing apart what overlaps |

pub mod broad;
pub(crate) mod contact;
pub mod energy;
mod find;
mod gather;
mod ground;
mod hits;
mod impact;
mod island;
mod mover;
pub mod narrow;
pub mod overlap;
mod queue;
pub mod solver;
pub mod sphere;
pub mod tyres;

use crate::events::{Happened, Notes};
use crate::planar::Scratch;
use crate::planar::dynamics::is_sane;
use crate::planar::{CachedImpulse, State, place};
use crate::probe::{Probe, StepPart};
use broad::{Pair, WALL_BASE};
use gather::Reachable;
use hits::Hits;
pub(crate) use mover::Movers;
use rolima_math::Vec2;
use rolima_model::{BodyKind, ContactResponse, Model};
use solver::Solver;

/// Points this near count as touching, m. Resting contacts stay known from step to step by it.
pub(crate) const SKIN: f64 = 1e-4;

/// Bodies that may touch are advanced by at most this much at once, m; a fraction of a ball's
/// radius, so that the linear constraint at the start of a substep still holds at its end.
const SUBSTEP_DISTANCE: f64 = 6e-3;

/// Most substeps of a step: bodies up to some 380 m/s at 1 ms.
const MOST_SUBSTEPS: u32 = 64;

/// Finds and resolves the contacts of this step.
pub(crate) fn run(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    notes: &mut Notes<'_>,
    probe: &mut impl Probe,
) {
    probe.begin(StepPart::Broad);
    let distance = scratch.broad.update(model, &scratch.before, scratch.reach);
    let mut pushed = 0.0f64;
    probe.begin(StepPart::Find);
    let relative = find::find(model, state, scratch, distance);
    if !scratch.solver.contacts.is_empty() {
        pushed = resolve(model, state, scratch, (distance, relative), (notes, probe));
    } else if !state.impulses.is_empty() {
        state.impulses.clear();
    }
    scratch.broad.advance(distance.max(pushed));
}

/// Finds the impulses, advances the touching bodies, and writes back those that were pushed.
///
/// Returns how far a pushed body got at most.
fn resolve(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    (distance, relative): (f64, f64),
    (notes, probe): (&mut Notes<'_>, &mut impl Probe),
) -> f64 {
    probe.begin(StepPart::Solve);
    let substeps = ((relative / SUBSTEP_DISTANCE).ceil() as u32).clamp(1, MOST_SUBSTEPS);
    let h = model.step_s / f64::from(substeps);
    scratch.substep_s = h;
    let solver = &mut scratch.solver;
    solver.remember(&state.impulses);
    if substeps > 1 {
        solver.straighten();
    }
    // A hit may throw a body farther than anything moves by itself.
    let push = find::push_allowance(distance).max(solver.most_hit) / f64::from(substeps);
    let margin = SKIN + relative / f64::from(substeps) + push;
    for i in 0..substeps {
        if i > 0 {
            probe.begin(StepPart::Find);
            solver.collide_again(model, Reachable { margin, push, h });
            probe.begin(StepPart::Solve);
        }
        match model.contact.response {
            ContactResponse::Rigid => {
                let hits = Hits { model, h, margin, step: notes.step };
                solver.solve_rigid(&hits, (state, &scratch.before), &mut scratch.slid);
            }
            ContactResponse::EquivalentSphere => {
                sphere::respond(model, solver, h, &mut state.sphere_energy);
            }
        }
        probe.begin(StepPart::Advance);
        solver.advance(h, substeps > 1);
        overlap::push_apart(solver, h);
        solver.note_impacts(model);
    }
    probe.begin(StepPart::WriteBack);
    solver.store(&mut state.impulses, h);
    write_back(model, state, scratch, notes)
}

/// Writes pushed bodies into the state and notes what happened to them.
///
/// Returns how far one of them got at most.
fn write_back(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    notes: &mut Notes<'_>,
) -> f64 {
    let mut pushed = 0.0f64;
    let Scratch { solver, before, sweeps, .. } = &mut *scratch;
    for impact in &solver.impacts {
        let Some(body) = model.layout.id(impact.pair.a) else { continue };
        // Walls stand above all slots.
        let other = model.layout.id(impact.pair.b);
        notes.note(Happened::Impact { body, other, speed: impact.speed });
    }
    if solver.energy_caps > 0 {
        notes.note(Happened::EnergyCap { times: solver.energy_caps });
    }
    let mut broken = false;
    for i in 1..solver.bodies.len() {
        let body = &solver.bodies[i];
        if !body.touched {
            continue;
        }
        let (block, lane) = place(body.slot);
        let distance = (body.pose.position - before[block].pose(lane).position).length();
        if !is_sane(body.pose, body.velocity, body.omega) {
            broken = true;
            continue;
        }
        pushed = pushed.max(distance);
        // An angle is at most half pi times its chord.
        let (from, to) = (before[block].pose(lane).rotation, body.pose.rotation);
        let turn = 1.6 * (to.x_axis() - from.x_axis()).length();
        sweeps[body.slot as usize] += distance + turn * model.layout.block_radius[block];
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
        take_out_broken(model, state, scratch, notes);
    }
    pushed
}

/// Quarantines bodies that the solver gave numbers that are not finite.
#[cold]
fn take_out_broken(model: &Model, state: &mut State, scratch: &mut Scratch, notes: &mut Notes<'_>) {
    for i in 1..scratch.solver.bodies.len() {
        let body = &scratch.solver.bodies[i];
        if body.touched && !is_sane(body.pose, body.velocity, body.omega) {
            let slot = body.slot;
            let (block, lane) = place(slot);
            crate::planar::dynamics::put_in_quarantine(model, state, notes, slot);
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

/// Numbers of the parts of both bodies in the name of a contact.
pub(crate) fn parts_of(key: u64) -> [usize; 2] {
    [(key >> 6 & 63) as usize, (key & 63) as usize]
}

impl CachedImpulse {
    /// Whether it belongs to this point.
    fn is(&self, key: u64, feature: u32) -> bool {
        self.key == key && self.feature == feature
    }
}

impl Solver {
    /// Notes contacts that hit, and those that began to press so fast.
    fn note_impacts(&mut self, model: &Model) {
        let threshold = model.contact.restitution_threshold.max(1e-3);
        for c in &self.contacts {
            let pressed = c.points[..c.count].iter().filter(|p| p.normal > 0.0 && !c.known);
            let speed = pressed.map(|p| p.approach).fold(c.hit_speed, f64::max);
            if speed > threshold && self.impacts.len() < 256 {
                self.impacts.push(solver::Impact { pair: c.pair, speed });
            }
        }
    }
}
