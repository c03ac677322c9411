//! What rays meet: the world cut at the heights at which sensors cast them, and uncut for sensors that
//! are tilted.

use super::{State, place};
use crate::sensors::ray_targets::{RayTargets, made_of};
use rolima_math::{Pose3, Quat, Vec3};
use rolima_model::{BodyKind, BodyModel, Model};
use rolima_sensors::rays::{Outline, Placed, Plane, VerticalProfile};
use std::collections::BTreeMap;

/// Cuts through the world, at [`Model::ray_heights`].
#[derive(Default)]
pub(crate) struct Planes {
    planes: Vec<Plane>,
    /// Whether the bodies of each plane are where they are now.
    placed: Vec<bool>,
    /// Outline of each body in the planes.
    outlines: Vec<Option<u32>>,
}

impl Planes {
    /// The cuts through a model.
    pub(crate) fn new(model: &Model) -> Self {
        let mut kinds: BTreeMap<(u32, u64, bool), u32> = BTreeMap::new();
        let mut outlines = vec![];
        let mut by_body = vec![None; model.body_count()];
        if !model.ray_heights.is_empty() {
            for body in model.bodies() {
                let ball = body.kind == BodyKind::Ball;
                let kind = (body.shape, body.height.to_bits(), ball);
                let known = *kinds.entry(kind).or_insert_with(|| {
                    let profile = if ball {
                        VerticalProfile::Balls
                    } else {
                        VerticalProfile::up_to(body.height)
                    };
                    outlines.push(Outline::new(&model.shapes[body.shape as usize], profile));
                    outlines.len() as u32 - 1
                });
                by_body[body.id.index()] = Some(known);
            }
        }
        let planes = model.ray_heights.iter().map(|&height| {
            let walls = model.walls.iter().zip(model.wall_heights.iter().copied());
            Plane::new(height, walls, &outlines)
        });
        let planes: Vec<Plane> = planes.collect();
        Self { placed: vec![false; planes.len()], planes, outlines: by_body }
    }

    /// Another instant begins.
    pub(crate) fn forget(&mut self) {
        self.placed.fill(false);
    }

    /// Puts the bodies of a plane where they are, once an instant.
    pub(crate) fn place(&mut self, model: &Model, state: &State, plane: usize) {
        if core::mem::replace(&mut self.placed[plane], true) {
            return;
        }
        let outlines = &self.outlines;
        self.planes[plane].place(model.bodies().filter_map(|body| {
            let (block, lane) = place(body.slot);
            let outline = outlines[body.id.index()]?;
            Some(Placed { body: body.id, outline, pose: state.motion[block].pose(lane) })
        }));
    }

    /// A plane.
    pub(crate) fn get(&self, plane: u32) -> Option<&Plane> {
        self.planes.get(plane as usize)
    }
}

/// What rays in space meet in a model.
pub(crate) fn ray_targets(model: &Model) -> RayTargets {
    RayTargets::new(model, |body| made_of(model, body))
}

/// Where a body stands in space: the origin of balls is their middle.
pub(crate) fn pose_in_space(state: &State, body: &BodyModel) -> Pose3 {
    let pose = state.pose(body.slot);
    let z = if body.kind == BodyKind::Ball { body.radius } else { 0.0 };
    let rotation = Quat::about(Vec3::new(0.0, 0.0, 1.0), pose.theta());
    Pose3 { position: Vec3::new(pose.position.x, pose.position.y, z), rotation }
}
