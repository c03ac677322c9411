//! Pacing and threads: runs worlds in real time, N times faster, or as fast as possible.
//!
//! The core looks at no clock and starts no threads; this crate does both for it. Neither changes
//! a bit of what happens in the world.
//!
//! ```
//! use rolima_run::live::{Live, Setup};
//! use rolima_run::{Speed, thread_pool};
//! # use rolima_core::model::{Model, SceneSpec};
//! # let model = Model::compile(&SceneSpec::default()).expect("an empty scene");
//! let setup = Setup::new("empty", model.into());
//! let live = Live::new(Setup { speed: Speed::Max, steps: Some(1000), ..setup });
//! let outcome = thread_pool(2)?.install(|| live.run());
//! assert_eq!(outcome.report.steps, 1000);
//! # Ok::<(), rolima_run::PoolError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`speed`] | how fast a world shall run |
//! | [`clock`] | wall time, real or played by a test |
//! | [`pace`] | which steps are due now, without ever running after a debt |
//! | [`memory`] | gives freed memory back to the system |
//! | [`live`] | a world that people and programs act on and look at while it runs |
//! | [`stopwatch`] | where the time of a step goes |
//! | [`report`] | how a run went |
//! | [`quantities`] | what it tells programs of its world, as JSON |
//! | [`score`] | goals by team |
//! | [`batch`] | steps many independent worlds on all cores |
//! | [`pool`] | the threads of a large world or of a batch |

pub mod batch;
mod chunk;
pub mod clock;
pub mod live;
pub mod memory;
pub mod pace;
pub mod pool;
pub mod quantities;
pub mod report;
pub mod score;
pub mod speed;
pub mod stopwatch;

pub use batch::Batch;
pub use clock::{Clock, WallClock};
pub use pace::steps_for;
pub use pool::{PoolError, thread_pool};
pub use report::Report;
pub use speed::{Speed, SpeedError};
