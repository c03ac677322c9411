//! Sensors of all robots and of the world, and where their readings stand.

use crate::ids::RobotId;
use crate::model::Model;
use crate::spec::{BackgroundSpec, Rate, SensorKind, SensorSpec, WorldSensorSpec};
use rolima_check::ModelError;
use rolima_math::{Pose3, Quat, Vec3};

/// Most numbers that all readings of a world together may have.
pub const MOST_READINGS: usize = 1 << 24;

/// What a sensor is fixed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mount {
    /// A robot, which carries it.
    Robot(RobotId),
    /// The world: it never moves.
    World,
}

impl Mount {
    /// The robot that carries it.
    pub fn robot(self) -> Option<RobotId> {
        match self {
            Self::Robot(robot) => Some(robot),
            Self::World => None,
        }
    }

    /// Owner of its sensors' random streams: with the seed and a sensor's name their key.
    pub fn stream_owner(self) -> u64 {
        self.robot().map_or(u64::MAX, |robot| robot.0.into())
    }
}

impl From<RobotId> for Mount {
    fn from(robot: RobotId) -> Self {
        Self::Robot(robot)
    }
}

/// What a sensor's rays are cast into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rays {
    /// A level plane, by its number in [`Model::ray_heights`].
    Plane(u32),
    /// The world as it is in space: on rough ground, and where a sensor of the world is tilted.
    Space,
}

/// A sensor, compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceModel {
    /// What it is fixed to.
    pub mount: Mount,
    /// Of sensors of the world: where the frame stands that robots are to theirs, z absolute.
    pub pose: Pose3,
    /// Its name, unique on its mount.
    pub name: String,
    /// What it is.
    pub kind: SensorKind,
    /// When it reads.
    pub rate: Rate,
    /// Where its reading begins among the readings of all sensors.
    pub first: u32,
    /// How many numbers its reading has.
    pub count: u32,
    /// What it casts rays into, if it does.
    pub rays: Option<Rays>,
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

    /// The sensors of a robot or of the world: their numbers, in the scene's order. Those of the world
    /// come last.
    pub fn devices_of(&self, mount: impl Into<Mount>) -> core::ops::Range<usize> {
        let mount = mount.into();
        let from = self.devices.partition_point(|device| device.mount < mount);
        let to = self.devices.partition_point(|device| device.mount <= mount);
        from..to
    }

    /// The photograph that stands for the empty field before a camera of the world, if there is one.
    pub fn background(&self, device: usize) -> Option<&BackgroundSpec> {
        let first = self.devices_of(Mount::World).start;
        self.spec.sensors.get(device.checked_sub(first)?)?.background.as_ref()
    }

    /// The first sensor of a robot or of the world that is of a kind, by its number.
    pub fn device(
        &self,
        mount: impl Into<Mount>,
        is: impl Fn(&SensorKind) -> bool,
    ) -> Option<usize> {
        self.devices_of(mount).find(|&device| is(&self.devices[device].kind))
    }

    /// What people call a mount.
    pub fn mount_name(&self, mount: Mount) -> &str {
        let robot = mount.robot().and_then(|robot| self.robots.get(robot.index()));
        robot.map_or("world", |robot| &robot.name)
    }

    /// The odometry whose standard deviations are those of a robot's errors of motion, by its number:
    /// its first.
    pub fn erring_odometry(&self, robot: RobotId) -> Option<usize> {
        self.device(robot, |kind| matches!(kind, SensorKind::Odometry(_)))
    }

    /// Compiles the sensors of the robot that was added last.
    pub(crate) fn add_devices(&mut self, robot: usize) -> Result<(), ModelError> {
        let sensors = self.spec.robots[robot].sensors.clone();
        for (i, sensor) in sensors.iter().enumerate() {
            let key = format!("robot.{robot}.sensor.{i}");
            check_name(&key, &sensor.name, sensors[..i].iter().map(|other| &other.name))?;
            sensor.kind.check(&key)?;
            check_errors(&key, &sensors[..i], &sensor.kind)?;
            let mount = Mount::Robot(RobotId(robot as u32));
            self.add_device(&key, mount, Pose3::default(), (&sensor.name, &sensor.kind))?;
        }
        Ok(())
    }

    /// Compiles the sensors of the world; those of robots are there already.
    pub(crate) fn add_world_devices(&mut self) -> Result<(), ModelError> {
        let sensors = self.spec.sensors.clone();
        for (i, sensor) in sensors.iter().enumerate() {
            let key = format!("sensor.{i}");
            check_name(&key, &sensor.name, sensors[..i].iter().map(|other| &other.name))?;
            sensor.check(&key)?;
            let WorldSensorSpec { name, kind, position, heading, tilt, roll, background: _ } =
                sensor;
            let [x, y, above] = *position;
            let pose = Pose3 {
                position: Vec3::new(x, y, self.ground_height(x, y) + above),
                rotation: Quat::from_roll_pitch_yaw(*roll, *tilt, *heading),
            };
            self.add_device(&key, Mount::World, pose, (name, kind))?;
        }
        Ok(())
    }

    fn add_device(
        &mut self,
        key: &str,
        mount: Mount,
        pose: Pose3,
        (name, kind): (&str, &SensorKind),
    ) -> Result<(), ModelError> {
        let (first, count) = (self.readings(), kind.values());
        if first + count > MOST_READINGS {
            let expected = format!("at most {MOST_READINGS} numbers in all readings");
            return Err(ModelError::new(key, expected, first + count));
        }
        let level = self.is_level(&pose);
        let rays = kind.ray_height().map(|height| {
            if level { Rays::Plane(self.ray_plane(pose.position.z + height)) } else { Rays::Space }
        });
        let rate = kind.rate();
        let exposure = match kind {
            SensorKind::Camera(spec) => Some(self.exposure(rate, spec.imaging.readout_s > 0.0)),
            _ => None,
        };
        self.devices.push(DeviceModel {
            mount,
            pose,
            name: name.to_owned(),
            kind: kind.clone(),
            rate,
            first: first as u32,
            count: count as u32,
            rays,
            exposure,
        });
        Ok(())
    }

    fn exposure(&mut self, rate: Rate, by_rows: bool) -> u32 {
        let known = self.camera_rates.iter().position(|r| *r == rate);
        let number = known.unwrap_or_else(|| {
            self.camera_rates.push(rate);
            self.camera_motions.push(false);
            self.camera_rates.len() - 1
        });
        self.camera_motions[number] |= by_rows;
        number as u32
    }

    fn ray_plane(&mut self, height: f64) -> u32 {
        let known = self.ray_heights.iter().position(|h| *h == height);
        known.unwrap_or_else(|| {
            self.ray_heights.push(height);
            self.ray_heights.len() - 1
        }) as u32
    }
}

/// A name must be there, and be no other one's on the same mount.
fn check_name<'a>(
    key: &str,
    name: &String,
    mut before: impl Iterator<Item = &'a String>,
) -> Result<(), ModelError> {
    if name.is_empty() || before.any(|other| other == name) {
        return Err(ModelError::new(
            format!("{key}.name"),
            "a name of its own",
            format!("{name:?}"),
        ));
    }
    Ok(())
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
