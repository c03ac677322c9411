//! The sensors. Each is `spec + state`; the specs are part of the scene (`rolima_model::spec`).

mod bumper;
mod encoders;
mod gps;
mod imu;
mod lidar;
mod motion;
mod odometry;
mod sonar;

pub use bumper::{Bumper, BumperContact};
pub use encoders::{EncoderReading, Encoders, EncodersState};
pub use gps::{Gps, GpsReading, GpsState};
pub use imu::{Imu, ImuReading, ImuState};
pub use lidar::{Lidar, LidarState, RangeView, SpaceView};
pub use motion::{MotionError, MotionErrorState};
pub use odometry::{Believed, Odometry, OdometryState, WheelBase};
pub use rolima_model::{
    BumperSpec, CYCLE_S, EncodersSpec, GpsSpec, ImuSpec, LidarSpec, MotionErrorSpec, OdometrySpec,
    SonarSpec, Transducer, p3dx_ring,
};
pub use sonar::{Sonar, SonarState};
