//! The files of scenes in a log.

use super::value::short;
use data_encoding::BASE64;
use rolima_scene::{Bundle, BundledFiles, Root};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Most bytes of all files of a scene that a log holds: a terrain, meshes and pictures of the largest
/// sizes that scenes may have. A reader holds those of two scenes at most.
pub const MOST_BUNDLE_BYTES: u64 = 256 << 20;

/// Which files a scene was read from, and how.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SourceFields {
    root: RootField,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    set: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    files: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RootField {
    File(String),
    Text(String),
    Map { folder: Option<String> },
}

impl SourceFields {
    pub(super) fn of(bundle: &Bundle) -> Self {
        let root = match bundle.root.clone() {
            Root::File(name) => RootField::File(name),
            Root::Text(name) => RootField::Text(name),
            Root::Map { folder } => RootField::Map { folder },
        };
        let files = bundle.files.keys().map(ToString::to_string).collect();
        Self { root, set: bundle.sets.clone(), title: bundle.title.clone(), files }
    }
}

/// What is in a file: its text, or its bytes in base64.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ContentFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl ContentFields {
    pub(super) fn of(bytes: &[u8]) -> Self {
        // Other control characters take six bytes each in JSON, more than base64 does.
        let is_plain = |c: char| c >= ' ' || matches!(c, '\n' | '\r' | '\t');
        match str::from_utf8(bytes) {
            Ok(text) if text.chars().all(is_plain) => {
                Self { text: Some(text.to_owned()), base64: None }
            }
            _ => Self { text: None, base64: Some(BASE64.encode(bytes)) },
        }
    }

    /// The bytes; else what was expected and what stands there.
    pub(super) fn bytes(self) -> Result<Arc<[u8]>, (String, String)> {
        match (self.text, self.base64) {
            (Some(text), None) => Ok(text.into_bytes().into()),
            (None, Some(coded)) => match BASE64.decode(coded.as_bytes()) {
                Ok(bytes) => Ok(bytes.into()),
                Err(why) => Err(("`base64` of a file".to_owned(), why.to_string())),
            },
            (text, _) => {
                let got = if text.is_some() { "both" } else { "neither" };
                Err(("`text` or `base64` of a file".to_owned(), got.to_owned()))
            }
        }
    }
}

/// The files that a log holds at a place in it. Writer and reader agree: those of the last scene, and
/// those that came after it.
#[derive(Default)]
pub(super) struct Known {
    scene: BundledFiles,
    since: BundledFiles,
    since_bytes: u64,
}

impl Known {
    /// The files of a scene that have to be written before it.
    pub(super) fn missing(&self, bundle: &Bundle) -> Vec<(Arc<str>, Arc<[u8]>)> {
        let is_new = |(name, bytes): &(&Arc<str>, &Arc<[u8]>)| self.scene.get(*name) != Some(bytes);
        let new = bundle.files.iter().filter(is_new);
        new.map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
    }

    /// A scene begins whose files are all written.
    pub(super) fn begin(&mut self, bundle: &Bundle) {
        *self = Self { scene: bundle.files.clone(), ..Self::default() };
    }

    /// A file was read; else what was expected.
    pub(super) fn add(&mut self, name: &str, bytes: Arc<[u8]>) -> Result<(), (String, String)> {
        self.since_bytes += bytes.len() as u64;
        self.since.insert(name.into(), bytes);
        if self.since_bytes > MOST_BUNDLE_BYTES {
            let expected = format!("files of at most {} MiB a scene", MOST_BUNDLE_BYTES >> 20);
            return Err((expected, "more".to_owned()));
        }
        Ok(())
    }

    /// Files that were read since the last scene began.
    pub(super) fn count(&self) -> usize {
        self.since.len()
    }

    /// A scene was read, which begins now. Tells if one of its files is not there.
    pub(super) fn take(&mut self, fields: SourceFields) -> Result<Bundle, (String, String)> {
        let mut files = BundledFiles::new();
        for name in fields.files {
            let bytes = self.since.get(name.as_str()).or_else(|| self.scene.get(name.as_str()));
            let Some(bytes) = bytes else {
                let expected = "the files of the scene before it".to_owned();
                return Err((expected, format!("nothing of {:?}", short(&name))));
            };
            files.insert(name.as_str().into(), bytes.clone());
        }
        let root = match fields.root {
            RootField::File(name) => Root::File(name),
            RootField::Text(name) => Root::Text(name),
            RootField::Map { folder } => Root::Map { folder },
        };
        let bundle = Bundle { root, sets: fields.set, title: fields.title, files };
        self.begin(&bundle);
        Ok(bundle)
    }

    /// How many files a scene names.
    pub(super) fn wanted(fields: &SourceFields) -> usize {
        fields.files.len()
    }
}
