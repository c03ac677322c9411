//! Motors of robots on two wheels, for those who look at a world.

use super::{State, place};
use crate::frame::Motors;
use rolima_model::{BodyModel, Model};

/// The motors of a robot.
pub(crate) fn of(model: &Model, state: &State, body: &BodyModel) -> Motors {
    let (block, lane) = place(body.slot);
    let drive = &model.drives[model.robots[body.index as usize].drive as usize];
    let volts = [state.volts[block].right[lane], state.volts[block].left[lane]];
    let slips = state.is_slipping(body.slot);
    let wheel_speeds = if slips {
        state.wheel_speeds[body.slot as usize]
    } else {
        let motion = &state.motion[block];
        drive.rolling_wheel_speeds(motion.vx[lane], motion.omega[lane])
    };
    Motors { volts, amps: drive.currents(volts, wheel_speeds), wheel_speeds, slips }
}

/// Torque of the motor and gear of a side (0 right, 1 left) on its axle, N m.
pub(crate) fn torque(model: &Model, robot: usize, amps: [f64; 2], side: usize) -> f64 {
    let spec = &model.drives[model.robots[robot].drive as usize].spec;
    let per_ampere = [spec.motor_constant_right, spec.motor_constant_left][side];
    per_ampere * amps[side]
}
