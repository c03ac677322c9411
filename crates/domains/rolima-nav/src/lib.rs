//! Navigation of two-wheeled robots: estimate, plan, time, control.
//!
//! Poses and voltages in, poses and voltages out: nothing here knows the simulator, so the same
//! code steers a real robot. No call looks at a clock, blocks or allocates (but for `new` of both
//! works in [`mod@bench`], which no robot calls); all of it runs at 1 kHz with room to spare. Bad input
//! gives a [`NavError`], or counts as not seen; it never becomes NaN.
//!
//! The chain is that of D. P. F. Pedrosa, "Sistema de Navegação para Robôs Móveis Autônomos"
//! (UFRN, 2001), "the thesis" below. Each module says which of its equations it has, and where it
//! departs from them.
//!
//! ```
//! use rolima_math::Pose2;
//! use rolima_nav::drive::Parameters;
//! use rolima_nav::{Goal, Navigator, Settings, NavStatus};
//!
//! let drive = Parameters::THESIS.drive()?;
//! let mut navigator = Navigator::new(&drive, Settings { delay: 1, ..Settings::default() })?;
//! let goal = Goal::stop_at(Pose2::new(0.5, 0.5, -0.87));
//! // Every 30 ms: what vision saw, or None; where to go; who is in the way.
//! let output = navigator.frame(Some(Pose2::IDENTITY), Some(goal), &[]);
//! assert_eq!(output.status, NavStatus::Driving);
//! assert!(output.volts.right.abs() <= 9.0);
//! # Ok::<(), rolima_nav::NavError>(())
//! ```
//!
//! | module | what | thesis |
//! |---|---|---|
//! | [`estimate`] | where the robot is, through gaps, noise and delay | 4 |
//! | [`path`] | paths between poses | 5.1-5.5, B |
//! | [`route`], [`field`] | the quickest of them, around what is in the way | 5.1 |
//! | [`trajectory`] | references and speed profiles | 5.6 |
//! | [`control`] | voltages | 6.2 |
//! | [`drive`] | the model, equation 6.12 | 6.1 |
//! | [`navigator`] | all of it, once a frame | 6.4 |
//! | [`intercept`] | meeting a rolling ball | 7 |
//! | [`arrays`] | what of it is written to files and read back | |

pub mod arrays;
mod barrier;
pub mod bench;
pub mod control;
mod detours;
pub mod drive;
mod error;
pub mod estimate;
pub mod field;
pub mod intercept;
pub mod navigator;
pub mod path;
pub mod route;
pub mod trajectory;

pub use barrier::Barrier;
pub use drive::{Drive, MotorVolts};
pub use error::NavError;
pub use field::{Detours, Field, Obstacle};
pub use navigator::{Caps, Goal, NavStatus, Navigator, Output, Settings};

/// Positions closer than this, m, count as the same.
pub const COINCIDENT: f64 = 1e-9;
