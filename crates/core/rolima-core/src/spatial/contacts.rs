//! Stage 4 in space: vehicles, free bodies and walls meet.
//!
//! `rolima_spatial` finds and resolves what touches. Here it is noted, for events, bumpers and viewers.

use super::{Scratch, State, known};
use crate::events::{Happened, Notes};
use rolima_math::Vec3;
use rolima_model::spatial::{BodyRef, ContactPair, VehicleEvent};
use rolima_model::{BodyId, Model, RobotId};

/// Most touches of a step that are noted.
const MOST_NOTED: usize = 1024;

/// Lets everything meet, and notes what happened.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch, notes: &mut Notes<'_>) {
    scratch.speeds_before.clear();
    let vehicles = state.world.vehicles_mut().iter().map(|v| v.state.velocity);
    scratch.speeds_before.extend(vehicles);
    scratch.speeds_before.extend(state.world.bodies().iter().map(|b| b.velocity));
    state.world.resolve_contacts(known(model));
    note_touches(model, state, scratch, notes);
    note_events(model, state, notes);
}

/// Number of one of two that touch: vehicles first, then bodies.
fn number(model: &Model, body_ref: BodyRef) -> usize {
    match body_ref {
        BodyRef::Vehicle(index) => index as usize,
        BodyRef::Body(index) => model.robots.len() + index as usize,
    }
}

/// Notes who touches, and contacts that began with a hit.
fn note_touches(model: &Model, state: &mut State, scratch: &mut Scratch, notes: &mut Notes<'_>) {
    let State { world, touching, .. } = state;
    if world.touches().is_empty() && touching.is_empty() {
        return;
    }
    let Scratch { touched_before, speeds_before, .. } = scratch;
    touched_before.clone_from(touching);
    touching.clear();
    let threshold = model.contact.restitution_threshold.max(1e-3);
    for touch in world.touches().iter().take(MOST_NOTED) {
        let (a, b) = (number(model, touch.a), number(model, touch.b));
        let name = (a as u64) << 32 | b as u64;
        touching.push(name);
        let speed = |i: usize| speeds_before.get(i).copied().unwrap_or(Vec3::ZERO);
        let approach = (speed(a) - speed(b)).dot(touch.normal);
        let begins = touched_before.binary_search(&name).is_err();
        if let (true, Some((body, other))) = (begins && approach > threshold, bodies(model, touch))
        {
            notes.note(Happened::Impact { body, other, speed: approach });
        }
    }
    touching.sort_unstable();
}

/// Two that touch, the one that moves first; none for a wall.
fn bodies(model: &Model, touch: &ContactPair) -> Option<(BodyId, Option<BodyId>)> {
    match (body_of(model, touch.a), body_of(model, touch.b)) {
        (Some(a), b) => Some((a, b)),
        (None, b) => Some((b?, None)),
    }
}

/// Number of one of two that touch; none for a wall.
pub(crate) fn body_of(model: &Model, body_ref: BodyRef) -> Option<BodyId> {
    let number = number(model, body_ref);
    (number < model.body_count()).then_some(BodyId(number as u32))
}

/// Calls with every vehicle that something presses on, the direction out of it, and the impulse,
/// N s.
pub(crate) fn each_touched(state: &State, mut each: impl FnMut(RobotId, Vec3, f64)) {
    for touch in state.world.touches() {
        for (body_ref, out) in [(touch.a, touch.normal), (touch.b, -touch.normal)] {
            if let BodyRef::Vehicle(index) = body_ref {
                each(RobotId(index), out, touch.impulse);
            }
        }
    }
}

/// Takes the events of vehicles and bodies over.
fn note_events(model: &Model, state: &mut State, notes: &mut Notes<'_>) {
    state.world.hear(|event| {
        let Some(body) = body_of(model, event.who) else { return };
        // Only vehicles roll over, and they come first among the bodies.
        let robot = RobotId(body.0);
        notes.note(match event.kind {
            VehicleEvent::RolledOver => Happened::RolledOver { robot },
            VehicleEvent::Righted => Happened::Righted { robot },
            VehicleEvent::LeftTerrain => Happened::LeftTerrain { body },
            VehicleEvent::Quarantined => Happened::Quarantine { body },
        });
    });
}
