//! What rays in space meet: ground, walls that stand on it, bodies however tilted.

use rolima_math::{Pose3, Vec3};
use rolima_model::{BodyKind, BodyModel, Model, Rays};
use rolima_sensors::rays::{RayBody, RaySolid, Space};

/// What rays in space meet, if any are cast.
#[derive(Default)]
pub(crate) struct RayTargets {
    space: Option<Space>,
    /// Kind of solids of each body, by the bodies' numbers.
    kinds: Vec<u32>,
    /// Whether the bodies are where they are now.
    placed: bool,
}

impl RayTargets {
    /// What rays meet in a model whose bodies are made of what `made_of` says.
    pub(crate) fn new(model: &Model, made_of: impl Fn(&BodyModel) -> RayBody) -> Self {
        if !model.devices.iter().any(|device| device.rays == Some(Rays::Space)) {
            return Self::default();
        }
        let mut kinds: Vec<RayBody> = vec![];
        let of_body = model.bodies().map(|body| {
            let made = made_of(body);
            let known = kinds.iter().rposition(|kind| *kind == made).unwrap_or_else(|| {
                kinds.push(made);
                kinds.len() - 1
            });
            known as u32
        });
        let of_body = of_body.collect();
        let walls = model.walls.iter().zip(model.wall_spans.iter().copied());
        let space = Space::new(model.terrain().cloned(), walls, kinds, model.body_count());
        Self { space: Some(space), kinds: of_body, placed: false }
    }

    /// Another instant begins.
    pub(crate) fn forget(&mut self) {
        self.placed = false;
    }

    /// Puts the bodies where they are, once an instant.
    pub(crate) fn place(&mut self, model: &Model, pose: impl Fn(&BodyModel) -> Pose3) {
        let Some(space) = &mut self.space else { return };
        if core::mem::replace(&mut self.placed, true) {
            return;
        }
        let kinds = &self.kinds;
        space.place(model.bodies().map(|body| (body.id, kinds[body.id.index()], pose(body))));
    }

    /// What rays meet.
    pub(crate) fn space(&self) -> Option<&Space> {
        self.space.as_ref()
    }
}

/// The solids of a body that is no vehicle, in the frame that [`crate::Frame::spatial`] has it in.
pub(crate) fn made_of(model: &Model, body: &BodyModel) -> RayBody {
    if body.kind == BodyKind::Ball {
        return RayBody::new(vec![RaySolid::Ball { centre: Vec3::ZERO, radius: body.radius }]);
    }
    let parts = model.shapes[body.shape as usize].parts.iter();
    RayBody::new(parts.map(|part| RaySolid::standing(part, [0.0, body.height])).collect())
}
