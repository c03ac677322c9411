//! Codecs of the live protocol and of Robot One: bytes in, checked messages out; no sockets.
//!
//! The live protocol's schema is `proto/live.proto`; the page uses the same file. What comes from
//! outside goes through [`decode`], which bounds and checks everything; what goes out is made from
//! a model and from [`Now`], the world at one instant.
//!
//! ```
//! use rolima_wire::{Ask, decode, pb};
//! use rolima_wire::prost::Message;
//! use rolima_core::Command;
//! let drive = pb::Drive { body: 2, left: 3.0, right: -1.5, ..pb::Drive::default() };
//! let kind = pb::client_message::Kind::Drive(drive);
//! let bytes = pb::ClientMessage { kind: Some(kind) }.encode_to_vec();
//! let Ask::Drive(drive) = decode(&bytes)? else { panic!("a drive") };
//! let Command::Volts(volts) = drive.command else { panic!("voltages") };
//! assert_eq!((drive.body, volts.left, volts.right), (2, 3.0, -1.5));
//! # Ok::<(), rolima_wire::WireError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`pb`] | the messages as they are in the schema |
//! | [`ask`] | what a client asks, bounded and checked |
//! | [`role`] | which role every message of a client needs |
//! | [`map`] | a map that a client sends, the one long message |
//! | [`now`] | the world at one instant, and its frames: whole ones and differences |
//! | [`scene`] | what does not change, from a model |
//! | [`terrain`] | rough ground and what drives on it, from a model |
//! | [`event`] | what happened, in words |
//! | [`robotone`] | Robot One, a protocol of its own; all there is without the feature `live` |

#[cfg(feature = "live")]
mod actuate;
#[cfg(feature = "live")]
pub mod ask;
#[cfg(feature = "live")]
pub mod event;
#[cfg(feature = "live")]
mod goal;
#[cfg(feature = "live")]
pub mod heights;
#[cfg(feature = "live")]
pub mod map;
#[cfg(feature = "live")]
mod material;
#[cfg(feature = "live")]
mod mesh;
#[cfg(feature = "live")]
pub mod now;
pub mod robotone;
#[cfg(feature = "live")]
pub mod role;
#[cfg(feature = "live")]
pub mod scene;
#[cfg(feature = "live")]
mod sensing;
#[cfg(feature = "live")]
mod sensor;
#[cfg(feature = "live")]
pub mod terrain;
#[cfg(feature = "live")]
pub mod timeline;

#[cfg(feature = "live")]
pub use actuate::{ActuateAsked, Which};
#[cfg(feature = "live")]
pub use ask::{Ask, ChannelsAsked, DriveAsked, MOST_CHANNELS_WATCHED, WireError, decode};
#[cfg(feature = "live")]
pub use event::{EventNow, NOBODY};
#[cfg(feature = "live")]
pub use goal::GoalAsked;
#[cfg(feature = "live")]
pub use map::MapAsked;
#[cfg(feature = "live")]
pub use now::{BodyNow, ContactNow, Now, PoseNow, WheelNow};
#[cfg(feature = "live")]
pub use prost;
#[cfg(feature = "live")]
pub use role::Role;
#[cfg(feature = "live")]
pub use timeline::{GhostsAsked, SeriesAsked, TimeTravelAsked};

/// Version of the live protocol, as in `Welcome`.
pub const PROTOCOL: u32 = 1;

/// The messages as they are in the schema.
#[cfg(feature = "live")]
#[allow(missing_docs, unreachable_pub, clippy::all)] // generated
pub mod pb {
    include!(concat!(env!("OUT_DIR"), "/rolima.live.v1.rs"));
}
