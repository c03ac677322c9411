//! The golden runs as a wasm32 module that imports nothing: [`golden`] runs a world for some
//! milliseconds and returns its state hash, or draws some pictures or records a run and returns their hash. It
//! has to equal the line of the same name in the core's, the spatial engine's, the renderer's or the
//! recorder's `tests/golden.txt`. The worlds are listed in those crates and in `rolima_scene::golden`.

use rolima_core::World;
use rolima_scene::golden::Golden;
use std::sync::atomic::{AtomicU8, Ordering};

/// What the names of the renderer's goldens begin with here, as others have the same names.
const PICTURE: &str = "picture-";

/// What the names of recordings begin with here.
const RECORDING: &str = "recording-";

/// Where the host writes the name of a golden.
static NAME: [AtomicU8; 64] = [const { AtomicU8::new(0) }; 64];

/// The address of the 64 bytes that take the name of a golden.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn name_address() -> usize {
    NAME.as_ptr().addr()
}

/// The hash of the golden whose name of so many bytes was written, after `count` milliseconds or
/// pictures. 0 where there is none of that name.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden(name_bytes: u32, count: u32) -> u64 {
    let bytes = NAME.iter().take(name_bytes as usize).map(|byte| byte.load(Ordering::Relaxed));
    let name = String::from_utf8(bytes.collect()).unwrap_or_default();
    if let Some(picture) = name.strip_prefix(PICTURE) {
        return rolima_render::scenes::golden(picture, count);
    }
    if let Some(recording) = name.strip_prefix(RECORDING) {
        return rolima_record::golden::hash(recording, count);
    }
    match Golden::named(&name) {
        Some(golden) => planar(golden, count),
        None => rolima_spatial::golden::hash(&name, count),
    }
}

/// Scenes that do not compile give 0.
fn planar(golden: &Golden, ms: u32) -> u64 {
    let Ok(model) = golden.model() else { return 0 };
    let mut world = World::new(model);
    world.steps(u64::from(ms));
    world.state_hash()
}
