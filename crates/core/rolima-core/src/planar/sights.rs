//! The world cut at the heights at which sensors cast rays.

use super::{State, place};
use rolima_model::{BodyKind, Model};
use rolima_sensors::rays::{Outline, Placed, Plane, Profile};
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
                    let profile = if ball { Profile::Balls } else { Profile::up_to(body.height) };
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
