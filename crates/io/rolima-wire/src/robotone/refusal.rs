//! Why a request has no effect, and why a connection is of no use any more.

use super::{MOST_DATA_BYTES, MOST_NAME_BYTES};

/// Why a request has no effect; what comes after it is understood.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RobotOneRefusal {
    /// Nothing has this name.
    #[error("there is no `{0}`")]
    UnknownName(String),
    /// The same, of a set that seems to have had data.
    #[error(
        "there is no `{name}`: {bytes} bytes that came with it were taken for its data and passed over"
    )]
    UnknownData {
        /// The name.
        name: String,
        /// How many bytes were passed over.
        bytes: usize,
    },
    /// A set without a get.
    #[error("{0} cannot be asked for, only set")]
    NotGiven(&'static str),
    /// A get without a set.
    #[error("{0} cannot be set, only asked for")]
    NotTaken(&'static str),
    /// A number where data belongs, or the other way round.
    #[error("{name}: expected {expected}, got {got}")]
    WrongOp {
        /// Of what.
        name: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What came.
        got: &'static str,
    },
    /// Infinity, or no number.
    #[error("{name}: expected a finite number, got {got}")]
    NotFinite {
        /// Of what.
        name: &'static str,
        /// What came.
        got: f32,
    },
    /// A name that is too long.
    #[error("expected a name of at most {MOST_NAME_BYTES} bytes, got one of {0}")]
    NameTooLong(usize),
    /// Data that are too long.
    #[error("{name}: expected at most {MOST_DATA_BYTES} bytes of data, got {got}")]
    DataTooLong {
        /// Of what.
        name: &'static str,
        /// How many came.
        got: usize,
    },
    /// Data for which the server's [`super::Budget`] has no room now.
    #[error(
        "{name}: expected at most {most} bytes of data from all programs together that are on their \
         way or wait for their turn, got more with these {got}: send them again later"
    )]
    NoRoom {
        /// Of what.
        name: &'static str,
        /// What there is for all, bytes.
        most: usize,
        /// How many bytes these are.
        got: usize,
    },
    /// An op that does not exist.
    #[error("expected op 0 (get) or 1 (set), got {0}")]
    UnknownOp(u8),
}

/// Nobody can tell where the next request begins: the connection is of no use any more.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FramingLost {
    /// A name shorter than nothing.
    #[error("expected the length of a name, got {0}")]
    NameLength(i32),
    /// Data shorter than nothing.
    #[error("expected the size of data, got {0}")]
    DataSize(f64),
    /// An op that does not exist, in the dialect whose framing depends on it.
    #[error("expected op 0 (get), 1 (set) or 2 (set data), got {0}")]
    UnknownOp(u8),
}
