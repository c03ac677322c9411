//! What sensors feel in the plane: how far wheels turn, what presses.

use super::{Scratch, State, place};
use crate::dynamics::errors::ErrorScratch;
use rolima_math::{Pose2, Rot2, atan2, sin_cos};
use rolima_model::{BodyId, BodyKind, Model, RobotId};
use rolima_sensors::sensors::BumperContact;

/// How far the wheels (right, left) of a robot have turned in this step, rad.
pub(crate) fn turned(
    model: &Model,
    state: &State,
    (scratch, errors): (&Scratch, &ErrorScratch),
    robot: u32,
) -> [f64; 2] {
    let slot = model.layout.robot_slot(RobotId(robot));
    if state.is_slipping(slot) {
        return state.wheel_speeds[slot as usize].map(|speed| speed * model.step_s);
    }
    // Wheels that stick have rolled as far as the robot got, but for what it did not mean to.
    let (block, lane) = place(slot);
    let from = scratch.before[block].pose(lane);
    let to = errors.free_pose(slot).unwrap_or_else(|| state.motion[block].pose(lane));
    let (distance, turn) = rolled(from, to);
    let drive = &model.drives[model.robots[robot as usize].drive as usize];
    drive.rolling_wheel_speeds(distance, turn)
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

/// Finds what presses on robots. False where nothing presses on anything.
pub(crate) fn find_touches(
    model: &Model,
    scratch: &Scratch,
    touches: &mut Vec<(BodyId, BumperContact)>,
) -> bool {
    let solver = &scratch.solver;
    if solver.contacts.is_empty() && solver.strikes.is_empty() {
        return false;
    }
    touches.clear();
    let hits = solver.strikes.iter().map(|s| (s.a, s.b, s.normal, s.impulse));
    let contact_points = solver.contacts.iter().map(|c| {
        let impulse = (0..c.count).map(|i| solver.impulse(model, c, i)).sum::<f64>();
        (c.a, c.b, c.normal_direction, impulse)
    });
    for (a, b, normal, impulse) in hits.chain(contact_points) {
        let force = impulse / scratch.substep_s;
        // The normal leads from b to a; a touch's out of the robot.
        for (body, normal) in [(a, -normal), (b, normal)] {
            let body = &solver.bodies[body as usize];
            if let (BodyKind::Robot, Some(id)) = (body.kind, model.layout.id(body.slot)) {
                touches.push((id, BumperContact { normal, force }));
            }
        }
    }
    true
}
