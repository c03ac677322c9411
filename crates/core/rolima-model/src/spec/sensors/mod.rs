//! What a scene says about the sensors of robots and of the world.
//!
//! Each spec's numbers say where they come from: "thesis" is the Robot One thesis, "release" its
//! public server, "P3-DX" the maker's data of the Pioneer P3-DX, other names a data sheet, "ours" a
//! choice of this project where the sources are silent.

mod background;
mod bumper;
mod camera;
mod encoders;
mod gps;
mod imaging;
mod imu;
mod lidar;
mod odometry;
mod rate;
mod sonar;
mod world;

pub use background::{BackgroundSpec, Homography};
pub use bumper::BumperSpec;
pub use camera::{CameraSpec, MOST_PICTURE_PIXELS};
pub use encoders::EncodersSpec;
pub use gps::GpsSpec;
pub use imaging::{FrameFate, ImagingPreset, ImagingSpec};
pub use imu::ImuSpec;
pub use lidar::{LidarSpec, MOST_BEAMS, SMALLEST_BEAM_STEP};
pub use odometry::{CYCLE_S, MotionErrorSpec, OdometrySpec};
pub use rate::Rate;
pub use sonar::{SonarSpec, Transducer, p3dx_ring};
pub use world::WorldSensorSpec;

use crate::ModelError;
use crate::check::not_negative;
use rolima_math::Pose2;

/// Sources of defaults.
const THESIS: &str = "Robot One thesis";
const RELEASE: &str = "Robot One release";
const P3DX: &str = "Pioneer P3-DX";
const MPU: &str = "MPU-6050";
const EXACT: &str = "no error";

/// A sensor of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorSpec {
    /// Its name, unique on its robot: with the seed and the robot's number the key of its random
    /// stream.
    pub name: String,
    /// What it is.
    pub kind: SensorKind,
}

/// The kinds of sensors, each with its numbers.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the names say it; each spec has its own documentation
pub enum SensorKind {
    Gps(GpsSpec),
    Odometry(OdometrySpec),
    Encoders(EncodersSpec),
    Imu(ImuSpec),
    Lidar(LidarSpec),
    Sonar(SonarSpec),
    Bumper(BumperSpec),
    Camera(CameraSpec),
}

impl SensorKind {
    /// What it is called in scenes.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gps(_) => "gps",
            Self::Odometry(_) => "odometry",
            Self::Encoders(_) => "encoders",
            Self::Imu(_) => "imu",
            Self::Lidar(_) => "lidar",
            Self::Sonar(_) => "sonar",
            Self::Bumper(_) => "bumper",
            Self::Camera(_) => "camera",
        }
    }

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        match self {
            Self::Gps(spec) => spec.check(key),
            Self::Odometry(spec) => spec.check(key),
            Self::Encoders(spec) => spec.check(key),
            Self::Imu(spec) => spec.check(key),
            Self::Lidar(spec) => spec.check(key),
            Self::Sonar(spec) => spec.check(key),
            Self::Bumper(spec) => spec.check(key),
            Self::Camera(spec) => spec.check(key),
        }
    }

    /// When it reads.
    pub fn rate(&self) -> Rate {
        match self {
            Self::Gps(spec) => spec.rate,
            Self::Odometry(spec) => spec.rate,
            Self::Encoders(spec) => spec.rate,
            Self::Imu(spec) => spec.rate,
            Self::Lidar(spec) => spec.rate,
            Self::Sonar(spec) => spec.rate,
            Self::Bumper(spec) => spec.rate,
            Self::Camera(spec) => spec.rate,
        }
    }

    /// How many numbers a reading has.
    pub fn values(&self) -> usize {
        match self {
            // x, y, theta; acceleration x, y and turning.
            Self::Gps(_) | Self::Odometry(_) | Self::Imu(_) => 3,
            // Ticks of the right and the left wheel.
            Self::Encoders(_) => 2,
            Self::Lidar(spec) => spec.beams,
            Self::Sonar(spec) => spec.ring.len(),
            // Pressed sectors, a bit each; pictures taken.
            Self::Bumper(_) | Self::Camera(_) => 1,
        }
    }

    /// Height of the plane that it casts rays in, m above the ground.
    pub fn ray_height(&self) -> Option<f64> {
        match self {
            Self::Lidar(spec) => Some(spec.height),
            Self::Sonar(spec) => Some(spec.height),
            _ => None,
        }
    }
}

/// A standard deviation: finite and not negative.
pub fn check_sigma(key: &str, sigma: f64) -> Result<f64, ModelError> {
    not_negative(key, sigma)
}

/// A place on a robot.
fn check_mount(key: &str, mount: Pose2) -> Result<(), ModelError> {
    let at = mount.position;
    if mount.is_finite() && at.length() <= 1e3 {
        return Ok(());
    }
    let got = format!("[{}, {}]", at.x, at.y);
    Err(ModelError::new(format!("{key}.pose"), "a pose within 1 km", got))
}

/// A point on a robot.
fn check_point(key: &str, [x, y]: [f64; 2]) -> Result<(), ModelError> {
    if x.abs() <= 1e3 && y.abs() <= 1e3 {
        return Ok(());
    }
    let got = format!("[{x}, {y}]");
    Err(ModelError::new(format!("{key}.mount"), "a point within 1 km along x and y", got))
}
