//! A simulation as bytes: the world's words by its snapshot, what agents remember by serde.
//!
//! ```text
//! "rolimsim" · version · checksum of all that follows · length of the world's part · world · agents
//! ```
//!
//! Numbers are 64 bits wide, little-endian. The checksum tells damage. It is no seal: a file that was
//! forged with care is not told from a good one.

use crate::simulation::Agents;
use rolima_core::{Model, SnapshotError, World};
use rolima_math::Hash64;

const MAGIC: [u8; 8] = *b"rolimsim";

/// Version of the format: another one with every change of what agents remember, and of fingerprints.
const VERSION: u64 = 2;

/// Bytes of magic, version, checksum and length.
const HEAD: usize = 32;

/// Why bytes are not a saved simulation of this scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// Something else.
    #[error("expected a saved simulation, got something else")]
    NotSaved,
    /// Saved by another version of the program.
    #[error("expected a simulation saved in format {VERSION}, got format {0}")]
    Version(u64),
    /// Cut off or changed.
    #[error("the saved simulation is damaged: {0}")]
    Damaged(&'static str),
    /// Of another scene, or not of a world.
    #[error("{0}")]
    World(#[from] SnapshotError),
}

/// A world and its agents as bytes.
pub(crate) fn bytes_of(world: &World, agents: &Agents) -> Vec<u8> {
    let state = world.snapshot();
    let mut rest = (state.len() as u64).to_le_bytes().to_vec();
    rest.extend_from_slice(&state);
    // Nothing in agents is of unknown length or refuses to be written.
    rest.extend(postcard::to_allocvec(agents).unwrap_or_default());
    let mut bytes = MAGIC.to_vec();
    // Version and checksum.
    bytes.resize(HEAD - 8, 0);
    bytes.extend_from_slice(&rest);
    seal(bytes)
}

/// Bytes with the version of the format and the checksum that belongs to them; short ones are filled up.
pub(crate) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.resize(bytes.len().max(HEAD), 0);
    bytes[8..16].copy_from_slice(&VERSION.to_le_bytes());
    let sum = checksum(&bytes[HEAD - 8..]);
    bytes[16..24].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// The world's part of saved bytes, and the agents.
pub(crate) fn read<'a>(model: &Model, bytes: &'a [u8]) -> Result<(&'a [u8], Agents), RestoreError> {
    let word = |i: usize| bytes.get(8 * i..8 * i + 8)?.try_into().ok().map(u64::from_le_bytes);
    if bytes.get(..8) != Some(&MAGIC[..]) {
        return Err(RestoreError::NotSaved);
    }
    let cut_off = RestoreError::Damaged("it is cut off");
    let (Some(version), Some(sum), Some(length)) = (word(1), word(2), word(3)) else {
        return Err(cut_off);
    };
    if version != VERSION {
        return Err(RestoreError::Version(version));
    }
    if checksum(&bytes[HEAD - 8..]) != sum {
        return Err(RestoreError::Damaged("its checksum does not fit: it is cut off or changed"));
    }
    let parts =
        usize::try_from(length).ok().and_then(|length| bytes[HEAD..].split_at_checked(length));
    let (world, agents) = parts.ok_or(cut_off)?;
    let damaged = RestoreError::Damaged("what its agents remember makes no sense");
    let (agents, rest) =
        postcard::take_from_bytes::<Agents>(agents).map_err(|_| damaged.clone())?;
    if !rest.is_empty() {
        return Err(damaged);
    }
    // Of which scene it is, before what of its bodies may be.
    let fingerprint =
        world.get(8..16).and_then(|word| word.try_into().ok()).map(u64::from_le_bytes);
    if let Some(got) = fingerprint.filter(|&got| got != model.fingerprint) {
        return Err(SnapshotError::OtherModel { expected: model.fingerprint, got }.into());
    }
    let fits = agents.go_to.fits(model) && agents.grabs.fits(model);
    if fits { Ok((world, agents)) } else { Err(damaged) }
}

fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Hash64::default();
    hash.word(bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash.word(u64::from_le_bytes(word));
    }
    hash.finish()
}
