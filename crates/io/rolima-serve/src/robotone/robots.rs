//! What the server of Robot One needs of a simulator.

use super::world_sensors::WorldSensors;
use rolima_wire::robotone::CYCLE_S;
use std::sync::Arc;
use tokio::sync::watch;

/// Instants closer than this are the same, in cycles.
pub(super) const SAME_CYCLE: f64 = 1e-6;

/// Which cycle this time (s) belongs to, from 0.
pub(super) fn cycle_at(time_s: f64) -> f64 {
    (time_s / CYCLE_S + SAME_CYCLE).floor()
}

/// Robots that programs can drive. Nothing here may block, apart from
/// [`change_world`](Self::change_world).
pub trait Robots: Send + Sync + 'static {
    /// So many programs are connected now. What is published is up to date when
    /// [`WorldNow::done`] has reached the ticket; without programs nothing need be published.
    fn connected(&self, _programs: u64) -> Result<Ticket, RequestError> {
        Ok(Ticket::default())
    }

    /// The world, as it was published last.
    fn world(&self) -> WorldNow;

    /// A robot, as it was published last; none if there is no such robot.
    fn robot(&self, robot: u32) -> Option<RobotNow>;

    /// What a robot is called; none if there is no such robot.
    fn name(&self, robot: u32) -> Option<String> {
        (robot < self.world().robots).then(|| robot.to_string())
    }

    /// Names of a robot's actuators, in the order of their numbers.
    fn actuators(&self, _robot: u32) -> Vec<String> {
        vec![]
    }

    /// Appends the newest distances, m, from the left to the right; none if the robot has no lidar.
    fn lidar(&self, robot: u32, out: &mut Vec<f32>) -> Option<LidarPlace>;

    /// The newest picture of a robot's camera, unless its number is `had`. Pictures are wanted as
    /// long as somebody asks.
    fn shot(&self, robot: u32, had: Option<u64>) -> Shot;

    /// What stands in the world to sense with; none if nothing ever does.
    fn world_sensors(&self) -> Option<&dyn WorldSensors> {
        None
    }

    /// Does something to a robot. The world shows it when [`WorldNow::done`] has reached the
    /// ticket.
    fn act(&self, robot: u32, action: RobotAction) -> Result<Ticket, RequestError>;

    /// Says who drives a robot from now on. It stands still until its new driver says otherwise. Refused
    /// where somebody has it from whom programs do not take it.
    fn hand_over(&self, robot: u32, to: Driver) -> Result<(), RequestError>;

    /// From where people look at the robots.
    fn view(&self) -> Viewpoint;

    /// Lets people look from elsewhere.
    fn set_view(&self, view: Viewpoint);

    /// Tells people, where they look at the robots, that a program takes pictures of which the first may be
    /// cut off.
    fn tell_of_first_picture(&self) {}

    /// Refuses changes of which a glance tells that they cannot be, such as maps that are too large:
    /// those do not wait for their turn.
    fn may_change(&self, _change: &WorldChange) -> Result<(), RequestError> {
        Ok(())
    }

    /// Changes the whole world. May take its time: it is called on a thread of its own.
    fn change_world(&self, change: WorldChange) -> Result<Ticket, RequestError>;

    /// A program waits for time to pass. Worlds that advance only with their programs go on when
    /// all of them wait; others need not listen.
    fn waits(&self, _client: u32) {}

    /// Wants this to be notified whenever something was published: the world, or a picture.
    fn notify(&self, notifier: Notifier);
}

/// Wakes up who waits for something that is published.
#[derive(Clone, Debug)]
pub struct Notifier(Arc<watch::Sender<()>>);

impl Default for Notifier {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(())))
    }
}

impl Notifier {
    /// Something was published. Takes a lock for a moment, so not on the thread of a simulation.
    pub fn notify(&self) {
        self.0.send_replace(());
    }

    /// Whether anybody waits.
    pub fn is_heard(&self) -> bool {
        self.0.receiver_count() > 0
    }

    /// Waits until something holds; asks now and after every ring.
    pub(super) async fn until<T>(&self, mut holds: impl FnMut() -> Option<T>) -> T {
        let mut rings = self.0.subscribe();
        loop {
            rings.borrow_and_update();
            if let Some(found) = holds() {
                return found;
            }
            // The sender is here, so it cannot be gone.
            let _ = rings.changed().await;
        }
    }
}

/// Counts what was done to a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// The world at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorldNow {
    /// Simulated time, s; goes back to 0 with a reset or another world.
    pub time_s: f64,
    /// How many robots there are.
    pub robots: u32,
    /// All that was done up to this ticket can be seen.
    pub done: Ticket,
    /// Whether it is a maze, which can be loaded and cleared.
    pub is_maze: bool,
    /// Whether it is over.
    pub ended: bool,
}

/// A robot at one instant. Poses are x, y (m) and heading (rad).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RobotNow {
    /// Where it is.
    pub pose: [f64; 3],
    /// How it moves: m/s forward and rad/s.
    pub velocity: [f64; 2],
    /// Speeds of the left and the right wheel, rad/s.
    pub wheels: [f64; 2],
    /// Largest speed and turning that it drives with, m/s and rad/s; none if it is not driven by
    /// speeds. What is commanded beyond them is scaled down, both alike.
    pub limits: Option<[f64; 2]>,
    /// Where it believes to be by its wheels; none without odometry.
    pub odometry: Option<[f64; 3]>,
    /// Error of the executed motion, m and rad a cycle.
    pub odometry_std: [f64; 2],
    /// Where it is by GPS and compass; none without them.
    pub gps: Option<[f64; 3]>,
    /// Errors of GPS and compass, m, m, rad.
    pub gps_std: [f64; 3],
    /// Error of the lidar, m.
    pub lidar_std: f64,
    /// Whether its paths are drawn.
    pub trace: bool,
}

/// Where a lidar measures from, in the robot's frame: x forward, y to the left, counter-clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LidarPlace {
    /// x and y, m.
    pub position: [f64; 2],
    /// Bearing of the first beam, rad.
    pub first_bearing: f64,
    /// From each beam to the next, rad; negative to the right.
    pub step_bearing: f64,
}

/// Bytes of a picture, wherever they are.
pub type Rgb = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// What a camera has.
#[derive(Clone)]
pub enum Shot {
    /// The robot has no camera.
    NoCamera,
    /// It has not taken a picture yet, and will when time goes on.
    NotYet,
    /// It has taken one that is being drawn.
    Soon,
    /// The newest one.
    Picture {
        /// Counts the pictures of this camera, upwards, also across resets.
        number: u64,
        /// RGB, top row first.
        rgb: Rgb,
    },
}

/// What a program does to a robot. Poses are x, y (m) and heading (rad).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RobotAction {
    /// Drives with m/s and rad/s.
    Velocity {
        /// Forward, m/s.
        linear: f64,
        /// Counter-clockwise, rad/s.
        angular: f64,
    },
    /// Turns the wheels, rad/s.
    Wheels {
        /// The left one.
        left: f64,
        /// The right one.
        right: f64,
    },
    /// Gives one of its actuators a value.
    Actuate {
        /// Its number among the robot's own, from 0.
        actuator: u32,
        /// In its own unit.
        value: f64,
    },
    /// Puts it elsewhere, and its odometry with it; its drawn paths begin anew.
    Place([f64; 3]),
    /// Makes it believe to be elsewhere.
    Believe([f64; 3]),
    /// Back to its start, at rest.
    Reset,
    /// Another error of the executed motion, m and rad a cycle.
    OdometryStd([f64; 2]),
    /// Another error of GPS and compass, m, m, rad.
    GpsStd([f64; 3]),
    /// Another error of the lidar, m.
    LidarStd(f64),
    /// Draws its paths or not.
    Trace(bool),
}

/// Who drives a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driver {
    /// People, with keys or a stick; or what is built in.
    People,
    /// A program, by its number; people cannot.
    Program(u32),
    /// A program is there and lets people drive.
    PeopleBesides(u32),
}

/// From where people look at the robots.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewpoint {
    /// From where.
    pub mode: ViewMode,
    /// From how far: 0 near to 1 far.
    pub zoom: f32,
    /// At which robot.
    pub robot: u32,
}

/// From where people look at a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ViewMode {
    /// Over the robot's shoulder.
    #[default]
    ThirdPerson,
    /// From above.
    Top,
    /// As the robot sees.
    FirstPerson,
}

/// What changes the whole world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldChange {
    /// The realistic world.
    Realistic,
    /// The maze.
    Maze,
    /// An empty maze: ground and robot.
    Clear,
    /// Another maze: a text map or a picture (PNG, JPEG, GIF, WebP, BMP).
    Load(Vec<u8>),
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Too much waits already; later it may be done.
    #[error("too much waits for the simulation already")]
    Busy,
    /// It never will be.
    #[error("{0}")]
    Refused(String),
}
