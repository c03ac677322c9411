//! Built-in scenes whose state hashes are the same everywhere: the one list of them, for the golden
//! test of `rolima-core` and for the module that computes them on wasm32.

use crate::{SceneError, Source, load};
use rolima_model::Model;
use std::sync::Arc;

/// A scene with golden state hashes, which stand in `tests/golden.txt` of `rolima-core`.
#[derive(Clone, Copy, Debug)]
pub struct Golden {
    /// Its name in `golden.txt`.
    pub name: &'static str,
    /// The built-in scene.
    pub scene: &'static str,
    /// What is changed in it, as by `--set`.
    pub sets: &'static [&'static str],
    /// The moments of the hashes, ms. Debug builds, which are slow, run to the early one only.
    pub early_ms: u32,
    /// See `early_ms`.
    pub late_ms: u32,
}

/// All of them.
pub const GOLDENS: [Golden; 4] = [
    // Three against three with random voltages.
    Golden {
        name: "soccer",
        scene: "soccer",
        sets: &["driver=random"],
        early_ms: 2_000,
        late_ms: 60_000,
    },
    // 500 robots in a hall with random voltages.
    Golden {
        name: "crowd",
        scene: "crowd",
        sets: &["robots=500", "driver=random"],
        early_ms: 200,
        late_ms: 60_000,
    },
    // Twelve robots with noisy sensors of every kind that wander through a hall.
    Golden { name: "senses", scene: "tests/senses", sets: &[], early_ms: 300, late_ms: 20_000 },
    // A rover with noisy sensors of every kind that wanders over hills.
    Golden { name: "rough", scene: "tests/rough", sets: &[], early_ms: 300, late_ms: 20_000 },
];

impl Golden {
    /// The golden of a name, if there is one.
    pub fn named(name: &str) -> Option<&'static Self> {
        GOLDENS.iter().find(|golden| golden.name == name)
    }

    /// Its world's model.
    pub fn model(&self) -> Result<Arc<Model>, SceneError> {
        let sets: Vec<String> = self.sets.iter().map(|&set| set.to_owned()).collect();
        let scene = load(&Source::BuiltIn(format!("{}.toml", self.scene)), &sets)?;
        Ok(Arc::new(scene.compile()?))
    }
}
