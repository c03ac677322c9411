//! When a pushed robot's tyres let go.
//!
//! While its tyres stick, a robot answers to contacts only along its heading and by turning. The
//! tyres give what that takes: the side part of the contacts' impulses and the centripetal force,
//! and what keeps the wheels turning with the ground. Where that is more than a wheel's friction
//! circle holds, the robot is let loose (its tyres then give their kinetic friction, in the
//! direction in which they held) and the contacts are solved again.

use super::solver::Solver;
use crate::state::{State, place};
use rolima_math::Vec2;
use rolima_model::{DriveModel, Model};

/// Most times that contacts are solved in a substep because tyres let go.
pub(crate) const PASSES: u32 = 4;

/// Lets loose every robot whose tyres cannot hold. Returns whether there was one.
pub(crate) fn let_go(solver: &mut Solver, model: &Model, state: &State, h: f64) -> bool {
    if !solver.bodies.iter().any(|b| b.grips) {
        return false;
    }
    sum_impulses(solver);
    let mut any = false;
    for body in &mut solver.bodies[1..] {
        let pushed = body.impulse != Vec2::ZERO || body.angular_impulse != 0.0;
        if !body.grips || !pushed {
            continue;
        }
        let Some(known) = model.body(body.slot) else { continue };
        let drive = &model.drives[model.robots[known.index as usize].drive as usize];
        if !drive.has_traction_limit() {
            continue;
        }
        let heading = body.pose.rotation;
        let (block, lane) = place(body.slot);
        let volts = [state.volts[block].right[lane], state.volts[block].left[lane]];
        let free = (body.free_velocity.dot(heading.x_axis()), body.free_omega);
        let now = (body.forward_speed(), body.omega);
        let side = heading.y_axis().dot(body.impulse);
        let held = tyre_impulses(drive, h, free, now, volts, side);
        let limit = drive.grip_static * h;
        if held.iter().all(|p| p.length_squared() <= limit * limit) {
            continue;
        }
        any = true;
        // What the tyres gave before the contacts stays; the rest is cut to the kinetic circle.
        let unpushed = tyre_impulses(drive, h, free, free, volts, 0.0);
        let kinetic = drive.grip_kinetic * h;
        body.wheel_speeds = drive.rolling_wheel_speeds(free.0, free.1);
        body.let_loose();
        let mut more = Vec2::ZERO;
        for (i, w) in drive.wheels.iter().enumerate() {
            let size = held[i].length();
            let cut = if size > kinetic { held[i] * (kinetic / size) } else { held[i] };
            let extra = cut - unpushed[i];
            more += extra;
            body.free_omega -= w.left * extra.x * body.inverse_inertia;
            body.wheel_speeds[i] -= w.radius * extra.x / w.inertia;
        }
        body.free_velocity += heading.rotate(more) * body.inverse_mass;
    }
    any
}

/// Impulses (forward, left) that the right and left tyre give a robot over `h` while they stick.
///
/// `free` and `now` are (v, omega) without and with contacts; `side` is the contacts' impulse to
/// the left, N s.
fn tyre_impulses(
    drive: &DriveModel,
    h: f64,
    free: (f64, f64),
    now: (f64, f64),
    volts: [f64; 2],
    side: f64,
) -> [Vec2; 2] {
    // Centripetal: what turns the velocity with the heading.
    let left = 0.5 * (drive.spec.mass * now.0 * now.1 * h - side);
    let before = drive.rolling_wheel_speeds(free.0, free.1);
    let after = drive.rolling_wheel_speeds(now.0, now.1);
    [0, 1].map(|i| {
        let w = drive.wheels[i];
        // Motor torque less friction goes into the wheel's own inertia, and into the ground. The
        // motion without contacts hardly accelerates the light wheel, which is left out.
        let torque = w.torque_per_volt * volts[i] - w.drag * before[i];
        let forward = (torque * h - w.inertia * (after[i] - before[i])) / w.radius;
        Vec2::new(forward, left)
    })
}

/// Adds up the impulses that each body got from its contacts.
fn sum_impulses(solver: &mut Solver) {
    for body in &mut solver.bodies {
        (body.impulse, body.angular_impulse) = (Vec2::ZERO, 0.0);
    }
    for c in &solver.contacts {
        let n = c.normal_direction;
        for p in &c.points[..c.count] {
            let impulse = n * p.normal + n.perp() * p.tangent;
            let a = &mut solver.bodies[c.a as usize];
            a.impulse += impulse;
            a.angular_impulse += p.arm_a.cross(impulse);
            let b = &mut solver.bodies[c.b as usize];
            b.impulse -= impulse;
            b.angular_impulse -= p.arm_b.cross(impulse);
        }
    }
}
