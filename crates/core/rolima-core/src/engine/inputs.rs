//! What comes from outside, between two steps: commands, bodies put elsewhere, blows.

use super::Engine;
use crate::commands::{Command, Control};
use crate::events::Notes;
use crate::scratch::Scratch;
use crate::state::State;
use crate::{planar, spatial};
use rolima_math::{Pose2, Vec2};
use rolima_model::{BodyKind, BodyModel, Model, RobotId};

/// Whether a robot knows more than voltages: it has a speed controller, or brakes and actuators.
pub(crate) fn obeys_speeds(model: &Model, robot: usize) -> bool {
    model.robots[robot].servo.is_some() || model.spatial().is_some()
}

/// Whether a robot can be commanded by these speeds, of its body or its wheels.
pub(crate) fn drives_at(model: &Model, robot: RobotId, numbers: [f64; 2]) -> bool {
    match model.spatial() {
        None => model.robots[robot.index()].servo.is_some(),
        Some(_) => spatial::commands::drives_at(model, robot, numbers),
    }
}

/// Whether a robot's motors are commanded by voltages.
pub(crate) fn takes_voltages(model: &Model, robot: RobotId) -> bool {
    model.spatial().is_none() || spatial::commands::takes_voltages(model, robot)
}

/// A command as the engine knows it, to wait for the next step. Values of actuators of vehicles are
/// taken at once.
pub(crate) fn translate(
    model: &Model,
    state: &mut State,
    robot: RobotId,
    command: Command,
) -> Command {
    let (waiting, control) = (state.waiting[robot.index()], state.control[robot.index()]);
    match &mut state.engine {
        Engine::Planar(_) => planar::commands::translated(model, robot, command, || {
            waiting.unwrap_or_else(|| {
                let control = control.unwrap_or(Control::Volts);
                Command::from_parts(control, state.commanded[robot.index()])
            })
        }),
        Engine::Spatial(own) => {
            let waits = matches!(waiting, Some(Command::Direct { .. }));
            let goes_on = waits || control == Some(Control::Direct);
            spatial::commands::tell_actuator(model, own, robot, command, goes_on);
            command
        }
    }
}

/// Sets pose and velocity of a body (a robot's along its heading and to its left, others' in the
/// world), and lets robots' sensors know. False where the engine refuses.
pub(crate) fn place(
    model: &Model,
    State { engine, senses, .. }: &mut State,
    body: &BodyModel,
    pose: Pose2,
    motion: (Vec2, f64),
) -> bool {
    match engine {
        Engine::Planar(own) => {
            planar::placing::set_motion(model, own, body, pose, motion);
            if body.kind == BodyKind::Robot {
                senses.teleported(model, body.index..body.index + 1);
            }
            true
        }
        Engine::Spatial(own) => {
            spatial::placing::put_down(model, (own, senses), body, pose, motion)
        }
    }
}

/// Hits a body at a point of the world (m) with an impulse (N s). False where the engine refuses.
pub(crate) fn push(
    model: &Model,
    (state, scratch): (&mut State, &mut Scratch),
    body: &BodyModel,
    blow: (Vec2, Vec2),
) -> bool {
    match &mut state.engine {
        Engine::Planar(own) => {
            let (step, counts) = (state.step, &mut state.event_counts);
            let notes = &mut Notes { step, counts, log: &mut scratch.log };
            planar::placing::push(model, (own, &mut scratch.planar), body, blow, notes)
        }
        Engine::Spatial(own) => spatial::placing::push(model, own, body, blow),
    }
}
