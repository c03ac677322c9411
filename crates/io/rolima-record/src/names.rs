//! What things are called in recordings.

/// Version of the format.
pub(crate) const FORMAT: u32 = 1;
/// MCAP's profile, and its library without a version: equal runs give equal bytes with any.
pub(crate) const PROFILE: &str = "rolima";
/// What a recording says of itself, first and last.
pub(crate) const METADATA: &str = "rolima";
pub(crate) const METADATA_ORIGIN: &str = "rolima.origin";
pub(crate) const METADATA_END: &str = "rolima.end";
/// Lines of the run's log.
pub(crate) const LOG: &str = "/rolima/log";
/// Scenes and their channels.
pub(crate) const SCHEMA: &str = "/rolima/schema";
/// Saved simulations.
pub(crate) const SAVED: &str = "/rolima/saved";
/// Events, to be read by programs.
pub(crate) const EVENT: &str = "/rolima/event";
/// The same for people.
pub(crate) const EVENT_LOG: &str = "/events";
/// Where bodies are.
pub(crate) const TRANSFORMS: &str = "/tf";
/// What the scene looks like.
pub(crate) const SCENE: &str = "/scene";
/// The frame that all others are in.
pub(crate) const WORLD_FRAME: &str = "world";
