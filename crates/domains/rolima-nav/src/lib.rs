//! Navigation of two-wheeled robots: estimate, plan, time, control.
//!
//! Poses and voltages in, poses and voltages out: nothing here knows the simulator, so the same
//! code steers a real robot. No call allocates, looks at a clock or blocks; all of it runs at
//! 1 kHz with room to spare. Bad input gives a [`NavError`], never NaN.
//!
//! The chain is that of D. P. F. Pedrosa, "Sistema de Navegação para Robôs Móveis Autônomos"
//! (UFRN, 2001), "the thesis" below. Each module says which of its equations it has, and where it
//! departs from them.

pub mod bench;
pub mod control;
pub mod drive;
mod error;
pub mod estimate;
pub mod field;
pub mod intercept;
pub mod navigator;
pub mod path;
pub mod route;
pub mod trajectory;

pub use drive::{Drive, Volts};
pub use error::NavError;
pub use field::{Field, Obstacle};
pub use navigator::{Goal, Navigator, Output, Settings, Status};

/// Positions closer than this, m, count as the same.
pub const COINCIDENT: f64 = 1e-9;
