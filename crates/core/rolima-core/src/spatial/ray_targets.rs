//! What sensors meet in space: the terrain, walls that stand on it, tilted bodies.

use super::contacts::each_touched;
use super::{State, known};
use crate::sensors::ray_targets::{RayTargets, made_of};
use rolima_math::{Vec2, Vec3};
use rolima_model::{BodyId, BodyKind, Model, Polygon, VehicleSpec};
use rolima_sensors::SpaceTruth;
use rolima_sensors::rays::{RayBody, RaySolid};
use rolima_sensors::sensors::BumperContact;

/// What presses more from above or below than this is not felt by bumpers: part of it that is level.
const LEAST_LEVEL: f64 = 0.3;

/// What rays meet in a model.
pub(crate) fn ray_targets(model: &Model) -> RayTargets {
    RayTargets::new(model, |body| match body.kind {
        BodyKind::Robot => vehicle(&known(model).vehicles[body.index as usize].spec),
        _ => made_of(model, body),
    })
}

/// Chassis and wheels, relaxed.
fn vehicle(spec: &VehicleSpec) -> RayBody {
    let (c, up) = (&spec.chassis, spec.ride_height());
    let corners = [
        Vec2::new(c.length[0], c.width[0]),
        Vec2::new(-c.length[1], c.width[0]),
        Vec2::new(-c.length[1], -c.width[1]),
        Vec2::new(c.length[0], -c.width[1]),
    ];
    let outline = Polygon::from_vertices(&corners);
    let mut parts = vec![RaySolid::Prism { outline, z: [up - c.height[1], up + c.height[0]] }];
    parts.extend(spec.wheels.iter().map(|wheel| {
        let hub = wheel.position + Vec3::new(0.0, 0.0, up);
        if wheel.ball {
            RaySolid::Ball { centre: hub, radius: wheel.radius }
        } else {
            RaySolid::Wheel { hub, radius: wheel.radius, half_width: 0.5 * wheel.width }
        }
    }));
    RayBody::new(parts)
}

/// A vehicle as it is.
pub(crate) fn truth(model: &Model, state: &State, robot: u32) -> Option<SpaceTruth> {
    let spatial = known(model);
    let vehicle = state.vehicle(robot)?;
    Some(SpaceTruth {
        pose: vehicle.frame(&spatial.vehicles[robot as usize]),
        velocity: vehicle.state.velocity,
        omega: vehicle.angular_velocity(spatial, robot),
        gravity: spatial.spec.gravity,
    })
}

/// How far the wheels (right, left) of a vehicle have turned in this step, rad.
pub(crate) fn turned(model: &Model, state: &State, before: [f64; 2], robot: u32) -> [f64; 2] {
    let now = state.vehicle(robot).map_or([0.0; 2], |v| v.side_angles(known(model), robot));
    [now[0] - before[0], now[1] - before[1]]
}

/// Finds what presses on vehicles from the sides.
pub(crate) fn find_touches(
    model: &Model,
    state: &State,
    touches: &mut Vec<(BodyId, BumperContact)>,
) {
    touches.clear();
    each_touched(state, |robot, out, impulse| {
        let level = Vec2::new(out.x, out.y);
        let share = level.length();
        if share > LEAST_LEVEL {
            let (normal, force) = (level * (1.0 / share), impulse * share / model.step_s);
            touches.push((robot.body(), BumperContact { normal, force }));
        }
    });
}
