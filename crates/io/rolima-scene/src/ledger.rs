//! The ledger: every parameter of a scene with its unit, meaning and where it came from.

use std::fmt;
use std::sync::Arc;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A scene file. Built-in files are named `built-in:robots/minirobot.toml`.
    File {
        /// Name of the file as the user can find it.
        file: Arc<str>,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    },
    /// A `--set` argument: its text `KEY=VALUE`.
    Set(Arc<str>),
    /// Nobody said it: the source of the default, such as `2001 paper`.
    Default(&'static str),
}

impl Origin {
    /// Whether the value is a default.
    pub fn is_default(&self) -> bool {
        matches!(self, Self::Default(_))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { file, line, .. } => write!(f, "{file}:{line}"),
            Self::Set(argument) => write!(f, "--set {argument}"),
            Self::Default(source) => write!(f, "default ({source})"),
        }
    }
}

/// One parameter of a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerRow {
    /// Dotted path, such as `robot.0.drive.mass`.
    pub key: String,
    /// The value as it would be written in a scene file.
    pub value: String,
    /// Unit; `1` for a pure number and `-` for what is not a number.
    pub unit: &'static str,
    /// What it is, in one line.
    pub meaning: &'static str,
    /// Where it came from.
    pub origin: Origin,
}

/// Every parameter that was read for a scene, in the order of reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    rows: Vec<LedgerRow>,
}

impl Ledger {
    /// All rows.
    pub fn rows(&self) -> &[LedgerRow] {
        &self.rows
    }

    /// The row of a key.
    pub fn find(&self, key: &str) -> Option<&LedgerRow> {
        self.rows.iter().find(|row| row.key == key)
    }

    /// Takes out a key that has no meaning in this scene after all.
    pub(crate) fn forget(&mut self, key: &str) {
        self.rows.retain(|row| row.key != key);
    }

    pub(crate) fn record(&mut self, row: LedgerRow) {
        self.rows.push(row);
    }
}
