//! How far wheels have turned, and the errors of the executed motion.

use super::device::Device;
use crate::scratch::Scratch;
use crate::state::{State, place};
use rolima_math::{Pose2, Rot2, atan2, sin_cos};
use rolima_model::Model;

/// Counts how far the wheels have turned in this step.
pub(super) fn count(model: &Model, state: &mut State, scratch: &Scratch) {
    for &(robot, further) in &scratch.senses.counted {
        let r = &model.robots[robot as usize];
        let (block, lane) = place(r.slot);
        let drive = &model.drives[r.drive as usize];
        let turned = if let (Some(spatial), Some(rough)) = (&model.spatial, &state.rough) {
            let now = rough.vehicle(robot).map_or([0.0; 2], |v| v.sides(spatial, robot).angle);
            let before = scratch.turned_before[robot as usize];
            [now[0] - before[0], now[1] - before[1]]
        } else if state.is_slipping(r.slot) {
            state.wheel_speeds[r.slot as usize].map(|speed| speed * model.step_s)
        } else {
            // Wheels that stick have rolled as far as the robot got.
            let from = scratch.before[block].pose(lane);
            let (way, turn) = rolled(from, state.motion[block].pose(lane));
            drive.rolling_wheel_speeds(way, turn)
        };
        let angles = &mut state.senses.wheel_angles[robot as usize];
        *angles = [angles[0] + turned[0] * further, angles[1] + turned[1] * further];
    }
}

/// Way along the heading, m, and turn, rad, between two poses of one step: on an arc.
fn rolled(from: Pose2, to: Pose2) -> (f64, f64) {
    let (a, b) = (from.rotation, to.rotation);
    let turn = atan2(a.c * b.s - a.s * b.c, a.c * b.c + a.s * b.s);
    let chord = to.position - from.position;
    let (sin, cos) = sin_cos(0.5 * turn);
    // The heading in the middle, and how much longer the arc is than its chord.
    let middle = a.after(Rot2 { c: cos, s: sin }).x_axis();
    let longer = if turn.abs() > 1e-6 { 0.5 * turn / sin } else { 1.0 };
    (chord.dot(middle) * longer, turn)
}

/// How much of its radius the errors may move a robot in one step: never through a wall.
const MOST_OF_RADIUS: f64 = 0.25;

/// Largest turn that the errors may make in one step, rad.
const MOST_TURN: f64 = 0.5;

/// Lets robots do what their wheels do not say.
pub(super) fn err(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if scratch.senses.odometries.is_empty() {
        return;
    }
    let mut touched = core::mem::take(&mut scratch.senses.touched);
    touched.clear();
    touched.extend(scratch.solver.bodies.iter().filter(|b| b.touched).map(|b| b.slot));
    if let Some(rough) = &state.rough {
        crate::contacts::rough::each_touched(model, rough, |slot, _, _| touched.push(slot));
    }
    touched.sort_unstable();
    err_all(model, state, scratch, &touched);
    scratch.senses.touched = touched;
}

fn err_all(model: &Model, state: &mut State, scratch: &mut Scratch, touched: &[u32]) {
    let mut erred = false;
    for i in 0..scratch.senses.odometries.len() {
        let index = scratch.senses.odometries[i] as usize;
        let slot = model.robots[model.devices[index].robot as usize].slot;
        let (block, lane) = place(slot);
        let Some(body) = model.body(slot) else { continue };
        let motion = &mut state.motion[block];
        let moves = motion.vx[lane].abs() > 1e-9 || motion.omega[lane].abs() > 1e-9;
        let Device::Odometry(_, errors) = &mut state.senses.devices[index] else { continue };
        let (way, turn) = errors.draw(model.step_s, moves);
        if (way == 0.0 && turn == 0.0) || state.quarantined[block] >> lane & 1 == 1 {
            continue;
        }
        // What presses on something stays where the contact leaves it: so whatever a jump got
        // into is pushed out before the next one.
        if touched.binary_search(&slot).is_ok() {
            continue;
        }
        if let Some(rough) = &mut state.rough {
            let robot = model.devices[index].robot as usize;
            rough.world.vehicles_mut()[robot].shift(
                way.clamp(-MOST_OF_RADIUS * body.radius, MOST_OF_RADIUS * body.radius),
                turn.clamp(-MOST_TURN, MOST_TURN),
            );
            erred = true;
            continue;
        }
        let most = MOST_OF_RADIUS * body.radius;
        let (way, turn) = (way.clamp(-most, most), turn.clamp(-MOST_TURN, MOST_TURN));
        let pose = motion.pose(lane);
        let position = pose.position + pose.rotation.x_axis() * way;
        motion.set_pose(lane, Pose2 { position, rotation: pose.rotation.turned(turn) });
        // The broad phase must know of it.
        scratch.sweeps[slot as usize] += way.abs() + turn.abs() * body.radius;
        scratch.broad.advance(way.abs());
    }
    if erred {
        crate::rough::cast_shadows(model, state);
    }
}
