//! The names, what they take and what they give: the one table of the protocol.

use super::Dialect;

/// What a name is about; `Pose.X` and `Pose` are about the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RobotOneQuantity {
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
    /// Which actuator [`RobotOneQuantity::ActuatorValue`] is for, by its number from 0. Not in the
    /// thesis.
    ActuatorNumber,
    /// Value of the chosen actuator, in its own unit. Not in the thesis.
    ActuatorValue,
    /// Names of the sensors of the world, one a line. These are not in the thesis.
    SensorNames,
    /// What a sensor of the world read last.
    SensorReading,
    /// Where it stands: x, y, z (m), heading, tilt and roll (rad).
    SensorPlace,
    /// Its distances as [`RobotOneQuantity::Scan`] has them, in its own frame.
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
pub enum GetValue {
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
pub enum SetValue {
    /// It cannot be set.
    Nothing,
    /// A number.
    Number,
    /// Bytes.
    Bytes,
}

/// What the protocol says of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameRow {
    /// The name, case and all; `*` stands for the name of something that the world has.
    pub name: &'static str,
    /// What it is about.
    pub quantity: RobotOneQuantity,
    /// Which of its numbers, from 0; none for all of them.
    pub part: Option<usize>,
    /// What a get gives.
    pub given: GetValue,
    taken: [SetValue; 2],
    known: [bool; 2],
}

impl NameRow {
    /// What a set takes.
    pub fn taken(&self, dialect: Dialect) -> SetValue {
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

    const fn new(
        name: &'static str,
        quantity: RobotOneQuantity,
        given: GetValue,
        taken: SetValue,
    ) -> Self {
        Self { name, quantity, part: None, given, taken: [taken; 2], known: [true; 2] }
    }

    const fn part(mut self, part: usize) -> Self {
        self.part = Some(part);
        self
    }

    const fn set_in_thesis_only(mut self) -> Self {
        self.taken[Dialect::Release as usize] = SetValue::Nothing;
        self
    }

    const fn in_thesis_only(mut self) -> Self {
        self.known[Dialect::Release as usize] = false;
        self
    }
}

/// A number that can be asked for and set.
const fn number(name: &'static str, quantity: RobotOneQuantity) -> NameRow {
    NameRow::new(name, quantity, GetValue::Number, SetValue::Number)
}

/// A number that can be asked for.
const fn measured(name: &'static str, quantity: RobotOneQuantity) -> NameRow {
    NameRow::new(name, quantity, GetValue::Number, SetValue::Nothing)
}

/// Numbers that can be asked for at once.
const fn all(name: &'static str, quantity: RobotOneQuantity) -> NameRow {
    NameRow::new(name, quantity, GetValue::Floats, SetValue::Nothing)
}

/// Something that is done when it is set.
const fn done(name: &'static str, quantity: RobotOneQuantity, taken: SetValue) -> NameRow {
    NameRow::new(name, quantity, GetValue::Nothing, taken)
}

/// All names.
pub static NAMES: [NameRow; 54] = [
    number("Pose.X", RobotOneQuantity::Pose).part(0),
    number("Pose.Y", RobotOneQuantity::Pose).part(1),
    number("Pose.Theta", RobotOneQuantity::Pose).part(2),
    all("Pose", RobotOneQuantity::Pose),
    number("Velocity.Linear", RobotOneQuantity::Velocity).part(0),
    number("Velocity.Angular", RobotOneQuantity::Velocity).part(1),
    all("Velocity", RobotOneQuantity::Velocity),
    number("Velocity.Angular.Left", RobotOneQuantity::Wheels).part(0),
    number("Velocity.Angular.Right", RobotOneQuantity::Wheels).part(1),
    all("Velocity.Wheels", RobotOneQuantity::Wheels),
    number("Controller.LowLevel", RobotOneQuantity::LowLevel),
    number("Controller.Manual", RobotOneQuantity::Manual),
    number("Odometry.X", RobotOneQuantity::Odometry).part(0).set_in_thesis_only(),
    number("Odometry.Y", RobotOneQuantity::Odometry).part(1).set_in_thesis_only(),
    number("Odometry.Theta", RobotOneQuantity::Odometry).part(2).set_in_thesis_only(),
    all("Odometry", RobotOneQuantity::Odometry),
    number("Odometry.Std.Linear", RobotOneQuantity::OdometryStd).part(0),
    number("Odometry.Std.Angular", RobotOneQuantity::OdometryStd).part(1),
    all("Odometry.Std", RobotOneQuantity::OdometryStd),
    number("Trace", RobotOneQuantity::Trace),
    measured("Time.Wait", RobotOneQuantity::Wait),
    NameRow::new("Camera.Capture", RobotOneQuantity::Camera, GetValue::Bytes, SetValue::Nothing),
    all("Lidar.Read", RobotOneQuantity::Lidar),
    number("Lidar.Std", RobotOneQuantity::LidarStd),
    measured("GPS.X", RobotOneQuantity::Gps).part(0),
    measured("GPS.Y", RobotOneQuantity::Gps).part(1),
    measured("GPS.Theta", RobotOneQuantity::Gps).part(2),
    all("GPS", RobotOneQuantity::Gps),
    number("GPS.Std.X", RobotOneQuantity::GpsStd).part(0),
    number("GPS.Std.Y", RobotOneQuantity::GpsStd).part(1),
    number("GPS.Std.Theta", RobotOneQuantity::GpsStd).part(2),
    all("GPS.Std", RobotOneQuantity::GpsStd),
    number("World.Camera.Mode", RobotOneQuantity::ViewMode),
    number("World.Camera.Zoom", RobotOneQuantity::ViewZoom),
    number("World.Mode", RobotOneQuantity::WorldMode).in_thesis_only(),
    number("World.Robot", RobotOneQuantity::Robot),
    done("World.Reset", RobotOneQuantity::Reset, SetValue::Number),
    done("World.Maze.Clear", RobotOneQuantity::MazeClear, SetValue::Number),
    done("World.Maze.Load", RobotOneQuantity::MazeLoad, SetValue::Bytes),
    // Beyond thesis and release, and never asked for by released programs: for records with times,
    // for programs with several robots, and for clients that say more than "not done".
    measured("Time", RobotOneQuantity::Time),
    measured("World.Robots", RobotOneQuantity::Robots),
    all("Velocity.Limits", RobotOneQuantity::Limits),
    all("Lidar.Scan", RobotOneQuantity::Scan),
    NameRow::new("World.LastError", RobotOneQuantity::LastError, GetValue::Text, SetValue::Nothing),
    NameRow::new(
        "Actuator.Names",
        RobotOneQuantity::ActuatorNames,
        GetValue::Text,
        SetValue::Nothing,
    ),
    number("Actuator.Number", RobotOneQuantity::ActuatorNumber),
    done("Actuator.Value", RobotOneQuantity::ActuatorValue, SetValue::Number),
    NameRow::new(
        "World.Sensor.Names",
        RobotOneQuantity::SensorNames,
        GetValue::Text,
        SetValue::Nothing,
    ),
    all("World.Sensor.*.Read", RobotOneQuantity::SensorReading),
    all("World.Sensor.*.Place", RobotOneQuantity::SensorPlace),
    all("World.Sensor.*.Scan", RobotOneQuantity::SensorScan),
    NameRow::new(
        "World.Sensor.*.Capture",
        RobotOneQuantity::SensorPicture,
        GetValue::Bytes,
        SetValue::Nothing,
    ),
    all("World.Sensor.*.Size", RobotOneQuantity::SensorSize),
    number("World.Sensor.*.Std", RobotOneQuantity::SensorStd),
];

/// What the protocol says of a name, and what stands there for `*`; none if the dialect does not have
/// it.
pub fn find(dialect: Dialect, name: &[u8]) -> Option<(&'static NameRow, &str)> {
    let mut known = NAMES.iter().filter(|row| row.is_known(dialect));
    known.find_map(|row| Some((row, row.subject(name)?)))
}
