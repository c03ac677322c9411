//! The state block in shared memory, the web server of a live run, and the server of Robot One.
//!
//! | module | what |
//! |---|---|
//! | [`addresses`] | addresses as people write them |
//! | [`goals`] | where robots are sent, for viewers to see |
//! | `profile` | where the time of steps goes, while somebody looks |
//! | [`senses`] | what robots see: pictures of their cameras, drawn once for everybody who asks |
//! | [`shm`] | the state block: written by the simulation, read by viewers, nobody waits |
//! | [`timeline`] | which instant of the run is shown |
//! | [`web`] | page, WebSockets and their safety |
//! | `vanished` | when a connection is given up because the other machine is gone |
//! | `waiting` | connections that may have to make way for others |
//! | [`worlds`] | the worlds of a run: what it is started with, what is loaded later |
//! | [`robotone`] | programs that drive robots over a plain TCP connection |
//!
//! A simulation writes through one [`StateWriter`]; the web server reads the same block as any
//! other viewer does. So what viewers cost does not depend on how many there are.

pub mod addresses;
pub mod goals;
mod profile;
pub mod robotone;
pub mod senses;
pub mod shm;
pub mod timeline;
mod vanished;
mod waiting;
pub mod web;
pub mod worlds;

pub use goals::{GoalSink, GoalsNow, SharedGoals};
pub use profile::{Looking, ProfileSink, SharedProfile};
pub use robotone::{RobotOneOptions, RobotOneServer, RobotOneServerHandle};
pub use senses::{CameraImage, SenseSink, Senses};
pub use shm::{
    BlockPlace, ChannelsCopy, PageFile, StateError, StateReader, StateWriter, running_states,
};
pub use timeline::{SharedTimeline, TimelineSink};
pub use web::{
    Backend, Listen, Relay, Server, ServerError, ServerHandle, ServerLimits, ServerOptions,
};
pub use worlds::{OpenedWorld, WorldSource};
