//! Robots and their actuators.

use super::{Now, Quantity, Subject, Walker, flag, quantity, readings, wheels};
use crate::frame::BodyFrame;
use crate::world::World;
use rolima_math::{Pose3, Vec2, Vec3, atan2};
use rolima_model::Model;
use rolima_model::spatial::{SpatialModel, Vehicle, VehicleModel};

/// A robot at one instant.
#[derive(Clone, Copy)]
pub(super) struct Robot<'a> {
    pub(super) world: &'a World,
    pub(super) body: &'a BodyFrame,
    /// On rough ground.
    pub(super) vehicle: Option<OnGround<'a>>,
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
    fn of(now: Now<'a>, index: usize) -> Option<Self> {
        let (world, model) = (now.world, now.world.model());
        let vehicle = model.spatial.as_deref().and_then(|spatial| {
            let rough = world.state().rough.as_deref()?;
            let vehicle = rough.vehicle(index as u32)?;
            let known = spatial.vehicles.get(index)?;
            Some(OnGround { vehicle, known, spatial, index: index as u32 })
        });
        // Robots come first among the bodies of a frame, in the scene's order.
        let body = now.frame.bodies.get(index)?;
        Some(Self { world, body, vehicle })
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
        quantity("heading", "rad", "heading", |r| r.body.pose.theta()),
        quantity("velocity.x", "m/s", "velocity in the world", |r| r.body.velocity.x),
        quantity("velocity.y", "m/s", "velocity in the world", |r| r.body.velocity.y),
        quantity("speed.forward", "m/s", "velocity along its heading", |r| r.own_velocity().x),
        quantity("speed.left", "m/s", "velocity to its left", |r| r.own_velocity().y),
        quantity("omega", "rad/s", "turning", |r| r.body.omega),
        quantity("slips", "", "whether a tyre slides", |r| flag(r.body.slips)),
        quantity("overridden", "", "whether it is driven from outside", |r| {
            flag(r.body.overridden)
        }),
        quantity("quarantined", "", "whether it is taken aside", |r| flag(r.body.quarantined)),
    ];
}

/// A robot on rough ground.
struct Spatial;

impl Subject for Spatial {
    type At<'a> = OnGround<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("z", "m", "height of its origin", |v| v.frame().position.z),
        quantity("roll", "rad", "leaning to the right", |v| {
            let [_, left, up] = v.axes();
            atan2(left.z, up.z)
        }),
        quantity("pitch", "rad", "leaning with its nose up", |v| {
            let [forward, ..] = v.axes();
            atan2(forward.z, level(forward))
        }),
        quantity("tilt", "rad", "from its up axis to the vertical", |v| {
            let [.., up] = v.axes();
            atan2(level(up), up.z)
        }),
        quantity("velocity.z", "m/s", "climbing", |v| v.vehicle.state.velocity.z),
        quantity("omega.x", "rad/s", "turning about the world's x axis", |v| v.omega().x),
        quantity("omega.y", "rad/s", "turning about the world's y axis", |v| v.omega().y),
        quantity("omega.z", "rad/s", "turning about the vertical", |v| v.omega().z),
        quantity("rolled_over", "", "whether it lies on its back or side", |v| {
            flag(v.vehicle.state.rolled_over)
        }),
    ];
}

/// A motor, or the motors of one side.
struct Actuator;

/// A side's motor at one instant: the robot, and 0 for the right one, 1 for the left.
struct Motor<'a>(Robot<'a>, usize);

impl Subject for Actuator {
    type At<'a> = Motor<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("voltage", "V", "voltage at the motor", |m| m.0.body.volts[m.1]),
        quantity("current", "A", "current of the motor, or of a side's motors", |m| {
            m.0.body.amps[m.1]
        }),
        quantity("spin", "rad/s", "turning of the wheel, or mean of a side's", |m| {
            m.0.body.wheel_speeds[m.1]
        }),
    ];
}

/// Sides in the order of the engine's pairs.
pub(super) const SIDES: [&str; 2] = ["right", "left"];

/// All robots, in the scene's order, each with what it has.
pub(super) fn walk(model: &Model, now: Option<Now<'_>>, walker: &mut impl Walker) {
    for (index, known) in model.robots.iter().enumerate() {
        let robot = now.and_then(|now| Robot::of(now, index));
        let name = || format!("robot.{}", known.name);
        walker.subject::<Any>(name, robot.as_ref());
        if model.spatial.is_some() {
            let vehicle = robot.and_then(|robot| robot.vehicle);
            walker.subject::<Spatial>(name, vehicle.as_ref());
        }
        for (side, side_name) in SIDES.iter().enumerate() {
            let motor = robot.map(|robot| Motor(robot, side));
            let name = || format!("robot.{}.actuator.{side_name}", known.name);
            walker.subject::<Actuator>(name, motor.as_ref());
        }
        wheels::walk(model, index, robot, walker);
        readings::walk(model, index, now, walker);
    }
}
