//! Scenes on rough ground.

use rolima_core::World;
use rolima_core::model::spatial::{Hills, Terrain, TerrainSpec, VehicleSpec};
use rolima_core::model::{GroundSpec, Model, RobotSpec, SceneSpec, planar_drive, planar_outline};
use rolima_math::{Pose2, Vec2};
use std::sync::Arc;

/// A scene with nothing on this ground.
pub fn on(name: &str, terrain: TerrainSpec) -> SceneSpec {
    let terrain = Arc::new(Terrain::new(terrain).expect("a good terrain"));
    SceneSpec { ground: Some(GroundSpec::new(name, terrain)), ..SceneSpec::default() }
}

/// Flat ground.
pub fn flat() -> SceneSpec {
    on("flat", TerrainSpec::flat(200.0))
}

/// A plane that falls along x by so many degrees.
pub fn slope(degrees: f64) -> SceneSpec {
    let (sin, cos) = rolima_math::sin_cos(degrees.to_radians());
    let rise = -sin / cos;
    let corner = Vec2::new(100.0, 100.0);
    on("slope", TerrainSpec::from_function(-corner, corner, 2, 2, |x, _| rise * x))
}

/// Hills.
pub fn hills() -> SceneSpec {
    on("hills", Hills::default().terrain().expect("good hills"))
}

/// A vehicle, as a scene reader makes it.
pub fn vehicle(name: &str, vehicle: VehicleSpec, pose: Pose2) -> RobotSpec {
    RobotSpec {
        shape: vec![planar_outline(&vehicle)],
        drive: planar_drive(&vehicle),
        vehicle: Some(Box::new(vehicle)),
        ..super::robot(name, Default::default(), pose)
    }
}

/// The world of a scene.
pub fn world(scene: &SceneSpec) -> World {
    World::new(Arc::new(Model::compile(scene).expect("a good scene")))
}
