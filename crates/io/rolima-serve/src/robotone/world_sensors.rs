//! What programs read of the sensors of the world, by their names; pictures of all cameras.

use super::robots::{RequestError, Shot, Ticket};
use super::session::ProgramSession;
use rolima_wire::robotone::{RobotOneQuantity, encode_data_head};
use std::sync::Arc;

/// A camera that programs look through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Camera {
    /// The first of a robot.
    Robot(u32),
    /// One of the world, by its name.
    World(String),
}

/// The sensors of a world, by their names. Nothing here may block.
pub trait WorldSensors: Send + Sync {
    /// Their names, in the scene's order.
    fn names(&self) -> Vec<String>;

    /// One of them, as it was published last.
    fn sensor(&self, name: &str) -> Option<WorldSensorNow>;

    /// The newest picture of a camera, as [`super::Robots::shot`] has it of robots.
    fn shot(&self, name: &str, had: Option<u64>) -> Shot;

    /// Sets the first standard deviation of a sensor. The world shows it when it has reached the
    /// ticket.
    fn set_std(&self, name: &str, std: f64) -> Result<Ticket, RequestError>;
}

/// A sensor of the world at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorldSensorNow {
    /// What it read last.
    pub reading: Vec<f32>,
    /// Where it stands: x, y, z (m), heading, tilt and roll (rad).
    pub place: [f64; 6],
    /// Of lidars: bearing of the first beam, and from each to the next, rad.
    pub beams: Option<[f64; 2]>,
    /// Of cameras: width and height of a picture, pixels.
    pub size: Option<[u32; 2]>,
    /// Its first standard deviation: m of distances, brightness of 255 of cameras.
    pub std: f64,
}

impl ProgramSession {
    /// Gives a quantity of the sensor of this name.
    pub(super) async fn get_of(
        &mut self,
        quantity: RobotOneQuantity,
        name: String,
    ) -> Result<(), RequestError> {
        if quantity == RobotOneQuantity::SensorPicture {
            return self.picture(Camera::World(name)).await;
        }
        let now = self.sensor(&name)?;
        let lacks = |what: &str| RequestError::Refused(format!("the sensor {name:?} is no {what}"));
        match quantity {
            RobotOneQuantity::SensorReading => self.floats(&now.reading),
            RobotOneQuantity::SensorPlace => self.floats(&now.place.map(|number| number as f32)),
            RobotOneQuantity::SensorScan => {
                let [first, step] = now.beams.ok_or_else(|| lacks("lidar"))?;
                let head = [0.0, 0.0, first as f32, step as f32];
                self.floats(&[&head, &now.reading[..]].concat());
            }
            RobotOneQuantity::SensorSize => {
                let size = now.size.ok_or_else(|| lacks("camera"))?;
                self.floats(&size.map(|pixels| pixels as f32));
            }
            RobotOneQuantity::SensorStd => self.number(now.std),
            other => {
                return Err(RequestError::Refused(format!("{other:?} is nothing of a sensor")));
            }
        }
        Ok(())
    }

    /// Sets a number of the sensor of this name.
    pub(super) async fn set_of(
        &mut self,
        quantity: RobotOneQuantity,
        name: &str,
        value: f32,
    ) -> Result<(), RequestError> {
        self.may_change_world()?;
        if quantity != RobotOneQuantity::SensorStd || value < 0.0 {
            let why = format!("expected a standard deviation from 0 up, got {value}");
            return Err(RequestError::Refused(why));
        }
        self.sensor(name)?;
        let sensors = self.shared.robots.world_sensors();
        let ticket = sensors.map_or(Ok(Ticket::default()), |s| s.set_std(name, value.into()))?;
        self.until_shown(ticket).await;
        Ok(())
    }

    /// The sensor of this name.
    fn sensor(&self, name: &str) -> Result<WorldSensorNow, RequestError> {
        let sensors = self.shared.robots.world_sensors();
        sensors.and_then(|sensors| sensors.sensor(name)).ok_or_else(|| {
            let names = sensors.map_or(vec![], WorldSensors::names);
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            RequestError::Refused(format!("the world has no sensor {name:?}; its sensors: {known}"))
        })
    }

    /// The newest picture of a camera, or the next if this program has that one.
    pub(super) async fn picture(&mut self, camera: Camera) -> Result<(), RequestError> {
        let robots = Arc::clone(&self.shared.robots);
        let client = self.client;
        let had = self.pictured.as_ref().filter(|(of, _)| *of == camera).map(|(_, number)| *number);
        let shot = || match &camera {
            Camera::Robot(robot) => robots.shot(*robot, had),
            Camera::World(name) => {
                robots.world_sensors().map_or(Shot::NoCamera, |sensors| sensors.shot(name, had))
            }
        };
        let is_there = || match shot() {
            Shot::NoCamera => Some(Err(match camera {
                Camera::Robot(_) => "the robot has no camera",
                Camera::World(_) => "the world has no camera of this name",
            })),
            Shot::Picture { number, rgb } => Some(Ok((number, rgb))),
            _ if robots.world().ended => Some(Err("the simulation has ended")),
            Shot::Soon => None,
            Shot::NotYet => {
                robots.waits(client);
                None
            }
        };
        let found = self.shared.notifier.until(is_there).await;
        let (number, rgb) = found.map_err(|why| RequestError::Refused(why.to_owned()))?;
        self.pictured = Some((camera, number));
        let size = (*rgb).as_ref().len();
        encode_data_head(self.dialect, true, size as f32, size, &mut self.reply);
        self.body = Some(rgb);
        Ok(())
    }
}
