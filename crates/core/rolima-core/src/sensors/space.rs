//! What rays in space meet: ground, walls that stand on it, bodies however tilted.

use super::SenseScratch;
use crate::contacts::rough::each_touched;
use crate::rough::RoughState;
use rolima_math::{Pose2, Pose3, Quat, Vec2, Vec3};
use rolima_model::{
    BodyKind, BodyModel, DeviceModel, Model, Mount, Polygon, Rays, RobotId, VehicleSpec,
};
use rolima_sensors::SpaceTruth;
use rolima_sensors::rays::{Body, Solid, Space};
use rolima_sensors::sensors::Touch;

/// What presses more from above or below than this is not felt by bumpers: part of it that is level.
const LEAST_LEVEL: f64 = 0.3;

/// What rays in space meet in a model, and the kind of each body, by the bodies' numbers; none where
/// no sensor looks into space.
pub(super) fn of(model: &Model) -> Option<(Space, Vec<u32>)> {
    if !model.devices.iter().any(|device| device.rays == Some(Rays::Space)) {
        return None;
    }
    let mut kinds: Vec<Body> = vec![];
    let of_body = model.bodies().map(|body| {
        let made = made_of(model, body);
        let known = kinds.iter().rposition(|kind| *kind == made).unwrap_or_else(|| {
            kinds.push(made);
            kinds.len() - 1
        });
        known as u32
    });
    let of_body = of_body.collect();
    let walls = model.walls.iter().zip(model.wall_spans.iter().copied());
    let terrain = model.spatial.as_ref().map(|spatial| spatial.terrain.clone());
    Some((Space::new(terrain, walls, kinds, model.body_count()), of_body))
}

/// Where a body stands in space on flat ground: the origin of balls is their middle.
pub(super) fn on_flat_ground(body: &BodyModel, pose: Pose2) -> Pose3 {
    let Pose2 { position, .. } = pose;
    let z = if body.kind == BodyKind::Ball { body.radius } else { 0.0 };
    let up = Vec3::new(0.0, 0.0, 1.0);
    let rotation = Quat::about(up, pose.theta());
    Pose3 { position: Vec3::new(position.x, position.y, z), rotation }
}

/// The solids of a body, in the frame that [`crate::Frame::spatial`] has it in.
fn made_of(model: &Model, body: &BodyModel) -> Body {
    if body.kind == BodyKind::Ball {
        return Body::new(vec![Solid::Ball { centre: Vec3::ZERO, radius: body.radius }]);
    }
    if let (BodyKind::Robot, Some(spatial)) = (body.kind, &model.spatial) {
        return vehicle(&spatial.vehicles[body.index as usize].spec);
    }
    let parts = model.shapes[body.shape as usize].parts.iter();
    Body::new(parts.map(|part| Solid::standing(part, [0.0, body.height])).collect())
}

/// Chassis and wheels, relaxed.
fn vehicle(spec: &VehicleSpec) -> Body {
    let (c, up) = (&spec.chassis, spec.ride_height());
    let corners = [
        Vec2::new(c.length[0], c.width[0]),
        Vec2::new(-c.length[1], c.width[0]),
        Vec2::new(-c.length[1], -c.width[1]),
        Vec2::new(c.length[0], -c.width[1]),
    ];
    let outline = Polygon::from_vertices(&corners);
    let mut parts = vec![Solid::Prism { outline, z: [up - c.height[1], up + c.height[0]] }];
    parts.extend(spec.wheels.iter().map(|wheel| {
        let hub = wheel.position + Vec3::new(0.0, 0.0, up);
        if wheel.ball {
            Solid::Ball { centre: hub, radius: wheel.radius }
        } else {
            Solid::Wheel { hub, radius: wheel.radius, half_width: 0.5 * wheel.width }
        }
    }));
    Body::new(parts)
}

/// The frame that carries a sensor as it is in space; none of robots on flat ground.
pub(super) fn truth(
    model: &Model,
    rough: Option<&RoughState>,
    known: &DeviceModel,
) -> Option<SpaceTruth> {
    match known.mount {
        Mount::Robot(robot) => vehicle_truth(model, rough?, robot),
        Mount::World => Some(SpaceTruth { pose: known.pose, ..SpaceTruth::default() }),
    }
}

fn vehicle_truth(model: &Model, rough: &RoughState, robot: RobotId) -> Option<SpaceTruth> {
    let spatial = model.spatial.as_deref()?;
    let vehicle = rough.vehicle(robot.0)?;
    Some(SpaceTruth {
        pose: vehicle.frame(&spatial.vehicles[robot.index()]),
        velocity: vehicle.state.velocity,
        omega: vehicle.angular_velocity(spatial, robot.0),
        gravity: spatial.spec.gravity,
    })
}

impl SenseScratch {
    /// Finds what presses on vehicles from the sides.
    pub(super) fn find_touches_on_rough_ground(&mut self, model: &Model, rough: &RoughState) {
        self.touches.clear();
        each_touched(rough, |robot, out, impulse| {
            let level = Vec2::new(out.x, out.y);
            let share = level.length();
            if share > LEAST_LEVEL {
                let (normal, force) = (level * (1.0 / share), impulse * share / model.step_s);
                self.touches.push((robot.body(), Touch { normal, force }));
            }
        });
        self.touches.sort_unstable_by_key(|(body, _)| *body);
    }
}
