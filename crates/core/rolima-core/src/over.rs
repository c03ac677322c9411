//! Worlds that end: those whose ground does, once a vehicle has left it.

use crate::rough::RoughState;
use crate::world::World;
use rolima_model::spatial::Edge;
use rolima_model::{Model, RobotId};

/// Why a world does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The first robot, by its number, that has left a terrain that ends.
    pub robot: RobotId,
}

pub(crate) fn end(model: &Model, rough: Option<&RoughState>) -> Option<End> {
    let spatial = model.spatial.as_ref()?;
    if spatial.terrain.spec().edge != Edge::Ends {
        return None;
    }
    let left = |robot: &u32| rough?.vehicle(*robot).map(|vehicle| vehicle.state.left_terrain);
    let robot = (0..model.robots.len() as u32).find(|robot| left(robot) == Some(true))?;
    Some(End { robot: RobotId(robot) })
}

impl World {
    /// Whether the world is at its end, and why: the scene says that its terrain ends (`edge =
    /// "ends"`), and a vehicle has left it. Such a world stays as it is, whoever steps it, until
    /// it is reset, or the vehicle is put back ([`World::place_body`]).
    pub fn end(&self) -> Option<End> {
        end(&self.model, self.state.rough.as_deref())
    }
}
