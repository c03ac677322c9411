//! Stage 5, sensors: motion => wheels counted, readings, zones, score.
//!
//! | module | what |
//! |---|---|
//! | `wheels` | how far wheels have turned |
//! | `device` | one sensor with its state |
//! | `scratch` | what rays meet, and other memory of the stage |
//! | `ray_targets` | what rays in space meet |
//! | `settings` | what a program may set and read of the sensors of a world |
//! | `zones` | balls that enter zones |
//!
//! A sensor that is due reads the world as it is at the end of the step. What it read stands in
//! [`SenseState::readings`] until the next reading. A camera's picture is not drawn here: the stage
//! keeps where everything was ([`Exposure`]), from which anybody can draw it, now or later.

mod device;
pub(crate) mod ray_targets;
mod scratch;
mod settings;
mod wheels;
mod zones;

use crate::engine::{self, Engine};
use crate::probe::{Probe, StepPart};
use crate::scratch::Scratch;
use crate::snapshot::SnapshotError;
use crate::state::State;
use device::{Context, Device};
use rolima_math::{PlaneMotion, Pose2, Pose3, Rot2, Vec2};
use rolima_model::{DeviceModel, Model, Mount, RobotId, SensorKind};
use rolima_sensors::{SpaceTruth, Truth, Words};
pub(crate) use scratch::SenseScratch;
pub use settings::CameraNoise;

/// Where every body was when cameras took their last pictures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exposure {
    /// Steps done at that instant.
    pub step: u64,
    /// Poses by the bodies' numbers.
    pub poses: Vec<Pose2>,
    /// Poses in space by the bodies' numbers, as [`crate::Frame::spatial`] has them.
    pub spatial: Vec<Pose3>,
    /// How the bodies moved, by their numbers, where a camera of this rate reads row by row; else empty.
    pub motions: Vec<PlaneMotion>,
}

impl Exposure {
    /// The first instant, with room for a model's bodies; `by_rows` says whether for how they move, too.
    fn new(model: &Model, by_rows: bool) -> Self {
        Self {
            step: 0,
            poses: vec![Pose2::IDENTITY; model.body_count()],
            spatial: vec![Pose3::default(); model.poses_in_space()],
            motions: vec![PlaneMotion::default(); if by_rows { model.body_count() } else { 0 }],
        }
    }
}

/// The sensors of a world, and what they read last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SenseState {
    /// The sensors, in the order of [`Model::devices`].
    pub(crate) devices: Vec<Device>,
    /// The step at the end of which each sensor reads next.
    pub(crate) due: Vec<u64>,
    /// The first step at the end of which any sensor reads.
    pub(crate) next: u64,
    /// What was read last, by [`rolima_model::DeviceModel::range`].
    pub readings: Vec<f64>,
    /// How far wheels (right, left) have turned, by robot, rad; empty where nobody counts.
    pub wheel_angles: Vec<[f64; 2]>,
    /// Where everything was when cameras took their last pictures, by [`Model::camera_rates`].
    pub exposures: Vec<Exposure>,
}

impl SenseState {
    /// The sensors at the first instant, before they have read anything.
    pub(crate) fn new(model: &Model, seed: u64) -> Self {
        let counts =
            |kind: &SensorKind| matches!(kind, SensorKind::Odometry(_) | SensorKind::Encoders(_));
        let any = |is: &dyn Fn(&SensorKind) -> bool| model.devices.iter().any(|d| is(&d.kind));
        let counted = if any(&counts) { model.robots.len() } else { 0 };
        Self {
            devices: model.devices.iter().map(|device| Device::new(model, device, seed)).collect(),
            due: vec![0; model.devices.len()],
            next: if model.devices.is_empty() { u64::MAX } else { 0 },
            readings: vec![0.0; model.readings()],
            wheel_angles: vec![[0.0; 2]; counted],
            exposures: model
                .camera_motions
                .iter()
                .map(|rows| Exposure::new(model, *rows))
                .collect(),
        }
    }

    /// Draws all random numbers from now on by another seed.
    pub(crate) fn reseed(&mut self, model: &Model, seed: u64) {
        for (own, known) in self.devices.iter_mut().zip(&model.devices) {
            let mut fresh = Device::new(model, known, seed);
            if let (Some(own), Some(fresh)) = (own.stream_mut(), fresh.stream_mut()) {
                own.key = fresh.key;
            }
        }
    }

    /// Every word of it, in a fixed order; none where there are no sensors.
    pub(crate) fn visit(&mut self, model: &Model, each: &mut dyn FnMut(&mut u64)) {
        if self.devices.is_empty() {
            return;
        }
        let number = |x: &mut f64, each: &mut dyn FnMut(&mut u64)| {
            let mut bits = x.to_bits();
            each(&mut bits);
            *x = f64::from_bits(bits);
        };
        self.devices.iter_mut().for_each(|device| device.words(each));
        self.due.iter_mut().for_each(&mut *each);
        each(&mut self.next);
        self.readings.iter_mut().for_each(|x| number(x, each));
        self.wheel_angles.iter_mut().flatten().for_each(|x| number(x, each));
        for exposure in &mut self.exposures {
            each(&mut exposure.step);
            by_slot(model, &mut exposure.poses, Pose2::IDENTITY, |pose| {
                let Pose2 { position: Vec2 { x, y }, rotation: Rot2 { c, s } } = pose;
                [x, y, c, s].into_iter().for_each(|x| number(x, each));
            });
            by_slot(model, &mut exposure.spatial, Pose3::default(), |pose| {
                let Pose3 { position: p, rotation: q } = pose;
                let numbers =
                    [&mut p.x, &mut p.y, &mut p.z, &mut q.w, &mut q.x, &mut q.y, &mut q.z];
                numbers.into_iter().for_each(|x| number(x, each));
            });
            by_slot(model, &mut exposure.motions, PlaneMotion::default(), |motion| {
                let PlaneMotion { velocity: Vec2 { x, y }, omega } = motion;
                [x, y, omega].into_iter().for_each(|x| number(x, each));
            });
        }
    }

    /// Whether sensors can go on from it.
    pub(crate) fn check(&self) -> Result<(), SnapshotError> {
        for device in &self.devices {
            device.check()?;
        }
        Ok(())
    }

    /// Robots were put elsewhere: inertial units have no reading before.
    pub(crate) fn teleported(&mut self, model: &Model, robots: core::ops::Range<u32>) {
        for (device, known) in self.devices.iter_mut().zip(&model.devices) {
            let moved = known.mount.robot().is_some_and(|robot| robots.contains(&robot.0));
            if let (Device::Imu(imu), true) = (device, moved) {
                imu.restart();
            }
        }
    }
}

/// Calls with what each body has, in the order of slots, and with a blank for padding: state hashes
/// have always had words for padding lanes.
fn by_slot<T: Copy>(model: &Model, by_body: &mut [T], blank: T, mut each: impl FnMut(&mut T)) {
    if by_body.is_empty() {
        return;
    }
    for body in &model.layout.bodies {
        match body {
            Some(body) => each(&mut by_body[body.id.index()]),
            None => each(&mut { blank }),
        }
    }
}

/// Stage 5: counts wheels, lets the sensors read that are due, looks into the zones.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch, probe: &mut impl Probe) {
    if !state.senses.devices.is_empty() {
        probe.begin(StepPart::Wheels);
        wheels::count(model, state, scratch);
        press(model, state, scratch);
        if state.step + 1 >= state.senses.next {
            probe.begin(StepPart::Readings);
            read(model, state, scratch, state.step + 1);
        }
    }
    probe.begin(StepPart::Zones);
    zones::run(model, state, scratch);
}

/// Lets bumpers note what presses: a short hit is told by the next reading.
fn press(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if scratch.senses.bumpers.is_empty() {
        return;
    }
    if !engine::find_touches(model, state, scratch) {
        return;
    }
    let looks = &mut scratch.senses;
    looks.touches.sort_unstable_by_key(|(body, _)| *body);
    for &device in &looks.bumpers {
        let Some(robot) = model.devices[device as usize].mount.robot() else { continue };
        let Some(pose) = model.body(robot).map(|body| state.engine.pose(model, body)) else {
            continue;
        };
        if let Device::Bumper(bumper, pressed) = &mut state.senses.devices[device as usize] {
            for touch in looks.touches_of(robot.body()) {
                *pressed |= u64::from(bumper.measure(pose, &[touch]));
            }
        }
    }
}

/// The readings of the first instant.
pub(crate) fn look_first(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if !state.senses.devices.is_empty() {
        read(model, state, scratch, state.step);
    }
}

/// Lets the sensors read that are due after `steps` steps.
fn read(model: &Model, state: &mut State, scratch: &mut Scratch, steps: u64) {
    let h = model.step_s;
    let (engine, senses) = (&state.engine, &mut state.senses);
    let looks = &mut scratch.senses;
    looks.forget();
    let mut next = u64::MAX;
    for (i, known) in model.devices.iter().enumerate() {
        if steps >= senses.due[i] {
            // At the first instant some are not due yet.
            if steps > 0 || known.rate.due(0, h) {
                let Some(truth) = truth(model, engine, &senses.wheel_angles, known) else {
                    continue;
                };
                let truth = Truth { time_s: steps as f64 * h, ..truth };
                if let Some(rays) = known.rays {
                    engine.place_for_rays(model, looks, rays);
                }
                if let Some(exposure) = known.exposure {
                    expose(model, engine, &mut senses.exposures[exposure as usize], steps);
                }
                let encoder = looks.encoders[i];
                let encoders = encoder.and_then(|e| senses.devices[e as usize].encoders());
                let own = known.mount.robot().map(RobotId::body);
                let context = Context { known, truth: &truth, own, encoders };
                let out = &mut senses.readings[known.range()];
                senses.devices[i].measure(&context, looks, out);
            }
            senses.due[i] = known.rate.next_due(steps, h);
        }
        next = next.min(senses.due[i]);
    }
    senses.next = next;
}

/// What carries a sensor, as it is; none of a robot that is not there.
fn truth(
    model: &Model,
    engine: &Engine,
    wheel_angles: &[[f64; 2]],
    known: &DeviceModel,
) -> Option<Truth> {
    let Mount::Robot(robot) = known.mount else {
        let space = SpaceTruth { pose: known.pose, ..SpaceTruth::default() };
        let world_from_robot = Pose3::planar(known.pose);
        return Some(Truth { world_from_robot, space: Some(space), ..Truth::default() });
    };
    let body = model.body(robot)?;
    let twist = engine.twist(model, body);
    Some(Truth {
        time_s: 0.0,
        world_from_robot: engine.pose(model, body),
        velocity: twist.velocity,
        omega: twist.omega,
        wheel_angles: wheel_angles.get(robot.index()).copied().unwrap_or_default(),
        space: engine.truth_in_space(model, robot.0),
    })
}

/// Keeps where everything is.
fn expose(model: &Model, engine: &Engine, exposure: &mut Exposure, steps: u64) {
    if exposure.step == steps && steps > 0 {
        return;
    }
    exposure.step = steps;
    for body in model.bodies() {
        exposure.poses[body.id.index()] = engine.pose(model, body);
    }
    engine.poses_in_space(model, &mut exposure.spatial);
    if exposure.motions.is_empty() {
        return;
    }
    for body in model.bodies() {
        let twist = engine.twist(model, body);
        exposure.motions[body.id.index()] =
            PlaneMotion { velocity: twist.velocity, omega: twist.omega };
    }
}
