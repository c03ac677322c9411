//! Those who read a state block: any number, in this process or in others, unnoticed.

use super::StateError;
use super::layout::{
    BODY_WORDS, BlockLayout, CLOSED, CONTACT_WORDS, POSE_WORDS, SUPERSEDED, WHEEL_WORDS,
    check_term, header, slot,
};
use super::memory::SharedWords;
use super::names::{self, ChannelsCopy};
use super::place::{is_stale, suffixed};
use super::writer::{Block, Current};
use rolima_core::EventKind;
use rolima_math::atan2;
use rolima_run::live::{Lateness, RunStatus, ShownMode};
use rolima_wire::{BodyNow, ContactNow, EventNow, Now, PoseNow, WheelNow};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Tries before a publication counts as unreadable. One is nearly always enough: the writer would
/// have to publish as many publications as there are slots while one is copied.
const MOST_TRIES: u32 = 1000;

/// A publication, copied out of a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublicationCopy {
    /// Counts the publications published into this block, from 1; zero before the first.
    pub publication_number: u64,
    /// The world.
    pub now: Now,
    /// How the run goes.
    pub status: RunStatus,
    /// Events published so far; see [`StateReader::events`].
    pub events_end: u64,
    /// Events that the run did not keep, since it began.
    pub events_dropped: u64,
    /// The values of the world's first channels, as [`StateReader::channels`] names them.
    pub channels: Vec<f64>,
    /// Contact points that there were; [`Now::contacts`] has at most as many as the block holds.
    pub contacts_in_all: u64,
}

/// A scene, copied out of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneCopy {
    /// Counts the scenes of the run, from 1.
    pub generation: u32,
    /// A Protobuf message `Scene`.
    pub bytes: Vec<u8>,
}

/// The run whose block is read.
#[derive(Clone)]
enum Run {
    /// In this process.
    Here(Arc<Current>),
    /// By the file of its block.
    File(PathBuf),
}

/// Reads a state block. The writer does not notice.
pub struct StateReader {
    block: Arc<Block>,
    run: Run,
    copy: Vec<u64>,
    retries: u64,
}

impl StateReader {
    /// Opens the block of a run, in this process or another.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StateError> {
        let path = path.as_ref();
        let block = Arc::new(map(path)?);
        Ok(Self { block, run: Run::File(path.to_owned()), copy: vec![], retries: 0 })
    }

    pub(crate) fn in_process(current: Arc<Current>) -> Self {
        Self { block: current.get(), run: Run::Here(current), copy: vec![], retries: 0 }
    }

    /// Another reader of the same block.
    pub fn another(&self) -> Self {
        let block = Arc::clone(&self.block);
        Self { block, run: self.run.clone(), copy: vec![], retries: 0 }
    }

    /// The process that writes.
    pub fn writer_pid(&self) -> u32 {
        self.block.words.load(header::WRITER_PID) as u32
    }

    /// Whether the run has ended: the writer said so, or it is gone without a word. The latter
    /// asks the operating system: not for every read.
    pub fn is_over(&self) -> bool {
        if self.block.words.load(header::FLAGS) & CLOSED != 0 {
            return true;
        }
        matches!(&self.run, Run::File(path) if !path.exists() || is_stale(path))
    }

    /// How often a publication had to be copied again, because the writer came round meanwhile.
    pub fn retries(&self) -> u64 {
        self.retries
    }

    /// The number of the newest publication; changes whenever there is a new one.
    pub fn newest(&self) -> u64 {
        self.block.words.load(header::NEWEST)
    }

    /// Copies the newest publication. False, and `into` unchanged, if there is none yet.
    pub fn read(&mut self, into: &mut PublicationCopy) -> Result<bool, StateError> {
        self.follow()?;
        if !self.copy_newest()? {
            return Ok(false);
        }
        self.decode(into);
        Ok(true)
    }

    /// Copies the newest publication and says whether its words agree with its check; none if there
    /// is no publication yet. For tests: it never comes out false.
    pub fn read_and_check(&mut self) -> Result<Option<(u64, bool)>, StateError> {
        self.follow()?;
        if !self.copy_newest()? {
            return Ok(None);
        }
        let mut check = 0u64;
        let head = slot::PUBLICATION..slot::WORDS;
        let content = content_ranges(&self.copy, &self.block.layout);
        [head].into_iter().chain(content).flatten().for_each(|index| {
            check = check.wrapping_add(check_term(index, self.copy[index]));
        });
        Ok(Some((self.copy[slot::STEP], check == self.copy[slot::CHECK])))
    }

    /// The scene; none while another one is being written.
    pub fn scene(&mut self) -> Result<Option<SceneCopy>, StateError> {
        self.of_scene(|block| {
            let bytes =
                block.bytes(block.layout.scene_at(), header::SCENE_BYTES, block.layout.scene_bytes);
            SceneCopy { generation: block.words.load(header::SCENE_GENERATION) as u32, bytes }
        })
    }

    /// The channels that publications have the values of; none while another scene is being
    /// written.
    pub fn channels(&mut self) -> Result<Option<ChannelsCopy>, StateError> {
        self.of_scene(|block| {
            let bytes =
                block.bytes(block.layout.names_at(), header::NAMES_BYTES, block.layout.names_bytes);
            ChannelsCopy {
                generation: block.words.load(header::SCENE_GENERATION) as u32,
                channels: names::parse(&String::from_utf8_lossy(&bytes)),
                left_out: block.words.load(header::CHANNELS_LEFT_OUT),
            }
        })
    }

    /// Copies something that is written with a scene; none while that happens.
    fn of_scene<T>(&mut self, copy: impl FnOnce(&Block) -> T) -> Result<Option<T>, StateError> {
        self.follow()?;
        let before = self.block.words.load(header::SCENE_SEQUENCE);
        fence(Ordering::Acquire);
        let copied = copy(&self.block);
        fence(Ordering::Acquire);
        let after = self.block.words.load(header::SCENE_SEQUENCE);
        let is_whole = before == after && before.is_multiple_of(2) && before > 0;
        Ok(is_whole.then_some(copied))
    }

    /// Appends the events from `next` on up to `end` (of a publication) and moves `next` on.
    /// Returns how many of them were overwritten meanwhile.
    pub fn events(&self, next: &mut u64, end: u64, into: &mut Vec<EventNow>) -> u64 {
        let Block { words, layout, .. } = &*self.block;
        let mut lost = 0;
        let oldest = end.saturating_sub(layout.events as u64);
        if *next < oldest {
            lost += oldest - *next;
            *next = oldest;
        }
        while *next < end {
            let at = layout.event_at(*next);
            let before = words.load(at);
            fence(Ordering::Acquire);
            let content: [u64; 5] = std::array::from_fn(|i| words.load(at + 1 + i));
            fence(Ordering::Acquire);
            let kind = EventKind::ALL.get(content[1] as usize);
            match kind {
                Some(kind) if before == *next + 1 && words.load(at) == before => {
                    into.push(EventNow {
                        serial: *next,
                        step: content[0],
                        kind: *kind,
                        subject: content[2] as u32,
                        other: u32::try_from(content[3]).ok(),
                        value: f64::from_bits(content[4]),
                    });
                }
                _ => lost += 1,
            }
            *next += 1;
        }
        lost
    }

    /// Goes to the block that has taken over, if there is one.
    fn follow(&mut self) -> Result<(), StateError> {
        while self.block.words.load(header::FLAGS) & SUPERSEDED != 0 {
            fence(Ordering::Acquire);
            self.block = match &self.run {
                Run::Here(current) => current.get(),
                Run::File(path) => {
                    let path = match self.block.words.load(header::SUCCESSOR) {
                        0 => path.clone(),
                        number => suffixed(path, &number.to_string()),
                    };
                    Arc::new(map(&path)?)
                }
            };
        }
        Ok(())
    }

    fn copy_newest(&mut self) -> Result<bool, StateError> {
        let Block { words, layout, .. } = &*self.block;
        let all = words.all();
        for _ in 0..MOST_TRIES {
            let publication_number = words.load(header::NEWEST);
            if publication_number == 0 {
                return Ok(false);
            }
            fence(Ordering::Acquire);
            let at = layout.slot_at(publication_number);
            let Some(source) = all.get(at..at + layout.slot_stride()) else {
                return Err(StateError::Damaged);
            };
            let before = source[slot::SEQUENCE].load(Ordering::Relaxed);
            fence(Ordering::Acquire);
            self.copy.resize(layout.slot_stride(), 0);
            load_range(&mut self.copy, source, 0..slot::WORDS);
            for range in content_ranges(&self.copy, layout) {
                load_range(&mut self.copy, source, range);
            }
            fence(Ordering::Acquire);
            let after = source[slot::SEQUENCE].load(Ordering::Relaxed);
            if before == after && before == 2 * publication_number {
                return Ok(true);
            }
            self.retries += 1;
            std::hint::spin_loop();
        }
        Err(StateError::Busy)
    }

    fn decode(&self, into: &mut PublicationCopy) {
        let copy = &self.copy;
        let layout = &self.block.layout;
        let number = |index: usize| f64::from_bits(copy[index]);
        let [scores, contacts, bodies, readings, poses, wheels, channels] =
            content_ranges(copy, layout);
        into.publication_number = copy[slot::PUBLICATION];
        into.events_end = copy[slot::EVENTS_END];
        into.events_dropped = copy[slot::EVENTS_DROPPED];
        into.contacts_in_all = copy[slot::CONTACTS_IN_ALL];
        into.channels.clear();
        into.channels.extend(copy[channels].iter().map(|word| f64::from_bits(*word)));
        let now = &mut into.now;
        now.generation = copy[slot::GENERATION] as u32;
        now.step = copy[slot::STEP];
        now.time_s = number(slot::TIME_S);
        now.run_time_s = number(slot::RUN_TIME_S);
        now.scores.clear();
        now.scores.extend_from_slice(&copy[scores]);
        now.contacts.clear();
        now.contacts.extend(copy[contacts].chunks_exact(CONTACT_WORDS).map(|words| {
            let [x, y, impulse] = [words[0], words[1], words[2]].map(f64::from_bits);
            ContactNow { x, y, impulse }
        }));
        now.bodies.clear();
        now.bodies.extend(copy[bodies].chunks_exact(BODY_WORDS).map(body));
        now.readings.clear();
        now.readings.extend(copy[readings].iter().map(|word| f64::from_bits(*word)));
        now.spatial.clear();
        now.spatial.extend(copy[poses].chunks_exact(POSE_WORDS).map(|words| {
            let number = |index: usize| f64::from_bits(words[index]);
            PoseNow { z: number(0), rotation: [number(1), number(2), number(3), number(4)] }
        }));
        now.wheels.clear();
        now.wheels.extend(copy[wheels].chunks_exact(WHEEL_WORDS).map(|words| {
            let [angle, spin, raised, load, steer] =
                core::array::from_fn(|index| f64::from_bits(words[index]));
            WheelNow { angle, spin, raised, load, steer }
        }));
        now.robots = (copy[slot::ROBOTS] as usize).min(now.bodies.len());
        let flags = copy[slot::STATUS_FLAGS];
        let lateness = |first: usize| Lateness {
            p50: number(first),
            p99: number(first + 1),
            p999: number(first + 2),
            max: number(first + 3),
        };
        into.status = RunStatus {
            paused: flags & 1 != 0,
            ended: flags & 2 != 0,
            lock_step: flags & 4 != 0,
            shown: match (flags & 8 != 0, flags & 16 != 0) {
                (true, _) => ShownMode::Past,
                (false, true) => ShownMode::Replay,
                (false, false) => ShownMode::Live,
            },
            run_time_s: number(slot::RUN_TIME_S),
            speed: number(slot::SPEED),
            real_time_factor: number(slot::REAL_TIME_FACTOR),
            seed: copy[slot::SEED],
            missed_ticks: copy[slot::MISSED_TICKS],
            missed_frames: copy[slot::MISSED_FRAMES],
            behind_s: number(slot::BEHIND_S),
            tick_lateness: lateness(slot::TICK_LATENESS),
            frame_lateness: lateness(slot::FRAME_LATENESS),
            controllers: copy[slot::CONTROLLERS] as u32,
            awaited: copy[slot::AWAITED] as u32,
        };
    }
}

impl Block {
    /// Bytes from a word on, as many as a word of the header says, but no more than there is room for.
    fn bytes(&self, at: usize, length: usize, most: usize) -> Vec<u8> {
        self.words.bytes(at, (self.words.load(length) as usize).min(most))
    }
}

fn load_range(copy: &mut [u64], source: &[AtomicU64], range: Range<usize>) {
    for (copy, word) in copy[range.clone()].iter_mut().zip(&source[range]) {
        *copy = word.load(Ordering::Relaxed);
    }
}

fn map(path: &Path) -> Result<Block, StateError> {
    let kind = path.metadata().map_err(|error| StateError::file(path, error))?;
    if !kind.is_file() {
        // Opening a pipe would wait for somebody who writes to it.
        let problem = "expected a regular file, got a folder, pipe or device".to_owned();
        return Err(StateError::NoBlock { path: path.to_owned(), problem });
    }
    let file = File::open(path).map_err(|error| StateError::file(path, error))?;
    let words = SharedWords::map_to_read(&file).map_err(|error| StateError::file(path, error))?;
    let layout = BlockLayout::read(&words)
        .map_err(|problem| StateError::NoBlock { path: path.to_owned(), problem })?;
    Ok(Block { words, layout })
}

/// Where scores, contacts, bodies, readings, places in space, wheels and channels lie in a slot; never more
/// than there is room for, also if the words are torn.
fn content_ranges(copy: &[u64], layout: &BlockLayout) -> [Range<usize>; 7] {
    let range = |first: usize, count: u64, most: usize, words: usize| {
        first..first + count.min(most as u64) as usize * words
    };
    let (poses, wheels) =
        (copy[slot::POSES_AND_WHEELS] & 0xffff_ffff, copy[slot::POSES_AND_WHEELS] >> 32);
    [
        range(slot::WORDS, copy[slot::SCORES], layout.scores, 1),
        range(layout.contacts_in_slot(), copy[slot::CONTACTS], layout.contacts, CONTACT_WORDS),
        range(layout.bodies_in_slot(), copy[slot::BODIES], layout.bodies, BODY_WORDS),
        range(layout.readings_in_slot(), copy[slot::READINGS], layout.readings, 1),
        range(layout.poses_in_slot(), poses, layout.poses, POSE_WORDS),
        range(layout.wheels_in_slot(), wheels, layout.wheels, WHEEL_WORDS),
        range(layout.channels_in_slot(), copy[slot::CHANNELS], layout.channels, 1),
    ]
}

fn body(words: &[u64]) -> BodyNow {
    let number = |index: usize| f64::from_bits(words[index]);
    let last = words[BODY_WORDS - 1];
    BodyNow {
        x: number(0),
        y: number(1),
        heading: atan2(number(3), number(2)),
        vx: number(4),
        vy: number(5),
        omega: number(6),
        volts: [number(7), number(8)],
        currents: [number(9), number(10)],
        wheel_speeds: [number(11), number(12)],
        flags: last as u32,
    }
}
