//! Sensors of all robots, and where their readings stand.

use crate::model::Model;
use crate::spec::{Rate, SensorKind, SensorSpec};
use rolima_check::ModelError;

/// Most numbers that all readings of a world together may have.
pub const MOST_READINGS: usize = 1 << 24;

/// A sensor of a robot, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceModel {
    /// Number of the robot that carries it.
    pub robot: u32,
    /// Its name, unique on its robot.
    pub name: String,
    /// What it is.
    pub kind: SensorKind,
    /// When it reads.
    pub rate: Rate,
    /// Where its reading begins among the readings of all sensors.
    pub first: u32,
    /// How many numbers its reading has.
    pub count: u32,
    /// The plane that it casts rays in, in [`Model::ray_heights`].
    pub plane: Option<u32>,
    /// Of cameras: which exposure it draws from. Cameras of one rate share one.
    pub exposure: Option<u32>,
}

impl DeviceModel {
    /// Where its reading stands among the readings of all sensors.
    pub fn range(&self) -> core::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

impl Model {
    /// Numbers that the readings of all sensors have together.
    pub fn readings(&self) -> usize {
        self.devices.last().map_or(0, |device| (device.first + device.count) as usize)
    }

    /// The sensors of a robot: their numbers, in the scene's order.
    pub fn devices_of(&self, robot: u32) -> core::ops::Range<usize> {
        let from = self.devices.partition_point(|device| device.robot < robot);
        let to = self.devices.partition_point(|device| device.robot <= robot);
        from..to
    }

    /// The first sensor of a robot that is of a kind, by its number.
    pub fn device(&self, robot: u32, is: impl Fn(&SensorKind) -> bool) -> Option<usize> {
        self.devices_of(robot).find(|&device| is(&self.devices[device].kind))
    }

    /// The odometry whose standard deviations are those of a robot's errors of motion, by its number:
    /// its first.
    pub fn erring_odometry(&self, robot: u32) -> Option<usize> {
        self.device(robot, |kind| matches!(kind, SensorKind::Odometry(_)))
    }

    /// Compiles the sensors of the robot that was added last.
    pub(crate) fn add_devices(&mut self, robot: usize) -> Result<(), ModelError> {
        let sensors = self.spec.robots[robot].sensors.clone();
        for (i, sensor) in sensors.iter().enumerate() {
            let key = format!("robot.{robot}.sensor.{i}");
            let known = |other: &SensorSpec| other.name == sensor.name;
            if sensor.name.is_empty() || sensors[..i].iter().any(known) {
                let got = format!("{:?}", sensor.name);
                return Err(ModelError::new(format!("{key}.name"), "a name of its own", got));
            }
            sensor.kind.check(&key)?;
            check_errors(&key, &sensors[..i], &sensor.kind)?;
            let (first, count) = (self.readings(), sensor.kind.values());
            if first + count > MOST_READINGS {
                let expected = format!("at most {MOST_READINGS} numbers in all readings");
                return Err(ModelError::new(key, expected, first + count));
            }
            let plane = sensor.kind.ray_height().map(|height| self.ray_plane(height));
            let rate = sensor.kind.rate();
            let exposure = matches!(sensor.kind, SensorKind::Camera(_));
            let exposure = exposure.then(|| self.exposure(rate));
            self.devices.push(DeviceModel {
                exposure,
                robot: robot as u32,
                name: sensor.name.clone(),
                kind: sensor.kind.clone(),
                rate,
                first: first as u32,
                count: count as u32,
                plane,
            });
        }
        Ok(())
    }

    fn exposure(&mut self, rate: Rate) -> u32 {
        let known = self.camera_rates.iter().position(|r| *r == rate);
        known.unwrap_or_else(|| {
            self.camera_rates.push(rate);
            self.camera_rates.len() - 1
        }) as u32
    }

    fn ray_plane(&mut self, height: f64) -> u32 {
        let known = self.ray_heights.iter().position(|h| *h == height);
        known.unwrap_or_else(|| {
            self.ray_heights.push(height);
            self.ray_heights.len() - 1
        }) as u32
    }
}

/// A robot has one motion, and so one pair of standard deviations: those of its first odometry.
fn check_errors(key: &str, before: &[SensorSpec], kind: &SensorKind) -> Result<(), ModelError> {
    let SensorKind::Odometry(odometry) = kind else { return Ok(()) };
    let is_first = !before.iter().any(|other| matches!(other.kind, SensorKind::Odometry(_)));
    let motion = odometry.motion;
    for (name, sigma) in
        [("sigma_linear", motion.sigma_linear), ("sigma_angular", motion.sigma_angular)]
    {
        if !is_first && sigma != 0.0 {
            let expected = "0: the errors of motion are those of the robot's first odometry";
            return Err(ModelError::new(format!("{key}.{name}"), expected, sigma));
        }
    }
    Ok(())
}
