//! Robots.

use super::{Row, Subject, bodies, filled, plane, space, turned, wheels};
use rolima_core::model::spatial::{SpatialModel, Vehicle, VehicleModel};
use rolima_core::model::{BodyKind, RobotModel};
use rolima_core::{BodyFrame, Frame, World};
use rolima_math::{Vec2, Vec3, atan2};
use serde_json::{Value, json};

/// Robots.
pub(super) struct Robots;

impl Subject for Robots {
    type At<'a> = Robot<'a>;
    const TABLE: &'static [Row<Self>] = ROBOT;
}

/// A robot at one instant.
pub(crate) struct Robot<'a> {
    pub(super) world: &'a World,
    pub(super) model: &'a RobotModel,
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
}

const ROBOT: &[Row<Robots>] = &[
    ("name", |r| Some(r.name().into())),
    ("pose", |r| Some(json!(r.pose()))),
    ("twist", |r| Some(json!(r.twist()))),
    ("height", |r| Some(r.attitude()?.height.into())),
    ("roll", |r| Some(r.attitude()?.roll.into())),
    ("pitch", |r| Some(r.attitude()?.pitch.into())),
    ("tilt", |r| Some(r.attitude()?.tilt.into())),
    ("climbing", |r| Some(r.vehicle?.vehicle.state.velocity.z.into())),
    ("rolled_over", |r| Some(r.vehicle?.vehicle.state.rolled_over.into())),
    ("sensors", sensors),
    ("kind", |_| Some("robot".into())),
    ("heading_deg", |r| Some(r.pose()[2].to_degrees().into())),
    ("velocity", |r| Some(json!(plane(r.body.velocity)))),
    ("speed_forward", |r| Some(r.own_velocity().x.into())),
    ("speed_left", |r| Some(r.own_velocity().y.into())),
    ("omega", |r| Some(r.body.omega.into())),
    ("volts", |r| Some(json!(r.body.volts))),
    ("amps", |r| Some(json!(r.body.amps))),
    ("wheel_speeds", |r| Some(json!(r.body.wheel_speeds))),
    ("slips", |r| Some(r.body.slips.into())),
    ("wheels", |r| Some(wheels::all(r))),
    ("position", |r| Some(json!(space(r.vehicle?.frame().position)))),
    ("orientation", |r| Some(json!(turned(r.vehicle?.frame().rotation)))),
    ("velocity_in_space", |r| Some(json!(space(r.vehicle?.vehicle.state.velocity)))),
    ("omega_in_space", |r| Some(json!(space(omega_in_space(r)?)))),
    ("overridden", |r| Some(r.body.overridden.into())),
    ("quarantined", |r| Some(r.body.quarantined.into())),
];

/// All robots, in the scene's order.
pub(super) fn all(world: &World, frame: &Frame) -> Value {
    each(world, frame).map(|robot| Value::Object(filled::<Robots>(&robot))).collect()
}

/// All robots at one instant.
pub(crate) fn each<'a>(
    world: &'a World,
    frame: &'a Frame,
) -> impl Iterator<Item = Robot<'a>> + use<'a> {
    let (spatial, rough) = (world.model().spatial.as_deref(), world.state().rough.as_deref());
    bodies(frame, BodyKind::Robot).map(move |(_, body)| {
        let on_ground = |spatial: &'a SpatialModel| {
            let known = spatial.vehicles.get(body.index as usize)?;
            Some(OnGround { vehicle: rough?.vehicle(body.index)?, known, spatial })
        };
        let model = &world.model().robots[body.index as usize];
        Robot { world, model, body, vehicle: spatial.and_then(on_ground) }
    })
}

/// How a vehicle lies.
pub(crate) struct Attitude {
    /// Height of its origin, m.
    pub(crate) height: f64,
    /// To the right and with the nose up, rad, and how far its up axis is from the vertical.
    pub(crate) roll: f64,
    pub(crate) pitch: f64,
    tilt: f64,
}

impl OnGround<'_> {
    fn frame(&self) -> rolima_math::Pose3 {
        self.vehicle.frame(self.known)
    }
}

impl Robot<'_> {
    /// What the scene calls it.
    pub(crate) fn name(&self) -> &str {
        &self.model.name
    }

    /// x and y in m, heading in rad.
    pub(crate) fn pose(&self) -> [f64; 3] {
        let pose = self.body.pose;
        [pose.position.x, pose.position.y, pose.theta()]
    }

    /// Speed along the heading, m/s, and turning, rad/s.
    pub(crate) fn twist(&self) -> [f64; 2] {
        [self.own_velocity().x, self.body.omega]
    }

    /// Along the heading and to the left, m/s: as the state keeps it, without rounding.
    pub(super) fn own_velocity(&self) -> Vec2 {
        self.world.twist(self.body.id).map_or(Vec2::ZERO, |twist| twist.own)
    }

    /// How it lies on rough ground.
    pub(crate) fn attitude(&self) -> Option<Attitude> {
        let on_ground = self.vehicle?;
        let [forward, left, up] = on_ground.vehicle.state.orientation.axes();
        let level = |v: Vec3| (v.x * v.x + v.y * v.y).sqrt();
        Some(Attitude {
            height: on_ground.frame().position.z,
            roll: atan2(left.z, up.z),
            pitch: atan2(forward.z, level(forward)),
            tilt: atan2(level(up), up.z),
        })
    }
}

fn omega_in_space(robot: &Robot<'_>) -> Option<Vec3> {
    let OnGround { vehicle, spatial, .. } = robot.vehicle?;
    let own = vehicle.angular_velocity(spatial, robot.body.index);
    Some(vehicle.state.orientation.rotate(own))
}

/// What each sensor read last, by name.
fn sensors(robot: &Robot<'_>) -> Option<Value> {
    let (world, model) = (robot.world, robot.world.model());
    let devices = model.devices_of(robot.body.index);
    let reading =
        |device: usize| (model.devices[device].name.clone(), json!(world.reading(device)));
    (!devices.is_empty()).then(|| Value::Object(devices.map(reading).collect()))
}
