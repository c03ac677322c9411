//! Vehicles on rough ground: a chassis, and wheels that move against it.

use crate::pose::{add, scale};
use crate::{Paint, Point3, Solid, StagePose, StageShape};
use rolima_math::{larger, smaller};
use rolima_model::spatial::MeshShape;
use rolima_model::{BodyId, BodyKind, BodyModel, Model, Terrain, VehicleSpec};
use std::sync::Arc;

const DARK: Paint = Paint::plain([36, 38, 44]);
const GREY: Paint = Paint::plain([150, 152, 158]);
const LAMP: Paint = Paint::plain([250, 246, 214]);

/// The vehicle that a robot is.
pub(crate) fn vehicle_of<'a>(model: &'a Model, body: &BodyModel) -> Option<&'a VehicleSpec> {
    let known = model.spec.robots.get(body.index as usize);
    known.filter(|_| body.kind == BodyKind::Robot).and_then(|robot| robot.vehicle.as_deref())
}

/// A drawn part of a vehicle, in the colours of team and tag, with factors along its axes. Scenes
/// check what they read; what is bad nevertheless is not seen.
fn drawn(mesh: &MeshShape, factors: Point3, [main, tag]: [Paint; 2]) -> Solid {
    let own = |name: &str| match name {
        "team" => Some(main),
        "tag" => Some(tag),
        _ => None,
    };
    Solid::from_scaled_obj(&mesh.obj, factors, GREY, own).unwrap_or_default()
}

/// How a chassis looks.
pub(crate) struct ChassisPaints {
    pub(crate) sides: Paint,
    /// None: dark.
    pub(crate) lid: Option<Paint>,
    /// Of the robot's number in its team.
    pub(crate) second: Paint,
    /// Whether a sign in the second colour shows where the front is.
    pub(crate) has_sign: bool,
}

/// A chassis in the vehicle's frame, and the height of its lid, m.
pub(crate) fn chassis(spec: &VehicleSpec, paints: &ChassisPaints) -> (Solid, f64) {
    let (solid, top) = match &spec.shapes.chassis {
        Some(mesh) => {
            let up = StagePose::upright(0.0, 0.0, spec.ride_height(), 0.0);
            let shape = drawn(mesh, [1.0; 3], [paints.sides, paints.second]);
            let solid = Solid::default().with(&shape, &up);
            (solid, spec.ride_height() + spec.chassis.height[0])
        }
        None => boxed(spec, paints),
    };
    (with_arms(solid, spec), top)
}

/// A chassis that nobody drew.
fn boxed(spec: &VehicleSpec, paints: &ChassisPaints) -> (Solid, f64) {
    let size = &spec.chassis;
    let ride = spec.ride_height();
    let (front, rear) = (size.length[0], -size.length[1]);
    let (left, right) = (size.width[0], -size.width[1]);
    let (top, bottom) = (ride + size.height[0], ride - size.height[1]);
    // Corners cut a little, so that it looks less like a crate.
    let outline = |inset: f64| {
        let (front, rear, left, right) = (front - inset, rear + inset, left - inset, right + inset);
        let cut = 0.14 * (left - right).min(front - rear);
        [
            [front, right + cut],
            [front, left - cut],
            [front - cut, left],
            [rear + cut, left],
            [rear, left - cut],
            [rear, right + cut],
            [rear + cut, right],
            [front - cut, right],
        ]
    };
    let (tall, wide) = (top - bottom, left - right);
    let deck = bottom + 0.72 * tall;
    let layer = |inset: f64, low: f64, high: f64, paint: Paint| {
        Solid::prism(&outline(inset), low, high, paint).unwrap_or_default()
    };
    let at = |x: f64, y: f64, z: f64| StagePose::upright(x, y, z, 0.0);
    let middle = 0.5 * (left + right);
    let length = front - rear;
    let lamp = Solid::cuboid([0.03 * length, 0.14 * wide, 0.16 * tall], LAMP);
    let lid = layer(0.08 * wide, deck, top, paints.lid.unwrap_or(DARK));
    let mut solid = layer(0.0, bottom, deck, paints.sides).with(&lid, &StagePose::IDENTITY);
    if paints.has_sign {
        let sign = Solid::cuboid([0.3 * length, 0.3 * wide, 0.04 * tall], paints.second);
        solid = solid.with(&sign, &at(front - 0.3 * length, middle, top + 0.02 * tall));
    }
    for side in [-1.0, 1.0] {
        let place = at(front, middle + side * 0.24 * wide, bottom + 0.5 * tall);
        solid = solid.with(&lamp, &place);
    }
    (solid, top)
}

/// With arms from the chassis to the hubs.
fn with_arms(mut solid: Solid, spec: &VehicleSpec) -> Solid {
    let ride = spec.ride_height();
    let (left, right) = (spec.chassis.width[0], -spec.chassis.width[1]);
    for wheel in spec.wheels.iter().filter(|wheel| !wheel.ball) {
        let hub = wheel.position;
        let inner = smaller(larger(hub.y, right), left);
        let span = (hub.y - inner).abs();
        if span > 1e-6 {
            let arm = Solid::cuboid([0.3 * wheel.radius, span, 0.3 * wheel.radius], GREY);
            let place = StagePose::upright(hub.x, 0.5 * (hub.y + inner), hub.z + ride, 0.0);
            solid = solid.with(&arm, &place);
        }
    }
    solid
}

/// A wheel of a vehicle, in the vehicle's frame.
pub(crate) struct WheelOn {
    pub(crate) vehicle: BodyId,
    /// Hub with the suspension relaxed, m.
    hub: Point3,
    radius: f64,
    /// How far the suspension gives way, m.
    travel: f64,
}

impl WheelOn {
    /// The wheel on a vehicle at a pose: the suspension gives way as far as the ground demands.
    pub(crate) fn pose(&self, vehicle: &StagePose, terrain: Option<&Terrain>) -> StagePose {
        let hub = vehicle.transform(self.hub);
        let up = vehicle.axes[2];
        let given = terrain.map_or(0.0, |terrain| {
            let normal = terrain.normal(hub[0], hub[1]).array();
            let above = (hub[2] - terrain.height(hub[0], hub[1])) * normal[2];
            let facing = crate::pose::dot(up, normal);
            // One that lies on its side has wheels that hang.
            if facing > 0.2 { (self.radius - above) / facing } else { 0.0 }
        });
        let given = smaller(larger(given, 0.0), self.travel);
        StagePose { position: add(hub, scale(up, given)), ..*vehicle }
    }
}

/// The wheels of a body, if it is a vehicle.
pub(crate) fn wheels(
    model: &Model,
    body: &BodyModel,
    paints: [Paint; 2],
) -> Vec<(WheelOn, StageShape)> {
    let Some(spec) = vehicle_of(model, body) else { return vec![] };
    let ride = spec.ride_height();
    let wheel = |(index, known): (usize, &rolima_model::spatial::WheelSpec)| {
        let [x, y, z] = known.position.array();
        let on = WheelOn {
            vehicle: body.id,
            hub: [x, y, z + ride],
            radius: known.radius,
            travel: known.suspension.stop_travel,
        };
        let shape = if let Some(mesh) = spec.shapes.wheel(index) {
            let side = if y < 0.0 { -1.0 } else { 1.0 };
            StageShape::Solid(Arc::new(drawn(mesh, [1.0, side, 1.0], paints)))
        } else if known.ball {
            StageShape::Ball { radius: known.radius, paint: GREY.glossy(0.4) }
        } else {
            StageShape::Solid(Arc::new(Solid::wheel(known.radius, known.width, DARK, GREY)))
        };
        (on, shape)
    };
    spec.wheels.iter().enumerate().map(wheel).collect()
}
