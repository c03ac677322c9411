//! Snapshot and restore: a state as bytes, bit for bit.

use crate::sound;
use crate::state::{State, Visitor};
use rolima_model::{BodyId, Model};

const MAGIC: u64 = u64::from_le_bytes(*b"rolima\x00\x03");

/// Why bytes are not a snapshot of this world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// Not a snapshot, or one of another version.
    NotASnapshot,
    /// A snapshot of another scene: fingerprints expected and got.
    OtherModel {
        /// This model's fingerprint.
        expected: u64,
        /// The snapshot's.
        got: u64,
    },
    /// Too short or too long: bytes expected and got.
    Length {
        /// Bytes that the header announces.
        expected: usize,
        /// Bytes that were given.
        got: usize,
    },
    /// That of another model with the same bodies, which has more or fewer numbers: bytes expected and got.
    Shape {
        /// Bytes that a state of this model has.
        expected: usize,
        /// Bytes of the state that was to become one.
        got: usize,
    },
    /// A word that no state has: what it says, and what was expected.
    Word {
        /// What it says.
        what: &'static str,
        /// What was expected.
        expected: &'static str,
    },
}

impl core::fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NotASnapshot => write!(f, "not a snapshot of this version"),
            Self::OtherModel { expected, got } => {
                write!(
                    f,
                    "snapshot of another scene: expected fingerprint {expected:016x}, got {got:016x}"
                )
            }
            Self::Length { expected, got } => {
                write!(f, "damaged snapshot: expected {expected} bytes, got {got}")
            }
            Self::Shape { expected, got } => {
                write!(
                    f,
                    "other settings: expected some that leave the state its {got} bytes, got some by which it \
                     has {expected}, such as another engine, sensor or driver"
                )
            }
            Self::Word { what, expected } => {
                write!(f, "damaged snapshot: {what}: expected {expected}, got something else")
            }
        }
    }
}

impl core::error::Error for SnapshotError {}

/// Writes or reads words, little-endian.
struct Words<'a> {
    out: Option<&'a mut Vec<u8>>,
    input: &'a [u8],
    count: usize,
}

impl Visitor for Words<'_> {
    fn word(&mut self, w: &mut u64) {
        self.count += 1;
        if let Some(out) = &mut self.out {
            out.extend_from_slice(&w.to_le_bytes());
        } else if let Some((head, tail)) = self.input.split_first_chunk::<8>() {
            *w = u64::from_le_bytes(*head);
            self.input = tail;
        }
    }
}

/// The state as bytes: magic, fingerprint, number of remembered contacts, then every word.
pub fn save(model: &Model, state: &State) -> Vec<u8> {
    let mut out = vec![];
    for word in [MAGIC, model.fingerprint, state.engine.remembered() as u64] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    state.clone().visit(model, &mut Words { out: Some(&mut out), input: &[], count: 0 });
    out
}

/// A state as that of another model with the same bodies, wherever that keeps them.
pub fn carry_over(from: &Model, to: &Model, state: &State) -> Result<Vec<u8>, SnapshotError> {
    let names = |model: &Model| -> Vec<String> {
        (0..model.body_count() as u32)
            .map(|body| model.body_name(BodyId(body)).to_owned())
            .collect()
    };
    sound::holds(names(from) == names(to), "its bodies", "the same bodies by the same names")?;
    let mut state = state.clone();
    state.engine.move_over(from, to);
    let mut bytes = save(from, &state);
    bytes[8..16].copy_from_slice(&to.fingerprint.to_le_bytes());
    Ok(bytes)
}

/// Reads a state back. Nothing is changed where the bytes do not fit, or say what no state does and a
/// step would stumble over.
pub fn load(model: &Model, bytes: &[u8], state: &mut State) -> Result<(), SnapshotError> {
    let word = |i: usize| {
        bytes.get(8 * i..8 * i + 8).and_then(|b| b.try_into().ok()).map(u64::from_le_bytes)
    };
    let (Some(MAGIC), Some(got), Some(remembered)) = (word(0), word(1), word(2)) else {
        return Err(SnapshotError::NotASnapshot);
    };
    if got != model.fingerprint {
        return Err(SnapshotError::OtherModel { expected: model.fingerprint, got });
    }
    if remembered > bytes.len() as u64 {
        return Err(SnapshotError::Length { expected: usize::MAX, got: bytes.len() });
    }
    let mut fresh = State::new(model, 0);
    fresh.engine.remember(remembered as usize);
    let mut counter = Words { out: None, input: &[], count: 0 };
    fresh.visit(model, &mut counter);
    let expected = 24 + 8 * counter.count;
    if bytes.len() != expected {
        return Err(SnapshotError::Length { expected, got: bytes.len() });
    }
    fresh.visit(model, &mut Words { out: None, input: &bytes[24..], count: 0 });
    fresh.check(model)?;
    // Flags, bytes and codes are words of which few values have a meaning.
    let kept = save(model, &fresh) == bytes;
    sound::holds(kept, "a flag or a code", "one that a state has")?;
    state.clone_from(&fresh);
    Ok(())
}
