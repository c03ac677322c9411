//! Worlds and a plain loop for the tests.
#![allow(dead_code, unreachable_pub)] // each test file uses a part

pub mod live;
pub mod pictures;
pub mod running;

use rolima_core::{Event, Frame, Instant, Model, World, schema};
use rolima_run::live::{MOST_CHANNELS, MapSource, Publication, PublishedScene, RunStatus, Sink};
use rolima_scene::{Source, load};
pub use rolima_testing::Folder;
use std::sync::Arc;

pub fn model(name: &str) -> Arc<Model> {
    let source = Source::resolve(name).expect("a built-in scene");
    Arc::new(load(&source, &[]).expect("a scene").compile().expect("a model"))
}

/// The files of a built-in scene.
pub fn bundle(name: &str) -> Arc<rolima_scene::Bundle> {
    let source = Source::resolve(name).expect("a built-in scene");
    Arc::new(load(&source, &[]).expect("a scene").bundle)
}

/// Steps a world and shows it.
pub struct Shown {
    pub world: World,
    pub generation: u32,
    pub status: RunStatus,
    frame: Frame,
    events: Vec<Event>,
    channels: Vec<f64>,
}

impl Shown {
    pub fn new(name: &str) -> Self {
        Self {
            world: World::new(model(name)),
            generation: 1,
            status: RunStatus { speed: 1.0, seed: 1, ..RunStatus::default() },
            frame: Frame::default(),
            events: vec![],
            channels: vec![],
        }
    }

    pub fn load(&mut self, name: &str, sink: &mut dyn Sink) {
        self.load_model(name, model(name), (None, &[]), sink);
    }

    pub fn load_model(
        &mut self,
        name: &str,
        model: Arc<Model>,
        (map, notes): (Option<&MapSource>, &[String]),
        sink: &mut dyn Sink,
    ) {
        self.world = World::new(model.clone());
        self.generation += 1;
        sink.scene(&PublishedScene {
            generation: self.generation,
            name,
            model: &model,
            map,
            notes,
            prepared: None,
        });
    }

    pub fn step_and_show(&mut self, sink: &mut dyn Sink) {
        self.world.step();
        self.show(sink);
    }

    pub fn show(&mut self, sink: &mut dyn Sink) {
        self.frame.fill(self.world.model(), self.world.state());
        self.events.clear();
        self.events.extend(self.world.take_events());
        let (world, frame) = (&self.world, &self.frame);
        let instant = Instant { world, frame, goals: &[] };
        schema::read_first(instant, MOST_CHANNELS, &mut self.channels);
        sink.publication(&Publication {
            timeline: &rolima_run::live::ShownTimeline::default(),
            generation: self.generation,
            frame: &self.frame,
            senses: &self.world.state().senses,
            goals: &[],
            channels: &self.channels,
            profile: None,
            contacts: &[],
            events: &self.events,
            events_dropped: 0,
            status: &self.status,
        });
    }
}
