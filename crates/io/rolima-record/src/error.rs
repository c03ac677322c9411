//! Why a recording cannot be read, replayed or written.

use rolima_run::live::log::LogError;
use std::io;

/// Why a recording cannot be read, replayed or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read or written.
    #[error("{file}: {source}")]
    File {
        /// Which file.
        file: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// Something in the file is not as it should be.
    #[error("{file}, byte {offset}: expected {expected}, got {got}")]
    At {
        /// Which file.
        file: String,
        /// Where in it.
        offset: u64,
        /// What should stand there.
        expected: String,
        /// What stands there.
        got: String,
    },
    /// The recording reads, but what was asked for cannot be done with it.
    #[error("{file}: expected {expected}, got {got}")]
    Not {
        /// Which file.
        file: String,
        /// What it should be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// The actions in it cannot be replayed; lines are those of its log.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Some of a text that stands in a file, for a message.
pub(crate) fn short(text: &str) -> String {
    const MOST: usize = 60;
    let clean: String = text.chars().take(MOST).flat_map(char::escape_default).collect();
    if text.chars().nth(MOST).is_some() { format!("{clean}...") } else { clean }
}
