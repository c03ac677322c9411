//! Stage 4 on rough ground: vehicles, free bodies and walls meet.
//!
//! The spatial engine finds and resolves what touches. Here it is noted, for events, bumpers and
//! viewers, and the shadows of all are cast into the plane.

use crate::events::{Event, EventKind};
use crate::rough::{RoughState, cast_shadows};
use crate::scratch::Scratch;
use crate::state::{CachedImpulse, State};
use rolima_math::Vec3;
use rolima_model::Model;
use rolima_model::spatial::{Party, Touch, VehicleEvent};

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
        if let (true, Some((subject, other))) =
            (begins && approach > threshold, slots(model, touch))
        {
            let kind = EventKind::Impact;
            let event = Event { step: state.step, kind, subject, other, value: approach };
            log.push(&mut state.event_counts, event);
        }
    }
    state.impulses.sort_unstable_by_key(|known| known.key);
}

/// Slots of two that touch, the one that moves first; none for a wall.
fn slots(model: &Model, touch: &Touch) -> Option<(u32, Option<u32>)> {
    match (slot(model, touch.a), slot(model, touch.b)) {
        (Some(a), b) => Some((a, b)),
        (None, b) => Some((b?, None)),
    }
}

/// Slot of one of two that touch; none for a wall.
pub(crate) fn slot(model: &Model, party: Party) -> Option<u32> {
    match party {
        Party::Vehicle(index) => model.robots.get(index as usize).map(|robot| robot.slot),
        Party::Body(index) => {
            let (index, balls) = (index as usize, model.ball_slots.len());
            let object = || model.object_slots.get(index.checked_sub(balls)?);
            model.ball_slots.get(index).or_else(object).copied()
        }
    }
}

/// Calls with the slot of every vehicle that something presses on, the direction out of it, and
/// the impulse, N s.
pub(crate) fn each_touched(
    model: &Model,
    rough: &RoughState,
    mut each: impl FnMut(u32, Vec3, f64),
) {
    for touch in rough.world.touches() {
        for (party, out) in [(touch.a, touch.normal), (touch.b, -touch.normal)] {
            if let (Party::Vehicle(_), Some(slot)) = (party, slot(model, party)) {
                each(slot, out, touch.impulse);
            }
        }
    }
}

/// Takes the events of vehicles and bodies over.
fn note_events(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let (step, counts) = (state.step, &mut state.event_counts);
    let Some(rough) = &mut state.rough else { return };
    rough.world.hear(|event| {
        let kind = match event.kind {
            VehicleEvent::RolledOver => EventKind::RolledOver,
            VehicleEvent::Righted => EventKind::Righted,
            VehicleEvent::LeftTerrain => EventKind::LeftTerrain,
            VehicleEvent::Quarantined => EventKind::Quarantine,
        };
        let Some(subject) = slot(model, event.who) else { return };
        let event = Event { step, kind, subject, other: None, value: 0.0 };
        scratch.log.push(counts, event);
    });
}
