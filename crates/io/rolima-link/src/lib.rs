//! The camera link: a team's own programs get the pictures of an overhead camera, as if it were a real one.
//!
//! ```text
//!  live loop ── LinkSink ──► newest shot ──► thread of a camera: draws what changed, encodes the patches
//!                                                     │ frames, shared by all who get them
//!                                  ┌──────────────────┼──────────────────┐
//!                                  ▼                  ▼                  ▼
//!                             UDP receivers      TCP clients        MJPEG viewers
//! ```
//!
//! First goes the picture of the empty field, then of every frame what differs from it, without loss: each frame can
//! be laid over the background alone, so that one that is missing harms no other. The bytes are in
//! [docs/camera-link.md](../../../../docs/camera-link.md).
//!
//! | module | what |
//! |---|---|
//! | [`messages`] | what both sides say, as bytes |
//! | [`pixels`] | patches as what compresses well, and back |
//! | [`encoder`], [`decoder`] | frames to bytes; bytes to whole frames |
//! | [`datagrams`] | messages in pieces that fit into datagrams, and back |
//! | `server` | cameras' threads, sockets and clients (feature `server`) |

pub mod datagrams;
pub mod decoder;
pub mod encoder;
pub mod messages;
pub mod pixels;
#[cfg(feature = "server")]
pub mod server;

pub use datagrams::{Assembler, split};
pub use decoder::{FrameError, PictureDecoder};
pub use encoder::PictureEncoder;
pub use messages::{
    CameraInfo, ClientMessage, FrameHead, FramePatch, MOST_BODY_BYTES, MOST_PIXELS, MessageError,
    ServerMessage, Turn,
};
