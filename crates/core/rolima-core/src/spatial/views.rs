//! Motors, wheels and contact points, for those who look at a world; and whether it is at its end.

use super::contacts::body_of;
use super::{State, known};
use crate::contact_points::{ContactPoint, Presser};
use crate::engine::WorldEnd;
use crate::frame::{Motors, WheelFrame};
use rolima_math::{Vec2, wrap_angle};
use rolima_model::spatial::{BodyRef, Edge, Sides};
use rolima_model::{Model, RobotId};

/// The motors of a robot: means of its sides.
pub(crate) fn motors(model: &Model, state: &State, robot: u32) -> Motors {
    let spatial = known(model);
    let vehicle = state.vehicle(robot);
    let sides = vehicle.map(|v| v.sides(spatial, robot));
    let Sides { volts, amps, spin, .. } = sides.unwrap_or_default();
    let known = spatial.vehicles.get(robot as usize);
    let slips = vehicle.zip(known).is_some_and(|(vehicle, known)| vehicle.slides(known));
    Motors { volts, amps, wheel_speeds: spin, slips }
}

/// The wheels of all vehicles, in the order of robots and of their wheels.
pub(crate) fn wheels(model: &Model, state: &State, out: &mut Vec<WheelFrame>) {
    let spatial = known(model);
    for (robot, known) in spatial.vehicles.iter().enumerate() {
        let Some(vehicle) = state.vehicle(robot as u32) else { continue };
        let omega = vehicle.angular_velocity(spatial, robot as u32);
        out.extend((0..known.spec.wheels.len()).map(|i| WheelFrame {
            angle: whole_turn(vehicle.wheel_angle(i)),
            spin: vehicle.spin(known, omega, i),
            compression: vehicle.reading(i, |r| r.compression).max(0.0),
            load: vehicle.reading(i, |r| r.load),
            steer: vehicle.steer(i),
        }));
    }
}

/// An angle brought to 0 to 2 pi, rad.
fn whole_turn(angle: f64) -> f64 {
    let wrapped = wrap_angle(angle);
    if wrapped < 0.0 { wrapped + core::f64::consts::TAU } else { wrapped }
}

/// Whether a vehicle has left a terrain that ends.
pub(crate) fn end(model: &Model, state: &State) -> Option<WorldEnd> {
    if known(model).terrain.spec().edge != Edge::Ends {
        return None;
    }
    let left =
        |robot: &u32| state.vehicle(*robot).is_some_and(|vehicle| vehicle.state.left_terrain);
    let robot = (0..model.robots.len() as u32).find(left)?;
    Some(WorldEnd { robot: RobotId(robot) })
}

/// The points that pressed in the last step.
pub(crate) fn points<'a>(
    model: &'a Model,
    state: &'a State,
) -> impl Iterator<Item = ContactPoint> + 'a {
    state.world.presses().iter().map(|p| ContactPoint {
        between: p.between.map(|body_ref| presser_of(model, body_ref)),
        point: Vec2::new(p.point.x, p.point.y),
        height: Some(p.point.z),
        normal: p.normal,
        impulse: p.impulse,
        friction: p.friction,
    })
}

/// Who is who; none is the ground.
fn presser_of(model: &Model, body_ref: Option<BodyRef>) -> Presser {
    let Some(body_ref) = body_ref else { return Presser::Ground };
    let wall = || match body_ref {
        BodyRef::Body(index) => model.wall_of_body(index),
        BodyRef::Vehicle(_) => None,
    };
    body_of(model, body_ref)
        .map(Presser::Body)
        .or_else(|| wall().map(Presser::Wall))
        .unwrap_or(Presser::Ground)
}
