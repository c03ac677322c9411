//! Blocks that whoever loads a scene makes ready, so that the loop only has to turn to them.

use super::layout::{BlockLayout, Needed};
use super::memory::SharedWords;
use super::names;
use super::place;
use crate::web::SceneLoaded;
use rolima_core::{Model, Schema, schema};
use rolima_run::live::{Loaded, MOST_CHANNELS, MapSource, Prepared};
use rolima_wire::prost::Message;
use rolima_wire::{pb, scene};
use std::fs::File;

/// Most bytes of a scene's generation in its message.
const GENERATION_BYTES: usize = 16;

/// A block with a scene in it that nobody can read yet: it has neither a header nor a name.
pub(super) struct Ready {
    pub(super) layout: BlockLayout,
    pub(super) words: SharedWords,
    /// The memory that other processes can map; none where the words are this process's own.
    pub(super) memory: Option<File>,
    /// How much of it is the scene.
    pub(super) lengths: Lengths,
}

impl Ready {
    /// A block for a scene. Takes as long as it takes to fill its memory.
    pub(super) fn new(needed: Needed, encoded: &Encoded) -> Self {
        let layout = BlockLayout::for_scene(needed);
        let count = layout.total_words();
        let (memory, words) = match place::memory(count) {
            Some((file, words)) => (Some(file), words),
            None => (None, SharedWords::anonymous(count)),
        };
        // The loop's first publications find the pages there, too.
        words.touch();
        encoded.store(&words, &layout);
        Self { layout, words, memory, lengths: encoded.lengths() }
    }

    /// The scene in it.
    pub(super) fn encoded(&self) -> Encoded {
        let Self { layout, words, lengths, .. } = self;
        Encoded {
            scene: words.bytes(layout.scene_at(), lengths.scene),
            names: words.bytes(layout.names_at(), lengths.names),
        }
    }
}

/// A scene as a block has it.
pub(super) struct Encoded {
    /// Its message, but for its generation, which only the loop knows.
    scene: Vec<u8>,
    /// The names of its channels.
    names: Vec<u8>,
}

/// Bytes of a scene's message, but for its generation, and of its channels' names.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    pub(super) scene: usize,
    pub(super) names: usize,
}

impl Encoded {
    pub(super) fn lengths(&self) -> Lengths {
        Lengths { scene: self.scene.len(), names: self.names.len() }
    }

    /// Puts it where a layout has it.
    pub(super) fn store(&self, words: &SharedWords, layout: &BlockLayout) {
        words.store_bytes(layout.scene_at(), 0, &self.scene);
        words.store_bytes(layout.names_at(), 0, &self.names);
    }
}

/// A scene that is ready to run and to be shown: what the loop need not do. May take long.
pub(crate) fn prepare_scene(name: String, scene: SceneLoaded) -> Loaded {
    let SceneLoaded { model, map, notes, source } = scene;
    let mut loaded = Loaded::new(name, model, map);
    (loaded.notes, loaded.source) = (notes, source);
    let encoded = encoded(&loaded.name, &loaded.model, loaded.map.as_deref(), &loaded.notes);
    let needed = needed(&loaded.model, encoded.lengths());
    loaded.prepared = if BlockLayout::for_scene(Needed::default()).holds(needed) {
        Prepared::new(encoded)
    } else {
        Prepared::new(Ready::new(needed, &encoded))
    };
    loaded
}

/// A scene as a block has it.
pub(super) fn encoded(
    name: &str,
    model: &Model,
    map: Option<&MapSource>,
    notes: &[String],
) -> Encoded {
    let mut message = scene::message(model, 0, name);
    message.notes = notes.to_vec();
    message.map = map.map(|map| {
        let [width, height] = map.size.unwrap_or_default();
        pb::SceneMap { text: map.text.clone(), width, height }
    });
    let names = names::text(&Schema::first(model, MOST_CHANNELS)).into_bytes();
    Encoded { scene: message.encode_to_vec(), names }
}

/// What stands behind the rest of a scene's message: fields may stand in any order.
pub(super) fn generation(number: u32) -> Vec<u8> {
    pb::Scene { generation: number, ..pb::Scene::default() }.encode_to_vec()
}

/// What a scene needs room for whose parts are so long.
pub(super) fn needed(model: &Model, lengths: Lengths) -> Needed {
    let bodies = model.body_count();
    let vehicles = model.spec.robots.iter().flat_map(|robot| &robot.vehicle);
    Needed {
        bodies,
        zones: model.spec.zones.len(),
        readings: model.readings(),
        poses: model.poses_in_space(),
        wheels: vehicles.map(|vehicle| vehicle.wheels.len()).sum(),
        channels: schema::count(model).min(MOST_CHANNELS),
        scene_bytes: lengths.scene + GENERATION_BYTES,
        names_bytes: lengths.names,
    }
}
