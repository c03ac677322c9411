//! One picture of the world for all viewers, encoded when the first one needs it.

use super::stats::Stats;
use crate::senses::Sigmas;
use crate::shm::{ChannelsCopy, PublicationCopy};
use axum::body::Bytes;
use rolima_core::model::Mount;
use rolima_run::live::{Lateness, MOST_EVENTS_TOLD, RunStatus};
use rolima_wire::prost::Message;
use rolima_wire::{Now, now, pb};
use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

/// Events that are kept for viewers that skip frames.
const EVENTS_KEPT: usize = 1024;

/// A scene as viewers get it.
pub(crate) struct SceneKnown {
    pub(crate) scene: pb::Scene,
    /// The whole message.
    pub(crate) bytes: Bytes,
    /// The sensors of each robot among all; last those of the world.
    sensors: Vec<SensorsOf>,
    /// How many suspended wheels each robot has.
    pub(crate) wheels: Vec<u32>,
    /// The channels that publications have the values of.
    pub(crate) channels: ChannelsCopy,
    /// The message that lists them, once somebody asks.
    list: OnceLock<Bytes>,
}

/// The sensors of a robot or of the world among all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SensorsOf {
    /// Their numbers.
    pub(crate) devices: Range<usize>,
    /// Where their readings stand among all.
    pub(crate) readings: Range<usize>,
    /// Which of them are cameras.
    pub(crate) cameras: Vec<usize>,
}

impl SceneKnown {
    pub(crate) fn new(scene: pb::Scene, bytes: Bytes, channels: ChannelsCopy) -> Self {
        let mut sensors: Vec<SensorsOf> = vec![];
        let robots = scene.bodies.iter().filter(|body| body.kind() == pb::BodyKind::Robot);
        for own in robots.map(|body| &body.sensors).chain([&scene.sensors]) {
            let (device, first) =
                sensors.last().map_or((0, 0), |last| (last.devices.end, last.readings.end));
            let count: usize = own.iter().map(|sensor| sensor.count as usize).sum();
            let is_camera = |(_, sensor): &(usize, &pb::Sensor)| sensor.kind == "camera";
            sensors.push(SensorsOf {
                devices: device..device + own.len(),
                readings: first..first + count,
                cameras: (device..).zip(own).filter(is_camera).map(|(camera, _)| camera).collect(),
            });
        }
        let robots = scene.bodies.iter().filter(|body| body.kind() == pb::BodyKind::Robot);
        let wheels = robots.map(|body| body.wheels.len() as u32).collect();
        Self { scene, bytes, sensors, wheels, channels, list: OnceLock::new() }
    }

    /// The sensors of a robot or of the world; none where it is no robot.
    pub(crate) fn sensors_of(&self, mount: Mount) -> Option<SensorsOf> {
        let robots = self.sensors.len() - 1;
        let index = match mount {
            Mount::Robot(robot) => Some(robot.index()).filter(|robot| *robot < robots)?,
            Mount::World => robots,
        };
        self.sensors.get(index).cloned()
    }

    /// The message that lists the channels.
    pub(crate) fn channels_message(&self) -> Bytes {
        let message = || {
            let ChannelsCopy { generation, channels, left_out } = self.channels.clone();
            let left_out = saturated(left_out);
            let list = pb::Channels { generation, channels, left_out };
            now::server_message(pb::server_message::Kind::Channels(list)).into()
        };
        self.list.get_or_init(message).clone()
    }

    /// What the sensors of a robot or of the world read at one instant, with the standard deviations
    /// where those of all sensors are given; none where it is no robot or has no sensors.
    pub(crate) fn readings(
        &self,
        now: &Now,
        mount: Mount,
        sigmas: Option<&[Vec<f64>]>,
    ) -> Option<pb::Readings> {
        let of = self.sensors_of(mount).filter(|of| !of.readings.is_empty())?;
        let values = now.readings.get(of.readings)?;
        let narrow = |values: &[f64]| values.iter().map(|value| *value as f32).collect();
        let own = sigmas.into_iter().flatten().skip(of.devices.start).take(of.devices.len());
        let sigmas = (0..)
            .zip(own)
            .map(|(sensor, values)| pb::SensorSigma { sensor, values: narrow(values) });
        Some(pb::Readings {
            generation: now.generation,
            step: now.step,
            body: mount.robot().map_or(0, |robot| robot.0),
            world: mount == Mount::World,
            values: narrow(values),
            sigmas: sigmas.collect(),
        })
    }
}

/// One picture of the world.
pub(crate) struct Tick {
    /// Counts the ticks, from 1.
    pub(crate) number: u64,
    pub(crate) scene: Arc<SceneKnown>,
    pub(crate) publication: Arc<PublicationCopy>,
    pub(crate) before: Option<Arc<PublicationCopy>>,
    pub(crate) status: pb::Status,
    /// Whether viewers that are up to date get the status with this one.
    pub(crate) tells_status: bool,
    pub(crate) events: Vec<pb::Event>,
    /// All events that ever were, told or not.
    pub(crate) events_ever: u64,
    pub(crate) events_ever_before: u64,
    pub(crate) log: Arc<KeptEvents>,
    pub(crate) stats: Arc<Stats>,
    pub(crate) whole: OnceLock<Vec<u8>>,
    pub(crate) difference: OnceLock<Bytes>,
    /// Readings of watched robots and of the world.
    pub(crate) readings: Mutex<BTreeMap<Mount, Bytes>>,
}

/// What a viewer was sent last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastSent {
    pub(crate) tick: u64,
    pub(crate) generation: u32,
    pub(crate) events_ever: u64,
}

impl Tick {
    /// The message for a viewer that was sent `last`.
    pub(crate) fn message(&self, last: Option<LastSent>) -> Bytes {
        let generation = self.publication.now.generation;
        match last {
            Some(last) if last.tick + 1 == self.number && last.generation == generation => {
                self.difference.get_or_init(|| self.encode_difference()).clone()
            }
            _ => self.whole_message(last),
        }
    }

    pub(crate) fn sent(&self) -> LastSent {
        let generation = self.publication.now.generation;
        LastSent { tick: self.number, generation, events_ever: self.events_ever }
    }

    /// For viewers that have the tick before, all the same.
    fn encode_difference(&self) -> Bytes {
        self.timed(|| {
            let mut frame = match &self.before {
                Some(before) => self.publication.now.difference(&before.now, &self.scene.wheels),
                None => self.publication.now.key_frame(),
            };
            frame.events.clone_from(&self.events);
            let new = self.events_ever - self.events_ever_before;
            frame.events_dropped = saturated(new.saturating_sub(self.events.len() as u64));
            frame.status = self.tells_status.then_some(self.status);
            now::server_message(pb::server_message::Kind::Frame(frame)).into()
        })
    }

    /// For a viewer that is new or has skipped some: the bodies are encoded once for all of them.
    fn whole_message(&self, last: Option<LastSent>) -> Bytes {
        let whole = self
            .whole
            .get_or_init(|| self.timed(|| self.publication.now.key_frame().encode_to_vec()));
        let mut own = pb::Frame { status: Some(self.status), ..pb::Frame::default() };
        if let Some(last) = last {
            own.events = self.log.since(last.tick, self.number);
            let new = self.events_ever.saturating_sub(last.events_ever);
            own.events_dropped = saturated(new.saturating_sub(own.events.len() as u64));
        }
        now::frame_message(whole, &own).into()
    }

    /// What the sensors of a robot or of the world read; none where it is no robot or has none.
    pub(crate) fn readings(&self, mount: Mount, sigmas: Option<&Sigmas>) -> Option<Bytes> {
        let mut known = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = known.get(&mount) {
            return Some(bytes.clone());
        }
        let generation = self.publication.now.generation;
        let sigmas = sigmas.filter(|sigmas| sigmas.generation == generation);
        let sigmas = sigmas.map(|sigmas| sigmas.values.as_slice());
        let message = self.scene.readings(&self.publication.now, mount, sigmas)?;
        let bytes: Bytes = now::server_message(pb::server_message::Kind::Readings(message)).into();
        known.insert(mount, bytes.clone());
        Some(bytes)
    }

    fn timed<T>(&self, encode: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let encoded = encode();
        Stats::add(&self.stats.encodings, 1);
        Stats::add(&self.stats.encoding_ns, start.elapsed().as_nanos() as u64);
        encoded
    }
}

pub(crate) fn saturated(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The last events with the tick that told them, for viewers that skipped it.
#[derive(Default)]
pub(crate) struct KeptEvents {
    events: Mutex<VecDeque<(u64, pb::Event)>>,
}

impl KeptEvents {
    pub(crate) fn add(&self, tick: u64, events: &[pb::Event]) {
        let mut kept = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(events.iter().map(|event| (tick, event.clone())));
        let excess = kept.len().saturating_sub(EVENTS_KEPT);
        kept.drain(..excess);
    }

    /// The events of the ticks after `last` up to `end`, the newest if there are too many.
    fn since(&self, last: u64, end: u64) -> Vec<pb::Event> {
        let kept = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let missed = kept.iter().filter(|(tick, _)| *tick > last && *tick <= end);
        let missed: Vec<&pb::Event> = missed.map(|(_, event)| event).collect();
        let first = missed.len().saturating_sub(MOST_EVENTS_TOLD);
        missed[first..].iter().map(|event| (*event).clone()).collect()
    }
}

/// The status of a run as viewers get it.
pub(crate) fn status_message(status: &RunStatus, viewers: u64, is_over: bool) -> pb::Status {
    let lateness =
        |l: Lateness| Some(pb::Lateness { p50: l.p50, p99: l.p99, p999: l.p999, max: l.max });
    pb::Status {
        paused: status.paused,
        speed: status.speed,
        real_time_factor: status.real_time_factor,
        seed: status.seed,
        missed_ticks: status.missed_ticks,
        missed_frames: status.missed_frames,
        behind_s: status.behind_s,
        tick_lateness: lateness(status.tick_lateness),
        frame_lateness: lateness(status.frame_lateness),
        viewers: saturated(viewers),
        controllers: status.controllers,
        awaited: status.awaited,
        lock_step: status.lock_step,
        ended: status.ended || is_over,
    }
}
