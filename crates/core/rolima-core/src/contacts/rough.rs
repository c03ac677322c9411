//! Stage 4 on rough ground: vehicles, free bodies and walls meet.
//!
//! The spatial engine finds and resolves what touches. Here it is noted, for events, bumpers and
//! viewers, and the shadows of all are cast into the plane.

use crate::events::{Event, Happened};
use crate::rough::{RoughState, cast_shadows};
use crate::scratch::Scratch;
use crate::state::{CachedImpulse, State};
use rolima_math::Vec3;
use rolima_model::spatial::{Party, Touch, VehicleEvent};
use rolima_model::{BodyId, Model, RobotId};

/// Most touches of a step that are noted.
const MOST_NOTED: usize = 1024;

/// Stage 4 on rough ground.
pub(super) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if let Some(rough) = &mut state.rough {
        scratch.speeds_before.clear();
        let vehicles = rough.world.vehicles_mut().iter().map(|v| v.state.velocity);
        scratch.speeds_before.extend(vehicles);
        scratch.speeds_before.extend(rough.world.bodies().iter().map(|b| b.velocity));
        rough.world.meet();
    }
    cast_shadows(model, state);
    note_touches(model, state, scratch);
    note_events(model, state, scratch);
}

/// Number of one of two that touch: vehicles first, then bodies.
fn number(model: &Model, party: Party) -> usize {
    match party {
        Party::Vehicle(index) => index as usize,
        Party::Body(index) => model.robots.len() + index as usize,
    }
}

/// Notes who touches, and contacts that began with a hit.
fn note_touches(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let Some(rough) = &state.rough else { return };
    if rough.world.touches().is_empty() && state.impulses.is_empty() {
        return;
    }
    let Scratch { touched_before, speeds_before, log, .. } = scratch;
    touched_before.clear();
    touched_before.extend(state.impulses.iter().map(|known| known.key));
    state.impulses.clear();
    let threshold = model.contact.restitution_threshold.max(1e-3);
    for touch in rough.world.touches().iter().take(MOST_NOTED) {
        let (a, b) = (number(model, touch.a), number(model, touch.b));
        let key = (a as u64) << 32 | b as u64;
        let normal = touch.impulse / model.step_s;
        state.impulses.push(CachedImpulse { key, feature: 0, normal, tangent: 0.0 });
        let speed = |i: usize| speeds_before.get(i).copied().unwrap_or(Vec3::ZERO);
        let approach = (speed(a) - speed(b)).dot(touch.normal);
        let begins = touched_before.binary_search(&key).is_err();
        if let (true, Some((body, other))) = (begins && approach > threshold, bodies(model, touch))
        {
            let what = Happened::Impact { body, other, speed: approach };
            log.push(&mut state.event_counts, Event { step: state.step, what });
        }
    }
    state.impulses.sort_unstable_by_key(|known| known.key);
}

/// Two that touch, the one that moves first; none for a wall.
fn bodies(model: &Model, touch: &Touch) -> Option<(BodyId, Option<BodyId>)> {
    match (body_of(model, touch.a), body_of(model, touch.b)) {
        (Some(a), b) => Some((a, b)),
        (None, b) => Some((b?, None)),
    }
}

/// Number of one of two that touch; none for a wall.
pub(crate) fn body_of(model: &Model, party: Party) -> Option<BodyId> {
    let number = number(model, party);
    (number < model.body_count()).then_some(BodyId(number as u32))
}

/// Calls with every vehicle that something presses on, the direction out of it, and the impulse,
/// N s.
pub(crate) fn each_touched(rough: &RoughState, mut each: impl FnMut(RobotId, Vec3, f64)) {
    for touch in rough.world.touches() {
        for (party, out) in [(touch.a, touch.normal), (touch.b, -touch.normal)] {
            if let Party::Vehicle(index) = party {
                each(RobotId(index), out, touch.impulse);
            }
        }
    }
}

/// Takes the events of vehicles and bodies over.
fn note_events(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let (step, counts) = (state.step, &mut state.event_counts);
    let Some(rough) = &mut state.rough else { return };
    rough.world.hear(|event| {
        let Some(body) = body_of(model, event.who) else { return };
        // Only vehicles roll over, and they come first among the bodies.
        let robot = RobotId(body.0);
        let what = match event.kind {
            VehicleEvent::RolledOver => Happened::RolledOver { robot },
            VehicleEvent::Righted => Happened::Righted { robot },
            VehicleEvent::LeftTerrain => Happened::LeftTerrain { body },
            VehicleEvent::Quarantined => Happened::Quarantine { body },
        };
        scratch.log.push(counts, Event { step, what });
    });
}
