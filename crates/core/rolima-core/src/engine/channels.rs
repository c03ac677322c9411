//! Quantities by name, of which each engine has some of its own.

use crate::frame::BodyFrame;
use crate::schema::loose::Loose;
use crate::schema::robots::Robot;
use crate::schema::{Instant, Walker};
use crate::world::World;
use crate::{planar, spatial};
use rolima_model::{BodyKind, Model};

/// Those of a world.
pub(crate) fn walk_world(model: &Model, now: Option<Instant<'_>>, walker: &mut impl Walker) {
    planar::channels::walk_world(model, now, walker);
}

/// Those of a robot.
pub(crate) fn walk_robot(
    model: &Model,
    index: usize,
    robot: Option<Robot<'_>>,
    walker: &mut impl Walker,
) {
    if model.spatial().is_some() {
        spatial::channels::walk_robot(model, index, robot, walker);
    }
}

/// Those of a robot's actuators and wheels.
pub(crate) fn walk_parts(
    model: &Model,
    index: usize,
    robot: Option<Robot<'_>>,
    walker: &mut impl Walker,
) {
    match model.spatial() {
        None => planar::channels::walk_wheels(model, index, robot, walker),
        Some(_) => spatial::channels::walk_parts(model, index, robot, walker),
    }
}

/// Those of a ball or an object.
pub(crate) fn walk_loose(
    model: &Model,
    kind: BodyKind,
    name: impl Fn() -> String,
    loose: Option<Loose<'_>>,
    walker: &mut impl Walker,
) {
    match model.spatial() {
        None => planar::channels::walk_loose(kind, name, loose, walker),
        Some(_) => spatial::channels::walk_loose(name, loose, walker),
    }
}

/// Torque of a side's motor and gear on its axle, N m; of several motors the mean.
pub(crate) fn torque(world: &World, body: &BodyFrame, side: usize) -> f64 {
    let (model, robot) = (world.model(), body.index as usize);
    match model.spatial() {
        None => planar::motors::torque(model, robot, body.amps, side),
        Some(_) => spatial::channels::OnGround::of(world, robot).map_or(0.0, |v| v.torque(side)),
    }
}
