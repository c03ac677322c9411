//! How far wheels have turned.

use crate::scratch::Scratch;
use crate::state::{State, place};
use rolima_math::{Pose2, Rot2, atan2, sin_cos};
use rolima_model::{Model, RobotId};

/// Counts how far the wheels have turned in this step.
pub(super) fn count(model: &Model, state: &mut State, scratch: &Scratch) {
    for &(robot, further) in &scratch.senses.counted {
        let r = &model.robots[robot as usize];
        let slot = model.layout.robot_slot(RobotId(robot));
        let (block, lane) = place(slot);
        let drive = &model.drives[r.drive as usize];
        let turned = if let (Some(spatial), Some(rough)) = (&model.spatial, &state.rough) {
            let now = rough.vehicle(robot).map_or([0.0; 2], |v| v.sides(spatial, robot).angle);
            let before = scratch.turned_before[robot as usize];
            [now[0] - before[0], now[1] - before[1]]
        } else if state.is_slipping(slot) {
            state.wheel_speeds[slot as usize].map(|speed| speed * model.step_s)
        } else {
            // Wheels that stick have rolled as far as the robot got, but for what it did not mean to.
            let from = scratch.before[block].pose(lane);
            let free = scratch.errors.free_pose(slot);
            let (way, turn) = rolled(from, free.unwrap_or_else(|| state.motion[block].pose(lane)));
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
