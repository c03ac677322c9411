//! A vehicle's planar equivalent: what planar code knows of it.
//!
//! Odometry counts two wheels, views want an outline and a supply, speed controllers a motor on
//! each side. It has one wheel a side that stands for all driven ones of that side.

use crate::spec::{DriveSpec, PartSpec};
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_spatial::{Side, VehicleSpec, WheelSpec};

/// The drive of a vehicle's planar equivalent: track and radius are those of the driven wheels' mean, motors of
/// a side act as one. Its tyres never slip and nothing rubs.
pub fn planar_drive(vehicle: &VehicleSpec) -> DriveSpec {
    let right = SideSum::of(vehicle, Side::Right);
    let left = SideSum::of(vehicle, Side::Left);
    DriveSpec {
        wheel_distance: (left.y - right.y).abs(),
        wheel_radius_right: right.radius,
        wheel_radius_left: left.radius,
        mass: vehicle.chassis.mass,
        inertia: vehicle.chassis.inertia[2],
        friction_linear: 0.0,
        friction_angular: 0.0,
        wheel_inertia_right: right.inertia,
        wheel_inertia_left: left.inertia,
        axle_friction_right: 0.0,
        axle_friction_left: 0.0,
        motor_constant_right: right.constant,
        motor_constant_left: left.constant,
        conductance_right: right.conductance(),
        conductance_left: left.conductance(),
        supply: right.supply.max(left.supply),
        traction: None,
    }
}

/// The outline of a vehicle from above: chassis and wheels in one box around the centre of mass.
pub fn planar_outline(vehicle: &VehicleSpec) -> PartSpec {
    let chassis = &vehicle.chassis;
    let mut low = Vec2::new(-chassis.length[1], -chassis.width[1]);
    let mut high = Vec2::new(chassis.length[0], chassis.width[0]);
    for WheelSpec { position, radius, width, .. } in &vehicle.wheels {
        let (reach, half) = (*radius, 0.5 * width);
        low = Vec2::new(low.x.min(position.x - reach), low.y.min(position.y - half));
        high = Vec2::new(high.x.max(position.x + reach), high.y.max(position.y + half));
    }
    PartSpec::Box {
        pose: Pose2 { position: (low + high) * 0.5, rotation: Rot2 { c: 1.0, s: 0.0 } },
        size: [high.x - low.x, high.y - low.y],
    }
}

/// The driven wheels of a side together.
#[derive(Default)]
struct SideSum {
    /// Mean place to the left, m, and mean radius, m.
    y: f64,
    radius: f64,
    /// Inertia of all wheels and rotors about their axles, kg m2.
    inertia: f64,
    /// Mean voltage of a turning wheel, V s.
    constant: f64,
    /// Torque of all wheels at standstill, N m/V.
    torque: f64,
    /// Largest voltage, V.
    supply: f64,
}

impl SideSum {
    fn of(vehicle: &VehicleSpec, side: Side) -> Self {
        let mut sum = Self::default();
        let mut count = 0.0;
        for wheel in vehicle.wheels.iter().filter(|wheel| wheel.side == side) {
            count += 1.0;
            sum.y += wheel.position.y;
            sum.radius += wheel.radius;
            sum.inertia += wheel.inertia;
            if let Some(motor) = wheel.motor {
                sum.inertia += motor.gear * motor.gear * motor.rotor_inertia;
                sum.constant += motor.gear * motor.voltage_constant();
                sum.torque +=
                    motor.gear * motor.efficiency * motor.torque_constant / motor.resistance;
                sum.supply = sum.supply.max(motor.nominal_volts);
            }
        }
        if count > 0.0 {
            sum.y /= count;
            sum.radius /= count;
            sum.constant /= count;
        }
        sum
    }

    fn conductance(&self) -> f64 {
        if self.constant > 0.0 { self.torque / self.constant } else { 0.0 }
    }
}
