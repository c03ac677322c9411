//! Robots and their actuators.

use super::{
    Instant, Quantity, ROUND, Subject, Walker, bounded, flag, goals, quantity, readings, truth,
};
use crate::engine::channels as engine;
use crate::frame::BodyFrame;
use crate::world::World;
use rolima_math::{Vec2, Vec3};
use rolima_model::{Model, RobotId};

/// A robot at one instant.
#[derive(Clone, Copy)]
pub(crate) struct Robot<'a> {
    pub(crate) world: &'a World,
    pub(crate) body: &'a BodyFrame,
    /// Over the last step, in the world, m/s2; NaN where no step is known.
    pub(crate) acceleration: Vec3,
    /// Along the heading and to the left, m/s: as the state keeps it, without rounding.
    pub(crate) own_velocity: Vec2,
}

impl<'a> Robot<'a> {
    /// A robot by its number; none of a world that has no such thing.
    fn of(now: Instant<'a>, index: usize) -> Option<Self> {
        let world = now.world;
        // Robots come first among the bodies of a frame, in the scene's order.
        let body = now.frame.bodies.get(index)?;
        let unknown = Vec3::new(f64::NAN, f64::NAN, f64::NAN);
        let acceleration = world.acceleration(RobotId(index as u32)).unwrap_or(unknown);
        let own_velocity = world.twist(body.id).map_or(Vec2::ZERO, |twist| twist.own);
        Some(Self { world, body, acceleration, own_velocity })
    }

    /// Torque of a side's motor and gear on its axle, N m; of several motors the mean.
    pub(crate) fn torque(&self, side: usize) -> f64 {
        engine::torque(self.world, self.body, side)
    }
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
        quantity("speed.forward", "m/s", "velocity along its heading", |r| r.own_velocity.x),
        quantity("speed.left", "m/s", "velocity to its left", |r| r.own_velocity.y),
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
pub(crate) const SIDES: [&str; 2] = ["right", "left"];

/// All robots, in the scene's order, each with what it has.
pub(super) fn walk(model: &Model, now: Option<Instant<'_>>, walker: &mut impl Walker) {
    for (index, known) in model.robots.iter().enumerate() {
        if walker.is_full() {
            return;
        }
        let robot = now.and_then(|now| Robot::of(now, index));
        let name = || format!("robot.{}", known.name);
        walker.subject::<Any>(name, robot.as_ref());
        engine::walk_robot(model, index, robot, walker);
        for (side, side_name) in SIDES.iter().enumerate() {
            let motor = robot.map(|robot| Motor(robot, side));
            let name = || format!("robot.{}.actuator.{side_name}", known.name);
            walker.subject::<Actuator>(name, motor.as_ref());
        }
        engine::walk_parts(model, index, robot, walker);
        goals::walk(|| format!("robot.{}.goal", known.name), index, now, walker);
        readings::walk(model, RobotId(index as u32).into(), now, walker);
    }
}
