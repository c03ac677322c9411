//! What a live run starts with.

use super::contract::MapSource;
use super::log::LogWriter;
use super::mailbox::QUEUE_LENGTH;
use super::replaying::Replaying;
use crate::speed::Speed;
use rolima_core::Model;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a live run starts with.
pub struct Setup {
    /// What the scene is called.
    pub name: String,
    /// The scene.
    pub model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<Arc<MapSource>>,
    /// What people may want to know of the pictures that it was read from, a line each.
    pub notes: Vec<String>,
    /// Key of all random numbers.
    pub seed: u64,
    /// How fast the world shall run.
    pub speed: Speed,
    /// Whether it stands still at first.
    pub paused: bool,
    /// Ends the run after so many steps, counted over resets and other scenes.
    pub steps: Option<u64>,
    /// Ends the run soon after somebody sets it.
    pub stop: Arc<AtomicBool>,
    /// Whether the run is over when its world is: a vehicle has left a terrain that ends. Else the
    /// world then stands still, and a reset lets it go on.
    pub ends_with_world: bool,
    /// Lock step: the world advances only with its controllers, and begins with so many of them.
    pub lock_step: Option<u32>,
    /// Requests that may wait.
    pub queue_length: usize,
    /// Where to log what is done to the world.
    pub log: Option<LogWriter>,
    /// A log to replay: nobody else can change the world then, and the run ends, or stands still, with it.
    pub replay: Option<Replaying>,
}

impl Setup {
    /// A scene with its own seed, in real time, until it is stopped.
    pub fn new(name: &str, model: Arc<Model>) -> Self {
        Self {
            name: name.to_owned(),
            seed: model.spec.sim.seed,
            model,
            map: None,
            notes: vec![],
            speed: Speed::REAL_TIME,
            paused: false,
            steps: None,
            stop: Arc::default(),
            ends_with_world: false,
            lock_step: None,
            queue_length: QUEUE_LENGTH,
            log: None,
            replay: None,
        }
    }
}
