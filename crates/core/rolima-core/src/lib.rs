//! World, step and stages of Rolimã, and its two engines.
//!
//! A [`World`] is a constant [`Model`], a complete [`State`] and throw-away scratch memory.
//! [`World::step`] reads as an index of six stages, in this order, each in a module of its name:
//!
//! | stage | module | reads => writes |
//! |---|---|---|
//! | 1 | [`commands`] | queue, drivers => commanded voltages and speeds |
//! | 2 | [`actuators`] | commanded voltages and speeds => motor voltages |
//! | 3 | [`dynamics`] | motion, motor voltages => motion without contacts |
//! | 4 | [`contacts`] | motion before and after => motion with contacts |
//! | 5 | [`sensors`] | motion => wheels counted, readings, zones, score |
//! | 6 | [`publish`] | state => step count, events, frame |
//!
//! What moves bodies is one of two engines, [`planar`] and [`spatial`]; a stage calls it by `engine`, the
//! one place that asks which one runs.
//!
//! The core does no I/O, looks at no clock, starts no threads, and its step cannot fail: bad
//! commands are refused when they are given, a body that turns non-finite is quarantined at its
//! last good pose and reported.

pub mod actuators;
pub mod commands;
pub mod contact_points;
pub mod contacts;
pub mod dynamics;
mod engine;
pub mod events;
pub mod frame;
mod motion;
pub mod planar;
pub mod probe;
pub mod publish;
mod rules;
pub mod schema;
pub mod scratch;
pub mod sensors;
pub mod snapshot;
mod sound;
pub mod spatial;
pub mod state;
mod step;
mod walls;
mod world;

pub use commands::{Command, CommandRefusal, Control, Volts};

pub use contact_points::{ContactPoint, Presser};
pub use engine::WorldEnd;
pub use events::{Event, EventKind, EventLog, Happened};
pub use frame::{BodyFrame, Frame, Observer, WheelFrame};
pub use motion::Twist;
pub use planar::tyre_forces::TyreForce;
pub use probe::{Probe, StepPart};
pub use rolima_model as model;
pub use rolima_model::{BodyId, Model, RobotId};
pub use schema::{Channel, GoalReport, Instant, Schema};
pub use sensors::{CameraNoise, Exposure, SenseState};
pub use snapshot::SnapshotError;
pub use state::State;
pub use walls::WallIndex;
pub use world::{KeptWorld, World};
