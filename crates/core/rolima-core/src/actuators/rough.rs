//! Voltages, brakes and speed controllers of vehicles on rough ground.
//!
//! A speed controller aims at speeds that come nearer to the commanded ones by its limits. It
//! plans the voltages that the vehicle's twin on flat ground would need, and adds what the wheels'
//! errors ask for: in proportion, and what it has learnt so far. A vehicle that is commanded to
//! stand has its brakes on once the aim stands, and needs no controller for that.

use super::body_speeds;
use crate::commands::Control;
use crate::rough::ServoState;
use crate::state::{State, place};
use rolima_model::spatial::SpatialModel;
use rolima_model::{DriveModel, Model, RobotId, ServoSpec};

/// How fast errors of the wheels' speeds are taken away at most, 1/s.
const FASTEST: f64 = 20.0;

/// With long control periods it is slower: so much of an error a period.
const MOST_A_PERIOD: f64 = 0.25;

/// Wheels in the air are light: at most so much of their error a period.
const MOST_IN_THE_AIR: f64 = 0.7;

/// Learning is so many times slower.
const LEARNING: f64 = 0.25;

/// Stage 2 on rough ground.
pub(super) fn run(model: &Model, spatial: &SpatialModel, state: &mut State) {
    let steps = model.fine_steps();
    let period = (spatial.control_steps as f64 * spatial.step_s).max(model.step_s);
    for robot in 0..model.robots.len() {
        let Some(rough) = &mut state.rough else { return };
        let Some(vehicle) = rough.world.vehicle(robot as u32) else { continue };
        let drive = &model.drives[model.robots[robot].drive as usize];
        let numbers = state.commanded[robot];
        let control = state.control[robot].unwrap_or_default();
        if control == Control::Volts {
            rough.brakes[robot] = 0.0;
            rough.servos[robot] = ServoState::default();
            super::set_volts(model, state, robot as u32, numbers);
            continue;
        }
        // The vehicle listens only at the beginning of its control periods.
        let from = vehicle.state.step;
        if (from + steps - 1) / spatial.control_steps * spatial.control_steps < from {
            continue;
        }
        let wanted = if control == Control::Wheels { body_speeds(drive, numbers) } else { numbers };
        let spins = vehicle.sides(spatial, robot as u32).spin;
        let (block, lane) = place(model.layout.robot_slot(RobotId(robot as u32)));
        // The last control was another one: it starts from what the wheels do.
        let fresh = rough.brakes[robot] == 0.0 && rough.servos[robot] == ServoState::default();
        let servo = &mut rough.servos[robot];
        let volts = match model.robots[robot].servo {
            Some(limits) => {
                if fresh {
                    servo.aim = body_speeds(drive, spins);
                }
                controlled(drive, limits, servo, (wanted, spins), period)
            }
            None => None,
        };
        rough.brakes[robot] = if volts.is_some() { 0.0 } else { 1.0 };
        let [right, left] = volts.unwrap_or_default();
        (state.volts[block].right[lane], state.volts[block].left[lane]) = (right, left);
    }
}

/// The voltages that a speed controller asks for over the next period, V; none where the vehicle
/// shall stand.
fn controlled(
    drive: &DriveModel,
    limits: ServoSpec,
    servo: &mut ServoState,
    (wanted, spins): ([f64; 2], [f64; 2]),
    period: f64,
) -> Option<[f64; 2]> {
    let within = limits.within_limits(wanted);
    let change = [limits.acceleration, limits.turning_acceleration].map(|a| a * period);
    let steps = [0, 1].map(|i| (within[i] - servo.aim[i]).clamp(-change[i], change[i]));
    servo.aim = [servo.aim[0] + steps[0], servo.aim[1] + steps[1]];
    if wanted == [0.0; 2] && servo.aim == [0.0; 2] {
        *servo = ServoState::default();
        return None;
    }
    let aimed = drive.rolling_wheel_speeds(servo.aim[0], servo.aim[1]);
    // Forces of both sides that speed the twin up so.
    let m = &drive.mass_matrix;
    let [along, turning] = [0, 1].map(|i| (m[i][0] * steps[0] + m[i][1] * steps[1]) / period);
    let half_track = 0.5 * drive.spec.wheel_distance;
    let forces = [0.5 * (along + turning / half_track), 0.5 * (along - turning / half_track)];
    let supply = drive.spec.supply;
    Some([0, 1].map(|i| {
        let w = &drive.wheels[i];
        let plan = (w.drag * aimed[i] + forces[i] * w.radius) / w.torque_per_volt;
        let error = aimed[i] - spins[i];
        let carried = w.inertia + 0.5 * drive.spec.mass * w.radius * w.radius;
        let rate = FASTEST.min(MOST_A_PERIOD / period);
        let stiffness = (rate * carried).min(MOST_IN_THE_AIR * w.inertia / period);
        let gain = stiffness / w.torque_per_volt;
        let asked = plan + gain * error + servo.learnt[i];
        let given = asked.clamp(-supply, supply);
        // What the supply cuts off teaches nothing.
        if asked == given || (asked > given) != (error > 0.0) {
            let learnt = servo.learnt[i] + LEARNING * rate * period * gain * error;
            servo.learnt[i] = learnt.clamp(-2.0 * supply, 2.0 * supply);
        }
        given
    }))
}
