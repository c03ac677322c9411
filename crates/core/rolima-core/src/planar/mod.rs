//! The planar engine: bodies that move on the plane, robots on two wheels.
//!
//! | module | what |
//! |---|---|
//! | `state`, `scratch` | what changes, in blocks of eight lanes; memory that can be thrown away |
//! | `commands` | commands as voltages and speeds of two wheels |
//! | `actuators` | stage 2: speed controllers, supply |
//! | [`dynamics`] | stage 3: motion without contacts |
//! | `errors` | stage 3: errors of the executed motion |
//! | [`contacts`] | stage 4: contacts in the plane |
//! | `senses`, `ray_targets` | stage 5: wheels, touches; the world cut at the heights of rays, and uncut |
//! | `place` | putting bodies elsewhere, blows from outside |
//! | `motors`, [`tyre_forces`], `contact_points` | motors, tyres and contact points, for those who look |
//! | `channels` | quantities that only this engine has |

pub(crate) mod actuators;
pub(crate) mod channels;
pub(crate) mod commands;
pub(crate) mod contact_points;
pub mod contacts;
pub mod dynamics;
pub(crate) mod errors;
pub(crate) mod motors;
pub(crate) mod placing;
pub(crate) mod ray_targets;
mod scratch;
pub(crate) mod senses;
mod state;
pub mod tyre_forces;

pub(crate) use scratch::Scratch;
pub(crate) use state::place;
pub use state::{Block, CachedImpulse, State, VoltBlock};
