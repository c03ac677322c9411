//! The wheels of robots, on flat and on rough ground.
//!
//! Slip is the velocity of a tyre's contact patch over the ground, forward and to the left: negative
//! forward where a wheel turns faster than it rolls.

use super::robots::{OnGround, Robot};
use super::{Row, Subject, filled};
use rolima_core::model::Wheel;
use rolima_core::model::spatial::{Side, WheelReadings, WheelSpec};
use rolima_core::{RobotId, TyreForce};
use rolima_math::atan2;
use serde_json::{Value, json};

/// Wheels on flat ground.
pub(super) struct FlatWheels;

impl Subject for FlatWheels {
    type At<'a> = FlatWheel<'a>;
    const TABLE: &'static [Row<Self>] = FLAT;
}

/// Suspended wheels.
pub(super) struct RoughWheels;

impl Subject for RoughWheels {
    type At<'a> = RoughWheel<'a>;
    const TABLE: &'static [Row<Self>] = ROUGH;
}

/// A wheel of a robot on flat ground.
pub(super) struct FlatWheel<'a> {
    robot: &'a Robot<'a>,
    model: &'a Wheel,
    side: &'static str,
    /// rad/s.
    spin: f64,
    tyre: TyreForce,
}

/// A suspended wheel.
pub(super) struct RoughWheel<'a> {
    on_ground: OnGround<'a>,
    spec: &'a WheelSpec,
    number: usize,
    /// Against the chassis, rad/s.
    spin: f64,
}

const FLAT: &[Row<FlatWheels>] = &[
    ("side", |w| Some(w.side.into())),
    ("spin", |w| Some(w.spin.into())),
    ("slip_velocity", |w| Some(json!(w.slip()))),
    ("load", |w| Some(w.tyre.load.into())),
    ("force_forward", |w| Some(w.tyre.force.x.into())),
    ("force_left", |w| Some(w.tyre.force.y.into())),
    ("grip_used", |w| Some(w.tyre.grip_used?.into())),
];

const ROUGH: &[Row<RoughWheels>] = &[
    ("side", |w| Some(w.side().into())),
    ("spin", |w| Some(w.spin.into())),
    ("slip_velocity", |w| Some(json!(w.slip()))),
    ("angle", |w| Some(w.on_ground.vehicle.wheel_angle(w.number).into())),
    ("load", |w| w.number_of(|r| r.load)),
    ("force_forward", |w| w.number_of(|r| r.lengthwise)),
    ("force_left", |w| w.number_of(|r| r.sideways)),
    ("slip_ratio", |w| w.number_of(|r| r.slip)),
    ("slip_angle", |w| Some(atan2(w.reading(|r| r.slip_angle), 1.0).into())),
    ("compression", |w| w.number_of(|r| r.compression)),
    ("compression_rate", |w| w.number_of(|r| r.compression_rate)),
    ("suspension_force", |w| w.number_of(|r| r.suspension)),
    ("spring_force", |w| w.number_of(|r| r.spring)),
    ("motor_torque", |w| w.number_of(|r| r.motor_torque)),
    ("friction_torque", |w| w.number_of(|r| r.friction_torque)),
    ("current", |w| w.number_of(|r| r.current)),
];

/// All wheels of a robot: right and left, or as the vehicle has them.
pub(super) fn all(robot: &Robot<'_>) -> Value {
    let Some(on_ground) = robot.vehicle else { return flat(robot) };
    let OnGround { vehicle, known, spatial } = on_ground;
    let pitching = vehicle.angular_velocity(spatial, robot.body.index).y;
    let wheels = known.spec.wheels.iter().enumerate().map(|(number, spec)| {
        let spin = vehicle.spin(known, pitching, number);
        Value::Object(filled::<RoughWheels>(&RoughWheel { on_ground, spec, number, spin }))
    });
    wheels.collect()
}

fn flat(robot: &Robot<'_>) -> Value {
    let drive = &robot.world.model().drives[robot.model.drive as usize];
    let tyres = robot.world.tyres(RobotId(robot.body.index)).unwrap_or_default();
    let wheels = drive.wheels.iter().zip(["right", "left"]).zip(robot.body.wheel_speeds);
    let told = wheels.zip(tyres).map(|(((model, side), spin), tyre)| {
        Value::Object(filled::<FlatWheels>(&FlatWheel { robot, model, side, spin, tyre }))
    });
    told.collect()
}

impl FlatWheel<'_> {
    /// m/s; a tyre that sticks has none, to the bit.
    fn slip(&self) -> [f64; 2] {
        if !self.robot.body.slips {
            return [0.0; 2];
        }
        let own = self.robot.own_velocity();
        let hub = own.x - self.model.left * self.robot.body.omega;
        [hub - self.model.radius * self.spin, own.y]
    }
}

impl RoughWheel<'_> {
    fn reading(&self, of: impl Fn(&WheelReadings) -> [f64; 4]) -> f64 {
        self.on_ground.vehicle.reading(self.number, of)
    }

    fn number_of(&self, of: impl Fn(&WheelReadings) -> [f64; 4]) -> Option<Value> {
        Some(self.reading(of).into())
    }

    fn side(&self) -> &'static str {
        match self.spec.side {
            Side::Right => "right",
            Side::Left => "left",
            Side::Free => "free",
        }
    }

    /// m/s; none in the air.
    fn slip(&self) -> [f64; 2] {
        if self.reading(|r| r.load) <= 0.0 {
            return [0.0; 2];
        }
        let along = self.reading(|r| r.speed[0]);
        [along - self.spec.radius * self.spin, self.reading(|r| r.speed[1])]
    }
}
