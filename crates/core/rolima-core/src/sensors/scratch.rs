//! Throw-away memory of the stage.

use crate::engine;
use crate::planar::sights::Planes;
use crate::spatial::sights::Sights;
use rolima_model::{BodyId, Model, SensorKind};
use rolima_sensors::Truth;
use rolima_sensors::rays::{Plane, Scratch};
use rolima_sensors::sensors::{SpaceView, Touch};

/// Throw-away memory of the stage. It follows from the model alone, but for what is found anew at
/// every instant at which a sensor reads.
#[derive(Default)]
pub(crate) struct SenseScratch {
    /// What rays meet: cuts through a plane world, or solids in space; the other is empty.
    pub(crate) planes: Planes,
    pub(crate) sights: Sights,
    /// Memory of scans.
    rays: Scratch,
    /// What presses on robots, in their order.
    pub(crate) touches: Vec<(BodyId, Touch)>,
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
        let (planes, sights) = engine::sights(model);
        Self {
            planes,
            sights,
            rays: Scratch::default(),
            touches: Vec::with_capacity(if has_bumpers { 8 * model.robots.len() + 64 } else { 0 }),
            counted,
            bumpers,
            encoders,
        }
    }

    /// Another instant begins.
    pub(super) fn forget(&mut self) {
        self.planes.forget();
        self.sights.forget();
    }

    /// A plane and the memory of scans.
    pub(super) fn plane(&mut self, plane: Option<u32>) -> (Option<&Plane>, &mut Scratch) {
        (plane.and_then(|plane| self.planes.get(plane)), &mut self.rays)
    }

    /// From where and into what a sensor of a robot looks in space; none where it looks along a plane.
    pub(super) fn space_view(&self, truth: &Truth, body: BodyId) -> Option<SpaceView<'_>> {
        let (space, own) = (self.sights.space()?, truth.space?);
        Some(SpaceView { space, world_from_robot: own.pose, own: Some(body) })
    }

    /// What presses on a robot.
    pub(super) fn touches_of(&self, body: BodyId) -> impl Iterator<Item = Touch> + '_ {
        let from = self.touches.partition_point(|(other, _)| *other < body);
        self.touches[from..].iter().take_while(move |(other, _)| *other == body).map(|(_, t)| *t)
    }
}
