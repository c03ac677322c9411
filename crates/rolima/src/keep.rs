//! What a run keeps to go back to, and where viewers' recordings are.

use clap::Args;
use rolima_console::numbers::{seconds, whole};
use rolima_record::RecordingsFolder;
use rolima_run::live::Keep;
use std::path::PathBuf;
use std::sync::Arc;

/// Most memory that can be asked for, MiB.
const MOST_MIB: u32 = 1 << 20;

#[derive(Debug, Args)]
pub(crate) struct KeepArguments {
    /// How much of a live run is kept in memory to go back to, s of simulated time; 0: nothing
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60")]
    pub(crate) keep: f64,

    /// The most memory for that, MiB; where it does not suffice, less is kept
    #[arg(long, value_name = "MIB", value_parser = whole(1..=MOST_MIB), default_value = "256")]
    pub(crate) keep_memory: u32,

    /// The folder for recordings that are begun on the page or sent to it; made when there is one
    #[arg(long, value_name = "DIR", default_value = "recordings")]
    pub(crate) recordings: PathBuf,
}

impl KeepArguments {
    /// How much a run keeps that somebody looks at.
    pub(crate) fn kept(&self) -> Keep {
        Keep { seconds: self.keep, bytes: u64::from(self.keep_memory) << 20 }
    }

    /// The folder for recordings.
    pub(crate) fn folder(&self) -> Arc<RecordingsFolder> {
        Arc::new(RecordingsFolder::new(&self.recordings))
    }
}
