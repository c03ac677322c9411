//! The names, what they take and what they give: the one table of the protocol.

use super::Dialect;

/// What a name is about; `Pose.X` and `Pose` are about the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// True x, y (m) and heading (rad). Set: the robot is put there.
    Pose,
    /// Commanded speed, m/s and rad/s.
    Velocity,
    /// Commanded speeds of the left and the right wheel, rad/s.
    Wheels,
    /// Whether wheels are commanded, rather than the robot's velocity.
    LowLevel,
    /// Whether people drive, rather than this client.
    Manual,
    /// Where the robot believes to be by its wheels: x, y (m) and heading (rad).
    Odometry,
    /// Error of the executed motion, m and rad a cycle.
    OdometryStd,
    /// Whether true path and believed path are drawn.
    Trace,
    /// Waits for the next cycle.
    Wait,
    /// The newest picture, RGB, top row first.
    Camera,
    /// Distances, m, from the left to the right.
    Lidar,
    /// Error of a distance, m.
    LidarStd,
    /// Measured x, y (m) and heading (rad).
    Gps,
    /// Errors of x, y (m) and heading (rad).
    GpsStd,
    /// From where people look at the robot.
    ViewMode,
    /// From how far people look, 0 to 1.
    ViewZoom,
    /// 0 the realistic world, 1 a maze.
    WorldMode,
    /// Which robot this client commands.
    Robot,
    /// Back to the start.
    Reset,
    /// An empty maze.
    MazeClear,
    /// Another maze, as text or picture.
    MazeLoad,
    /// Simulated time, s. Not in the thesis.
    Time,
    /// How many robots there are. Not in the thesis.
    Robots,
    /// Largest speed and turning that the robot drives with, m/s and rad/s. Not in the thesis.
    Limits,
    /// Distances with where they were measured from: x and y of the lidar in the robot's frame (m),
    /// bearing of the first beam and from each to the next (rad, counter-clockwise), then the
    /// distances (m). Not in the thesis.
    Scan,
    /// Why the last request of this connection that was refused was so. Not in the thesis.
    LastError,
    /// Names of the robot's actuators, one a line. Not in the thesis.
    ActuatorNames,
    /// Which actuator [`Quantity::ActuatorValue`] is for, by its number from 0. Not in the thesis.
    ActuatorNumber,
    /// Value of the chosen actuator, in its own unit. Not in the thesis.
    ActuatorValue,
    /// Names of the sensors of the world, one a line. These are not in the thesis.
    SensorNames,
    /// What a sensor of the world read last.
    SensorReading,
    /// Where it stands: x, y, z (m), heading, tilt and roll (rad).
    SensorPlace,
    /// Its distances as [`Quantity::Scan`] has them, in its own frame.
    SensorScan,
    /// What a camera of the world saw last, RGB, top row first.
    SensorPicture,
    /// Width and height of its pictures, pixels.
    SensorSize,
    /// Its first standard deviation.
    SensorStd,
}

/// What a get gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// It cannot be asked for.
    Nothing,
    /// A number.
    Number,
    /// Numbers (f32) as data; the value is how many.
    Floats,
    /// Bytes as data; the value is how many.
    Bytes,
    /// Text (UTF-8) as data; the value is how many bytes.
    Text,
}

/// What a set takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It cannot be set.
    Nothing,
    /// A number.
    Number,
    /// Bytes.
    Bytes,
}

/// What the protocol says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The name, case and all; `*` stands for the name of something that the world has.
    pub name: &'static str,
    /// What it is about.
    pub quantity: Quantity,
    /// Which of its numbers, from 0; none for all of them.
    pub part: Option<usize>,
    /// What a get gives.
    pub given: Given,
    taken: [Taken; 2],
    known: [bool; 2],
}

impl Row {
    /// What a set takes.
    pub fn taken(&self, dialect: Dialect) -> Taken {
        self.taken[dialect as usize]
    }

    /// What stands for `*` in a name that means this row: empty where the row has none; none if it
    /// means another.
    fn subject<'a>(&self, name: &'a [u8]) -> Option<&'a str> {
        let Some((before, after)) = self.name.split_once('*') else {
            return (self.name.as_bytes() == name).then_some("");
        };
        let rest = name.strip_prefix(before.as_bytes())?;
        let subject = core::str::from_utf8(rest.strip_suffix(after.as_bytes())?).ok()?;
        (!subject.is_empty()).then_some(subject)
    }

    /// Whether the dialect has this name.
    pub fn is_known(&self, dialect: Dialect) -> bool {
        self.known[dialect as usize]
    }

    const fn new(name: &'static str, quantity: Quantity, given: Given, taken: Taken) -> Self {
        Self { name, quantity, part: None, given, taken: [taken; 2], known: [true; 2] }
    }

    const fn part(mut self, part: usize) -> Self {
        self.part = Some(part);
        self
    }

    const fn set_in_thesis_only(mut self) -> Self {
        self.taken[Dialect::Release as usize] = Taken::Nothing;
        self
    }

    const fn in_thesis_only(mut self) -> Self {
        self.known[Dialect::Release as usize] = false;
        self
    }
}

/// A number that can be asked for and set.
const fn number(name: &'static str, quantity: Quantity) -> Row {
    Row::new(name, quantity, Given::Number, Taken::Number)
}

/// A number that can be asked for.
const fn measured(name: &'static str, quantity: Quantity) -> Row {
    Row::new(name, quantity, Given::Number, Taken::Nothing)
}

/// Numbers that can be asked for at once.
const fn all(name: &'static str, quantity: Quantity) -> Row {
    Row::new(name, quantity, Given::Floats, Taken::Nothing)
}

/// Something that is done when it is set.
const fn done(name: &'static str, quantity: Quantity, taken: Taken) -> Row {
    Row::new(name, quantity, Given::Nothing, taken)
}

/// All names.
pub static NAMES: [Row; 54] = [
    number("Pose.X", Quantity::Pose).part(0),
    number("Pose.Y", Quantity::Pose).part(1),
    number("Pose.Theta", Quantity::Pose).part(2),
    all("Pose", Quantity::Pose),
    number("Velocity.Linear", Quantity::Velocity).part(0),
    number("Velocity.Angular", Quantity::Velocity).part(1),
    all("Velocity", Quantity::Velocity),
    number("Velocity.Angular.Left", Quantity::Wheels).part(0),
    number("Velocity.Angular.Right", Quantity::Wheels).part(1),
    all("Velocity.Wheels", Quantity::Wheels),
    number("Controller.LowLevel", Quantity::LowLevel),
    number("Controller.Manual", Quantity::Manual),
    number("Odometry.X", Quantity::Odometry).part(0).set_in_thesis_only(),
    number("Odometry.Y", Quantity::Odometry).part(1).set_in_thesis_only(),
    number("Odometry.Theta", Quantity::Odometry).part(2).set_in_thesis_only(),
    all("Odometry", Quantity::Odometry),
    number("Odometry.Std.Linear", Quantity::OdometryStd).part(0),
    number("Odometry.Std.Angular", Quantity::OdometryStd).part(1),
    all("Odometry.Std", Quantity::OdometryStd),
    number("Trace", Quantity::Trace),
    measured("Time.Wait", Quantity::Wait),
    Row::new("Camera.Capture", Quantity::Camera, Given::Bytes, Taken::Nothing),
    all("Lidar.Read", Quantity::Lidar),
    number("Lidar.Std", Quantity::LidarStd),
    measured("GPS.X", Quantity::Gps).part(0),
    measured("GPS.Y", Quantity::Gps).part(1),
    measured("GPS.Theta", Quantity::Gps).part(2),
    all("GPS", Quantity::Gps),
    number("GPS.Std.X", Quantity::GpsStd).part(0),
    number("GPS.Std.Y", Quantity::GpsStd).part(1),
    number("GPS.Std.Theta", Quantity::GpsStd).part(2),
    all("GPS.Std", Quantity::GpsStd),
    number("World.Camera.Mode", Quantity::ViewMode),
    number("World.Camera.Zoom", Quantity::ViewZoom),
    number("World.Mode", Quantity::WorldMode).in_thesis_only(),
    number("World.Robot", Quantity::Robot),
    done("World.Reset", Quantity::Reset, Taken::Number),
    done("World.Maze.Clear", Quantity::MazeClear, Taken::Number),
    done("World.Maze.Load", Quantity::MazeLoad, Taken::Bytes),
    // Beyond thesis and release, and never asked for by released programs: for records with times,
    // for programs with several robots, and for clients that say more than "not done".
    measured("Time", Quantity::Time),
    measured("World.Robots", Quantity::Robots),
    all("Velocity.Limits", Quantity::Limits),
    all("Lidar.Scan", Quantity::Scan),
    Row::new("World.LastError", Quantity::LastError, Given::Text, Taken::Nothing),
    Row::new("Actuator.Names", Quantity::ActuatorNames, Given::Text, Taken::Nothing),
    number("Actuator.Number", Quantity::ActuatorNumber),
    done("Actuator.Value", Quantity::ActuatorValue, Taken::Number),
    Row::new("World.Sensor.Names", Quantity::SensorNames, Given::Text, Taken::Nothing),
    all("World.Sensor.*.Read", Quantity::SensorReading),
    all("World.Sensor.*.Place", Quantity::SensorPlace),
    all("World.Sensor.*.Scan", Quantity::SensorScan),
    Row::new("World.Sensor.*.Capture", Quantity::SensorPicture, Given::Bytes, Taken::Nothing),
    all("World.Sensor.*.Size", Quantity::SensorSize),
    number("World.Sensor.*.Std", Quantity::SensorStd),
];

/// What the protocol says of a name, and what stands there for `*`; none if the dialect does not have
/// it.
pub fn find(dialect: Dialect, name: &[u8]) -> Option<(&'static Row, &str)> {
    let mut known = NAMES.iter().filter(|row| row.is_known(dialect));
    known.find_map(|row| Some((row, row.subject(name)?)))
}
