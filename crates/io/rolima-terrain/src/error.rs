//! What is wrong with a terrain file.

use thiserror::Error;

/// Why a terrain could not be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TerrainError {
    /// A mistake in a text.
    #[error("{file}:{line}:{column}: expected {expected}, got {got}")]
    Text {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What would be right.
        expected: String,
        /// What was there.
        got: String,
    },
    /// A picture that cannot be read, or bytes that are no text.
    #[error("{file}: expected {expected}, got {got}")]
    File {
        /// Name of the file.
        file: String,
        /// What would be right.
        expected: String,
        /// What was there.
        got: String,
    },
}

impl TerrainError {
    pub(crate) fn file(file: &str, expected: impl Into<String>, got: impl ToString) -> Self {
        Self::File { file: file.to_owned(), expected: expected.into(), got: got.to_string() }
    }
    pub(crate) fn text(
        file: &str,
        (line, column): (usize, usize),
        expected: impl Into<String>,
        got: impl ToString,
    ) -> Self {
        let mut got: String = got.to_string().chars().take(40).collect();
        if got.is_empty() {
            got = "the end".to_owned();
        }
        Self::Text { file: file.to_owned(), line, column, expected: expected.into(), got }
    }
}
