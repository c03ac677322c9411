//! Where a scene's robots have their senses.

use super::super::robots::LidarPlace;
use rolima_core::model::{Mount, SensorKind, WorldSensorSpec};
use rolima_core::{Model, RobotId, SenseState};
use rolima_math::Vec3;
use rolima_run::live::PublishedScene;
use std::ops::Range;

/// Where a scene's robots have their senses.
#[derive(Default)]
pub(super) struct RobotLayout {
    pub(super) generation: u32,
    /// Time of a step, s.
    pub(super) step_s: f64,
    pub(super) robots: Vec<Robot>,
    /// The sensors of the world.
    pub(super) world: Vec<WorldSensor>,
    /// Whether it is a maze: a map alone.
    pub(super) is_maze: bool,
}

/// A sensor of the world.
pub(super) struct WorldSensor {
    pub(super) name: String,
    pub(super) sensor: Sensor,
    /// Where it stands: x, y, z (m), heading, tilt and roll (rad).
    pub(super) place: [f64; 6],
    /// Of lidars: bearing of the first beam and from each to the next, rad.
    pub(super) beams: Option<[f64; 2]>,
    /// Of cameras: size of a picture, pixels, and which of the scene's exposures it draws from.
    pub(super) camera: Option<([u32; 2], usize)>,
}

/// A robot and its senses.
pub(super) struct Robot {
    pub(super) name: String,
    /// Where it starts: x, y (m) and heading (rad).
    pub(super) start: [f64; 3],
    /// How far it reaches around its middle, m.
    pub(super) reach: f64,
    /// Largest speed and turning, m/s and rad/s, if it can be driven by speeds.
    pub(super) limits: Option<[f64; 2]>,
    /// Names of its actuators.
    pub(super) actuators: Vec<String>,
    pub(super) gps: Option<Sensor>,
    pub(super) odometry: Option<Sensor>,
    pub(super) lidar: Option<Sensor>,
    /// From where it measures.
    pub(super) lidar_place: LidarPlace,
    /// Its number among all sensors, and which of the scene's exposures it draws from.
    pub(super) camera: Option<(usize, usize)>,
}

/// A sensor: its number among all, and where it reads.
pub(super) struct Sensor {
    pub(super) device: usize,
    pub(super) range: Range<usize>,
}

impl RobotLayout {
    pub(super) fn new(published: &PublishedScene<'_>) -> Self {
        let model: &Model = published.model;
        let robot = |(index, robot): (usize, &rolima_core::model::RobotModel)| {
            let number = index as u32;
            let first = |is: fn(&SensorKind) -> bool| {
                let device = model.device(RobotId(number), is)?;
                Some(Sensor { device, range: model.devices[device].range() })
            };
            let start = model.spec.robots.get(index).map(|spec| spec.pose).unwrap_or_default();
            Robot {
                name: robot.name.clone(),
                start: [start.position.x, start.position.y, start.theta()],
                reach: model.body(RobotId(number)).map_or(0.0, |body| body.radius),
                limits: robot.servo.map(|servo| [servo.max_speed, servo.max_turning]),
                actuators: (model.actuators[model.actuators_of(number)].iter())
                    .map(|actuator| actuator.name.clone())
                    .collect(),
                gps: first(|kind| matches!(kind, SensorKind::Gps(_))),
                odometry: first(|kind| matches!(kind, SensorKind::Odometry(_))),
                lidar: first(|kind| matches!(kind, SensorKind::Lidar(_))),
                lidar_place: lidar_place(model, index),
                camera: model
                    .device(RobotId(number), |kind| matches!(kind, SensorKind::Camera(_)))
                    .and_then(|camera| Some((camera, model.devices[camera].exposure? as usize))),
            }
        };
        let robots = model.robots.iter().enumerate().map(robot).collect();
        let step_s = model.step_s;
        let world = world_sensors(model);
        Self {
            generation: published.generation,
            step_s,
            robots,
            world,
            is_maze: published.map.is_some(),
        }
    }
}

fn world_sensors(model: &Model) -> Vec<WorldSensor> {
    let of = |(spec, device): (&WorldSensorSpec, usize)| {
        let known = &model.devices[device];
        let Vec3 { x, y, z } = known.pose.position;
        let exposure = known.exposure.map(|exposure| exposure as usize);
        WorldSensor {
            name: known.name.clone(),
            sensor: Sensor { device, range: known.range() },
            place: [x, y, z, spec.heading, spec.tilt, spec.roll],
            beams: match &known.kind {
                SensorKind::Lidar(lidar) => {
                    Some([lidar.mount.theta() + lidar.first_bearing, lidar.step_bearing])
                }
                _ => None,
            },
            camera: match &known.kind {
                SensorKind::Camera(camera) => Some(camera.pixels).zip(exposure),
                _ => None,
            },
        }
    };
    model.spec.sensors.iter().zip(model.devices_of(Mount::World)).map(of).collect()
}

/// Where a robot's first lidar measures from; its middle if it has none.
fn lidar_place(model: &Model, robot: usize) -> LidarPlace {
    let sensors = model.spec.robots.get(robot).map_or(&[][..], |spec| &spec.sensors);
    let lidar = sensors.iter().find_map(|sensor| match &sensor.kind {
        SensorKind::Lidar(lidar) => Some(lidar),
        _ => None,
    });
    lidar.map_or_else(LidarPlace::default, |lidar| LidarPlace {
        position: [lidar.mount.position.x, lidar.mount.position.y],
        first_bearing: lidar.mount.theta() + lidar.first_bearing,
        step_bearing: lidar.step_bearing,
    })
}

/// Standard deviations of a robot's senses.
#[derive(Clone, Copy, Default)]
pub(super) struct Errors {
    pub(super) gps: [f64; 3],
    pub(super) odometry: [f64; 2],
    pub(super) lidar: f64,
}

impl Robot {
    pub(super) fn errors(&self, senses: &SenseState) -> Errors {
        let sigma = |sensor: &Option<Sensor>, axis| {
            let device = sensor.as_ref().map(|sensor| sensor.device);
            device.and_then(|device| senses.sigma(device, axis)).unwrap_or(0.0)
        };
        Errors {
            gps: [0, 1, 2].map(|axis| sigma(&self.gps, axis)),
            odometry: [0, 1].map(|axis| sigma(&self.odometry, axis)),
            lidar: sigma(&self.lidar, 0),
        }
    }
}
