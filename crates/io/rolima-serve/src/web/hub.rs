//! From the state block to viewers: one task for all of them.

use super::stats::Stats;
use super::tick::{KeptEvents, SceneKnown, Tick, status_message};
use crate::shm::{PublicationCopy, StateReader};
use rolima_run::live::{MOST_EVENTS_TOLD, thin_events};
use rolima_wire::prost::Message;
use rolima_wire::{now, pb};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio::time::MissedTickBehavior;

/// How often the status is told, at least.
const STATUS_EVERY: Duration = Duration::from_millis(200);
/// How often it is asked whether the writer still lives.
const LIFE_EVERY: Duration = Duration::from_secs(1);

/// Reads the block and makes ticks.
pub(crate) struct Hub {
    reader: StateReader,
    ticks: watch::Sender<Option<Arc<Tick>>>,
    stats: Arc<Stats>,
    /// Rung when a viewer comes.
    wake: Arc<Notify>,
    log: Arc<KeptEvents>,
    number: u64,
    last: Option<Arc<Tick>>,
    next_event: u64,
    is_over: bool,
    asked_for_life: Instant,
    status_told: Instant,
}

impl Hub {
    pub(crate) fn new(
        reader: StateReader,
        ticks: watch::Sender<Option<Arc<Tick>>>,
        stats: Arc<Stats>,
        wake: Arc<Notify>,
    ) -> Self {
        let (log, now) = (Arc::default(), Instant::now());
        Self {
            reader,
            ticks,
            stats,
            wake,
            log,
            number: 0,
            last: None,
            next_event: 0,
            is_over: false,
            asked_for_life: now,
            status_told: now,
        }
    }

    /// Goes on for ever; costs nothing while nobody looks.
    pub(crate) async fn run(mut self, frames_per_second: u32) {
        let period = Duration::from_secs(1) / frames_per_second.clamp(1, 1000);
        let mut clock = tokio::time::interval(period);
        clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            if self.stats.viewers.load(Relaxed) == 0 {
                // The next viewer shall not see an old picture.
                self.last = None;
                self.ticks.send_replace(None);
                self.wake.notified().await;
                continue;
            }
            clock.tick().await;
            self.look();
        }
    }

    /// Looks at the block once.
    fn look(&mut self) {
        let start = Instant::now();
        if start - self.asked_for_life >= LIFE_EVERY || self.last.is_none() {
            self.asked_for_life = start;
            self.is_over = self.reader.is_over();
        }
        let mut publication = PublicationCopy::default();
        match self.reader.read(&mut publication) {
            Ok(true) => {}
            // Not yet, or overtaken: the next look will do.
            Ok(false) | Err(_) => return,
        }
        Stats::add(&self.stats.copying_ns, start.elapsed().as_nanos() as u64);
        let Some(scene) = self.scene_of(&publication) else { return };
        let status =
            status_message(&publication.status, self.stats.viewers.load(Relaxed), self.is_over);
        let tells_status = match &self.last {
            Some(last) => {
                start - self.status_told >= STATUS_EVERY || turns(&last.status) != turns(&status)
            }
            None => true,
        };
        let is_new = self.last.as_ref().is_none_or(|last| {
            let (old, new) = (&last.publication, &publication);
            (old.publication_number, old.now.generation)
                != (new.publication_number, new.now.generation)
        });
        if is_new || tells_status {
            self.publish(scene, publication, status, tells_status);
        }
    }

    fn publish(
        &mut self,
        scene: Arc<SceneKnown>,
        publication: PublicationCopy,
        status: pb::Status,
        tells_status: bool,
    ) {
        self.number += 1;
        let events_ever = publication.events_end + publication.events_dropped;
        let mut events = vec![];
        let mut events_ever_before = events_ever;
        match &self.last {
            Some(last) => {
                events_ever_before = last.events_ever.min(events_ever);
                self.reader.events(&mut self.next_event, publication.events_end, &mut events);
            }
            // What happened while nobody looked is nobody's.
            None => self.next_event = publication.events_end,
        }
        thin_events(&mut events, MOST_EVENTS_TOLD, |event| event.kind);
        let events: Vec<pb::Event> =
            events.iter().map(|event| event.message(&scene.scene)).collect();
        self.log.add(self.number, &events);
        if tells_status {
            self.status_told = Instant::now();
        }
        let tick = Arc::new(Tick {
            number: self.number,
            scene,
            publication: Arc::new(publication),
            before: self.last.as_ref().map(|last| Arc::clone(&last.publication)),
            status,
            tells_status,
            events,
            events_ever,
            events_ever_before,
            log: Arc::clone(&self.log),
            stats: Arc::clone(&self.stats),
            whole: OnceLock::new(),
            difference: OnceLock::new(),
            readings: Mutex::default(),
        });
        Stats::add(&self.stats.ticks, 1);
        self.last = Some(Arc::clone(&tick));
        self.ticks.send_replace(Some(tick));
    }

    /// The scene that a publication is of; none while it is being written.
    fn scene_of(&mut self, publication: &PublicationCopy) -> Option<Arc<SceneKnown>> {
        let generation = publication.now.generation;
        if let Some(last) = &self.last
            && last.scene.scene.generation == generation
        {
            return Some(Arc::clone(&last.scene));
        }
        let copy = self.reader.scene().ok()??;
        if copy.generation != generation {
            return None;
        }
        let channels = self.reader.channels().ok()??;
        if channels.generation != generation {
            return None;
        }
        let scene = pb::Scene::decode(copy.bytes.as_slice()).ok()?;
        let bytes = now::server_message(pb::server_message::Kind::Scene(scene.clone())).into();
        Some(Arc::new(SceneKnown::new(scene, bytes, channels)))
    }
}

/// What is told at once when it changes.
fn turns(status: &pb::Status) -> (bool, u64, u64, [u32; 3], bool, bool) {
    (
        status.paused,
        status.speed.to_bits(),
        status.seed,
        [status.viewers, status.controllers, status.awaited],
        status.lock_step,
        status.ended,
    )
}
