//! Stage 2 in space: actuators, brakes and speed controllers of vehicles.
//!
//! Voltages of both sides and values of actuators go through. Speeds go to vehicles whose motors are
//! commanded by speed as those of their wheels and, where they steer, as angles of their joints
//! ([`VehicleModel::roll`]); others have a controller here, that of both sides together.
//!
//! A speed controller aims at speeds that come nearer to the commanded ones by its limits. It
//! plans the voltages that the vehicle's planar equivalent would need, and adds what the wheels'
//! errors ask for: in proportion, and what it has learnt so far. A vehicle that is commanded to
//! stand has its brakes on once the aim stands, and needs no controller for that.

use super::{ServoState, State, known};
use crate::actuators::{Orders, body_speeds, within_supply};
use crate::commands::Control;
use rolima_model::spatial::{MOST_ACTUATORS, SpatialModel, VehicleModel};
use rolima_model::{DriveModel, Model, ServoSpec};

/// How fast errors of the wheels' speeds are taken away at most, 1/s.
const FASTEST: f64 = 20.0;

/// With long control periods it is slower: so much of an error a period.
const MOST_A_PERIOD: f64 = 0.25;

/// Wheels in the air are light: at most so much of their error a period.
const MOST_IN_THE_AIR: f64 = 0.7;

/// Learning is so many times slower.
const LEARNING: f64 = 0.25;

/// Lets the speed controllers act, and the voltages through.
pub(crate) fn run(model: &Model, state: &mut State, orders: Orders<'_>) {
    let spatial = known(model);
    let steps = model.fine_steps();
    let period = (spatial.control_steps as f64 * spatial.step_s).max(model.step_s);
    for robot in 0..model.robots.len() {
        let Some(vehicle) = state.world.vehicle(robot as u32) else { continue };
        let drive = &model.drives[model.robots[robot].drive as usize];
        let numbers = orders.commanded[robot];
        let control = orders.control[robot].unwrap_or_default();
        if matches!(control, Control::Volts | Control::Direct) {
            state.brakes[robot] = 0.0;
            state.servos[robot] = ServoState::default();
            // Values of actuators went to the vehicle when the command came.
            if control == Control::Volts {
                state.volts[robot] = within_supply(model, robot, numbers);
            }
            continue;
        }
        // The vehicle listens only at the beginning of its control periods.
        let from = vehicle.state.step;
        if (from + steps - 1) / spatial.control_steps * spatial.control_steps < from {
            continue;
        }
        let wanted = if control == Control::Wheels { body_speeds(drive, numbers) } else { numbers };
        let limits = model.robots[robot].servo;
        // Without a speed controller nothing asks for them.
        let spins = limits.map_or([0.0; 2], |_| vehicle.side_spins(spatial, robot as u32));
        // The last control was another one: it starts from what the wheels do.
        let fresh = state.brakes[robot] == 0.0 && state.servos[robot] == ServoState::default();
        let servo = &mut state.servos[robot];
        if fresh && limits.is_some() {
            servo.aim = body_speeds(drive, spins);
        }
        if !spatial.vehicles[robot].has_voltages() {
            roll_on(spatial, state, robot, (wanted, limits), period);
            continue;
        }
        let volts =
            limits.and_then(|limits| controlled(drive, limits, servo, (wanted, spins), period));
        state.brakes[robot] = if volts.is_some() { 0.0 } else { 1.0 };
        state.volts[robot] = volts.unwrap_or_default();
    }
}

/// Tells a vehicle whose motors have driver stages of their own what they and its joints shall do over
/// the next period. What has no speed controller can only stand; all else was refused when it was
/// commanded.
fn roll_on(
    spatial: &SpatialModel,
    state: &mut State,
    robot: usize,
    (wanted, limits): ([f64; 2], Option<ServoSpec>),
    period: f64,
) {
    let known = &spatial.vehicles[robot];
    let Some(limits) = limits.filter(|_| known.has_speeds()) else {
        state.brakes[robot] = 1.0;
        let last_command = state.world.stand(spatial, robot as u32);
        debug_assert!(last_command, "the robot is a vehicle");
        return;
    };
    let mut values = [0.0; MOST_ACTUATORS];
    let values = &mut values[..known.actuators.len()];
    let goes = rolling(known, limits, &mut state.servos[robot], (wanted, &mut *values), period);
    state.brakes[robot] = if goes { 0.0 } else { 1.0 };
    let last_command = state.world.order(spatial, robot as u32, values, state.brakes[robot]);
    debug_assert!(last_command, "as many finite values as actuators");
}

/// Speeds of wheels and angles of joints by which a vehicle comes nearer to what is wanted, by its
/// limits; false where it shall stand. A vehicle that steers keeps to the wanted curve all the way. One
/// that is to turn without going anywhere turns its wheels, and stands.
fn rolling(
    known: &VehicleModel,
    limits: ServoSpec,
    servo: &mut ServoState,
    (wanted, values): ([f64; 2], &mut [f64]),
    period: f64,
) -> bool {
    let within = limits.within_limits(wanted);
    let change = [limits.acceleration, limits.turning_acceleration].map(|a| a * period);
    for i in [0, 1] {
        servo.aim[i] += (within[i] - servo.aim[i]).clamp(-change[i], change[i]);
    }
    let Some(most) = known.most_curvature() else {
        known.skid(servo.aim[0], servo.aim[1], values);
        return wanted != [0.0; 2] || servo.aim != [0.0; 2];
    };
    let [speed, turning] = within;
    let curvature = match speed == 0.0 {
        true if turning == 0.0 => 0.0,
        true => most.copysign(turning),
        false => turning / speed,
    };
    // What it turns by follows from speed and curve.
    servo.aim[1] = 0.0;
    known.roll(servo.aim[0], curvature, values);
    speed != 0.0 || servo.aim[0] != 0.0
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
    // Forces of both sides that speed the planar equivalent up so.
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
