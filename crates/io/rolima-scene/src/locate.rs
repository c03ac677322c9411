//! From a key of the whole scene back to the file and line that it was read from.

use crate::error::SceneError;
use crate::ledger::{Ledger, Origin};
use rolima_model::{ModelError, check};
use std::collections::BTreeMap;
use std::ops::Range;

/// A table of a file: its path for people and where it stands.
#[derive(Clone, Debug)]
struct Place {
    path: String,
    origin: Origin,
}

/// Which tables the entries of the specification were read from.
///
/// The model counts robots, walls and shapes over the whole scene; files count their own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    tables: BTreeMap<String, Place>,
    ranges: Vec<(&'static str, Range<usize>, Place)>,
}

/// What the specification calls in radians and files write in degrees.
const RENAMED: [(&str, &str); 3] =
    [("from_angle", "from_deg"), ("to_angle", "to_deg"), ("omega", "omega_deg_s")];

impl Places {
    /// `spec_key` (such as `wall.3`) was read from the table `path`.
    pub(crate) fn add(&mut self, spec_key: String, path: &str, origin: &Origin) {
        self.tables.insert(spec_key, Place { path: path.to_owned(), origin: origin.clone() });
    }

    /// All of `kind.{range}` was read from the table `path`.
    pub(crate) fn add_range(
        &mut self,
        kind: &'static str,
        range: Range<usize>,
        path: &str,
        origin: &Origin,
    ) {
        self.ranges.push((kind, range, Place { path: path.to_owned(), origin: origin.clone() }));
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
            expected: as_written(&error.key, &error.expected),
            got: as_written(&error.key, &error.got),
        }
    }

    /// The path in files of a key of the specification, and the table that it lies in.
    fn file_path(&self, spec_key: &str) -> (String, Option<Place>) {
        for prefix in prefixes(spec_key) {
            let place = self.tables.get(prefix).or_else(|| self.in_range(prefix));
            if let Some(place) = place {
                let rest = rename(&spec_key[prefix.len()..]);
                return (format!("{}{rest}", place.path), Some(place.clone()));
            }
        }
        (spec_key.to_owned(), None)
    }

    fn in_range(&self, prefix: &str) -> Option<&Place> {
        let (kind, number) = prefix.split_once('.')?;
        let number: usize = number.parse().ok()?;
        let hit =
            |range: &&(&str, Range<usize>, Place)| range.0 == kind && range.1.contains(&number);
        self.ranges.iter().find(hit).map(|(_, _, place)| place)
    }
}

/// `a.b.c`, `a.b`, `a`.
fn prefixes(key: &str) -> impl Iterator<Item = &str> {
    let ends = key.rmatch_indices('.').map(|(dot, _)| dot);
    std::iter::once(key.len()).chain(ends).map(|end| &key[..end])
}

fn last_step(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or_default()
}

/// A text about `spec_key` in the names and degrees of files: `2 rad/s` becomes `114.591559026 deg/s`.
fn as_written(spec_key: &str, text: &str) -> String {
    if !RENAMED.iter().any(|(spec, _)| *spec == last_step(spec_key)) {
        return text.to_owned();
    }
    let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
    for i in 0..words.len() {
        if let Some((_, file)) = RENAMED.iter().find(|(spec, _)| *spec == words[i]) {
            words[i] = (*file).to_owned();
        }
        let number = i.checked_sub(1).and_then(|before| words[before].parse::<f64>().ok());
        if let (Some(radians), Some(rest)) = (number, words[i].strip_prefix("rad")) {
            words[i] = format!("deg{rest}");
            words[i - 1] = degrees_text(radians);
        }
    }
    words.join(" ")
}

/// An angle in degrees, without the last digits that the way through radians has spoilt.
fn degrees_text(radians: f64) -> String {
    let degrees = radians.to_degrees();
    check::shown(format!("{degrees:.11e}").parse().unwrap_or(degrees))
}

/// The rest of a key as files write it: chassis and wheels stand in the robot itself.
fn rename(rest: &str) -> String {
    let rest = rest.strip_prefix(".vehicle").unwrap_or(rest);
    let last = last_step(rest);
    match RENAMED.iter().find(|(spec, _)| *spec == last) {
        Some((_, file)) => format!("{}{file}", &rest[..rest.len() - last.len()]),
        None => rest.to_owned(),
    }
}
