//! What one does with a robot, by name.

use crate::connection::{RobotOne, RobotOneError, floats_of};
use crate::scan::LidarScan;
use rolima_wire::robotone::Reply;

/// Size of a camera picture, pixels.
const WIDTH: usize = 320;
const HEIGHT: usize = 240;

/// A picture of the robot's camera.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green and blue of each pixel, top row first.
    pub rgb: Vec<u8>,
}

impl RobotOne {
    /// Waits for the next cycle of the simulation; how much simulated time has passed since the
    /// wait before, s.
    pub fn wait(&mut self) -> Result<f32, RobotOneError> {
        self.get("Time.Wait")
    }

    /// Commands this robot from now on, from 0; waits, at the next command, until nobody else has
    /// it.
    pub fn select(&mut self, robot: u32) -> Result<(), RobotOneError> {
        self.set("World.Robot", robot as f32).map(|_| ())
    }

    /// True x, y (m) and heading (rad).
    pub fn pose(&mut self) -> Result<[f32; 3], RobotOneError> {
        self.get_numbers("Pose")
    }

    /// Puts the robot elsewhere.
    pub fn set_pose(&mut self, pose: [f32; 3]) -> Result<(), RobotOneError> {
        self.set_all(["Pose.X", "Pose.Y", "Pose.Theta"], pose)
    }

    /// Commanded speed, m/s and rad/s.
    pub fn velocity(&mut self) -> Result<[f32; 2], RobotOneError> {
        self.get_numbers("Velocity")
    }

    /// Drives with m/s and rad/s, until told otherwise.
    pub fn set_velocity(&mut self, velocity: [f32; 2]) -> Result<(), RobotOneError> {
        self.set_all(["Velocity.Linear", "Velocity.Angular"], velocity)
    }

    /// Speeds of the left and the right wheel, rad/s.
    pub fn wheels(&mut self) -> Result<[f32; 2], RobotOneError> {
        self.get_numbers("Velocity.Wheels")
    }

    /// Turns the left and the right wheel, rad/s; obeyed under low-level control.
    pub fn set_wheels(&mut self, wheels: [f32; 2]) -> Result<(), RobotOneError> {
        self.set_all(["Velocity.Angular.Left", "Velocity.Angular.Right"], wheels)
    }

    /// Names of the robot's actuators: motors of wheels, and joints that steer them.
    pub fn actuators(&mut self) -> Result<Vec<String>, RobotOneError> {
        let names = self.get_data("Actuator.Names")?;
        Ok(String::from_utf8_lossy(&names).lines().map(str::to_owned).collect())
    }

    /// Gives an actuator of the robot a value, in its own unit (V, N m, rad/s or rad), until told
    /// otherwise. False if the robot has none of this name.
    pub fn actuate(&mut self, name: &str, value: f32) -> Result<bool, RobotOneError> {
        let Some(number) = self.actuators()?.iter().position(|other| other == name) else {
            return Ok(false);
        };
        self.set("Actuator.Number", number as f32)?;
        self.set("Actuator.Value", value).map(|_| true)
    }

    /// Whether wheels are commanded, rather than the robot's velocity.
    pub fn low_level_control(&mut self) -> Result<bool, RobotOneError> {
        self.get("Controller.LowLevel").map(is_set)
    }

    /// Commands wheels, or the robot's velocity.
    pub fn set_low_level_control(&mut self, on: bool) -> Result<(), RobotOneError> {
        self.set("Controller.LowLevel", number(on)).map(|_| ())
    }

    /// Whether people may drive while this program is connected.
    pub fn manual(&mut self) -> Result<bool, RobotOneError> {
        self.get("Controller.Manual").map(is_set)
    }

    /// Lets people drive while this program is connected.
    pub fn set_manual(&mut self, on: bool) -> Result<(), RobotOneError> {
        self.set("Controller.Manual", number(on)).map(|_| ())
    }

    /// Where the robot believes to be by its wheels: x, y (m) and heading (rad).
    pub fn odometry(&mut self) -> Result<[f32; 3], RobotOneError> {
        self.get_numbers("Odometry")
    }

    /// Makes the robot believe to be elsewhere.
    pub fn set_odometry(&mut self, pose: [f32; 3]) -> Result<(), RobotOneError> {
        self.set_all(["Odometry.X", "Odometry.Y", "Odometry.Theta"], pose)
    }

    /// Error of the executed motion: standard deviations, m and rad a cycle.
    pub fn odometry_std(&mut self) -> Result<[f32; 2], RobotOneError> {
        self.get_numbers("Odometry.Std")
    }

    /// Sets the error of the executed motion.
    pub fn set_odometry_std(&mut self, std: [f32; 2]) -> Result<(), RobotOneError> {
        self.set_all(["Odometry.Std.Linear", "Odometry.Std.Angular"], std)
    }

    /// Measured x, y (m) and heading (rad).
    pub fn gps(&mut self) -> Result<[f32; 3], RobotOneError> {
        self.get_numbers("GPS")
    }

    /// Error of GPS and compass: standard deviations, m, m, rad.
    pub fn gps_std(&mut self) -> Result<[f32; 3], RobotOneError> {
        self.get_numbers("GPS.Std")
    }

    /// Sets the error of GPS and compass.
    pub fn set_gps_std(&mut self, std: [f32; 3]) -> Result<(), RobotOneError> {
        self.set_all(["GPS.Std.X", "GPS.Std.Y", "GPS.Std.Theta"], std)
    }

    /// Whether true path and believed path are drawn.
    pub fn trace(&mut self) -> Result<bool, RobotOneError> {
        self.get("Trace").map(is_set)
    }

    /// Draws true path and believed path.
    pub fn set_trace(&mut self, on: bool) -> Result<(), RobotOneError> {
        self.set("Trace", number(on)).map(|_| ())
    }

    /// The newest distances, and where they were measured.
    pub fn lidar(&mut self) -> Result<LidarScan, RobotOneError> {
        if !self.lacks_scan {
            // Released servers do not have it: they answer with a number.
            match self.get_any("Lidar.Scan") {
                Ok(Reply { data: Some(data), .. }) => {
                    let floats = floats_of("Lidar.Scan", &data)?;
                    if let Some(scan) = LidarScan::placed(&floats) {
                        return Ok(scan);
                    }
                }
                Ok(_) | Err(RobotOneError::NotDone { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let scan = self.get_floats("Lidar.Read").map(LidarScan::new)?;
        self.lacks_scan = true;
        Ok(scan)
    }

    /// Largest speed and turning that the robot drives with, m/s and rad/s; what is commanded beyond
    /// them is scaled down, both alike.
    pub fn velocity_limits(&mut self) -> Result<[f32; 2], RobotOneError> {
        self.get_numbers("Velocity.Limits")
    }

    /// The newest picture, or the next if this program has that one.
    pub fn capture(&mut self) -> Result<Picture, RobotOneError> {
        let name = "Camera.Capture";
        let rgb = self.get_data(name)?;
        if rgb.len() != WIDTH * HEIGHT * 3 {
            let why = format!("expected {WIDTH} x {HEIGHT} pixels, got {} bytes", rgb.len());
            return Err(RobotOneError::BadReply { name: name.to_owned(), why });
        }
        Ok(Picture { width: WIDTH, height: HEIGHT, rgb })
    }

    /// Puts the robot back to its start, at rest.
    pub fn reset(&mut self) -> Result<(), RobotOneError> {
        self.set("World.Reset", 1.0).map(|_| ())
    }

    /// Loads another maze: a text map, or a picture (PNG, JPEG, GIF, WebP, BMP).
    pub fn load_maze(&mut self, data: &[u8]) -> Result<(), RobotOneError> {
        self.set_data("World.Maze.Load", data).map(|_| ())
    }

    fn set_all<const N: usize>(
        &mut self,
        names: [&str; N],
        values: [f32; N],
    ) -> Result<(), RobotOneError> {
        for (name, value) in names.into_iter().zip(values) {
            self.set(name, value)?;
        }
        Ok(())
    }
}

fn is_set(number: f32) -> bool {
    number != 0.0
}

fn number(flag: bool) -> f32 {
    f32::from(u8::from(flag))
}
