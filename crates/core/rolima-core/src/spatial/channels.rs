//! Quantities that only bodies in space have: vehicles and their suspended wheels, balls, objects.

use super::known;
use crate::schema::loose::Loose;
use crate::schema::robots::Robot;
use crate::schema::{
    ANY, Channel, POSITIVE, Quantity, ROUND, SHARE, Subject, Walker, bounded, flag, grip_used,
    quantity, truth,
};
use crate::world::World;
use rolima_math::{Pose3, Vec3, atan2};
use rolima_model::spatial::{
    BodyState, Side, SpatialModel, Vehicle, VehicleModel, WheelReadings, WheelSpec,
};
use rolima_model::{Model, RobotId};

/// A vehicle, with what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct OnGround<'a> {
    vehicle: &'a Vehicle,
    known: &'a VehicleModel,
    spatial: &'a SpatialModel,
    index: u32,
}

impl<'a> OnGround<'a> {
    /// The vehicle that a robot is.
    pub(crate) fn of(world: &'a World, index: usize) -> Option<Self> {
        let spatial = known(world.model());
        let vehicle = world.vehicle(RobotId(index as u32))?;
        let known = spatial.vehicles.get(index)?;
        Some(Self { vehicle, known, spatial, index: index as u32 })
    }

    fn frame(&self) -> Pose3 {
        self.vehicle.frame(self.known)
    }

    fn axes(&self) -> [Vec3; 3] {
        self.vehicle.state.orientation.axes()
    }

    /// Mean torque of a side's motors and gears on their axles, N m.
    pub(crate) fn torque(&self, side: usize) -> f64 {
        let of_side = [Side::Right, Side::Left][side];
        let wheels = self.known.spec.wheels.iter().enumerate();
        let (mut sum, mut count) = (0.0, 0.0);
        for (i, _) in wheels.filter(|(_, wheel)| wheel.side == of_side) {
            sum += self.vehicle.reading(i, |r| r.motor_torque);
            count += 1.0;
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// Turning about the axes of the world, rad/s.
    fn omega(&self) -> Vec3 {
        let own = self.vehicle.angular_velocity(self.spatial, self.index);
        self.vehicle.state.orientation.rotate(own)
    }
}

/// Length across the vertical.
fn level(v: Vec3) -> f64 {
    (v.x * v.x + v.y * v.y).sqrt()
}

/// A robot.
struct Robots;

/// It at one instant.
#[derive(Clone, Copy)]
struct InSpace<'a> {
    on_ground: OnGround<'a>,
    /// Upwards, m/s2.
    rising: f64,
}

impl<'a> core::ops::Deref for InSpace<'a> {
    type Target = OnGround<'a>;

    fn deref(&self) -> &OnGround<'a> {
        &self.on_ground
    }
}

impl Subject for Robots {
    type At<'a> = InSpace<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("z", "m", "height of its origin", |v| v.frame().position.z),
        bounded(ROUND, "roll", "rad", "leaning to the right", |v| {
            let [_, left, up] = v.axes();
            atan2(left.z, up.z)
        }),
        bounded(ROUND, "pitch", "rad", "leaning with its nose up", |v| {
            let [forward, ..] = v.axes();
            atan2(forward.z, level(forward))
        }),
        bounded(
            [0.0, core::f64::consts::PI],
            "tilt",
            "rad",
            "from its up axis to the vertical",
            |v| {
                let [.., up] = v.axes();
                atan2(level(up), up.z)
            },
        ),
        quantity("velocity.z", "m/s", "climbing", |v| v.vehicle.state.velocity.z),
        quantity("omega.x", "rad/s", "turning about the world's x axis", |v| v.omega().x),
        quantity("omega.y", "rad/s", "turning about the world's y axis", |v| v.omega().y),
        quantity("omega.z", "rad/s", "turning about the vertical", |v| v.omega().z),
        quantity("centre.velocity.x", "m/s", CENTRE, |v| v.vehicle.state.velocity.x),
        quantity("centre.velocity.y", "m/s", CENTRE, |v| v.vehicle.state.velocity.y),
        quantity("centre.velocity.z", "m/s", CENTRE, |v| v.vehicle.state.velocity.z),
        quantity("acceleration.z", "m/s2", "acceleration over the last step, upwards", |v| {
            v.rising
        }),
        bounded(SHARE, "orientation.w", "", TURN, |v| v.frame().rotation.w),
        bounded(SHARE, "orientation.x", "", TURN, |v| v.frame().rotation.x),
        bounded(SHARE, "orientation.y", "", TURN, |v| v.frame().rotation.y),
        bounded(SHARE, "orientation.z", "", TURN, |v| v.frame().rotation.z),
        truth("rolled_over", "whether it lies on its back or side", |v| {
            flag(v.vehicle.state.rolled_over)
        }),
        truth("left_terrain", "whether it left the terrain", |v| {
            flag(v.vehicle.state.left_terrain)
        }),
    ];
}

/// What is said of the velocity of a vehicle's centre of mass.
const CENTRE: &str = "velocity of the centre of mass, in the world";

/// What is commanded of each actuator of a vehicle, by its name; each has a unit of its own. In the plane that is
/// the voltage of the motor.
fn last_command(
    name: &str,
    known: &VehicleModel,
    vehicle: Option<OnGround<'_>>,
    walker: &mut impl Walker,
) {
    for actuator in &known.actuators {
        let channel = || Channel {
            name: format!("robot.{name}.actuator.{}.commanded", actuator.name),
            unit: actuator.kind.unit(),
            meaning: "what is commanded of it",
            range: ANY,
        };
        walker.single(channel, vehicle.and_then(|v| v.vehicle.state.last_command(actuator)));
    }
}

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
        quantity("angle", "rad", "how far it has turned against the chassis", |w| {
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
        grip_used(|w| {
            w.on_ground.vehicle.grip_used(w.on_ground.known, w.number).unwrap_or(f64::NAN)
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

/// What a body's quaternion is.
const TURN: &str = "quaternion that turns its frame into the world";

/// Balls and objects.
struct Bodies;

impl Subject for Bodies {
    type At<'a> = &'a BodyState;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("z", "m", "height", |b| b.position.z),
        quantity("velocity.z", "m/s", "climbing", |b| b.velocity.z),
        quantity("omega.x", "rad/s", "turning about the world's x axis", |b| b.omega.x),
        quantity("omega.y", "rad/s", "turning about the world's y axis", |b| b.omega.y),
        quantity("omega.z", "rad/s", "turning about the vertical", |b| b.omega.z),
        bounded(SHARE, "orientation.w", "", TURN, |b| b.orientation.w),
        bounded(SHARE, "orientation.x", "", TURN, |b| b.orientation.x),
        bounded(SHARE, "orientation.y", "", TURN, |b| b.orientation.y),
        bounded(SHARE, "orientation.z", "", TURN, |b| b.orientation.z),
        truth("asleep", "whether it lies still and is not computed", |b| flag(b.asleep)),
        truth("left_terrain", "whether it left the terrain", |b| flag(b.left_terrain)),
    ];
}

/// What a robot has.
pub(crate) fn walk_robot(
    model: &Model,
    index: usize,
    robot: Option<Robot<'_>>,
    walker: &mut impl Walker,
) {
    let in_space = robot.and_then(|robot| {
        let on_ground = OnGround::of(robot.world, index)?;
        Some(InSpace { on_ground, rising: robot.acceleration.z })
    });
    let name = || format!("robot.{}", model.robots[index].name);
    walker.subject::<Robots>(name, in_space.as_ref());
}

/// What is commanded of a robot's actuators, and its wheels.
pub(crate) fn walk_parts(
    model: &Model,
    index: usize,
    robot: Option<Robot<'_>>,
    walker: &mut impl Walker,
) {
    let known = &known(model).vehicles[index];
    let own_name = &model.robots[index].name;
    let vehicle = robot.and_then(|robot| OnGround::of(robot.world, index));
    last_command(own_name, known, vehicle, walker);
    let omega = vehicle.map(|v| v.vehicle.angular_velocity(v.spatial, v.index)).unwrap_or_default();
    for (number, spec) in known.spec.wheels.iter().enumerate() {
        let wheel = vehicle.map(|on_ground| {
            let spin = on_ground.vehicle.spin(on_ground.known, omega, number);
            SuspendedWheel { on_ground, spec, number, omega, spin }
        });
        let name = || format!("robot.{own_name}.wheel.{number}");
        walker.subject::<Suspended>(name, wheel.as_ref());
    }
}

/// What a ball or an object has.
pub(crate) fn walk_loose(
    name: impl Fn() -> String,
    loose: Option<Loose<'_>>,
    walker: &mut impl Walker,
) {
    let in_space = loose.and_then(|loose| loose.world.body_in_space(loose.body.id));
    walker.subject::<Bodies>(name, in_space.as_ref());
}
