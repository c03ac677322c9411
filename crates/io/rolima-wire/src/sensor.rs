//! What viewers must know of the sensors of robots and of the world.

use crate::pb;
use rolima_core::model::{DeviceModel, LidarSpec, Mount, SensorKind, SonarSpec};
use rolima_math::{Pose2, Pose3};

/// A sensor as viewers get it.
pub(crate) fn sensor_message(device: &DeviceModel) -> pb::Sensor {
    let mut message = pb::Sensor {
        kind: device.kind.name().to_owned(),
        name: device.name.clone(),
        count: device.count,
        pose: (device.mount == Mount::World).then(|| pose_message(&device.pose)),
        ..pb::Sensor::default()
    };
    match &device.kind {
        SensorKind::Lidar(lidar) => {
            message.rays = lidar_rays(lidar);
            message.range = lidar.range as f32;
            message.height = lidar.height as f32;
        }
        SensorKind::Sonar(sonar) => {
            message.rays = sonar_rays(sonar);
            message.range = sonar.range as f32;
            message.height = sonar.height as f32;
            message.cone = sonar.cone as f32;
        }
        SensorKind::Bumper(bumper) => {
            message.first_bearing = bumper.first_bearing as f32;
            message.span = bumper.span as f32;
            message.sectors = bumper.sectors;
        }
        SensorKind::Camera(camera) => {
            [message.picture_width, message.picture_height] = camera.pixels;
            message.height = camera.mount[2] as f32;
            [message.opening_x, message.opening_y] = camera.opening.map(|angle| angle as f32);
            let [x, y, _] = camera.mount;
            message.rays = [x, y, camera.heading].map(|x| x as f32).to_vec();
        }
        SensorKind::Gps(_)
        | SensorKind::Odometry(_)
        | SensorKind::Encoders(_)
        | SensorKind::Imu(_) => {}
    }
    message
}

fn pose_message(pose: &Pose3) -> pb::SensorPose {
    let (at, turn) = (pose.position, pose.rotation);
    let [x, y, z] = at.array().map(|x| x as f32);
    let [qw, qx, qy, qz] = [turn.w, turn.x, turn.y, turn.z].map(|x| x as f32);
    pb::SensorPose { x, y, z, qw, qx, qy, qz }
}

/// Where each beam begins and where it looks, in the frame of its mount.
fn lidar_rays(lidar: &LidarSpec) -> Vec<f32> {
    let at = lidar.mount;
    let bearing = |i: usize| at.theta() + lidar.first_bearing + lidar.step_bearing * i as f64;
    let ray = |i: usize| [at.position.x, at.position.y, bearing(i)].map(|x| x as f32);
    (0..lidar.beams).flat_map(ray).collect()
}

fn sonar_rays(sonar: &SonarSpec) -> Vec<f32> {
    let ray = |at: &Pose2| [at.position.x, at.position.y, at.theta()].map(|x| x as f32);
    sonar.ring.iter().flat_map(ray).collect()
}
