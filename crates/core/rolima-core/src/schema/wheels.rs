//! The wheels of robots, on flat and on rough ground.
//!
//! Slip is the velocity of a tyre's contact patch over the ground, forward and to the left: negative
//! forward where a wheel turns faster than it rolls.

use super::robots::{OnGround, Robot, SIDES};
use super::{Quantity, Subject, Walker, flag, quantity};
use crate::tyre_forces::TyreForce;
use rolima_math::atan2;
use rolima_model::spatial::{WheelReadings, WheelSpec};
use rolima_model::{Model, RobotId, Wheel};

/// A wheel of a robot on flat ground.
struct Flat;

/// It at one instant.
struct FlatWheel<'a> {
    robot: Robot<'a>,
    known: &'a Wheel,
    /// rad/s.
    spin: f64,
    tyre: TyreForce,
}

impl FlatWheel<'_> {
    /// m/s; a tyre that sticks has none, to the bit.
    fn slip(&self) -> [f64; 2] {
        if !self.robot.body.slips {
            return [0.0; 2];
        }
        let own = self.robot.own_velocity();
        let hub = own.x - self.known.left * self.robot.body.omega;
        [hub - self.known.radius * self.spin, own.y]
    }
}

impl Subject for Flat {
    type At<'a> = FlatWheel<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("spin", "rad/s", "turning of the wheel", |w| w.spin),
        quantity("load", "N", "force of the ground along its normal", |w| w.tyre.load),
        quantity("force.forward", "N", "force of the ground along the heading", |w| w.tyre.force.x),
        quantity("force.left", "N", "force of the ground to the left", |w| w.tyre.force.y),
        quantity("grip_used", "", "share of what the tyre could give; NaN: without limit", |w| {
            w.tyre.grip_used.unwrap_or(f64::NAN)
        }),
        quantity("slip.forward", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[0]
        }),
        quantity("slip.left", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[1]
        }),
    ];
}

/// A suspended wheel.
struct Suspended;

/// It at one instant.
struct SuspendedWheel<'a> {
    on_ground: OnGround<'a>,
    spec: &'a WheelSpec,
    number: usize,
    /// Against the chassis, rad/s.
    spin: f64,
}

impl SuspendedWheel<'_> {
    fn of(&self, read: impl Fn(&WheelReadings) -> [f64; 4]) -> f64 {
        self.on_ground.vehicle.reading(self.number, read)
    }

    fn is_in_air(&self) -> bool {
        self.of(|r| r.load) <= 0.0
    }

    /// m/s; none in the air.
    fn slip(&self) -> [f64; 2] {
        if self.is_in_air() {
            return [0.0; 2];
        }
        let along = self.of(|r| r.speed[0]);
        [along - self.spec.radius * self.spin, self.of(|r| r.speed[1])]
    }
}

impl Subject for Suspended {
    type At<'a> = SuspendedWheel<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("spin", "rad/s", "turning against the chassis", |w| w.spin),
        quantity("angle", "rad", "angle turned against the chassis, from 0 to 2 pi", |w| {
            w.on_ground.vehicle.wheel_angle(w.number)
        }),
        quantity("in_air", "", "whether it carries nothing", |w| flag(w.is_in_air())),
        quantity("load", "N", "force of the ground along its normal", |w| w.of(|r| r.load)),
        quantity("force.forward", "N", "force of the ground along the rolling direction", |w| {
            w.of(|r| r.lengthwise)
        }),
        quantity("force.left", "N", "force of the ground across the rolling direction", |w| {
            w.of(|r| r.sideways)
        }),
        quantity("slip.ratio", "", "slip along the rolling direction by the speed", |w| {
            w.of(|r| r.slip)
        }),
        quantity("slip.angle", "rad", "from the rolling direction to the hub's motion", |w| {
            atan2(w.of(|r| r.slip_angle), 1.0)
        }),
        quantity("slip.forward", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[0]
        }),
        quantity("slip.left", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[1]
        }),
        quantity("speed.forward", "m/s", "velocity of the contact point's place", |w| {
            w.of(|r| r.speed[0])
        }),
        quantity("speed.left", "m/s", "velocity of the contact point's place", |w| {
            w.of(|r| r.speed[1])
        }),
        quantity("compression", "m", "how far the suspension is raised; below 0 the gap", |w| {
            w.of(|r| r.compression)
        }),
        quantity("compression_rate", "m/s", "its rate", |w| w.of(|r| r.compression_rate)),
        quantity("suspension_force", "N", "force of spring and damper", |w| w.of(|r| r.suspension)),
        quantity("spring_force", "N", "the spring's part of it", |w| w.of(|r| r.spring)),
        quantity("motor_torque", "N m", "torque of motor and gear on the axle", |w| {
            w.of(|r| r.motor_torque)
        }),
        quantity("friction_torque", "N m", "torque of all friction at the axle", |w| {
            w.of(|r| r.friction_torque)
        }),
        quantity("current", "A", "current of its motor", |w| w.of(|r| r.current)),
        quantity("contact_angle", "rad", "where it touches, from straight below", |w| {
            atan2(w.of(|r| r.contact), 1.0)
        }),
    ];
}

/// The wheels of a robot: right and left, or as the vehicle has them.
pub(super) fn walk(
    model: &Model,
    index: usize,
    robot: Option<Robot<'_>>,
    walker: &mut impl Walker,
) {
    let known = &model.robots[index];
    if let Some(spatial) = &model.spatial {
        let vehicle = robot.and_then(|robot| robot.vehicle);
        let pitching =
            vehicle.map(|v| v.vehicle.angular_velocity(v.spatial, v.index).y).unwrap_or_default();
        for (number, spec) in spatial.vehicles[index].spec.wheels.iter().enumerate() {
            let wheel = vehicle.map(|on_ground| {
                let spin = on_ground.vehicle.spin(on_ground.known, pitching, number);
                SuspendedWheel { on_ground, spec, number, spin }
            });
            let name = || format!("robot.{}.wheel.{number}", known.name);
            walker.subject::<Suspended>(name, wheel.as_ref());
        }
        return;
    }
    let drive = &model.drives[known.drive as usize];
    let tyres =
        robot.and_then(|robot| robot.world.tyres(RobotId(index as u32))).unwrap_or_default();
    for (side, (wheel, side_name)) in drive.wheels.iter().zip(SIDES).enumerate() {
        let at = robot.map(|robot| {
            let spin = robot.body.wheel_speeds[side];
            FlatWheel { robot, known: wheel, spin, tyre: tyres[side] }
        });
        let name = || format!("robot.{}.wheel.{side_name}", known.name);
        walker.subject::<Flat>(name, at.as_ref());
    }
}
