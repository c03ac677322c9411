//! What columns are, and who takes rows.

use std::io;

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What it is.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: String,
    /// Whether it holds numbers of 64 bits, rather than of 32.
    pub is_double: bool,
}

impl Column {
    /// A column of numbers of 64 bits.
    pub fn double(name: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), unit: unit.to_owned(), is_double: true }
    }

    /// A column of numbers of 32 bits.
    pub fn single(name: &str, unit: &str) -> Self {
        Self { is_double: false, ..Self::double(name, unit) }
    }

    /// `robot.blue-1.x [m]`.
    pub fn head(&self) -> String {
        if self.unit.is_empty() {
            return self.name.clone();
        }
        format!("{} [{}]", self.name, self.unit)
    }
}

/// A table that is written row by row.
pub trait TableSink {
    /// Takes a row, a number a column; what is not there is NaN.
    fn row(&mut self, values: &[f64]) -> Result<(), TableError>;

    /// Writes what is left.
    fn end(&mut self) -> Result<(), TableError>;
}

/// A table that cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// The format cannot hold it.
    #[error("the table cannot be written: {0}")]
    Format(String),
    /// It was called off.
    #[error("it was stopped")]
    Stopped,
    /// The recording cannot be read.
    #[error(transparent)]
    Recording(#[from] rolima_record::RecordError),
}
