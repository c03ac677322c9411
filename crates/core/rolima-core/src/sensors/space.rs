//! What sensors meet on rough ground: the terrain, walls that stand on it, tilted bodies.

use super::SenseScratch;
use crate::contacts::rough::each_touched;
use crate::rough::RoughState;
use rolima_math::{Vec2, Vec3};
use rolima_model::{BodyId, BodyKind, BodyModel, Model, Polygon, VehicleSpec};
use rolima_sensors::rays::{Body, Solid, Space};
use rolima_sensors::sensors::{SpaceView, Touch};
use rolima_sensors::{SpaceTruth, Truth};

/// What presses more from above or below than this is not felt by bumpers: part of it that is level.
const LEAST_LEVEL: f64 = 0.3;

/// What rays meet on a model's rough ground, if it has any and any sensor casts rays. Notes the
/// kind of each body.
pub(super) fn of(model: &Model, by_body: &mut [Option<u32>]) -> Option<Space> {
    let spatial = model.spatial.as_ref()?;
    if model.ray_heights.is_empty() {
        return None;
    }
    let mut kinds: Vec<Body> = vec![];
    for body in model.bodies() {
        let made = made_of(model, body);
        let known = kinds.iter().rposition(|kind| *kind == made).unwrap_or_else(|| {
            kinds.push(made);
            kinds.len() - 1
        });
        by_body[body.id.index()] = Some(known as u32);
    }
    let walls = model.walls.iter().zip(model.wall_spans.iter().copied());
    Some(Space::new(spatial.terrain.clone(), walls, kinds, model.body_count()))
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

/// A vehicle as it is; none on flat ground.
pub(super) fn truth(model: &Model, rough: Option<&RoughState>, robot: u32) -> Option<SpaceTruth> {
    let (rough, spatial) = (rough?, model.spatial.as_deref()?);
    let vehicle = rough.vehicle(robot)?;
    Some(SpaceTruth {
        pose: vehicle.frame(&spatial.vehicles[robot as usize]),
        velocity: vehicle.state.velocity,
        omega: vehicle.angular_velocity(spatial, robot),
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

    /// From where and into what a sensor of a vehicle looks; none on flat ground.
    pub(super) fn space_view(&self, truth: &Truth, body: BodyId) -> Option<SpaceView<'_>> {
        let (space, own) = (self.space()?, truth.space?);
        Some(SpaceView { space, world_from_robot: own.pose, own: Some(body) })
    }
}
