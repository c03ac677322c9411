//! The sensors. Each is `spec + state`; the spec's numbers say where they come from: "thesis" is
//! the Robot One thesis, "release" its public server, "P3-DX" the maker's data of the Pioneer
//! P3-DX, other names a data sheet, "ours" a choice of this project where the sources are silent.

mod bumper;
mod encoders;
mod gps;
mod imu;
mod lidar;
mod motion;
mod odometry;
mod sonar;

pub use bumper::{Bumper, BumperSpec, Touch};
pub use encoders::{EncoderReading, Encoders, EncodersSpec, EncodersState};
pub use gps::{Gps, GpsReading, GpsSpec, GpsState};
pub use imu::{Imu, ImuReading, ImuSpec, ImuState};
pub use lidar::{Lidar, LidarSpec, LidarState, View};
pub use motion::{CYCLE_S, MotionError, MotionErrorSpec, MotionErrorState};
pub use odometry::{Believed, Odometry, OdometrySpec, OdometryState};
pub use sonar::{Sonar, SonarSpec, SonarState, Transducer, p3dx_ring};
