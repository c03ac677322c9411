//! The wheels of robots, on flat and on rough ground.
//!
//! Slip is the velocity of a tyre's contact patch over the ground, forward and to the left: negative
//! forward where a wheel turns faster than it rolls. Slip ratio and slip angle are those that the spatial
//! engine's tyres have once they are steady (see `rolima_spatial::wheels`): positive where the tyre drives.

use super::robots::{OnGround, Robot, SIDES};
use super::{POSITIVE, Quantity, ROUND, SHARE, Subject, Walker, bounded, flag, quantity, truth};
use crate::tyre_forces::TyreForce;
use rolima_math::{Vec2, Vec3, atan2};
use rolima_model::spatial::{WheelReadings, WheelSpec};
use rolima_model::{Model, RobotId, Wheel};

/// A wheel of a robot on flat ground.
struct Flat;

/// It at one instant.
struct FlatWheel<'a> {
    robot: Robot<'a>,
    known: &'a Wheel,
    /// 0 right, 1 left.
    side: usize,
    /// rad/s.
    spin: f64,
    tyre: TyreForce,
}

/// Part of the speeds across and of the rim that steady slip is at least counted by.
const ACROSS: f64 = 0.1;

impl FlatWheel<'_> {
    /// m/s; a tyre that sticks has none, to the bit.
    fn slip(&self) -> [f64; 2] {
        if !self.robot.body.slips {
            return [0.0; 2];
        }
        let [along, across] = self.speed();
        [along - self.known.radius * self.spin, across]
    }

    /// Of the contact point's place, along the heading and to the left, m/s.
    fn speed(&self) -> [f64; 2] {
        let own = self.robot.own_velocity();
        [own.x - self.known.left * self.robot.body.omega, own.y]
    }

    /// Slip by the speed; none where nothing moves.
    fn ratio(&self) -> f64 {
        let [along, across] = self.speed().map(f64::abs);
        let rolls = (self.known.radius * self.spin).abs();
        let by = rolls.max(along).max(ACROSS * across);
        let slip = self.slip()[0];
        // A tyre that sticks has none, without a sign.
        if by > 0.0 && slip != 0.0 { -slip / by } else { 0.0 }
    }

    /// rad.
    fn angle(&self) -> f64 {
        let ([along, across], slip) = (self.speed(), self.slip()[1]);
        let rolls = (self.known.radius * self.spin).abs();
        let by = along.abs().max(ACROSS * across.abs().max(rolls));
        if slip == 0.0 { 0.0 } else { atan2(-slip, by) }
    }

    /// In the world, m.
    fn contact(&self) -> Vec2 {
        self.robot.body.pose.transform(Vec2::new(0.0, self.known.left))
    }
}

impl Subject for Flat {
    type At<'a> = FlatWheel<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("spin", "rad/s", "turning of the wheel", |w| w.spin),
        bounded(POSITIVE, "load", "N", "force of the ground along its normal", |w| w.tyre.load),
        quantity("force.forward", "N", "force of the ground along the heading", |w| w.tyre.force.x),
        quantity("force.left", "N", "force of the ground to the left", |w| w.tyre.force.y),
        bounded(
            POSITIVE,
            "grip_used",
            "",
            "share of what the tyre could give; NaN: without limit",
            |w| w.tyre.grip_used.unwrap_or(f64::NAN),
        ),
        truth("slips", "whether its tyre slides", |w| flag(w.robot.body.slips)),
        bounded(SLIP, "slip.ratio", "", "slip along the rolling direction by the speed", |w| {
            w.ratio()
        }),
        bounded(
            ROUND,
            "slip.angle",
            "rad",
            "from the rolling direction to the hub's motion",
            |w| w.angle(),
        ),
        quantity("slip.forward", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[0]
        }),
        quantity("slip.left", "m/s", "velocity of the tyre's patch over the ground", |w| {
            w.slip()[1]
        }),
        quantity("speed.forward", "m/s", "velocity of the contact point's place", |w| w.speed()[0]),
        quantity("speed.left", "m/s", "velocity of the contact point's place", |w| w.speed()[1]),
        quantity("voltage", "V", "voltage at its motor", |w| w.robot.body.volts[w.side]),
        quantity("current", "A", "current of its motor", |w| w.robot.body.amps[w.side]),
        quantity("motor_torque", "N m", "torque of motor and gear on the axle", |w| {
            w.robot.torque(w.side)
        }),
        quantity("contact.x", "m", "where it touches the ground", |w| w.contact().x),
        quantity("contact.y", "m", "where it touches the ground", |w| w.contact().y),
    ];
}

/// Slip ratios of wheels that are turned against their motion.
const SLIP: [f64; 2] = [-2.0, 2.0];

/// A suspended wheel.
struct Suspended;

/// It at one instant.
struct SuspendedWheel<'a> {
    on_ground: OnGround<'a>,
    spec: &'a WheelSpec,
    number: usize,
    /// Turning of the chassis about its own axes, rad/s.
    omega: Vec3,
    /// Against the chassis, rad/s.
    spin: f64,
}

impl SuspendedWheel<'_> {
    fn of(&self, read: impl Fn(&WheelReadings) -> [f64; 4]) -> f64 {
        self.on_ground.vehicle.reading(self.number, read)
    }

    /// In the world, m; NaN in the air.
    fn contact(&self) -> Vec3 {
        let OnGround { vehicle, known, .. } = self.on_ground;
        let in_air = Vec3::new(f64::NAN, f64::NAN, f64::NAN);
        vehicle.contact_point(known, self.number).unwrap_or(in_air)
    }

    fn normal(&self) -> Vec3 {
        self.on_ground.vehicle.ground_normal(self.number)
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
        quantity("steer", "rad", "angle by which it is steered to the left", |w| {
            w.on_ground.vehicle.steer(w.number)
        }),
        truth("in_air", "whether it carries nothing", |w| flag(w.is_in_air())),
        truth("slips", "whether its tyre slides", |w| {
            flag(w.on_ground.vehicle.wheel_slides(w.on_ground.known, w.number))
        }),
        bounded(POSITIVE, "load", "N", "force of the ground along its normal", |w| {
            w.of(|r| r.load)
        }),
        quantity("force.forward", "N", "force of the ground along the rolling direction", |w| {
            w.of(|r| r.lengthwise)
        }),
        quantity("force.left", "N", "force of the ground across the rolling direction", |w| {
            w.of(|r| r.sideways)
        }),
        quantity("slip.ratio", "", "slip along the rolling direction by the speed", |w| {
            w.of(|r| r.slip)
        }),
        bounded(
            ROUND,
            "slip.angle",
            "rad",
            "from the rolling direction to the hub's motion",
            |w| atan2(w.of(|r| r.slip_angle), 1.0),
        ),
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
        quantity("voltage", "V", "voltage at its motor", |w| {
            w.on_ground.vehicle.volts(w.on_ground.known, w.omega, w.number)
        }),
        quantity("current", "A", "current of its motor", |w| w.of(|r| r.current)),
        bounded(ROUND, "contact_angle", "rad", "where it touches, from straight below", |w| {
            atan2(w.of(|r| r.contact), 1.0)
        }),
        quantity("contact.x", "m", "where it touches the ground; NaN in the air", |w| {
            w.contact().x
        }),
        quantity("contact.y", "m", "where it touches the ground; NaN in the air", |w| {
            w.contact().y
        }),
        quantity("contact.z", "m", "where it touches the ground; NaN in the air", |w| {
            w.contact().z
        }),
        bounded(SHARE, "normal.x", "", "normal of the ground under it", |w| w.normal().x),
        bounded(SHARE, "normal.y", "", "normal of the ground under it", |w| w.normal().y),
        bounded(SHARE, "normal.z", "", "normal of the ground under it", |w| w.normal().z),
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
        let omega =
            vehicle.map(|v| v.vehicle.angular_velocity(v.spatial, v.index)).unwrap_or_default();
        for (number, spec) in spatial.vehicles[index].spec.wheels.iter().enumerate() {
            let wheel = vehicle.map(|on_ground| {
                let spin = on_ground.vehicle.spin(on_ground.known, omega, number);
                SuspendedWheel { on_ground, spec, number, omega, spin }
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
            FlatWheel { robot, known: wheel, side, spin, tyre: tyres[side] }
        });
        let name = || format!("robot.{}.wheel.{side_name}", known.name);
        walker.subject::<Flat>(name, at.as_ref());
    }
}
