//! What reading a scene writes down: the ledger and the errors.

use crate::error::SceneError;
use crate::ledger::{Ledger, LedgerRow, Origin};
use crate::reader::Key;

/// Most errors that are kept: reading goes on after them, but they say enough.
const MOST_KEPT: usize = 1000;

/// The ledger and the errors found so far. Reading goes on after an error, with a stand-in for
/// the bad value, so that one run tells all of them.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) ledger: Ledger,
    errors: Vec<SceneError>,
}

impl Log {
    /// A value that cannot be.
    pub(crate) fn wrong(
        &mut self,
        origin: &Origin,
        key: impl Into<String>,
        expected: impl Into<String>,
        got: impl Into<String>,
    ) {
        self.error(SceneError::Value {
            origin: origin.clone(),
            key: key.into(),
            expected: expected.into(),
            got: got.into(),
        });
    }

    /// Any other error. The same one twice (six robots of one broken preset) is told once.
    pub(crate) fn error(&mut self, error: SceneError) {
        if self.errors.len() < MOST_KEPT && !self.errors.contains(&error) {
            self.errors.push(error);
        }
    }

    /// How many different errors there are.
    pub(crate) fn error_count(&self) -> usize {
        self.errors.len()
    }

    /// A parameter for the ledger.
    pub(crate) fn record(&mut self, path: String, value: String, key: &Key, origin: Origin) {
        let (unit, meaning) = (key.unit, key.meaning);
        self.ledger.record(LedgerRow { key: path, value, unit, meaning, origin });
    }

    /// The ledger, or all errors as one.
    pub(crate) fn finish(self) -> Result<Ledger, SceneError> {
        match SceneError::from_list(self.errors) {
            Some(error) => Err(error),
            None => Ok(self.ledger),
        }
    }
}
