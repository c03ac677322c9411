//! Stage 2 in the plane: commanded voltages and speeds => motor voltages.
//!
//! A speed controller looks at the wheels at every step and asks for the voltages that bring the
//! robot to its commanded speeds by the end of it, as fast as its limits let it. The driver stage
//! of a motor cannot give more than its supply.

use super::{State, place};
use crate::actuators::{Orders, body_speeds, within_supply};
use crate::commands::Control;
use crate::scratch::Scratch;
use rolima_model::{Model, RobotId, ServoSpec};

/// Share of a slipping wheel's error that its controller takes away in a step.
const SLIPPING_GAIN: f64 = 0.5;

/// Saturates the voltages that changed in this step, lets the speed controllers act.
pub(crate) fn run(model: &Model, state: &mut State, orders: Orders<'_>, scratch: &Scratch) {
    let Orders { commanded, control } = orders;
    for &robot in &scratch.commanded_now {
        if control[robot as usize].is_none_or(|control| control == Control::Volts) {
            set_volts(model, state, robot, commanded[robot as usize]);
        }
    }
    for &robot in &scratch.servos {
        let r = &model.robots[robot as usize];
        let (Some(servo), Some(control)) = (r.servo, control[robot as usize]) else {
            continue;
        };
        if control != Control::Volts {
            let numbers = commanded[robot as usize];
            let volts = servo_volts(model, state, (robot, numbers), (servo, control));
            set_volts(model, state, robot, volts);
        }
    }
}

fn set_volts(model: &Model, state: &mut State, robot: u32, volts: [f64; 2]) {
    let (block, lane) = place(model.layout.robot_slot(RobotId(robot)));
    let [right, left] = within_supply(model, robot as usize, volts);
    (state.volts[block].right[lane], state.volts[block].left[lane]) = (right, left);
}

/// The voltages that a speed controller asks for, V.
fn servo_volts(
    model: &Model,
    state: &State,
    (robot, numbers): (u32, [f64; 2]),
    (servo, control): (ServoSpec, Control),
) -> [f64; 2] {
    let r = &model.robots[robot as usize];
    let drive = &model.drives[r.drive as usize];
    let wanted = if control == Control::Wheels { body_speeds(drive, numbers) } else { numbers };
    let slot = model.layout.robot_slot(RobotId(robot));
    let slips = state.is_slipping(slot);
    let (block, lane) = place(slot);
    let now = if slips {
        // All that a controller knows is how its wheels turn.
        body_speeds(drive, state.wheel_speeds[slot as usize])
    } else {
        [state.motion[block].vx[lane], state.motion[block].omega[lane]]
    };
    let wanted = servo.within_limits(wanted);
    let change = [servo.acceleration, servo.turning_acceleration].map(|a| a * model.step_s);
    let next = [0, 1].map(|i| now[i] + (wanted[i] - now[i]).clamp(-change[i], change[i]));
    if !slips {
        return drive.volts_for(now, next);
    }
    // Wheels that spin have lost their load: what moves the robot would throw them to and fro.
    let wheels = state.wheel_speeds[slot as usize];
    let wanted = drive.rolling_wheel_speeds(next[0], next[1]);
    [0, 1].map(|i| {
        let w = &drive.wheels[i];
        let push = SLIPPING_GAIN * w.inertia / model.step_s * (wanted[i] - wheels[i]);
        (w.drag * wanted[i] + push) / w.torque_per_volt
    })
}
