//! What is wrong with a map.

use crate::foreign::foreign;
use crate::picture::FORMATS;
use thiserror::Error;

/// Most errors of a text map that are kept; how many more there are is said.
pub const MAX_ERRORS: usize = 100;
/// Most errors that are told at once: more would scroll the first ones away.
const MOST_TOLD: usize = 20;

/// Why a map could not be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MapError {
    /// A text map with mistakes.
    #[error("{}", lines(.errors, *.count))]
    Text {
        /// The first [`MAX_ERRORS`] of them, from the top of the file.
        errors: Vec<TextError>,
        /// How many there are in all.
        count: usize,
    },
    /// A picture that cannot be read, or that is no drawing of a map.
    #[error("{file}: expected {expected}, got {got}")]
    Picture {
        /// Name of the file.
        file: String,
        /// What would be right.
        expected: String,
        /// What was there.
        got: String,
    },
    /// A file that is neither a picture nor a text map.
    #[error("{file}: expected a text map in UTF-8 or a {FORMATS} picture, got {got}")]
    Unknown {
        /// Name of the file.
        file: String,
        /// What it is.
        got: String,
    },
    /// A size was given for a map that has its own.
    #[error("{file}: expected no size, as a text map says its own coordinates, got one")]
    SizeOfText {
        /// Name of the file.
        file: String,
    },
}

/// One mistake in a text map.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}:{line}:{column}: expected {expected}, got {got}")]
pub struct TextError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What would be right.
    pub expected: String,
    /// What was there.
    pub got: String,
}

impl MapError {
    pub(crate) fn picture(file: &str, expected: impl Into<String>, got: impl Into<String>) -> Self {
        Self::Picture { file: file.to_owned(), expected: expected.into(), got: got.into() }
    }

    pub(crate) fn unknown(file: &str, bytes: &[u8]) -> Self {
        Self::Unknown { file: file.to_owned(), got: foreign(bytes).to_owned() }
    }
}

fn lines(errors: &[TextError], count: usize) -> String {
    let mut lines: Vec<String> = errors.iter().take(MOST_TOLD).map(ToString::to_string).collect();
    if count > lines.len() {
        lines.push(format!("... and {} more errors", count - lines.len()));
    }
    lines.join("\n")
}
