//! What everybody who watches a run is told and warned of.

use pb::refusal::Code;
use rolima_run::live::log::{Difference, LogBroken};
use rolima_run::live::{RecordBroken, RecordNews};
use rolima_wire::pb;

/// What everybody who watches is warned of, now or later.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The log of this run has broken off.
    #[error(transparent)]
    LogBroken(#[from] LogBroken),
    /// The recording of this run has broken off.
    #[error(transparent)]
    RecordBroken(#[from] RecordBroken),
    /// The recording of this run lacks states.
    #[error("{file}: the disk is too slow: some states are not recorded")]
    RecordLost {
        /// The recording.
        file: String,
    },
    /// The run does not go as the log that it replays.
    #[error(
        "not as logged: {log}, line {}: after step {} expected state hash {:016x}, got {:016x}; \
         the same up to step {}",
        at.line, at.step, at.logged, at.got, at.same_until
    )]
    ReplayDiffers {
        /// The log.
        log: String,
        /// Where that was first seen.
        at: Difference,
    },
    /// The rest of a log cannot be replayed.
    #[error("{why}")]
    ReplayFailed {
        /// The log.
        log: String,
        /// Why, with the line.
        why: String,
    },
}

impl From<RecordNews> for Warning {
    fn from(news: RecordNews) -> Self {
        match news {
            RecordNews::Broken(broken) => Self::RecordBroken(broken),
            RecordNews::Lost { file } => Self::RecordLost { file },
        }
    }
}

impl Warning {
    /// As a code, for pages that word it in their own language.
    pub(super) fn message(&self) -> pb::Refusal {
        match self {
            Self::LogBroken(LogBroken { file, why }) => {
                pb::Refusal { detail: why.clone(), ..named(Code::LogBroken, file) }
            }
            Self::RecordBroken(RecordBroken { file, why }) => {
                pb::Refusal { detail: why.clone(), ..named(Code::RecordBroken, file) }
            }
            Self::RecordLost { file } => named(Code::RecordLost, file),
            Self::ReplayDiffers { log, at } => {
                pb::Refusal { most: at.same_until, got: at.step, ..named(Code::ReplayDiffers, log) }
            }
            Self::ReplayFailed { log, why } => {
                pb::Refusal { detail: why.clone(), ..named(Code::ReplayFailed, log) }
            }
        }
    }
}

/// What everybody who watches is told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Notice {
    /// Of a program that may use the released library.
    #[error(
        "A program takes pictures at the release's port: if its first one is cut off, start the run \
         with --prime-receive-window."
    )]
    FirstPicture,
    /// A log was replayed to its end.
    #[error("The replay of {log} is over.")]
    ReplayOver {
        /// The log.
        log: String,
    },
}

impl Notice {
    pub(super) fn level(&self) -> pb::notice::Level {
        match self {
            Self::FirstPicture => pb::notice::Level::Warning,
            Self::ReplayOver { .. } => pb::notice::Level::Info,
        }
    }

    /// As a code, for pages that word it in their own language.
    pub(super) fn message(&self) -> pb::Refusal {
        match self {
            Self::FirstPicture => named(Code::FirstPicture, ""),
            Self::ReplayOver { log } => named(Code::ReplayOver, log),
        }
    }
}

fn named(code: Code, name: &str) -> pb::Refusal {
    pb::Refusal { code: code.into(), name: name.to_owned(), ..pb::Refusal::default() }
}
