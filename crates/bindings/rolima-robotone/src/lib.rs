//! A client of Robot One: drive robots of a simulator, or real ones, over TCP.
//!
//! ```no_run
//! use rolima_robotone::RobotOne;
//! let mut robot = RobotOne::connect("127.0.0.1")?;
//! robot.set_velocity([0.5, 0.0])?;
//! while robot.lidar()?.readings[17] > 1.0 {
//!     robot.wait()?;
//! }
//! robot.set_velocity([0.0, 0.0])?;
//! # Ok::<(), rolima_robotone::RobotOneError>(())
//! ```
//!
//! A connection has one robot, the first unless [`RobotOne::select`] says otherwise; for several
//! robots, connect several times. Positions are in metres, angles in radians, x forward, y to the
//! left, headings counter-clockwise.

mod connection;
mod robot;
mod scan;

pub use connection::{Options, RobotOne, RobotOneError};
pub use robot::Picture;
pub use rolima_wire::robotone::{Dialect, Reply};
pub use scan::{LidarScan, fix_angle};
