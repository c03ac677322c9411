//! Vehicles that are known by name.
//!
//! | name | what |
//! |---|---|
//! | `vivi` | the source's pipe-inspection vehicle: four wheels, Magmotor S28-150 |
//! | `skid-steer` | a four-wheel outdoor robot |
//! | `rover` | a six-wheel rover |
//! | `robot-one` | Robot One on terrain: two driven wheels and a ball |
//!
//! The source gives only `vivi`'s motor. Everything else in it is an assumption, marked as such;
//! so are the other presets' suspension and motors.

use crate::motor::{LuGreSpec, MotorSpec};
use crate::shape::Shapes;
use crate::spec::{ChassisSpec, Side, Start, SuspensionSpec, VehicleSpec, WheelSpec};
use crate::tyre::TyreLaw;
use rolima_math::Vec3;

/// Names of all presets.
pub const NAMES: [&str; 4] = ["vivi", "skid-steer", "rover", "robot-one"];

/// A preset by its name.
pub fn named(name: &str) -> Option<VehicleSpec> {
    match name {
        "vivi" => Some(vivi()),
        "skid-steer" => Some(skid_steer()),
        "rover" => Some(rover()),
        "robot-one" => Some(robot_one()),
        _ => None,
    }
}

/// A start with the wheels on the ground at the origin.
fn on_ground() -> Start {
    Start { on_ground: true, ..Start::default() }
}

/// Wheels in pairs, left before right, at these distances forward of the centre of mass.
fn pairs(forward: &[f64], half_track: f64, z: f64, wheel: WheelSpec) -> Vec<WheelSpec> {
    let one = |x: f64, side: Side| {
        let y = if side == Side::Left { half_track } else { -half_track };
        WheelSpec { position: Vec3::new(x, y, z), side, ..wheel }
    };
    forward.iter().flat_map(|&x| [one(x, Side::Left), one(x, Side::Right)]).collect()
}

/// The pipe-inspection vehicle VIVI. Motor: table 6 of the source. Assumed: everything else.
pub fn vivi() -> VehicleSpec {
    let motor = MotorSpec {
        gear: 20.0,
        efficiency: 0.85,
        rotor_inertia: 2e-4,
        current_limit: 80.0,
        ..MotorSpec::MAGMOTOR_S28_150
    };
    let wheel = WheelSpec {
        radius: 0.1,
        width: 0.06,
        inertia: 0.01,
        motor: Some(motor),
        axle: LuGreSpec::geared(0.4),
        brake_torque: 60.0,
        rolling_resistance: 0.015,
        suspension: SuspensionSpec {
            stiffness: 12e3,
            damping: 700.0,
            linear_travel: 0.03,
            stop_travel: 0.045,
            stop_stiffness: 120e3,
        },
        ..WheelSpec::default()
    };
    let mut chassis = ChassisSpec {
        mass: 60.0,
        length: [0.35, 0.35],
        width: [0.2, 0.2],
        height: [0.12, 0.08],
        ..ChassisSpec::default()
    };
    chassis.inertia = chassis.box_inertia();
    // Wheels and motors sit at the sides and add to roll and yaw.
    chassis.inertia =
        [chassis.inertia[0] * 1.4, chassis.inertia[1] * 1.1, chassis.inertia[2] * 1.3];
    VehicleSpec {
        name: "vivi".to_owned(),
        chassis,
        wheels: pairs(&[0.25, -0.25], 0.25, -0.06, wheel),
        start: on_ground(),
        shapes: Shapes::default(),
        hitch: None,
        wheel_names: vec![],
    }
}

/// A four-wheel outdoor robot of 50 kg, sizes as such robots have them; motors assumed.
pub fn skid_steer() -> VehicleSpec {
    let motor = MotorSpec {
        nominal_volts: 24.0,
        torque_constant: 0.05,
        speed_constant_rpm_v: 190.0,
        resistance: 0.25,
        no_load_current: 0.8,
        gear: 60.0,
        efficiency: 0.75,
        rotor_inertia: 6e-5,
        current_limit: 20.0,
    };
    let wheel = WheelSpec {
        radius: 0.165,
        width: 0.114,
        inertia: 0.03,
        motor: Some(motor),
        axle: LuGreSpec::geared(0.5),
        brake_torque: 60.0,
        rolling_resistance: 0.02,
        // Tyres of low pressure rather than springs.
        suspension: SuspensionSpec {
            stiffness: 18e3,
            damping: 600.0,
            linear_travel: 0.025,
            stop_travel: 0.05,
            stop_stiffness: 150e3,
        },
        relaxation: 0.06,
        side_relaxation: 0.06,
        ..WheelSpec::default()
    };
    let mut chassis = ChassisSpec {
        mass: 50.0,
        length: [0.45, 0.45],
        width: [0.22, 0.22],
        height: [0.18, 0.07],
        ..ChassisSpec::default()
    };
    chassis.inertia = chassis.box_inertia().map(|i| 1.2 * i);
    VehicleSpec {
        name: "skid-steer".to_owned(),
        chassis,
        wheels: pairs(&[0.256, -0.256], 0.285, -0.05, wheel),
        start: on_ground(),
        shapes: Shapes::default(),
        hitch: None,
        wheel_names: vec![],
    }
}

/// A six-wheel rover of 70 kg; all figures assumed.
pub fn rover() -> VehicleSpec {
    let motor = MotorSpec {
        nominal_volts: 24.0,
        torque_constant: 0.06,
        speed_constant_rpm_v: 159.0,
        resistance: 0.4,
        no_load_current: 0.5,
        gear: 80.0,
        efficiency: 0.7,
        rotor_inertia: 4e-5,
        current_limit: 15.0,
    };
    let wheel = WheelSpec {
        radius: 0.14,
        width: 0.12,
        inertia: 0.025,
        motor: Some(motor),
        axle: LuGreSpec::geared(0.5),
        brake_torque: 50.0,
        rolling_resistance: 0.03,
        suspension: SuspensionSpec {
            stiffness: 6e3,
            damping: 350.0,
            linear_travel: 0.06,
            stop_travel: 0.09,
            stop_stiffness: 80e3,
        },
        ..WheelSpec::default()
    };
    let mut chassis = ChassisSpec {
        mass: 70.0,
        length: [0.5, 0.5],
        width: [0.25, 0.25],
        height: [0.25, 0.08],
        ..ChassisSpec::default()
    };
    chassis.inertia = chassis.box_inertia().map(|i| 1.2 * i);
    VehicleSpec {
        name: "rover".to_owned(),
        chassis,
        wheels: pairs(&[0.42, 0.0, -0.42], 0.36, -0.12, wheel),
        start: on_ground(),
        shapes: Shapes::default(),
        hitch: None,
        wheel_names: ["front", "middle", "rear"]
            .iter()
            .flat_map(|row| ["left", "right"].map(|side| format!("{row}-{side}")))
            .collect(),
    }
}

/// Robot One on terrain: body, mass, wheels and centre of mass as its planar equivalent has them;
/// motors and suspension assumed, and a ball behind in place of a swivelling caster.
pub fn robot_one() -> VehicleSpec {
    let motor = MotorSpec {
        nominal_volts: 24.0,
        torque_constant: 0.06,
        speed_constant_rpm_v: 159.0,
        resistance: 0.8,
        no_load_current: 0.4,
        gear: 40.0,
        efficiency: 0.75,
        rotor_inertia: 4e-5,
        current_limit: 12.0,
    };
    let suspension = SuspensionSpec {
        stiffness: 12e3,
        damping: 400.0,
        linear_travel: 0.02,
        stop_travel: 0.035,
        stop_stiffness: 80e3,
    };
    let wheel = WheelSpec {
        radius: 0.2,
        width: 0.05,
        inertia: 0.02,
        motor: Some(motor),
        axle: LuGreSpec::geared(0.3),
        brake_torque: 30.0,
        rolling_resistance: 0.015,
        suspension,
        ..WheelSpec::default()
    };
    let ball = WheelSpec {
        position: Vec3::new(-0.38, 0.0, -0.06),
        radius: 0.05,
        width: 0.04,
        crown: 0.005,
        inertia: 1e-4,
        ball: true,
        tyre: TyreLaw::Coulomb { static_friction: 0.04, sliding_friction: 0.03, peak_slip: 0.1 },
        suspension: SuspensionSpec { stiffness: 6e3, damping: 200.0, ..suspension },
        ..WheelSpec::default()
    };
    let mut chassis = ChassisSpec {
        mass: 25.0,
        length: [0.5, 0.5],
        width: [0.32, 0.32],
        height: [0.34, 0.06],
        ..ChassisSpec::default()
    };
    // Batteries low in the middle: the box is emptier than it looks.
    chassis.inertia = chassis.box_inertia().map(|i| 0.7 * i);
    let mut wheels = pairs(&[0.08], 0.35, 0.1, wheel);
    wheels.push(ball);
    VehicleSpec {
        name: "robot-one".to_owned(),
        chassis,
        wheels,
        start: on_ground(),
        shapes: Shapes::default(),
        hitch: None,
        wheel_names: vec![],
    }
}
