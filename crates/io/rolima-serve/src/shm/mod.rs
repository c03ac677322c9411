//! The state block: a live run's newest publications in memory that other processes can map.
//!
//! One writer, any number of readers, nobody waits. A publication is copied into the next slot of a
//! ring; a slot's sequence number is odd while it is written, so a reader that was overtaken
//! notices and copies again. Every access is an atomic one of 64 bits. The layout is told in
//! docs/shared-memory.md; `include/rolima_state.h` reads it from C.
//!
//! | module | what |
//! |---|---|
//! | `memory` | mapped files as words |
//! | `layout` | where everything lies |
//! | `names` | the names of channels |
//! | `place` | files, and which of them are alive |
//! | `page` | where the run's page is |
//! | `ready` | blocks made beside the loop |
//! | `writer` | publishes |
//! | `reader` | copies |

mod layout;
mod memory;
mod names;
mod page;
mod place;
mod reader;
mod ready;
mod writer;

pub use layout::{LAYOUT_VERSION, MAGIC};
pub use names::ChannelsCopy;
pub use page::{PageFile, page_of};
pub use place::{BlockPlace, FindError, RunningState, find_state, running_states, runtime_folder};
pub use reader::{PublicationCopy, SceneCopy, StateReader};
pub(crate) use ready::prepare_scene;
pub use writer::StateWriter;

use std::io;
use std::path::{Path, PathBuf};

/// Why a state block cannot be made or read.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The file cannot be made, opened or mapped.
    #[error("state block {}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{}: {problem}", path.display())]
    NoBlock {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Its numbers contradict one another.
    #[error("the state block is damaged")]
    Damaged,
    /// The writer overtook the reader every time.
    #[error("the state block changes faster than it can be read")]
    Busy,
}

impl StateError {
    fn file(path: &Path, source: io::Error) -> Self {
        Self::File { path: path.to_owned(), source }
    }
}
