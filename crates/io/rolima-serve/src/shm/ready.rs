//! Blocks that whoever loads a scene makes ready, so that the loop only has to turn to them.

use super::layout::{Layout, Needed};
use super::memory::Words;
use super::place;
use rolima_core::Model;
use rolima_run::live::log::Bundle;
use rolima_run::live::{Loaded, MapSource, Prepared};
use rolima_wire::prost::Message;
use rolima_wire::{pb, scene};
use std::fs::File;
use std::sync::Arc;

/// Most bytes of a scene's generation in its message.
const GENERATION_BYTES: usize = 16;

/// A block with a scene in it that nobody can read yet: it has neither a header nor a name.
pub(super) struct Ready {
    pub(super) layout: Layout,
    pub(super) words: Words,
    /// The memory that other processes can map; none where the words are this process's own.
    pub(super) memory: Option<File>,
    /// Length of the scene's message, but for its generation.
    pub(super) scene_bytes: usize,
}

impl Ready {
    /// A block for a scene whose message is `bytes`, but for its generation. Takes as long as it
    /// takes to fill its memory.
    fn new(needed: Needed, bytes: &[u8]) -> Self {
        let layout = Layout::for_scene(needed);
        let count = layout.total_words();
        let (memory, words) = match place::memory(count) {
            Some((file, words)) => (Some(file), words),
            None => (None, Words::anonymous(count)),
        };
        // The loop's first moments find the pages there, too.
        words.touch();
        words.store_bytes(layout.scene_at(), 0, bytes);
        Self { layout, words, memory, scene_bytes: bytes.len() }
    }

    /// The scene's message, but for its generation.
    pub(super) fn scene(&self) -> Vec<u8> {
        self.words.bytes(self.layout.scene_at(), self.scene_bytes)
    }
}

/// A scene that fits into every block: its message, but for its generation.
pub(super) struct Encoded(pub(super) Vec<u8>);

/// A scene that is ready to run and to be shown: what the loop need not do. May take long.
pub(crate) fn prepare_scene(
    name: String,
    model: Arc<Model>,
    map: Option<Arc<MapSource>>,
    source: Option<Arc<Bundle>>,
) -> Loaded {
    let mut loaded = Loaded::new(name, model, map);
    loaded.source = source;
    let bytes = encoded(&loaded.name, &loaded.model, loaded.map.as_deref());
    let needed = needed(&loaded.model, bytes.len());
    loaded.prepared = if Layout::for_scene(Needed::default()).holds(needed) {
        Prepared::new(Encoded(bytes))
    } else {
        Prepared::new(Ready::new(needed, &bytes))
    };
    loaded
}

/// The message of a scene, but for its generation, which only the loop knows.
pub(super) fn encoded(name: &str, model: &Model, map: Option<&MapSource>) -> Vec<u8> {
    let mut message = scene::message(model, 0, name);
    message.map = map.map(|map| {
        let [width, height] = map.size.unwrap_or_default();
        pb::SceneMap { text: map.text.clone(), width, height }
    });
    message.encode_to_vec()
}

/// What stands behind the rest of a scene's message: fields may stand in any order.
pub(super) fn generation(number: u32) -> Vec<u8> {
    pb::Scene { generation: number, ..pb::Scene::default() }.encode_to_vec()
}

/// What a scene needs room for whose message is so long, but for its generation.
pub(super) fn needed(model: &Model, scene_bytes: usize) -> Needed {
    let bodies = model.body_count();
    let vehicles = model.spec.robots.iter().flat_map(|robot| &robot.vehicle);
    Needed {
        bodies,
        zones: model.spec.zones.len(),
        readings: model.readings(),
        poses: if model.spec.ground.is_some() { bodies } else { 0 },
        wheels: vehicles.map(|vehicle| vehicle.wheels.len()).sum(),
        scene_bytes: scene_bytes + GENERATION_BYTES,
    }
}
