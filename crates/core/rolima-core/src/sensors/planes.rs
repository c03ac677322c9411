//! The world cut at the heights at which sensors cast rays, and other memory of the stage.

use super::space;
use crate::rough::RoughState;
use crate::state::{Block, place};
use rolima_model::{BodyId, BodyKind, Model, SensorKind};
use rolima_sensors::rays::{Outline, Placed, Plane, Profile, Scratch, Space};
use rolima_sensors::sensors::Touch;
use std::collections::BTreeMap;

/// Throw-away memory of the stage. It follows from the model alone, but for what is found anew at
/// every instant at which a sensor reads.
#[derive(Default)]
pub(crate) struct SenseScratch {
    /// Cuts through the world, at [`Model::ray_heights`].
    planes: Vec<Plane>,
    /// On rough ground: what rays meet, in their place.
    space: Option<Space>,
    /// Whether the bodies of each plane are where they are now.
    placed: Vec<bool>,
    /// Outline of each body in the planes.
    outlines: Vec<Option<u32>>,
    /// Memory of scans.
    rays: Scratch,
    /// What presses on robots, in their order.
    pub(super) touches: Vec<(BodyId, Touch)>,
    /// Robots whose wheels are counted, and how much further they turn than they roll.
    pub(super) counted: Vec<(u32, f64)>,
    /// Sensors that are bumpers.
    pub(super) bumpers: Vec<u32>,
    /// For each sensor that is odometry, the encoders of its robot.
    pub(super) encoders: Vec<Option<u32>>,
}

impl SenseScratch {
    /// The memory for a model.
    pub(crate) fn new(model: &Model) -> Self {
        let mut kinds: BTreeMap<(u32, u64, bool), u32> = BTreeMap::new();
        let mut outlines = vec![];
        let mut by_body = vec![None; model.body_count()];
        let flat = model.spatial.is_none();
        if !model.ray_heights.is_empty() && flat {
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
        let heights = if flat { &model.ray_heights[..] } else { &[] };
        let planes = heights.iter().map(|&height| {
            let walls = model.walls.iter().zip(model.wall_heights.iter().copied());
            Plane::new(height, walls, &outlines)
        });
        let planes: Vec<Plane> = planes.collect();
        let is_encoders = |kind: &SensorKind| matches!(kind, SensorKind::Encoders(_));
        let is_odometry = |kind: &SensorKind| matches!(kind, SensorKind::Odometry(_));
        let devices = model.devices.iter();
        let encoders = devices.clone().map(|device| {
            let asked = is_odometry(&device.kind).then_some(device.robot)?;
            Some(model.device(asked, is_encoders)? as u32)
        });
        let encoders = encoders.collect();
        let counting = devices.clone().filter(|d| is_encoders(&d.kind) || is_odometry(&d.kind));
        let mut robots: Vec<u32> = counting.map(|device| device.robot).collect();
        robots.dedup();
        let further = |robot: u32| match model.device(robot, is_odometry) {
            Some(device) => match &model.devices[device].kind {
                SensorKind::Odometry(spec) => 1.0 / (1.0 - spec.slip),
                _ => 1.0,
            },
            None => 1.0,
        };
        let counted = robots.iter().map(|&robot| (robot, further(robot))).collect();
        let is_bumper = |kind: &SensorKind| matches!(kind, SensorKind::Bumper(_));
        let numbered = devices.enumerate().filter(|(_, d)| is_bumper(&d.kind));
        let bumpers: Vec<u32> = numbered.map(|(i, _)| i as u32).collect();
        let has_bumpers = !bumpers.is_empty();
        let space = space::of(model, &mut by_body);
        Self {
            placed: vec![false; planes.len().max(1)],
            planes,
            space,
            outlines: by_body,
            rays: Scratch::default(),
            touches: Vec::with_capacity(if has_bumpers { 8 * model.robots.len() + 64 } else { 0 }),
            counted,
            bumpers,
            encoders,
        }
    }

    /// Another instant begins.
    pub(super) fn forget(&mut self) {
        self.placed.fill(false);
    }

    /// Puts the bodies of a plane where they are, once an instant.
    pub(super) fn place(&mut self, model: &Model, motion: &[Block], plane: usize) {
        if self.space.is_some() {
            return;
        }
        if core::mem::replace(&mut self.placed[plane], true) {
            return;
        }
        let outlines = &self.outlines;
        self.planes[plane].place(model.bodies().filter_map(|body| {
            let (block, lane) = place(body.slot);
            let outline = outlines[body.id.index()]?;
            Some(Placed { body: body.id, outline, pose: motion[block].pose(lane) })
        }));
    }

    /// Puts the bodies on rough ground where they are, once an instant.
    pub(super) fn place_in_space(&mut self, model: &Model, rough: &RoughState) {
        let Some(space) = &mut self.space else { return };
        if core::mem::replace(&mut self.placed[0], true) {
            return;
        }
        let kinds = &self.outlines;
        space.place(model.bodies().filter_map(|body| {
            let kind = kinds[body.id.index()]?;
            Some((body.id, kind, crate::rough::spatial_pose(model, rough, body)))
        }));
    }

    /// What rays meet on rough ground.
    pub(super) fn space(&self) -> Option<&Space> {
        self.space.as_ref()
    }

    /// A plane and the memory of scans.
    pub(super) fn plane(&mut self, plane: Option<u32>) -> (Option<&Plane>, &mut Scratch) {
        (plane.and_then(|plane| self.planes.get(plane as usize)), &mut self.rays)
    }

    /// What presses on a robot.
    pub(super) fn touches_of(&self, body: BodyId) -> impl Iterator<Item = Touch> + '_ {
        let from = self.touches.partition_point(|(other, _)| *other < body);
        self.touches[from..].iter().take_while(move |(other, _)| *other == body).map(|(_, t)| *t)
    }
}
