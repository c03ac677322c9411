//! What sensors meet in space: the terrain, walls that stand on it, tilted bodies.

use super::contacts::each_touched;
use super::{State, known};
use rolima_math::{Vec2, Vec3};
use rolima_model::{BodyId, BodyKind, BodyModel, Model, Polygon, VehicleSpec};
use rolima_sensors::SpaceTruth;
use rolima_sensors::rays::{Body, Solid, Space};
use rolima_sensors::sensors::Touch;

/// What presses more from above or below than this is not felt by bumpers: part of it that is level.
const LEAST_LEVEL: f64 = 0.3;

/// What rays meet, if any sensor casts rays.
#[derive(Default)]
pub(crate) struct Sights {
    space: Option<Space>,
    /// Kind of solids of each body.
    kinds: Vec<Option<u32>>,
    /// Whether the bodies are where they are now.
    placed: bool,
}

impl Sights {
    /// What rays meet in a model.
    pub(crate) fn new(model: &Model) -> Self {
        if model.ray_heights.is_empty() {
            return Self::default();
        }
        let mut by_body = vec![None; model.body_count()];
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
        let terrain = known(model).terrain.clone();
        let space = Space::new(terrain, walls, kinds, model.body_count());
        Self { space: Some(space), kinds: by_body, placed: false }
    }

    /// Another instant begins.
    pub(crate) fn forget(&mut self) {
        self.placed = false;
    }

    /// Puts the bodies where they are, once an instant.
    pub(crate) fn place(&mut self, model: &Model, state: &State) {
        let Some(space) = &mut self.space else { return };
        if core::mem::replace(&mut self.placed, true) {
            return;
        }
        let kinds = &self.kinds;
        space.place(model.bodies().filter_map(|body| {
            let kind = kinds[body.id.index()]?;
            Some((body.id, kind, state.pose_in_space(model, body)))
        }));
    }

    /// What rays meet.
    pub(crate) fn space(&self) -> Option<&Space> {
        self.space.as_ref()
    }
}

/// The solids of a body, in the frame that [`crate::Frame::spatial`] has it in.
fn made_of(model: &Model, body: &BodyModel) -> Body {
    if body.kind == BodyKind::Ball {
        return Body::new(vec![Solid::Ball { centre: Vec3::ZERO, radius: body.radius }]);
    }
    if body.kind == BodyKind::Robot {
        return vehicle(&known(model).vehicles[body.index as usize].spec);
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
    let now = state.vehicle(robot).map_or([0.0; 2], |v| v.sides(known(model), robot).angle);
    [now[0] - before[0], now[1] - before[1]]
}

/// Finds what presses on vehicles from the sides.
pub(crate) fn find_touches(model: &Model, state: &State, touches: &mut Vec<(BodyId, Touch)>) {
    touches.clear();
    each_touched(state, |robot, out, impulse| {
        let level = Vec2::new(out.x, out.y);
        let share = level.length();
        if share > LEAST_LEVEL {
            let (normal, force) = (level * (1.0 / share), impulse * share / model.step_s);
            touches.push((robot.body(), Touch { normal, force }));
        }
    });
}
