//! What the stages of a step call, and the memory that they need.

use super::Engine;
use crate::actuators::Orders;
use crate::commands::Control;
use crate::events::{Happened, Notes};
use crate::planar::ray_targets::Planes;
use crate::probe::{Probe, StepPart};
use crate::scratch::Scratch;
use crate::sensors::ray_targets::RayTargets;
use crate::state::State;
use crate::walls::WallGrid;
use crate::{planar, spatial};
use rolima_model::{LANES, Model, RobotId};
use rolima_sensors::sensors::Imu;
use std::sync::Arc;

/// Memory of both engines for a model and its state; that of the one that does not run is empty.
pub(crate) fn memory(
    model: &Model,
    state: &State,
    walls: Arc<WallGrid>,
) -> (planar::Scratch, spatial::Scratch) {
    let (engine, angles) = (&state.engine, &state.senses.wheel_angles);
    let planar = planar::Scratch::new(model, walls, engine.planar());
    (planar, spatial::Scratch::new(model, engine.spatial(), angles))
}

/// Forgets what no longer holds because bodies were put elsewhere.
pub(crate) fn forget_motion(state: &State, scratch: &mut Scratch) {
    if let Engine::Planar(own) = &state.engine {
        scratch.planar.moved_by_hand(own);
    }
}

/// What an engine works on in a stage that moves bodies.
struct Moving<'a> {
    engine: &'a mut Engine,
    control: &'a [Option<Control>],
    planar: &'a mut planar::Scratch,
    spatial: &'a mut spatial::Scratch,
    notes: Notes<'a>,
}

impl<'a> Moving<'a> {
    #[inline]
    fn of(state: &'a mut State, scratch: &'a mut Scratch) -> Self {
        let State { engine, control, event_counts: counts, step, .. } = state;
        let Scratch { planar, spatial, log, .. } = scratch;
        Self { engine, control, planar, spatial, notes: Notes { step: *step, counts, log } }
    }
}

/// Stage 2: speed controllers and supply.
pub(crate) fn actuate(model: &Model, state: &mut State, scratch: &Scratch) {
    let orders = Orders { commanded: &state.commanded, control: &state.control };
    match &mut state.engine {
        Engine::Planar(own) => planar::actuators::run(model, own, orders, scratch),
        Engine::Spatial(own) => spatial::actuators::run(model, own, orders),
    }
}

/// Stage 3: moves every body as if nothing touched.
#[inline]
pub(crate) fn advance(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) {
    let Moving { engine, control, planar, spatial, mut notes } = Moving::of(state, scratch);
    match engine {
        Engine::Planar(own) => planar::dynamics::run(model, own, planar, &mut notes, probe),
        Engine::Spatial(own) => {
            probe.begin(StepPart::Vehicles);
            spatial::dynamics::run(model, own, control, spatial);
        }
    }
}

/// Stage 3: lets robots err.
pub(crate) fn err(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let drawn = (&mut state.drifts[..], &state.senses);
    let Scratch { planar, spatial, errors, .. } = scratch;
    match &mut state.engine {
        Engine::Planar(own) => planar::errors::run(model, own, (planar, errors), drawn),
        Engine::Spatial(own) => spatial::errors::run(model, own, (spatial, errors), drawn),
    }
}

/// Stage 4: finds and resolves what touches.
#[inline]
pub(crate) fn collide(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    probe: &mut impl Probe,
) {
    let Moving { engine, planar, spatial, mut notes, .. } = Moving::of(state, scratch);
    match engine {
        Engine::Planar(own) => planar::contacts::run(model, own, planar, &mut notes, probe),
        Engine::Spatial(own) => {
            probe.begin(StepPart::Resolve);
            spatial::contacts::run(model, own, spatial, &mut notes);
        }
    }
}

/// Stage 5: how far the wheels (right, left) of a robot have turned in this step, rad.
pub(crate) fn turned(model: &Model, state: &State, scratch: &Scratch, robot: u32) -> [f64; 2] {
    match &state.engine {
        Engine::Planar(own) => {
            planar::senses::turned(model, own, (&scratch.planar, &scratch.errors), robot)
        }
        Engine::Spatial(own) => {
            let before = scratch.spatial.turned_before[robot as usize];
            spatial::ray_targets::turned(model, own, before, robot)
        }
    }
}

/// Stage 5: finds what presses on robots. False where nothing does.
pub(crate) fn find_touches(model: &Model, state: &State, scratch: &mut Scratch) -> bool {
    let touches = &mut scratch.senses.touches;
    match &state.engine {
        Engine::Planar(_) => planar::senses::find_touches(model, &scratch.planar, touches),
        Engine::Spatial(own) => {
            spatial::ray_targets::find_touches(model, own, touches);
            !touches.is_empty()
        }
    }
}

/// Stage 5: what rays meet, in level planes and in space.
pub(crate) fn ray_targets(model: &Model) -> (Planes, RayTargets) {
    match model.spatial() {
        None => (Planes::new(model), planar::ray_targets::ray_targets(model)),
        Some(_) => (Planes::default(), spatial::ray_targets::ray_targets(model)),
    }
}

/// Stage 5: an inertial unit as its robot carries it.
pub(crate) fn imu(model: &Model, imu: Imu) -> Imu {
    if model.spatial().is_some() { imu.in_space() } else { imu }
}

/// Stage 6: notes tyres that let go in this step.
pub(crate) fn note_slips(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let Moving { engine, planar, mut notes, .. } = Moving::of(state, scratch);
    let Engine::Planar(own) = engine else { return };
    let slipped = &mut planar.slipped;
    // Not by `==`, which calls a function for what is a block or two in most scenes.
    if own.slipping.iter().zip(&*slipped).all(|(now, before)| now == before) {
        return;
    }
    for (block, (now, before)) in own.slipping.iter().zip(&*slipped).enumerate() {
        let new = now & !before;
        for lane in (0..LANES).filter(|lane| new >> lane & 1 == 1) {
            let Some(body) = &model.layout.bodies[block * LANES + lane] else { continue };
            notes.note(Happened::Slip { robot: RobotId(body.index) });
        }
    }
    slipped.clone_from(&own.slipping);
}
