//! When a pushed robot's tyres let go.
//!
//! While its tyres stick, a robot answers to contacts only along its heading and by turning. The
//! tyres give what that takes: the side part of the contacts' impulses and the centripetal force,
//! and what keeps the wheels turning with the ground. Where that is more than a wheel's friction
//! circle holds, the robot is let loose (its tyres then give their kinetic friction, in the
//! direction in which they held) and its contacts are solved again.

use super::island::Island;
use super::solver::{Released, SolverBody};
use crate::state::{State, place};
use rolima_math::Vec2;
use rolima_model::{DriveModel, Model};

/// Most times that contacts are solved in a substep because tyres let go.
pub(crate) const PASSES: u32 = 3;

/// A hit that asks for this many times a tyre's grip lets it go without solving first.
const CLEARLY: f64 = 4.0;

/// Lets loose robots that are hit so hard that there is no doubt, from a guess of the impulse.
pub(crate) fn let_go_at_once(island: &mut Island<'_>, model: &Model, state: &State, h: f64) {
    if !island.order.iter().any(|&i| island.contacts[i as usize].bounces) {
        return;
    }
    for &m in island.members {
        let body = &mut island.bodies[m as usize];
        (body.impulse, body.angular_impulse) = (Vec2::ZERO, 0.0);
    }
    for &i in island.order {
        let c = &island.contacts[i as usize];
        let hit = if c.points[1].approach > c.points[0].approach { 1 } else { 0 };
        let p = &c.points[hit];
        let (a, b) = (&island.bodies[c.a as usize], &island.bodies[c.b as usize]);
        if !c.bounces || !(a.grips || b.grips) {
            continue;
        }
        let answer = a.inverse_mass
            + b.inverse_mass
            + p.lever_a * p.lever_a * a.inverse_inertia
            + p.lever_b * p.lever_b * b.inverse_inertia;
        let size = p.approach / answer;
        for (number, size, lever) in [(c.a, size, p.lever_a), (c.b, -size, p.lever_b)] {
            let body = &mut island.bodies[number as usize];
            body.impulse += c.normal_direction * size;
            body.angular_impulse += lever * size;
        }
    }
    for &m in island.members {
        let body = &mut island.bodies[m as usize];
        if body.grips {
            let (v, omega) = body.answer(body.impulse, body.angular_impulse);
            let now = (body.free_velocity + v, body.free_omega + omega);
            release(body, now, model, state, (h, CLEARLY));
        }
    }
}

/// Lets loose every robot whose tyres cannot hold, and marks it as changed: its contacts have to
/// be solved again. Returns whether there was one.
pub(crate) fn let_go(island: &mut Island<'_>, model: &Model, state: &State, h: f64) -> bool {
    if !island.members.iter().any(|&m| island.bodies[m as usize].grips) {
        return false;
    }
    island.sum_impulses();
    island.mark_changed(0);
    let mut any = false;
    for &m in island.members {
        let body = &mut island.bodies[m as usize];
        let now = (body.velocity, body.omega);
        if body.grips && release(body, now, model, state, (h, 1.0)) {
            any = true;
            body.changed = 1;
            let (v, omega) = body.answer(body.impulse, body.angular_impulse);
            (body.velocity, body.omega) = (body.free_velocity + v, body.free_omega + omega);
        }
    }
    if any {
        for &i in island.order {
            let c = &mut island.contacts[i as usize];
            let (a, b) = (&island.bodies[c.a as usize], &island.bodies[c.b as usize]);
            if a.changed + b.changed > 0 {
                c.couple(a, b);
            }
        }
    }
    any
}

/// Lets a gripping robot loose if its tyres would have to give more than `factor` times what they
/// can, to let the contacts bring it to the velocities `now`.
fn release(
    body: &mut SolverBody,
    now: (Vec2, f64),
    model: &Model,
    state: &State,
    (h, factor): (f64, f64),
) -> bool {
    if body.impulse == Vec2::ZERO && body.angular_impulse == 0.0 {
        return false;
    }
    let Some(known) = model.body(body.slot) else { return false };
    let drive = &model.drives[model.robots[known.index as usize].drive as usize];
    if !drive.has_traction_limit() {
        return false;
    }
    let heading = body.pose.rotation;
    let (block, lane) = place(body.slot);
    let volts = [state.volts[block].right[lane], state.volts[block].left[lane]];
    let free = (body.free_velocity.dot(heading.x_axis()), body.free_omega);
    let now = (now.0.dot(heading.x_axis()), now.1);
    let side = heading.y_axis().dot(body.impulse);
    let held = tyre_impulses(drive, h, free, now, volts, side);
    let limit = factor * drive.grip_static * h;
    if held.iter().all(|p| p.length_squared() <= limit * limit) {
        return false;
    }
    body.wheel_speeds = drive.rolling_wheel_speeds(free.0, free.1);
    body.let_loose();
    body.released = Some(Released {
        velocity: body.free_velocity,
        omega: body.free_omega,
        wheel_speeds: body.wheel_speeds,
        wheel_inertia: drive.wheels.map(|w| w.inertia),
    });
    if factor > 1.0 {
        // A guessed direction could push; the hit is far stronger than the tyres anyway.
        return true;
    }
    // What the tyres gave before the contacts stays; the rest is cut to the kinetic circle.
    let unpushed = tyre_impulses(drive, h, free, free, volts, 0.0);
    let kinetic = drive.grip_kinetic * h;
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
    true
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
