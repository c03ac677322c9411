//! Random bytes through the reader and the replay of command logs.
#![no_main]

use rolima_core::model::{BallSpec, Model, SceneSpec};
use std::sync::{Arc, LazyLock};

/// A robot and a ball.
static MODEL: LazyLock<Arc<Model>> = LazyLock::new(|| {
    let scene = SceneSpec { balls: vec![BallSpec::default()], ..SceneSpec::default() };
    Arc::new(Model::compile(&scene).expect("a good scene"))
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| rolima_run::live::log::fuzz_entry(bytes, &MODEL));
