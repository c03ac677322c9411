//! Robots and their actuators.

use super::loose::TURN;
use super::{
    ANY, Channel, Instant, Quantity, ROUND, SHARE, Subject, Walker, bounded, flag, goals, quantity,
    readings, truth, wheels,
};
use crate::frame::BodyFrame;
use crate::world::World;
use rolima_math::{Pose3, Vec2, Vec3, atan2};
use rolima_model::spatial::{Side, SpatialModel, Vehicle, VehicleModel};
use rolima_model::{Model, RobotId};

/// A robot at one instant.
#[derive(Clone, Copy)]
pub(super) struct Robot<'a> {
    pub(super) world: &'a World,
    pub(super) body: &'a BodyFrame,
    /// On rough ground.
    pub(super) vehicle: Option<OnGround<'a>>,
    /// Over the last step, in the world, m/s2; NaN where no step is known.
    acceleration: Vec3,
}

/// A vehicle on rough ground, with what is known of it.
#[derive(Clone, Copy)]
pub(super) struct OnGround<'a> {
    pub(super) vehicle: &'a Vehicle,
    pub(super) known: &'a VehicleModel,
    pub(super) spatial: &'a SpatialModel,
    pub(super) index: u32,
}

impl<'a> Robot<'a> {
    /// A robot by its number; none of a world that has no such thing.
    fn of(now: Instant<'a>, index: usize) -> Option<Self> {
        let (world, model) = (now.world, now.world.model());
        let vehicle = model.spatial.as_deref().and_then(|spatial| {
            let rough = world.state().rough.as_deref()?;
            let vehicle = rough.vehicle(index as u32)?;
            let known = spatial.vehicles.get(index)?;
            Some(OnGround { vehicle, known, spatial, index: index as u32 })
        });
        // Robots come first among the bodies of a frame, in the scene's order.
        let body = now.frame.bodies.get(index)?;
        let unknown = Vec3::new(f64::NAN, f64::NAN, f64::NAN);
        let acceleration = world.acceleration(RobotId(index as u32)).unwrap_or(unknown);
        Some(Self { world, body, vehicle, acceleration })
    }

    /// Torque of a side's motor and gear on its axle, N m; on rough ground the mean of a side's.
    pub(super) fn torque(&self, side: usize) -> f64 {
        if let Some(on_ground) = self.vehicle {
            return on_ground.torque(side);
        }
        let model = self.world.model();
        let known = &model.robots[self.body.index as usize];
        let spec = &model.drives[known.drive as usize].spec;
        let per_ampere = [spec.motor_constant_right, spec.motor_constant_left][side];
        per_ampere * self.body.amps[side]
    }

    /// Along the heading and to the left, m/s: as the state keeps it, without rounding.
    pub(super) fn own_velocity(&self) -> Vec2 {
        self.world.twist(self.body.id).map_or(Vec2::ZERO, |twist| twist.own)
    }
}

impl OnGround<'_> {
    fn frame(&self) -> Pose3 {
        self.vehicle.frame(self.known)
    }

    fn axes(&self) -> [Vec3; 3] {
        self.vehicle.state.orientation.axes()
    }

    /// Mean torque of a side's motors and gears on their axles, N m.
    fn torque(&self, side: usize) -> f64 {
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

/// Any robot.
struct Any;

impl Subject for Any {
    type At<'a> = Robot<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("x", "m", "position", |r| r.body.pose.position.x),
        quantity("y", "m", "position", |r| r.body.pose.position.y),
        bounded(ROUND, "heading", "rad", "heading", |r| r.body.pose.theta()),
        quantity("velocity.x", "m/s", "velocity in the world", |r| r.body.velocity.x),
        quantity("velocity.y", "m/s", "velocity in the world", |r| r.body.velocity.y),
        quantity("speed.forward", "m/s", "velocity along its heading", |r| r.own_velocity().x),
        quantity("speed.left", "m/s", "velocity to its left", |r| r.own_velocity().y),
        quantity("omega", "rad/s", "turning", |r| r.body.omega),
        quantity("acceleration.x", "m/s2", "acceleration over the last step, in the world", |r| {
            r.acceleration.x
        }),
        quantity("acceleration.y", "m/s2", "acceleration over the last step, in the world", |r| {
            r.acceleration.y
        }),
        truth("slips", "whether a tyre slides", |r| flag(r.body.slips)),
        truth("overridden", "whether it is driven from outside", |r| flag(r.body.overridden)),
        truth("quarantined", "whether it is taken aside", |r| flag(r.body.quarantined)),
    ];
}

/// A robot on rough ground.
struct Spatial;

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

impl Subject for Spatial {
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

/// A motor, or the motors of one side.
struct Actuator;

/// A side's motor at one instant: the robot, and 0 for the right one, 1 for the left.
struct Motor<'a>(Robot<'a>, usize);

impl Subject for Actuator {
    type At<'a> = Motor<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("voltage", "V", "voltage at the motor", |m| m.0.body.volts[m.1]),
        quantity("current", "A", "current of the motor, or mean of a side's", |m| {
            m.0.body.amps[m.1]
        }),
        quantity("torque", "N m", "torque of motor and gear, or mean of a side's", |m| {
            m.0.torque(m.1)
        }),
        quantity("electric_power", "W", "electric power of the motor, or mean of a side's", |m| {
            m.0.body.volts[m.1] * m.0.body.amps[m.1]
        }),
        quantity("spin", "rad/s", "turning of the wheel, or mean of a side's", |m| {
            m.0.body.wheel_speeds[m.1]
        }),
    ];
}

/// Sides in the order of the engine's pairs.
pub(super) const SIDES: [&str; 2] = ["right", "left"];

/// What each actuator of a vehicle is told, by its name; each has a unit of its own. On flat ground that is
/// the voltage of the motor.
fn told(name: &str, known: &VehicleModel, robot: Option<Robot<'_>>, walker: &mut impl Walker) {
    let vehicle = robot.and_then(|robot| robot.vehicle);
    for actuator in &known.actuators {
        let channel = || Channel {
            name: format!("robot.{name}.actuator.{}.told", actuator.name),
            unit: actuator.kind.unit(),
            meaning: "what it is told",
            range: ANY,
        };
        walker.single(channel, vehicle.and_then(|v| v.vehicle.state.told(actuator)));
    }
}

/// All robots, in the scene's order, each with what it has.
pub(super) fn walk(model: &Model, now: Option<Instant<'_>>, walker: &mut impl Walker) {
    for (index, known) in model.robots.iter().enumerate() {
        if walker.is_full() {
            return;
        }
        let robot = now.and_then(|now| Robot::of(now, index));
        let name = || format!("robot.{}", known.name);
        walker.subject::<Any>(name, robot.as_ref());
        if model.spatial.is_some() {
            let in_space = robot.and_then(|robot| {
                Some(InSpace { on_ground: robot.vehicle?, rising: robot.acceleration.z })
            });
            walker.subject::<Spatial>(name, in_space.as_ref());
        }
        for (side, side_name) in SIDES.iter().enumerate() {
            let motor = robot.map(|robot| Motor(robot, side));
            let name = || format!("robot.{}.actuator.{side_name}", known.name);
            walker.subject::<Actuator>(name, motor.as_ref());
        }
        if let Some(spatial) = &model.spatial {
            told(&known.name, &spatial.vehicles[index], robot, walker);
        }
        wheels::walk(model, index, robot, walker);
        goals::walk(|| format!("robot.{}.goal", known.name), index, now, walker);
        readings::walk(model, RobotId(index as u32).into(), now, walker);
    }
}
