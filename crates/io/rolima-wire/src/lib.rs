//! Codec of the live protocol: bytes in, checked messages out; no sockets.
//!
//! The schema is `proto/live.proto`; the page uses the same file. What comes from outside goes
//! through [`decode`], which bounds and checks everything; what goes out is made from a model and
//! from [`Now`], the world at one instant.
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
//! | [`map`] | a map that a client sends, the one long message |
//! | [`now`] | the world at one instant, and its frames: whole ones and differences |
//! | [`scene`] | what does not change, from a model |
//! | [`event`] | what happened, in words |

pub mod ask;
pub mod event;
pub mod map;
pub mod now;
pub mod scene;
mod sensor;

pub use ask::{Ask, DriveAsked, WireError, decode};
pub use event::{EventNow, Happening};
pub use map::MapAsked;
pub use now::{BodyNow, ContactNow, Now};
pub use prost;

/// Version of the protocol, as in `Welcome`.
pub const PROTOCOL: u32 = 1;

/// The messages as they are in the schema.
#[allow(missing_docs, unreachable_pub, clippy::all)] // generated
pub mod pb {
    include!(concat!(env!("OUT_DIR"), "/rolima.live.v1.rs"));
}
