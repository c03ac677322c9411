//! What is wrong with a scene.

use thiserror::Error;

/// A value of a scene that cannot be. The scene reader adds file and line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{key}: expected {expected}, got {got}")]
pub struct ModelError {
    /// Dotted path of the key, such as `robot.0.drive.mass`.
    pub key: String,
    /// What would be right.
    pub expected: String,
    /// What was there.
    pub got: String,
}

impl ModelError {
    /// An error for `key`.
    pub fn new(key: impl Into<String>, expected: impl Into<String>, got: impl ToString) -> Self {
        Self { key: key.into(), expected: expected.into(), got: got.to_string() }
    }
}
