//! The world cut at the heights at which sensors cast rays, and other memory of the stage.

use super::space;
use crate::rough::RoughState;
use crate::state::{Block, place};
use rolima_model::{BodyId, BodyKind, Model, Rays, RobotId, SensorKind};
use rolima_sensors::Truth;
use rolima_sensors::rays::{Outline, Placed, Plane, Profile, Scratch, Space};
use rolima_sensors::sensors::{SpaceView, Touch, View};
use std::collections::BTreeMap;

/// From where and into what a ranging sensor looks.
pub(super) enum Look<'a> {
    /// Into a level plane, with the memory of scans.
    Plane(View<'a>, &'a mut Scratch),
    /// Into space.
    Space(SpaceView<'a>),
}

/// Throw-away memory of the stage. It follows from the model alone, but for what is found anew at
/// every instant at which a sensor reads.
#[derive(Default)]
pub(crate) struct SenseScratch {
    /// Cuts through the world, at [`Model::ray_heights`].
    planes: Vec<Plane>,
    /// What rays in space meet, if any are cast.
    space: Option<Space>,
    /// Whether the bodies of each plane, and those in space, are where they are now.
    placed: Vec<bool>,
    placed_in_space: bool,
    /// Outline of each body in the planes.
    outlines: Vec<Option<u32>>,
    /// Kind of each body in space.
    kinds: Vec<u32>,
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
        let is_encoders = |kind: &SensorKind| matches!(kind, SensorKind::Encoders(_));
        let is_odometry = |kind: &SensorKind| matches!(kind, SensorKind::Odometry(_));
        let devices = model.devices.iter();
        let encoders = devices.clone().map(|device| {
            let asked = is_odometry(&device.kind).then_some(device.mount)?;
            Some(model.device(asked, is_encoders)? as u32)
        });
        let encoders = encoders.collect();
        let counting = devices.clone().filter(|d| is_encoders(&d.kind) || is_odometry(&d.kind));
        let mut robots: Vec<RobotId> = counting.filter_map(|device| device.mount.robot()).collect();
        robots.dedup();
        let further = |robot: RobotId| match model.device(robot, is_odometry) {
            Some(device) => match &model.devices[device].kind {
                SensorKind::Odometry(spec) => 1.0 / (1.0 - spec.slip),
                _ => 1.0,
            },
            None => 1.0,
        };
        let counted = robots.iter().map(|&robot| (robot.0, further(robot))).collect();
        let is_bumper = |kind: &SensorKind| matches!(kind, SensorKind::Bumper(_));
        let numbered = devices.enumerate().filter(|(_, d)| is_bumper(&d.kind));
        let bumpers: Vec<u32> = numbered.map(|(i, _)| i as u32).collect();
        let has_bumpers = !bumpers.is_empty();
        let (space, kinds) = space::of(model).unzip();
        Self {
            placed: vec![false; planes.len()],
            placed_in_space: false,
            planes,
            space,
            outlines: by_body,
            kinds: kinds.unwrap_or_default(),
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
        self.placed_in_space = false;
    }

    /// Puts the bodies that a sensor's rays may meet where they are, once an instant.
    pub(super) fn place_for(
        &mut self,
        rays: Rays,
        model: &Model,
        (motion, rough): (&[Block], Option<&RoughState>),
    ) {
        match rays {
            Rays::Plane(plane) => self.place(model, motion, plane as usize),
            Rays::Space => self.place_in_space(model, motion, rough),
        }
    }

    /// Puts the bodies of a plane where they are.
    fn place(&mut self, model: &Model, motion: &[Block], plane: usize) {
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

    /// Puts the bodies in space where they are.
    fn place_in_space(&mut self, model: &Model, motion: &[Block], rough: Option<&RoughState>) {
        let Some(space) = &mut self.space else { return };
        if core::mem::replace(&mut self.placed_in_space, true) {
            return;
        }
        let kinds = &self.kinds;
        space.place(model.bodies().map(|body| {
            let (block, lane) = place(body.slot);
            let pose = match rough {
                Some(rough) => crate::rough::spatial_pose(model, rough, body),
                None => space::on_flat_ground(body, motion[block].pose(lane)),
            };
            (body.id, kinds[body.id.index()], pose)
        }));
    }

    /// From where and into what a sensor looks; `own` is its robot, which it does not see.
    pub(super) fn look(
        &mut self,
        rays: Option<Rays>,
        truth: &Truth,
        own: Option<BodyId>,
    ) -> Option<Look<'_>> {
        Some(match rays? {
            Rays::Plane(plane) => {
                let plane = self.planes.get(plane as usize)?;
                let view = View { plane, world_from_robot: truth.world_from_robot, own };
                Look::Plane(view, &mut self.rays)
            }
            Rays::Space => {
                let (space, frame) = (self.space.as_ref()?, truth.space?);
                Look::Space(SpaceView { space, world_from_robot: frame.pose, own })
            }
        })
    }

    /// What presses on a robot.
    pub(super) fn touches_of(&self, body: BodyId) -> impl Iterator<Item = Touch> + '_ {
        let from = self.touches.partition_point(|(other, _)| *other < body);
        self.touches[from..].iter().take_while(move |(other, _)| *other == body).map(|(_, t)| *t)
    }
}
