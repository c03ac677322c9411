//! What a live run starts with.

use super::contract::MapSource;
use super::history::{History, Keep, RunInstant};
use super::log::{Entry, LogWriter};
use super::mailbox::QUEUE_LENGTH;
use super::recorder::Recorder;
use super::replaying::Replaying;
use super::session::Session;
use crate::speed::Speed;
use rolima_agents::{Action, Simulation};
use rolima_core::Model;
use rolima_scene::Bundle;
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
    /// All that it was read from, where that is known: settings can be changed then as it is taken over.
    pub source: Option<Arc<Bundle>>,
    /// Key of all random numbers.
    pub seed: u64,
    /// What it goes on from: a simulation of the scene, and the same as it was saved. Else it begins at
    /// the scene's first instant.
    pub from: Option<(Simulation, Arc<[u8]>)>,
    /// What is done to the world before its first step.
    pub actions: Vec<Action>,
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
    /// Who keeps the run whole.
    pub recorder: Option<Box<dyn Recorder>>,
    /// How many steps, in how much simulated time, the run counts as done where it begins: more than none
    /// where a recording is replayed from later on.
    pub begin: RunInstant,
    /// How much of what was is kept in memory, to go back to.
    pub keep: Keep,
    /// A recording to show, in place of a run that goes on, and the run time to begin at, s. What is shown
    /// of it can be taken over, and is a run then.
    pub history: Option<(Arc<dyn History>, f64)>,
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
            from: None,
            actions: vec![],
            map: None,
            source: None,
            notes: vec![],
            speed: Speed::REAL_TIME,
            paused: false,
            steps: None,
            stop: Arc::default(),
            ends_with_world: false,
            lock_step: None,
            queue_length: QUEUE_LENGTH,
            log: None,
            recorder: None,
            begin: RunInstant::default(),
            keep: Keep::NOTHING,
            history: None,
            replay: None,
        }
    }

    /// What the run begins with; what is done before its first step is done, and logged.
    pub(super) fn begin(&mut self) -> Session {
        let (log, recorder) = (&mut self.log, &mut self.recorder);
        let waits = self.speed == Speed::Max;
        let mut note = |session: &Session, entry| {
            if let Some(recorder) = recorder {
                recorder.note(session, &entry, waits);
            }
            if let Some(log) = log {
                log.note(session.steps_done(), entry);
            }
        };
        let mut session = match self.from.take() {
            Some((simulation, saved)) => {
                let session =
                    Session::of(simulation).counted_from(self.begin.step, self.begin.time_s);
                note(&session, Entry::Restore(saved));
                session
            }
            None => Session::new(self.model.clone(), self.seed)
                .counted_from(self.begin.step, self.begin.time_s),
        };
        for action in std::mem::take(&mut self.actions) {
            session.act(&action);
            note(&session, Entry::Action(action));
        }
        session
    }
}
