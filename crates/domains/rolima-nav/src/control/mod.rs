//! Control: from where the robot is and should be to voltages (section 6.2).
//!
//! | module | what |
//! |---|---|
//! | [`pid`] | one PID with saturation and anti-windup |
//! | [`provisional`] | the thesis's two PIDs with a provisional target |
//! | [`tracker`] | a trajectory tracker with voltages from the model (beyond the thesis) |

pub mod pid;
pub mod provisional;
pub mod tracker;

pub use pid::{Gains, Pid};
pub use provisional::Provisional;
pub use tracker::{Tracker, TrackerGains};
