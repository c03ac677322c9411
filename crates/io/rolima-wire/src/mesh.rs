//! Shapes from files: those of vehicles, and those that only views see.

use crate::pb;
use rolima_core::Model;
use rolima_core::model::spatial::MeshShape;
use rolima_core::model::{MeshSpec, VehicleSpec};
use std::collections::HashMap;
use std::sync::Arc;

/// Most bytes of shapes that only views see, and most places of them: a view is not worth more.
const MOST_BYTES: usize = 1 << 20;
const MOST_PLACES: usize = 20_000;

/// The shapes of a scene, each once.
#[derive(Default)]
pub(crate) struct Meshes<'a> {
    numbers: HashMap<&'a str, u32>,
    messages: Vec<pb::Mesh>,
}

impl<'a> Meshes<'a> {
    /// The shapes of vehicles; scenes bound how large they are.
    pub(crate) fn of_vehicles(model: &'a Model) -> Self {
        let mut meshes = Self::default();
        let shapes =
            model.spec.robots.iter().filter_map(|robot| Some(&robot.vehicle.as_ref()?.shapes));
        for shapes in shapes {
            let wheels = shapes.wheels.iter().flatten();
            shapes.chassis.iter().chain(wheels).for_each(|shape| _ = meshes.add(&shape.obj));
        }
        meshes
    }

    fn add(&mut self, obj: &'a str) -> u32 {
        *self.numbers.entry(obj).or_insert_with(|| {
            self.messages.push(pb::Mesh { obj: obj.to_owned() });
            self.messages.len() as u32 - 1
        })
    }

    /// The shapes of a vehicle; none where nobody drew any.
    pub(crate) fn of(&self, vehicle: &VehicleSpec) -> Option<pb::VehicleShapes> {
        let shapes = &vehicle.shapes;
        let any = shapes.chassis.is_some() || !shapes.wheels.is_empty();
        any.then(|| pb::VehicleShapes {
            chassis: self.number(shapes.chassis.as_ref()),
            chassis_up: vehicle.ride_height() as f32,
            wheels: shapes.wheels.iter().map(|shape| self.number(shape.as_ref())).collect(),
        })
    }

    /// The number of a shape, counted from 1; 0 where there is none.
    fn number(&self, shape: Option<&Arc<MeshShape>>) -> u32 {
        shape.and_then(|shape| self.numbers.get(&*shape.obj)).map_or(0, |number| number + 1)
    }

    /// All shapes, and where those that only views see stand. What does not fit is left out.
    pub(crate) fn finish(mut self, specs: &'a [MeshSpec]) -> (Vec<pb::Mesh>, Vec<pb::MeshPlace>) {
        let (mut places, mut bytes) = (vec![], 0);
        for spec in specs.iter().take(MOST_PLACES) {
            if !self.numbers.contains_key(&*spec.obj) {
                if bytes + spec.obj.len() > MOST_BYTES {
                    continue;
                }
                bytes += spec.obj.len();
            }
            let [scale_x, scale_y, scale_z] = spec.scale.map(|x| x as f32);
            places.push(pb::MeshPlace {
                mesh: self.add(&spec.obj),
                x: spec.pose.position.x as f32,
                y: spec.pose.position.y as f32,
                heading: spec.pose.theta() as f32,
                scale_x,
                scale_y,
                scale_z,
            });
        }
        (self.messages, places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Pose2;

    #[test]
    fn a_shape_is_sent_once_and_long_ones_not_at_all() {
        let at = |x: f64, obj: &Arc<str>| MeshSpec {
            pose: Pose2::new(x, 0.0, 0.5),
            scale: [1.0, 2.0, 3.0],
            name: "tree".into(),
            obj: obj.clone(),
        };
        let small: Arc<str> = "v 0 0 0".into();
        let long: Arc<str> = "#".repeat(MOST_BYTES + 1).into();
        let specs = [at(1.0, &small), at(2.0, &long), at(3.0, &small)];
        let (meshes, places) = Meshes::default().finish(&specs);
        assert_eq!(meshes.len(), 1);
        assert_eq!(places.iter().map(|p| (p.mesh, p.x)).collect::<Vec<_>>(), [(0, 1.0), (0, 3.0)]);
        assert_eq!((places[0].scale_z, places[0].heading), (3.0, 0.5));
    }

    #[test]
    fn shapes_of_vehicles_are_numbered_from_one_and_sent_once() {
        let shape = |obj: &str| Arc::new(MeshShape { name: "a.obj".into(), obj: obj.into() });
        let (one, other) = (shape("v 1 0 0"), shape("v 2 0 0"));
        let mut meshes = Meshes::default();
        for shape in [&one, &other, &one] {
            meshes.add(&shape.obj);
        }
        assert_eq!([None, Some(&one), Some(&other)].map(|shape| meshes.number(shape)), [0, 1, 2]);
        assert_eq!(meshes.finish(&[]).0.len(), 2);
    }
}
