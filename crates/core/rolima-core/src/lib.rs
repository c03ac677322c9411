//! World, step and stages: the planar engine of Rolimã.
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
//! The core does no I/O, looks at no clock, starts no threads, and its step cannot fail: bad
//! commands are refused at the door, a body that turns non-finite is quarantined at its last good
//! pose and reported.

mod acceleration;
pub mod actuators;
pub mod commands;
pub mod contacts;
pub mod dynamics;
pub mod events;
pub mod frame;
mod motion;
mod over;
pub mod pressing;
pub mod probe;
pub mod publish;
mod push;
pub mod rough;
pub mod schema;
pub mod scratch;
pub mod sensors;
pub mod snapshot;
pub mod state;
mod step;
mod tyre_forces;
mod walls;
mod world;

pub use commands::{Command, Control, Refusal, Volts};

pub use events::{Event, EventKind, EventLog, Happened};
pub use frame::{BodyFrame, Frame, Observer, WheelFrame};
pub use motion::Twist;
pub use over::End;
pub use pressing::{Presser, Pressing};
pub use probe::{Part, Probe};
pub use rolima_model as model;
pub use rolima_model::{BodyId, Model, RobotId};
pub use rough::{RoughState, ServoState};
pub use schema::{Channel, GoalReport, Instant, Schema};
pub use sensors::{CameraNoise, Exposure, SenseState};
pub use snapshot::SnapshotError;
pub use state::State;
pub use tyre_forces::TyreForce;
pub use walls::WallIndex;
pub use world::World;
