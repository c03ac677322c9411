//! Bytes to what somebody forged of a saved simulation, and 100 steps of it.
//!
//! The first byte says of which scene, the second how long it had run. Then come changes, of 13 bytes each:
//! where (four bytes: even ones in the world's part, odd ones in that of its agents), how (one byte) and
//! what (eight). The checksum is made to fit.

use crate::drive::check_bodies;
use rolima_agents::Simulation;
use rolima_agents::fuzzing::{saved_in_action, sealed};
use rolima_core::model::Model;
use rolima_scene::{Source, load};
use std::sync::{Arc, LazyLock};

/// Steps of a run.
pub const STEPS: u64 = 100;

/// The scenes, and what is saved of them early and late.
static SAVED: LazyLock<Vec<(Arc<Model>, [Vec<u8>; 2])>> = LazyLock::new(|| {
    let built_in = |name: &&str| {
        let source = Source::BuiltIn(format!("{name}.toml"));
        let scene = load(&source, &[]).expect("a scene of the program");
        let model = Arc::new(scene.compile().expect("a model"));
        let saved =
            [40, 700].map(|steps| saved_in_action(Simulation::new(Arc::clone(&model)), steps));
        (model, saved)
    };
    ["soccer", "maze", "hills", "go-to"].iter().map(built_in).collect()
});

/// Reads the bytes as changes of what was saved, and goes on with it if it is taken; panics where something
/// is wrong with that.
///
/// Returns whether it was taken.
pub fn run(bytes: &[u8]) -> bool {
    let [scene, late, changes @ ..] = bytes else { return false };
    let (model, saved) = &SAVED[usize::from(*scene) % SAVED.len()];
    let forged = forge(&saved[usize::from(*late) % 2], changes);
    let mut simulation = Simulation::new(Arc::clone(model));
    if simulation.restore(&forged).is_err() {
        return false;
    }
    simulation.steps(STEPS);
    if model.spatial().is_none() {
        check_bodies(simulation.world());
    }
    let mut goals = vec![];
    simulation.publish_goals(&mut goals);
    simulation.save();
    true
}

/// What was saved with changes, and with a checksum that fits.
fn forge(good: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    let word = |at: usize| good[at..at + 8].try_into().map(u64::from_le_bytes).unwrap_or(0);
    let world = 32 + word(24) as usize;
    for change in changes.as_chunks::<13>().0 {
        let [a, b, c, d, how, what @ ..] = *change;
        let place = u32::from_le_bytes([a, b, c, d]);
        // Not the head of the world's part, which says of which scene it is.
        let (from, to) = if place & 1 == 0 { (32 + 24, world) } else { (world, bytes.len()) };
        let mut at = from + (place >> 1) as usize % (to - from);
        if place & 1 == 0 {
            at -= at % 8;
        }
        let count = if how & 1 == 0 { 8 } else { 1 + usize::from(how >> 1 & 7) };
        let room = count.min(bytes.len() - at);
        bytes[at..at + room].copy_from_slice(&what[..room]);
    }
    sealed(bytes)
}
