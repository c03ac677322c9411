//! Pure sensor models: no I/O, no clock, no threads.
//!
//! A sensor is a specification (constant, from the scene) and a state (plain data that belongs to
//! the world's state). It is shown the truth and returns a reading; what it gets wrong comes from
//! its own random stream, keyed by (seed, robot, device), so that adding a sensor changes no other
//! one's noise. Standard deviations are part of the state, as they may be set while the world runs.
//! Every reading takes the same number of draws, whatever the standard deviations are: switching
//! one off does not shift the noise of another.
//!
//! | module | what |
//! |---|---|
//! | [`rays`] | walls and bodies cut by a plane; single rays and whole scans; rays in space |
//! | [`sensors`] | GPS and compass, odometry, encoders, lidar, sonar, IMU, bumper |
//! | [`truth`] | what there is to be sensed |
//! | [`noise`] | Gaussian errors out of a stream |
//! | [`words`] | states as words, for hashes and snapshots |
//! | [`mazes`], [`bench`](mod@bench) | worlds by rule, and the work of the lidar benchmarks |

pub mod bench;
pub mod mazes;
pub mod noise;
pub mod rays;
pub mod sensors;
pub mod truth;
pub mod words;

pub use rolima_model::Rate;
pub use truth::{SpaceTruth, Truth};
pub use words::Words;
