//! The golden runs as a wasm32 module that imports nothing: each function runs a scene for some
//! milliseconds and returns its state hash, or draws some pictures and returns theirs. It has to
//! equal the line of the same name in the core's, the spatial engine's or the renderer's
//! `tests/golden.txt`.

use rolima_core::World;
use rolima_scene::{Source, load};
use std::sync::Arc;

/// Three against three with random voltages.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_soccer(ms: u32) -> u64 {
    run("soccer.toml", &["driver=random"], ms)
}

/// 500 robots in a hall with random voltages.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_crowd(ms: u32) -> u64 {
    run("crowd.toml", &["robots=500", "driver=random"], ms)
}

/// Twelve robots with noisy sensors of every kind that wander through a hall.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_senses(ms: u32) -> u64 {
    run("tests/senses.toml", &[], ms)
}

/// A rover with noisy sensors of every kind that wanders over hills.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_rough(ms: u32) -> u64 {
    run("tests/rough.toml", &[], ms)
}

/// Pictures of the renderer's own stages.
macro_rules! pictures {
    ($($function:ident $name:literal;)*) => {$(
        #[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
        #[unsafe(no_mangle)]
        #[doc = concat!("Pictures of the golden `", $name, "`.")]
        pub extern "C" fn $function(count: u32) -> u64 {
            rolima_render::scenes::golden($name, count)
        }
    )*};
}

pictures! {
    golden_picture_maze "maze";
    golden_picture_road "road";
    golden_picture_nice "nice";
    golden_picture_tilted "tilted";
    golden_picture_world "world";
    golden_picture_hills "hills";
    golden_picture_rough "rough";
    golden_picture_textured "textured";
}

/// All vehicles on rough hills.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_vehicle_hills(ms: u32) -> u64 {
    rolima_spatial::golden::hash("vehicle_hills", ms)
}

/// Two vehicles with fine steps.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_vehicle_fine(ms: u32) -> u64 {
    rolima_spatial::golden::hash("vehicle_fine", ms)
}

/// Vehicles dropped on steep ground.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_vehicle_tumble(ms: u32) -> u64 {
    rolima_spatial::golden::hash("vehicle_tumble", ms)
}

/// Vehicles among free bodies and obstacles.
#[allow(unsafe_code, reason = "a module's host finds functions by their plain names")]
#[unsafe(no_mangle)]
pub extern "C" fn golden_vehicle_bodies(ms: u32) -> u64 {
    rolima_spatial::golden::hash("vehicle_bodies", ms)
}

/// The worlds are those of `tests/golden.rs` of the core. Scenes that do not compile give 0.
fn run(scene: &str, sets: &[&str], ms: u32) -> u64 {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let scene = load(&Source::BuiltIn(scene.to_owned()), &sets);
    let Some(model) = scene.ok().and_then(|scene| scene.compile().ok()) else { return 0 };
    let mut world = World::new(Arc::new(model));
    world.steps(u64::from(ms));
    world.state_hash()
}
