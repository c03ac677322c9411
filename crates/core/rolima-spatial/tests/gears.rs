//! Motors and gears: the curve that is printed is the one that is driven, and a gear takes its part
//! whichever way the power flows.

use crate::common;

use common::*;
use rolima_math::{Quat, Vec3, atan, sin, tan};
use rolima_spatial::{
    LuGreForm, LuGreSpec, MotorSpec, SpatialSpec, SpatialWorld, Terrain, TerrainSpec, VehicleSpec,
    WheelReadings, presets,
};
use std::sync::Arc;

/// A vehicle that floats, with these motors and nothing that rubs at its axles.
fn floating(motor: MotorSpec) -> SpatialWorld {
    let mut vehicle = presets::vivi();
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, 0.0, 5.0);
    for w in &mut vehicle.wheels {
        (w.motor, w.axle, w.brake_torque) = (Some(motor), LuGreSpec::NONE, 1e6);
    }
    let terrain = Arc::new(Terrain::new(TerrainSpec::flat(9.0)).expect("a plane"));
    let spec = SpatialSpec { gravity: 0.0, vehicles: vec![vehicle], ..SpatialSpec::new(terrain) };
    world_of(spec)
}

fn get(world: &SpatialWorld, wheel: usize, of: fn(&WheelReadings) -> [f64; 4]) -> f64 {
    world.vehicle(0).expect("one").reading(wheel, of)
}

#[test]
fn a_free_wheel_follows_the_motor_s_curve_to_its_end() {
    let geared = presets::vivi().wheels[0].motor.unwrap();
    for motor in [geared, MotorSpec { rotor_inertia: 1e-4, ..MotorSpec::MAGMOTOR_S28_150 }] {
        let mut world = floating(motor);
        drive(&mut world, 24.0, -24.0, 0.0);
        run(&mut world, 0.02);
        for _ in 0..6000 {
            world.step();
            for (wheel, volts) in [(0, 24.0), (1, -24.0)] {
                let turning = motor.gear * get(&world, wheel, |r| r.spin);
                let (torque, amps) =
                    (get(&world, wheel, |r| r.motor_torque), get(&world, wheel, |r| r.current));
                let most = motor.axle_torque(volts, 0.0).abs();
                if amps.abs() == motor.current_limit {
                    // The driver limits it, at least at the beginning of the step.
                    continue;
                }
                near("current", amps, motor.current(volts, turning), 1e-9 * amps.abs());
                near("torque", torque, motor.axle_torque(volts, turning), 1e-9 * most);
            }
        }
        let rpm = 60.0 / core::f64::consts::TAU;
        for (wheel, way) in [(0, 1.0), (1, -1.0)] {
            let turning = motor.gear * get(&world, wheel, |r| r.spin) * rpm;
            near("no-load speed", turning, way * 6040.7, 0.05);
            near("its current", get(&world, wheel, |r| r.current), way * 3.4, 1e-3);
            near("no torque", get(&world, wheel, |r| r.motor_torque), 0.0, 1e-3);
        }
    }
}

#[test]
fn a_held_magmotor_draws_its_stall_current() {
    let mut world = floating(MotorSpec::MAGMOTOR_S28_150);
    drive(&mut world, 24.0, 24.0, 1.0);
    run(&mut world, 0.1);
    assert_eq!(get(&world, 0, |r| r.spin), 0.0);
    near("stall current", get(&world, 0, |r| r.current), 375.0, 1e-9);
    let start = MotorSpec::MAGMOTOR_S28_150.axle_torque(24.0, 0.0);
    near("starting torque", get(&world, 0, |r| r.motor_torque), start, 1e-9);
    near("it", start, 0.03757 * (375.0 - 3.4), 1e-9);
}

/// The cart with lossy motors on a plane that falls ahead of it.
fn on_a_descent(tangent: f64) -> VehicleSpec {
    let mut vehicle = cart();
    vehicle.start.orientation = Quat::from_roll_pitch_yaw(0.0, atan(tangent), 0.0);
    for w in &mut vehicle.wheels {
        let m = w.motor.as_mut().expect("a motor");
        (m.efficiency, m.no_load_current, m.rotor_inertia) = (0.7, 0.8, 2e-5);
    }
    vehicle
}

/// Energies since the beginning, J.
#[derive(Default)]
struct Ledger {
    electrical: f64,
    winding: f64,
    motor: f64,
    gear: f64,
    axle: f64,
    rubbing: f64,
    tyres: f64,
    /// What axles gave to gears, and what of it came back out of the terminals.
    given: f64,
    returned: f64,
}

#[test]
fn electrical_energy_is_axle_energy_and_losses_that_are_never_negative_also_downhill() {
    let step = 1e-5;
    let mut w = world(slope(-0.3), on_a_descent(0.3), step);
    run(&mut w, 1.0);
    let motor = w.model().vehicles[0].spec.wheels[0].motor.unwrap();
    let energy = |w: &SpatialWorld| {
        let v = w.vehicle(0).unwrap();
        v.kinetic_energy(w.model(), 0)
            + 40.0 * G * v.state.position.z
            + v.spring_energy(w.model(), 0)
    };
    let before = energy(&w);
    let mut sums = Ledger::default();
    // Driving, coasting with the motors shorted, held back at a low voltage, turned round against
    // the motion, braked.
    for (volts, brake, seconds) in
        [(20.0, 0.0, 0.8), (0.0, 0.0, 0.8), (2.0, 0.0, 1.0), (-6.0, 0.0, 0.5), (0.0, 0.4, 0.6)]
    {
        drive(&mut w, volts, volts, brake);
        // The order holds from the next control period on.
        for i in 0..(seconds / step) as u64 {
            w.step();
            for wheel in 0..4 {
                let get = |of: fn(&WheelReadings) -> [f64; 4]| get(&w, wheel, of);
                let (spin, amps, axle) =
                    (get(|r| r.spin), get(|r| r.current), get(|r| r.motor_torque));
                let turning = motor.gear * spin;
                let terminals = motor.resistance * amps + motor.voltage_constant() * turning;
                if i as f64 * step > 0.011 {
                    near("voltage", terminals, volts, 1e-9);
                }
                let electrical = terminals * amps;
                let losses = electrical - axle * spin;
                assert!(losses > -1e-9 * (1.0 + electrical.abs()), "losses of {losses} W");
                let rubbed = get(|r| r.friction_torque) * spin;
                assert!(rubbed > -1e-3, "friction of {rubbed} W");
                let shaft = motor.gear
                    * motor.torque_constant
                    * (amps
                        - motor.no_load_current * spin.signum() * f64::from(u8::from(spin != 0.0)));
                let power = shaft * spin;
                let part = if power > 0.0 { 1.0 - 0.7 } else { 1.0 - 1.0 / 0.7 };
                sums.electrical += step * electrical;
                sums.winding += step * motor.resistance * amps * amps;
                sums.motor += step * motor.torque_constant * motor.no_load_current * turning.abs();
                sums.gear += step * part * power;
                sums.axle += step * axle * spin;
                sums.given += step * (-axle * spin).max(0.0);
                sums.returned += step * (-electrical).max(0.0);
                sums.rubbing += step * rubbed;
                if get(|r| r.suspension) > 0.0 {
                    let damper = get(|r| r.suspension) - get(|r| r.spring);
                    sums.rubbing += step * damper * get(|r| r.compression_rate);
                }
                let slip = spin * 0.1 - get(|r| r.speed[0]);
                sums.tyres += step
                    * (get(|r| r.lengthwise) * slip - get(|r| r.sideways) * get(|r| r.speed[1]));
            }
        }
    }
    let gained = energy(&w) - before;
    let scale = sums.electrical.abs() + sums.given;
    assert!(sums.given > 100.0 && sums.returned > 5.0, "{} {}", sums.given, sums.returned);
    assert!(sums.returned < 0.7 * sums.given, "{} of {}", sums.returned, sums.given);
    let inside = sums.electrical - sums.winding - sums.motor - sums.gear - sums.axle;
    assert!(inside.abs() < 0.01 * scale, "motors and gears: {inside} of {scale} J");
    let all = sums.axle - sums.rubbing - sums.tyres - gained;
    assert!(all.abs() < 0.01 * scale, "the vehicle: {all} of {scale} J");
}

#[test]
fn a_gear_holds_within_its_band_without_chatter() {
    let tangent = 0.2;
    let mut vehicle = on_a_descent(tangent);
    for w in &mut vehicle.wheels {
        w.motor.as_mut().unwrap().no_load_current = 0.0;
    }
    let motor = vehicle.wheels[0].motor.unwrap();
    // Torque that would hold the weight exactly, against rolling ahead.
    let needed = 40.0 * G * sin(atan(tangent)) * 0.1 / 4.0;
    let volts = |torque: f64| -torque * motor.resistance / (motor.gear * motor.torque_constant);
    let way = |torque: f64| {
        let mut w = world(slope(-tangent), vehicle.clone(), 1e-3);
        drive(&mut w, 0.0, 0.0, 1.0);
        run(&mut w, 2.0);
        drive(&mut w, volts(torque), volts(torque), 0.0);
        let begin = position(&w).x;
        // Wound-up tyres let go first.
        run(&mut w, 0.5);
        let mut turned = 0;
        for _ in 0..3000 {
            w.step();
            turned += u32::from((0..4).any(|i| get(&w, i, |r| r.spin) != 0.0));
        }
        (position(&w).x - begin, turned)
    };
    // Between eta and 1/eta of it the gear's own friction holds the vehicle, to the bit.
    for part in [0.75, 1.0, 1.4] {
        let (moved, turned) = way(part * needed);
        assert!(moved.abs() < 1e-3 && turned == 0, "{part}: {moved} m, {turned} steps");
    }
    let (ahead, back) = (way(0.6 * needed).0, way(1.6 * needed).0);
    assert!(ahead > 0.03 && back < -0.03, "{ahead} {back}");
}

#[test]
fn on_a_slope_axles_of_the_standard_form_hold_and_those_of_the_continuous_form_creep_as_computed() {
    let tangent = 0.2;
    for form in [LuGreForm::Standard, LuGreForm::Continuous] {
        let axle = LuGreSpec { form, ..LuGreSpec::geared(2.0) };
        let mut vehicle = cart();
        vehicle.start.orientation = Quat::from_roll_pitch_yaw(0.0, atan(tangent), 0.0);
        for w in &mut vehicle.wheels {
            (w.motor, w.axle) = (None, axle);
        }
        let mut w = world(slope(-tangent), vehicle, 1e-3);
        run(&mut w, 20.0);
        // Each axle bears a quarter of the weight's part along the slope.
        let torque = 40.0 * G * sin(atan(tangent)) * 0.1 / 4.0;
        let creep = tan(0.5 * core::f64::consts::PI * torque / axle.breakaway) / axle.steepness;
        let speed = velocity(&w).length();
        match form {
            LuGreForm::Standard => assert!(speed < 1e-9, "{speed}"),
            LuGreForm::Continuous => near("creep", speed, 0.1 * creep, 0.03 * 0.1 * creep),
        }
    }
}
