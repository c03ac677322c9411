//! Throw-away memory of the stage.

use super::ray_targets::RayTargets;
use crate::engine;
use crate::planar::ray_targets::Planes;
use rolima_model::{BodyId, Model, Rays, RobotId, SensorKind};
use rolima_sensors::Truth;
use rolima_sensors::rays::ScanScratch;
use rolima_sensors::sensors::{BumperContact, RangeView, SpaceView};

/// From where and into what a ranging sensor looks.
pub(super) enum Look<'a> {
    /// Into a level plane, with the memory of scans.
    Plane(RangeView<'a>, &'a mut ScanScratch),
    /// Into space.
    Space(SpaceView<'a>),
}

/// Throw-away memory of the stage. It follows from the model alone, but for what is found anew at
/// every instant at which a sensor reads.
#[derive(Default)]
pub(crate) struct SenseScratch {
    /// What rays meet: cuts through a plane world, and solids in space; empty where nobody looks.
    pub(crate) planes: Planes,
    pub(crate) ray_targets: RayTargets,
    /// Memory of scans.
    rays: ScanScratch,
    /// What presses on robots, in their order.
    pub(crate) touches: Vec<(BodyId, BumperContact)>,
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
        let (planes, ray_targets) = engine::ray_targets(model);
        Self {
            planes,
            ray_targets,
            rays: ScanScratch::default(),
            touches: Vec::with_capacity(if has_bumpers { 8 * model.robots.len() + 64 } else { 0 }),
            counted,
            bumpers,
            encoders,
        }
    }

    /// Another instant begins.
    pub(super) fn forget(&mut self) {
        self.planes.forget();
        self.ray_targets.forget();
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
                let plane = self.planes.get(plane)?;
                let view = RangeView { plane, world_from_robot: truth.world_from_robot, own };
                Look::Plane(view, &mut self.rays)
            }
            Rays::Space => {
                let (space, frame) = (self.ray_targets.space()?, truth.space?);
                Look::Space(SpaceView { space, world_from_robot: frame.pose, own })
            }
        })
    }

    /// What presses on a robot.
    pub(super) fn touches_of(&self, body: BodyId) -> impl Iterator<Item = BumperContact> + '_ {
        let from = self.touches.partition_point(|(other, _)| *other < body);
        self.touches[from..].iter().take_while(move |(other, _)| *other == body).map(|(_, t)| *t)
    }
}
