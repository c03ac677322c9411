//! Current, torque and power of a motor over its speed.

use super::{Table, wheel};
use anyhow::Result;
use rolima_console::failure::Usage;
use rolima_spatial::VehicleSpec;

/// From standstill to the no-load speed at the nominal voltage.
pub(super) fn tables(vehicle: &VehicleSpec, number: Option<usize>) -> Result<Vec<Table>> {
    let name = &vehicle.name;
    let motor = wheel(vehicle, number, |wheel| wheel.motor.is_some())?.motor;
    let motor = motor.ok_or_else(|| Usage(format!("{name}: expected a motor, got none")))?;
    let volts = motor.nominal_volts;
    let most = motor.no_load_speed(volts);
    let rpm = 60.0 / core::f64::consts::TAU;
    let row = |i: i32| {
        let speed = most * f64::from(i) / 200.0;
        let current = motor.current(volts, speed);
        let torque = motor.shaft_torque(volts, speed);
        // The same function that vehicles are driven by.
        let at_wheel = motor.axle_torque(volts, speed);
        let power = torque * speed;
        let electric = volts * current;
        let efficiency = if electric > 0.0 { 100.0 * power / electric } else { 0.0 };
        vec![speed * rpm, current, torque, at_wheel, power, efficiency]
    };
    Ok(vec![Table {
        title: format!(
            "{name}: motor at {volts} V, gear {}, stall current {} A, no-load speed {:.1} rpm",
            motor.gear,
            motor.stall_current(volts),
            most * rpm
        ),
        over: "speed rpm",
        columns: ["current A", "torque N m", "at wheel N m", "power W", "motor efficiency %"]
            .map(ToOwned::to_owned)
            .to_vec(),
        rows: (0..=200).map(row).collect(),
        shown_every: 10,
    }])
}
