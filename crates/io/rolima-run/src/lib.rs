//! Pacing and threads: runs worlds in real time, N times faster, or as fast as possible.
//!
//! The core looks at no clock and starts no threads; this crate does both for it. Neither changes
//! a bit of what happens in the world.
//!
//! ```
//! use rolima_core::World;
//! use rolima_run::{Runner, Speed, thread_pool};
//! # use rolima_core::model::{Model, SceneSpec};
//! # let model = Model::compile(&SceneSpec::default()).expect("an empty scene");
//! let mut world = World::new(model.into());
//! let mut runner = Runner::new(Speed::Max).for_steps(1000);
//! let report = thread_pool(2)?.install(|| runner.run(&mut world, |_turn, _world| {}));
//! assert_eq!(report.steps, 1000);
//! # Ok::<(), rolima_run::PoolError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`speed`] | how fast a world shall run |
//! | [`clock`] | wall time, real or played by a test |
//! | [`pace`] | which steps are due now, without ever running after a debt |
//! | [`live`] | a world that people and programs act on and look at while it runs |
//! | [`runner`] | runs a world until it is told to stop |
//! | [`report`] | how a run went |
//! | [`batch`] | steps many independent worlds on all cores |
//! | [`pool`] | the threads of a large world or of a batch |

pub mod batch;
mod chunk;
pub mod clock;
pub mod live;
pub mod pace;
pub mod pool;
pub mod report;
pub mod runner;
pub mod speed;

pub use batch::Batch;
pub use clock::{Clock, WallClock};
pub use pool::{PoolError, thread_pool};
pub use report::Report;
pub use runner::{Runner, Turn, steps_for};
pub use speed::{Speed, SpeedError};
