//! One sensor with its state.

use super::SenseScratch;
use super::scratch::Look;
use crate::engine;
use crate::snapshot::SnapshotError;
use crate::sound::holds;
use rolima_math::Stream;
use rolima_model::{BodyId, DeviceModel, Model, ModelError, OdometrySpec, SensorKind, check_sigma};
use rolima_sensors::sensors::{Bumper, Encoders, Gps, Imu, Lidar, Odometry, Sonar, WheelBase};
use rolima_sensors::words::{number, stream};
use rolima_sensors::{Truth, Words};

/// Most pictures of a camera: more than any clock gives it time for.
const MOST_PICTURES: u64 = 1 << 53;

/// What changes of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CameraState {
    /// Pictures taken.
    pub(crate) taken: u64,
    /// Standard deviation of a pixel's brightness now, of 255.
    pub(crate) sigma: f64,
    /// Its own random stream; picture k draws from the place k times its pixels on.
    pub(crate) stream: Stream,
}

/// One sensor with its state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Device {
    Gps(Gps),
    /// With the standard deviations of way, m, and turn, rad, of the executed motion in 1/60 s, for
    /// the dynamics.
    Odometry(Odometry, [f64; 2]),
    Encoders(Encoders),
    Imu(Imu),
    Lidar(Box<Lidar>),
    Sonar(Box<Sonar>),
    /// With the sectors that were pressed since the last reading.
    Bumper(Bumper, u64),
    Camera(CameraState),
}

/// What a sensor is shown.
pub(super) struct Context<'a> {
    pub(super) known: &'a DeviceModel,
    pub(super) truth: &'a Truth,
    /// The robot's own body, which its rays pass through; none of sensors of the world.
    pub(super) own: Option<BodyId>,
    /// The encoders of the same robot.
    pub(super) encoders: Option<Encoders>,
}

impl Device {
    /// A sensor at the first instant.
    pub(super) fn new(model: &Model, known: &DeviceModel, seed: u64) -> Self {
        let owner = known.mount.stream_owner();
        let name = known.name.as_str();
        match &known.kind {
            SensorKind::Gps(spec) => Self::Gps(Gps::new(*spec, seed, owner, name)),
            SensorKind::Imu(spec) => {
                let imu = Imu::new(*spec, seed, owner, name);
                Self::Imu(engine::imu(model, imu))
            }
            SensorKind::Encoders(spec) => Self::Encoders(Encoders::new(*spec)),
            SensorKind::Bumper(spec) => Self::Bumper(Bumper::new(*spec), 0),
            SensorKind::Odometry(spec) => {
                // Only robots have wheels: the model refuses odometry elsewhere.
                let robot = known.mount.robot().unwrap_or_default();
                let drive = &model.drives[model.robots[robot.index()].drive as usize].spec;
                let wheels = WheelBase {
                    radius: [drive.wheel_radius_right, drive.wheel_radius_left],
                    distance: drive.wheel_distance,
                };
                let home = model.spec.robots[robot.index()].pose;
                let sigma = [spec.motion.sigma_linear, spec.motion.sigma_angular];
                // What slips turns the wheels further, which all who count them see.
                let counted = OdometrySpec { slip: 0.0, ..*spec };
                Self::Odometry(Odometry::new(counted, wheels, home), sigma)
            }
            SensorKind::Lidar(spec) => {
                let lidar = Lidar::new(*spec, seed, owner, name);
                Self::Lidar(Box::new(lidar.expect("the model checked its numbers")))
            }
            SensorKind::Sonar(spec) => {
                let sonar = Sonar::new(spec.clone(), seed, owner, name);
                Self::Sonar(Box::new(sonar.expect("the model checked its numbers")))
            }
            SensorKind::Camera(spec) => Self::Camera(CameraState {
                taken: 0,
                sigma: spec.sigma,
                stream: Stream::new(seed, owner, name),
            }),
        }
    }

    /// What it draws random numbers from, if it does.
    pub(super) fn stream_mut(&mut self) -> Option<&mut Stream> {
        match self {
            Self::Gps(gps) => Some(&mut gps.state.stream),
            Self::Imu(imu) => Some(&mut imu.state.stream),
            Self::Lidar(lidar) => Some(&mut lidar.state.stream),
            Self::Sonar(sonar) => Some(&mut sonar.state.stream),
            Self::Camera(camera) => Some(&mut camera.stream),
            Self::Odometry(..) | Self::Encoders(_) | Self::Bumper(..) => None,
        }
    }

    /// Whether it can go on from what was read back: what [`Device::set_sigma`] would not refuse.
    pub(super) fn check(&self) -> Result<(), SnapshotError> {
        let mut sigmas = (0..).map_while(|axis| self.sigma(axis));
        let sane = sigmas.all(|sigma| check_sigma("sigma", sigma).is_ok());
        holds(sane, "a standard deviation of a sensor", "one that can be set")?;
        let counted = !matches!(self, Self::Camera(camera) if camera.taken > MOST_PICTURES);
        holds(counted, "the pictures of a camera", "at most 2^53")
    }

    /// Takes a reading into `out`.
    pub(super) fn measure(
        &mut self,
        context: &Context<'_>,
        looks: &mut SenseScratch,
        out: &mut [f64],
    ) {
        let Context { known, truth, own, encoders } = context;
        match self {
            Self::Gps(gps) => {
                let reading = gps.measure(truth);
                out.copy_from_slice(&[reading.x, reading.y, reading.theta]);
            }
            Self::Odometry(odometry, _) => {
                let angles = match encoders {
                    Some(encoders) => encoders.angles(encoders.measure(truth)),
                    None => truth.wheel_angles,
                };
                let believed = odometry.measure(angles);
                out.copy_from_slice(&[believed.x, believed.y, believed.theta]);
            }
            Self::Encoders(encoders) => {
                let ticks = encoders.measure(truth).ticks;
                out.copy_from_slice(&ticks.map(|ticks| ticks as f64));
            }
            Self::Imu(imu) => {
                let reading = imu.measure(truth);
                let force = reading.acceleration;
                out.copy_from_slice(&[force.x, force.y, reading.omega]);
            }
            Self::Lidar(lidar) => match looks.look(known.rays, truth, *own) {
                Some(Look::Plane(view, rays)) => lidar.measure(view, rays, out),
                Some(Look::Space(view)) => lidar.measure_in_space(view, out),
                None => {}
            },
            Self::Sonar(sonar) => match looks.look(known.rays, truth, *own) {
                Some(Look::Plane(view, _)) => sonar.measure(view, out),
                Some(Look::Space(view)) => sonar.measure_in_space(view, out),
                None => {}
            },
            Self::Bumper(_, pressed) => out[0] = core::mem::take(pressed) as f64,
            Self::Camera(camera) => {
                camera.taken += 1;
                out[0] = camera.taken as f64;
            }
        }
    }

    /// The encoders that it is.
    pub(super) fn encoders(&self) -> Option<Encoders> {
        if let Self::Encoders(encoders) = self { Some(encoders.clone()) } else { None }
    }

    /// Standard deviation number `axis` of the sensor.
    pub(super) fn sigma(&self, axis: usize) -> Option<f64> {
        match self {
            Self::Gps(gps) => gps.state.sigma.get(axis).copied(),
            Self::Odometry(_, sigma) => sigma.get(axis).copied(),
            Self::Imu(imu) => {
                let s = &imu.state;
                let all =
                    [s.accelerometer_density, s.gyro_density, s.accelerometer_walk, s.gyro_walk];
                all.get(axis).copied()
            }
            Self::Lidar(lidar) => (axis == 0).then_some(lidar.state.sigma),
            Self::Sonar(sonar) => (axis == 0).then_some(sonar.state.sigma),
            Self::Camera(camera) => (axis == 0).then_some(camera.sigma),
            Self::Encoders(_) | Self::Bumper(..) => None,
        }
    }

    /// Sets standard deviation number `axis` of the sensor.
    pub(super) fn set_sigma(&mut self, axis: usize, sigma: f64) -> Result<(), ModelError> {
        let known = self.sigma(axis);
        let Some(known) = known else {
            return Err(ModelError::new("axis", "a standard deviation that the sensor has", axis));
        };
        let sigma = check_sigma("sigma", sigma)?;
        let pair = |own: usize, other: f64| if own == axis { sigma } else { other };
        match self {
            Self::Gps(gps) => gps.set_sigma(axis, sigma),
            Self::Odometry(_, own) => {
                *own = [pair(0, own[0]), pair(1, own[1])];
                Ok(())
            }
            Self::Imu(imu) => {
                let s = imu.state;
                imu.set_density(pair(0, s.accelerometer_density), pair(1, s.gyro_density))?;
                imu.set_walk(pair(2, s.accelerometer_walk), pair(3, s.gyro_walk))
            }
            Self::Lidar(lidar) => lidar.set_sigma(sigma),
            Self::Sonar(sonar) => sonar.set_sigma(sigma),
            Self::Camera(camera) => {
                camera.sigma = sigma;
                Ok(())
            }
            Self::Encoders(_) | Self::Bumper(..) => Err(ModelError::new("sigma", "nothing", known)),
        }
    }
}

impl Words for Device {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        match self {
            Self::Gps(gps) => gps.state.words(each),
            Self::Odometry(odometry, sigma) => {
                odometry.state.words(each);
                sigma.iter_mut().for_each(|x| number(x, each));
            }
            Self::Encoders(encoders) => encoders.state.words(each),
            Self::Imu(imu) => imu.state.words(each),
            Self::Lidar(lidar) => lidar.state.words(each),
            Self::Sonar(sonar) => sonar.state.words(each),
            Self::Bumper(_, pressed) => each(pressed),
            Self::Camera(camera) => {
                each(&mut camera.taken);
                number(&mut camera.sigma, each);
                stream(&mut camera.stream, each);
            }
        }
    }
}
