//! Recordings of runs: MCAP files that hold all of a run, for replay to the same bits, and its course, for
//! any program that reads MCAP. What is in them is written down in docs/recording.md.
//!
//! ```text
//!  live loop ──sees, notes──► FileRecorder ──bounded queue──► thread: messages, chunks ──► file
//!  file ──► Recording: scenes, samples, events, pictures, saved simulations, actions ──► Playback, verify
//! ```
//!
//! | module | what |
//! |---|---|
//! | `recorder`, `queue`, `item` | what a run shows, on its way to the thread that writes |
//! | `output`, `foxglove`, `pictures` | messages; those that Foxglove knows; pictures |
//! | `container_writer`, `compress` | chunks, their indexes and the summary; making chunks smaller |
//! | `layout`, `plan`, `decode`, `schema` | which message has which channel; writing and reading it; how scenes stand in files |
//! | `container`, `input`, `walk` | a file's chunks, whole or cut off; going over messages |
//! | `recording`, `samples` | what is read |
//! | `text`, `playback` | a recording's actions as a log; a run from any instant on |
//! | `folder` | recordings by their names, for a page |
//! | `history`, `recorded_rerun` | going to any instant, simulated again or as it was recorded |
//! | [`mod@verify`] | whether a run goes as recorded, and what differs first |
//! | [`mod@repair`] | a whole file of what can be read of one |
//! | `any_run` | a run that goes forward, of a scene, a log or a recording |
//! | `once`, `golden` | a recording without a live loop; some whose bytes are the same everywhere |

mod any_run;
mod compress;
mod container;
mod container_writer;
mod decode;
mod error;
mod folder;
mod foxglove;
#[doc(hidden)]
pub mod fuzzing;
#[doc(hidden)]
pub mod golden;
mod history;
mod input;
mod item;
mod layout;
mod names;
mod once;
mod options;
mod output;
mod pictures;
mod plan;
mod playback;
mod queue;
mod recorded_rerun;
mod recorder;
mod recording;
pub mod repair;
mod samples;
mod schema;
mod text;
pub mod verify;
mod walk;

pub use any_run::AnyRun;
pub use error::RecordError;
pub use folder::{FolderEntry, RecordingsFolder};
pub use history::RecordedHistory;
pub use once::{record, record_into};
pub use options::{Options, PictureFormat};
pub use playback::{Beginning, BranchOrigin, GoOn, Playback};
pub use recorder::{FileRecorder, RecordAlarm};
pub use recording::{
    About, EventIter, PictureIter, RecordedPicture, Recording, RunEvent, SavedState,
};
pub use repair::{Repaired, repair};
pub use samples::{RecordedSample, Samples};
pub use schema::{RecordedChannel, RecordedScene};
pub use verify::{Differs, Verified, verify};

/// The messages that all recordings have, and their descriptors.
mod pb {
    // Generated; of some only the descriptors are needed.
    #![allow(missing_docs, unreachable_pub, dead_code, clippy::all)]
    pub mod foxglove {
        include!(concat!(env!("OUT_DIR"), "/foxglove.rs"));
    }
    pub mod rolima {
        include!(concat!(env!("OUT_DIR"), "/rolima.rs"));
    }
    pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/messages.bin"));
}
