//! What a program may set and read of the sensors of a world.

use super::device::Device;
use super::{Exposure, SenseState};
use crate::world::World;
use rolima_math::{Pose2, Stream};
use rolima_model::{ModelError, RobotId, SensorKind};

/// What a camera's errors are drawn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraNoise {
    /// Standard deviation of a pixel's brightness, of 255.
    pub sigma: f64,
    /// Pictures taken.
    pub taken: u64,
    /// The camera's own random stream, at its start.
    pub stream: Stream,
}

impl World {
    /// What a sensor read last, by its number in [`rolima_model::Model::devices`]. Empty for
    /// unknown sensors. A sensor whose first reading is not due yet reads zeros.
    pub fn reading(&self, device: usize) -> &[f64] {
        let known = self.model.devices.get(device);
        known.map_or(&[], |known| &self.state.senses.readings[known.range()])
    }

    /// Standard deviation number `axis` of a sensor as it is now ([`SenseState::sigma`]).
    pub fn sigma(&self, device: usize, axis: usize) -> Option<f64> {
        self.state.senses.sigma(device, axis)
    }

    /// Sets standard deviation number `axis` of a sensor, as [`World::sigma`] counts them. Those of an
    /// odometry are a robot's errors of motion; only its first one has them.
    pub fn set_sigma(&mut self, device: usize, axis: usize, sigma: f64) -> Result<(), ModelError> {
        if let Some(known) = self.model.devices.get(device)
            && matches!(known.kind, SensorKind::Odometry(_))
            && known.mount.robot().and_then(|r| self.model.erring_odometry(r)) != Some(device)
        {
            let expected = "the first odometry of a robot, which has its errors of motion";
            return Err(ModelError::new("device", expected, format!("{:?}", known.name)));
        }
        match self.state.senses.devices.get_mut(device) {
            Some(device) => device.set_sigma(axis, sigma),
            None => Err(ModelError::new("device", "the number of a sensor", device)),
        }
    }

    /// Makes a robot believe in a pose from now on. False where it has no odometry or the pose is
    /// not finite.
    pub fn set_odometry(&mut self, robot: RobotId, pose: Pose2) -> bool {
        if !pose.is_finite() || pose.position.length() > 1e6 {
            return false;
        }
        let mut found = false;
        for index in self.model.devices_of(robot) {
            let senses = &mut self.state.senses;
            // What the wheels have turned up to now is counted from here.
            let true_angles = senses.wheel_angles.get(robot.index()).copied().unwrap_or_default();
            let encoder = self.scratch.senses.encoders[index];
            let encoders = encoder.and_then(|e| senses.devices[e as usize].encoders());
            if let Device::Odometry(odometry, _) = &mut senses.devices[index] {
                let truth =
                    rolima_sensors::Truth { wheel_angles: true_angles, ..Default::default() };
                let angles = match encoders {
                    Some(encoders) => encoders.angles(encoders.measure(&truth)),
                    None => true_angles,
                };
                odometry.set(pose, angles);
                let believed = odometry.believed();
                let range = self.model.devices[index].range();
                senses.readings[range].copy_from_slice(&[believed.x, believed.y, believed.theta]);
                found = true;
            }
        }
        found
    }

    /// Where everything was when a camera took its last picture; none where the sensor is no
    /// camera.
    pub fn exposure(&self, device: usize) -> Option<&Exposure> {
        let known = self.model.devices.get(device)?.exposure?;
        self.state.senses.exposures.get(known as usize)
    }
}

impl SenseState {
    /// Standard deviation number `axis` of a sensor as it is now: of a GPS x, y (m), heading
    /// (rad); of odometry way (m) and turn (rad) of the executed motion in 1/60 s; of an inertial
    /// unit the white noises of accelerometers and gyroscope, then the walks of their biases; of
    /// lidar and sonar the distance (m); of a camera a pixel's brightness (of 255).
    pub fn sigma(&self, device: usize, axis: usize) -> Option<f64> {
        self.devices.get(device)?.sigma(axis)
    }

    /// Standard deviations of way, m, and turn, rad, of the executed motion in 1/60 s; none where the
    /// sensor is no odometry.
    pub(crate) fn motion_sigma(&self, device: usize) -> Option<[f64; 2]> {
        match self.devices.get(device)? {
            Device::Odometry(_, sigma) => Some(*sigma),
            _ => None,
        }
    }

    /// How many sensors there are.
    pub fn count(&self) -> usize {
        self.devices.len()
    }

    /// What a camera's errors are drawn from; none where the sensor is no camera.
    pub fn camera_noise(&self, device: usize) -> Option<CameraNoise> {
        match self.devices.get(device)? {
            Device::Camera(camera) => Some(CameraNoise {
                sigma: camera.sigma,
                taken: camera.taken,
                stream: camera.stream,
            }),
            _ => None,
        }
    }
}
