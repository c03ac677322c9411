//! Errors of the executed motion of vehicles, which they get after their fine steps.

use super::{Scratch, State, known};
use crate::dynamics::errors::{
    Drift, ErrorScratch, LEAST_SPEED, Moved, StepMotion, clear, draw, drop_near,
};
use crate::planar::contacts::SKIN;
use crate::sensors::SenseState;
use rolima_model::{BodyModel, Model, RobotId};

/// Outlines tilt: errors keep so far from what is seen from above, m.
const TILT_ALLOWANCE: f64 = 0.02;

/// Lets vehicles err.
pub(crate) fn run(
    model: &Model,
    state: &mut State,
    (scratch, errors): (&Scratch, &mut ErrorScratch),
    drawn: (&mut [Drift], &SenseState),
) {
    errors.forget();
    // A vehicle that rocks on its springs stands while its wheels do.
    draw(model, drawn, errors, |robot, _| {
        let vehicle = state.vehicle(robot).filter(|v| !v.state.is_stopped())?;
        let now = vehicle.side_angles(known(model), robot);
        let before = scratch.turned_before[robot as usize];
        let drive = &model.drives[model.robots[robot as usize].drive as usize];
        let rolled = |i: usize| (now[i] - before[i]).abs() * drive.wheels[i].radius;
        let moves = rolled(0).max(rolled(1)) > LEAST_SPEED * model.step_s;
        let body = model.body(RobotId(robot))?;
        moves.then(|| state.pose(model, body))
    });
    if errors.erred.is_empty() {
        return;
    }
    // Bodies are still to be moved by the stage that lets them meet.
    let course = |body: &BodyModel| {
        let (from, velocity, omega) = state.motion(model, body);
        StepMotion { from, distance: velocity.length() * model.step_s, turning: omega.abs() }
    };
    let moved = Moved { model, course, margin: SKIN + TILT_ALLOWANCE };
    for i in 0..errors.erred.len() {
        let slot = errors.erred[i].slot;
        let Some(body) = model.layout.body(slot) else { continue };
        let others = model.bodies().filter(|other| other.slot != slot);
        let free = others.clone().all(|other| clear(&moved, errors, body, Some(other), None))
            && model.walls.iter().all(|wall| clear(&moved, errors, body, None, Some(wall)));
        errors.erred[i].near = !free;
    }
    drop_near(errors);
    for e in &errors.erred {
        if let Some(vehicle) = state.world.vehicles_mut().get_mut(e.robot as usize) {
            vehicle.shift(e.distance, e.turn);
        }
    }
}
