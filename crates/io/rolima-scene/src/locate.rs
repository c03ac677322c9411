//! From a key of the whole scene back to the file and line that it was read from.

use crate::error::SceneError;
use crate::ledger::{Ledger, Origin};
use rolima_model::ModelError;
use std::collections::BTreeMap;
use std::ops::Range;

/// A table of a file: its path for people and where it stands.
#[derive(Clone, Debug)]
struct TablePlace {
    path: String,
    origin: Origin,
}

/// Which tables the entries of the specification were read from.
///
/// The model counts robots, walls and shapes over the whole scene; files count their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    tables: BTreeMap<String, TablePlace>,
    ranges: Vec<(&'static str, Range<usize>, TablePlace)>,
}

impl Places {
    /// `spec_key` (such as `wall.3`) was read from the table `path`.
    pub(crate) fn add(&mut self, spec_key: String, path: &str, origin: &Origin) {
        self.tables.insert(spec_key, TablePlace { path: path.to_owned(), origin: origin.clone() });
    }

    /// All of `kind.{range}` was read from the table `path`.
    pub(crate) fn add_range(
        &mut self,
        kind: &'static str,
        range: Range<usize>,
        path: &str,
        origin: &Origin,
    ) {
        self.ranges.push((
            kind,
            range,
            TablePlace { path: path.to_owned(), origin: origin.clone() },
        ));
    }

    /// The error of the model with the file and line that caused it.
    pub(crate) fn locate(&self, ledger: &Ledger, scene: &Origin, error: &ModelError) -> SceneError {
        let (path, table) = self.file_path(&error.key);
        let written = prefixes(&path).find_map(|prefix| {
            let row = ledger.find(prefix).filter(|row| !row.origin.is_default());
            row.map(|row| &row.origin)
        });
        let origin = written.or(table.as_ref().map(|table| &table.origin)).unwrap_or(scene);
        SceneError::Value {
            origin: origin.clone(),
            key: path,
            expected: error.expected.clone(),
            got: error.got.clone(),
        }
    }

    /// The path in files of a key of the specification, and the table that it lies in.
    fn file_path(&self, spec_key: &str) -> (String, Option<TablePlace>) {
        for prefix in prefixes(spec_key) {
            let place = self.tables.get(prefix).or_else(|| self.in_range(prefix));
            if let Some(place) = place {
                let rest = &spec_key[prefix.len()..];
                // Chassis and wheels stand in the robot itself.
                let rest = rest.strip_prefix(".vehicle").unwrap_or(rest);
                return (format!("{}{rest}", place.path), Some(place.clone()));
            }
        }
        (spec_key.to_owned(), None)
    }

    fn in_range(&self, prefix: &str) -> Option<&TablePlace> {
        let (kind, number) = prefix.split_once('.')?;
        let number: usize = number.parse().ok()?;
        let hit = |range: &&(&str, Range<usize>, TablePlace)| {
            range.0 == kind && range.1.contains(&number)
        };
        self.ranges.iter().find(hit).map(|(_, _, place)| place)
    }
}

/// `a.b.c`, `a.b`, `a`.
fn prefixes(key: &str) -> impl Iterator<Item = &str> {
    let ends = key.rmatch_indices('.').map(|(dot, _)| dot);
    std::iter::once(key.len()).chain(ends).map(|end| &key[..end])
}
