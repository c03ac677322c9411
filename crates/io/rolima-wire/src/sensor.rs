//! What viewers must know of a robot's sensors.

use crate::pb;
use rolima_core::model::{DeviceModel, LidarSpec, SensorKind, SonarSpec};
use rolima_math::Pose2;

/// A sensor as viewers get it.
pub(crate) fn sensor_message(device: &DeviceModel) -> pb::Sensor {
    let mut message = pb::Sensor {
        kind: device.kind.name().to_owned(),
        name: device.name.clone(),
        count: device.count,
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

/// Where each beam begins and where it looks, in the robot's frame.
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
