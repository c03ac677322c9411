//! Recordings whose bytes are the same everywhere: shared by the golden test and by the module that computes
//! them on wasm32.

use crate::once::record;
use crate::options::{Options, PictureFormat};
use rolima_math::Hash64;
use rolima_scene::{Source, load};

/// Scenes, each with an early and a late moment, ms: six robots and a ball; a vehicle on rough ground; all
/// kinds of sensors, with the pictures of cameras.
pub const MOMENTS: [(&str, u32, u32); 3] =
    [("soccer", 200, 3200), ("hills", 200, 2500), ("watched", 100, 1200)];

/// The hash of the whole file of a recording of a built-in scene, after so many milliseconds; 0 where there
/// is no such scene.
pub fn hash(name: &str, ms: u32) -> u64 {
    let Ok(scene) = Source::resolve(name).and_then(|source| load(&source, &[])) else { return 0 };
    let options = Options { pictures: Some(PictureFormat::Png), ..Options::default() };
    let mut file = vec![];
    match record(name, &scene, f64::from(ms) * 1e-3, &options, &mut file) {
        Ok(_) => hash_of(&file),
        Err(_) => 0,
    }
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = Hash64::default();
    hash.word(bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash.word(u64::from_le_bytes(word));
    }
    hash.finish()
}
