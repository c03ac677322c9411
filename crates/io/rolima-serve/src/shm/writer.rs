//! The one who writes a state block.

use super::StateError;
use super::layout::{
    BODY_WORDS, BlockLayout, CLOSED, CONTACT_WORDS, EVENT_WORDS, POSE_WORDS, SUPERSEDED,
    WHEEL_WORDS, check_term, header, slot,
};
use super::memory::SharedWords;
use super::place::{BlockPlace, StateFile};
use super::reader::StateReader;
use super::ready::{Encoded, Lengths, Ready, encoded, generation, needed};
use rolima_core::{BodyFrame, Model, WheelFrame, schema};
use rolima_math::Pose3;
use rolima_run::live::{MOST_CHANNELS, Publication, PublishedScene, ShownMode, Sink};
use rolima_wire::{EventNow, now};
use std::path::Path;
use std::sync::atomic::{Ordering, fence};
use std::sync::{Arc, Mutex, PoisonError};

/// A block in this process.
pub(crate) struct Block {
    pub(crate) words: SharedWords,
    pub(crate) layout: BlockLayout,
}

/// The block that is written now: where readers in this process go on when theirs was superseded. A reader
/// keeps the one block that it read last, not those between: however long it does not read, and however
/// many scenes come meanwhile.
///
/// It is locked for as long as a pointer takes to copy: by the loop when a scene needs another block, by a
/// reader when its own was superseded.
pub(crate) struct Current(Mutex<Arc<Block>>);

impl Current {
    fn new(block: &Arc<Block>) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Arc::clone(block))))
    }

    pub(crate) fn get(&self) -> Arc<Block> {
        Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The one before is no longer kept here; who calls still has it, so it is not freed under the lock.
    fn set(&self, block: &Arc<Block>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(block);
    }
}

/// A block that another has taken over from. Freeing a large one takes long.
struct Before {
    _block: Arc<Block>,
    _file: Option<StateFile>,
}

/// Publishes a live run into a state block. Never waits for a reader, and allocates only when
/// another scene begins.
pub struct StateWriter {
    block: Arc<Block>,
    current: Arc<Current>,
    file: Option<StateFile>,
    published: u64,
    event_serial: u64,
    problem: Option<String>,
}

impl StateWriter {
    /// A block for this scene, which is in it at once; publications follow through [`Sink`].
    pub fn create(place: BlockPlace, name: &str, model: &Arc<Model>) -> Result<Self, StateError> {
        let published =
            PublishedScene { generation: 1, name, model, map: None, notes: &[], prepared: None };
        let encoded = encoded(name, model, None, &[]);
        let layout = BlockLayout::for_scene(needed(model, encoded.lengths()));
        let (words, file) = match place.file(name)? {
            None => (SharedWords::anonymous(layout.total_words()), None),
            Some(path) => {
                let (file, words) = StateFile::create(&path, layout.total_words())?;
                (words, Some(file))
            }
        };
        layout.write(&words);
        let block = Arc::new(Block { words, layout });
        let current = Current::new(&block);
        let mut writer =
            Self { block, current, file, published: 0, event_serial: 0, problem: None };
        writer.write_scene(&published, &encoded);
        if let Some(file) = &mut writer.file {
            file.show()?;
        }
        Ok(writer)
    }

    /// Where the block's file is.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(StateFile::path)
    }

    /// A reader in this process.
    pub fn reader(&self) -> StateReader {
        StateReader::in_process(Arc::clone(&self.current))
    }

    /// What went wrong since the last call: a larger block that could not be put into a file.
    /// Readers in this process do not notice; those in others stay at the scene before.
    pub fn take_problem(&mut self) -> Option<String> {
        self.problem.take()
    }

    /// Moves to a larger block.
    fn grow(&mut self, published: &PublishedScene<'_>, encoded: &Encoded) {
        let layout = BlockLayout::for_scene(needed(published.model, encoded.lengths()));
        let made = self.file.as_ref().map(|file| file.successor(layout.total_words()));
        let (words, file) = match made {
            Some(Ok((file, words))) => (words, Some(file)),
            Some(Err(error)) => {
                self.problem = Some(error.to_string());
                (SharedWords::anonymous(layout.total_words()), None)
            }
            None => (SharedWords::anonymous(layout.total_words()), None),
        };
        encoded.store(&words, &layout);
        drop(self.turn_to(Block { words, layout }, file, published, encoded.lengths()));
    }

    /// Moves to a block that whoever loaded the scene has made. Returns the one before.
    fn adopt(&mut self, ready: Ready, published: &PublishedScene<'_>) -> Before {
        let Ready { layout, words, memory, lengths } = ready;
        let file = match (&self.file, memory) {
            (Some(file), Some(memory)) => {
                let made = file.successor_in(memory);
                made.map_err(|error| self.problem = Some(error.to_string())).ok()
            }
            _ => None,
        };
        self.turn_to(Block { words, layout }, file, published, lengths)
    }

    /// Goes on in another block that has the scene, its parts so long. Returns the one before.
    fn turn_to(
        &mut self,
        block: Block,
        file: Option<StateFile>,
        published: &PublishedScene<'_>,
        lengths: Lengths,
    ) -> Before {
        block.layout.write(&block.words);
        let next = Arc::new(block);
        let old = std::mem::replace(&mut self.block, Arc::clone(&next));
        let mut old_file = std::mem::replace(&mut self.file, file);
        self.published = 0;
        self.finish_scene(published, lengths);
        // The new one is complete before anybody is sent there.
        let mut successor = 0;
        if let Some(file) = &mut self.file {
            match file.show() {
                Ok(0) => {}
                Ok(suffix) => {
                    successor = suffix;
                    if let Some(old) = &mut old_file {
                        old.remove();
                    }
                }
                Err(error) => self.problem = Some(error.to_string()),
            }
        } else if let Some(file) = &mut old_file {
            file.remove();
        }
        old.words.store(header::SUCCESSOR, successor);
        self.current.set(&next);
        fence(Ordering::Release);
        old.words.store(header::FLAGS, SUPERSEDED);
        Before { _block: old, _file: old_file }
    }

    fn write_scene(&mut self, published: &PublishedScene<'_>, encoded: &Encoded) {
        self.begin_scene();
        encoded.store(&self.block.words, &self.block.layout);
        self.end_scene(published, encoded.lengths());
    }

    /// Tells readers of a block that nobody reads yet that its scene is there.
    fn finish_scene(&mut self, published: &PublishedScene<'_>, lengths: Lengths) {
        self.begin_scene();
        self.end_scene(published, lengths);
    }

    /// From now on the scene in the block changes.
    fn begin_scene(&self) {
        let words = &self.block.words;
        words.store(header::SCENE_SEQUENCE, words.load(header::SCENE_SEQUENCE) + 1);
        fence(Ordering::Release);
    }

    /// The scene in the block is there, but for its generation, which comes behind it.
    fn end_scene(&self, published: &PublishedScene<'_>, lengths: Lengths) {
        let Block { words, layout, .. } = &*self.block;
        let generation = generation(published.generation);
        words.store(header::SCENE_GENERATION, published.generation.into());
        words.store(header::SCENE_BYTES, (lengths.scene + generation.len()) as u64);
        words.store_bytes(layout.scene_at(), lengths.scene, &generation);
        words.store(header::NAMES_BYTES, lengths.names as u64);
        let left_out = schema::count(published.model).saturating_sub(MOST_CHANNELS);
        words.store(header::CHANNELS_LEFT_OUT, left_out as u64);
        fence(Ordering::Release);
        words.store(header::SCENE_SEQUENCE, words.load(header::SCENE_SEQUENCE) + 1);
    }

    fn write_events(&mut self, publication: &Publication<'_>) {
        let Block { words, layout, .. } = &*self.block;
        // Of more events than the ring holds, the last ones.
        let skipped = publication.events.len().saturating_sub(layout.events);
        self.event_serial += skipped as u64;
        for event in &publication.events[skipped..] {
            let event = EventNow::of(self.event_serial, event);
            let at = layout.event_at(self.event_serial);
            words.store(at, 0);
            fence(Ordering::Release);
            let content: [u64; EVENT_WORDS - 1] = [
                event.step,
                event.kind as u64,
                event.subject.into(),
                event.other.map_or(u64::MAX, u64::from),
                event.value.to_bits(),
                0,
                0,
            ];
            for (i, word) in content.into_iter().enumerate() {
                words.store(at + 1 + i, word);
            }
            fence(Ordering::Release);
            self.event_serial += 1;
            words.store(at, self.event_serial);
        }
    }

    fn write_slot(&mut self, publication: &Publication<'_>) {
        let Block { words, layout, .. } = &*self.block;
        let publication_number = self.published + 1;
        let at = layout.slot_at(publication_number);
        let Some(words_of_slot) = words.all().get(at..at + layout.slot_stride()) else { return };
        words_of_slot[slot::SEQUENCE].store(2 * publication_number - 1, Ordering::Relaxed);
        fence(Ordering::Release);
        let mut check = 0u64;
        let mut put = |index: usize, word: u64| {
            words_of_slot[index].store(word, Ordering::Relaxed);
            check = check.wrapping_add(check_term(index, word));
        };
        let frame = publication.frame;
        let bodies = &frame.bodies[..frame.bodies.len().min(layout.bodies)];
        let contacts = &publication.contacts[..publication.contacts.len().min(layout.contacts)];
        let scores = &frame.scores[..frame.scores.len().min(layout.scores)];
        let readings = &frame.readings[..frame.readings.len().min(layout.readings)];
        let poses = &frame.spatial[..frame.spatial.len().min(layout.poses)];
        let wheels = &frame.wheels[..frame.wheels.len().min(layout.wheels)];
        let channels = &publication.channels[..publication.channels.len().min(layout.channels)];
        let is_robot = |body: &&BodyFrame| body.kind == rolima_core::model::BodyKind::Robot;
        let status = publication.status;
        let flag = |set: bool, bit: u64| if set { bit } else { 0 };
        let head: [u64; slot::WORDS - slot::PUBLICATION] = {
            let mut head = [0; slot::WORDS - slot::PUBLICATION];
            let mut set = |index: usize, word: u64| head[index - slot::PUBLICATION] = word;
            set(slot::PUBLICATION, publication_number);
            set(slot::GENERATION, publication.generation.into());
            set(slot::STEP, frame.step);
            set(slot::TIME_S, frame.time_s.to_bits());
            set(slot::BODIES, bodies.len() as u64);
            set(slot::ROBOTS, bodies.iter().take_while(is_robot).count() as u64);
            set(slot::CONTACTS, contacts.len() as u64);
            set(slot::CONTACTS_IN_ALL, publication.contacts.len() as u64);
            set(slot::SCORES, scores.len() as u64);
            set(slot::EVENTS_END, self.event_serial);
            set(slot::EVENTS_DROPPED, publication.events_dropped);
            let flags = flag(status.paused, 1) | flag(status.ended, 2) | flag(status.lock_step, 4);
            let shown = match status.shown {
                ShownMode::Live => 0,
                ShownMode::Past => 8,
                ShownMode::Replay => 16,
            };
            set(slot::STATUS_FLAGS, flags | shown);
            set(slot::RUN_TIME_S, status.run_time_s.to_bits());
            set(slot::SPEED, status.speed.to_bits());
            set(slot::REAL_TIME_FACTOR, status.real_time_factor.to_bits());
            set(slot::SEED, status.seed);
            set(slot::MISSED_TICKS, status.missed_ticks);
            set(slot::MISSED_FRAMES, status.missed_frames);
            set(slot::BEHIND_S, status.behind_s.to_bits());
            for (first, lateness) in [
                (slot::TICK_LATENESS, status.tick_lateness),
                (slot::FRAME_LATENESS, status.frame_lateness),
            ] {
                let quantiles = [lateness.p50, lateness.p99, lateness.p999, lateness.max];
                for (i, quantile) in quantiles.into_iter().enumerate() {
                    set(first + i, quantile.to_bits());
                }
            }
            set(slot::CONTROLLERS, status.controllers.into());
            set(slot::AWAITED, status.awaited.into());
            set(slot::READINGS, readings.len() as u64);
            set(slot::CHANNELS, channels.len() as u64);
            set(slot::POSES_AND_WHEELS, poses.len() as u64 | (wheels.len() as u64) << 32);
            head
        };
        for (i, word) in head.into_iter().enumerate() {
            put(slot::PUBLICATION + i, word);
        }
        for (i, score) in scores.iter().enumerate() {
            put(slot::WORDS + i, *score);
        }
        let first = layout.contacts_in_slot();
        for (i, contact) in contacts.iter().enumerate() {
            let numbers = [contact.point.x, contact.point.y, contact.impulse];
            for (k, number) in numbers.into_iter().enumerate() {
                put(first + i * CONTACT_WORDS + k, number.to_bits());
            }
        }
        let first = layout.bodies_in_slot();
        for (i, body) in bodies.iter().enumerate() {
            for (k, word) in body_words(body).into_iter().enumerate() {
                put(first + i * BODY_WORDS + k, word);
            }
        }
        let first = layout.readings_in_slot();
        for (i, reading) in readings.iter().enumerate() {
            put(first + i, reading.to_bits());
        }
        let first = layout.poses_in_slot();
        for (i, pose) in poses.iter().enumerate() {
            for (k, number) in pose_numbers(pose).into_iter().enumerate() {
                put(first + i * POSE_WORDS + k, number.to_bits());
            }
        }
        let first = layout.wheels_in_slot();
        for (i, wheel) in wheels.iter().enumerate() {
            for (k, number) in wheel_numbers(wheel).into_iter().enumerate() {
                put(first + i * WHEEL_WORDS + k, number.to_bits());
            }
        }
        let first = layout.channels_in_slot();
        for (i, value) in channels.iter().enumerate() {
            put(first + i, value.to_bits());
        }
        words_of_slot[slot::CHECK].store(check, Ordering::Relaxed);
        fence(Ordering::Release);
        words_of_slot[slot::SEQUENCE].store(2 * publication_number, Ordering::Relaxed);
        fence(Ordering::Release);
        words.store(header::NEWEST, publication_number);
        self.published = publication_number;
    }
}

fn body_words(body: &BodyFrame) -> [u64; BODY_WORDS] {
    let flag = |set: bool, bit: u32| if set { bit } else { 0 };
    let flags = flag(body.slips, now::SLIPS)
        | flag(body.quarantined, now::QUARANTINED)
        | flag(body.overridden, now::DRIVEN_FROM_OUTSIDE);
    let numbers = [
        body.pose.position.x,
        body.pose.position.y,
        body.pose.rotation.c,
        body.pose.rotation.s,
        body.velocity.x,
        body.velocity.y,
        body.omega,
        body.volts[0],
        body.volts[1],
        body.amps[0],
        body.amps[1],
        body.wheel_speeds[0],
        body.wheel_speeds[1],
    ];
    let mut words = [0; BODY_WORDS];
    for (word, number) in words.iter_mut().zip(numbers) {
        *word = number.to_bits();
    }
    words[BODY_WORDS - 1] = flags.into();
    words
}

fn pose_numbers(pose: &Pose3) -> [f64; POSE_WORDS] {
    let q = pose.rotation;
    [pose.position.z, q.w, q.x, q.y, q.z]
}

fn wheel_numbers(wheel: &WheelFrame) -> [f64; WHEEL_WORDS] {
    let WheelFrame { angle, spin, compression, load, steer } = *wheel;
    [angle, spin, compression, load, steer]
}

impl Sink for StateWriter {
    fn scene(&mut self, published: &PublishedScene<'_>) {
        let is_for_others = self.file.is_some();
        let encoded = match published.prepared.and_then(|prepared| prepared.take::<Ready>()) {
            Some(ready) if ready.memory.is_some() || !is_for_others => {
                let before = self.adopt(*ready, published);
                if let Some(prepared) = published.prepared {
                    prepared.leave(before);
                }
                return;
            }
            Some(ready) => ready.encoded(),
            None => match published.prepared.and_then(|prepared| prepared.take::<Encoded>()) {
                Some(encoded) => *encoded,
                None => encoded(published.name, published.model, published.map, published.notes),
            },
        };
        if self.block.layout.holds(needed(published.model, encoded.lengths())) {
            self.write_scene(published, &encoded);
        } else {
            self.grow(published, &encoded);
        }
    }

    fn publication(&mut self, publication: &Publication<'_>) {
        self.write_events(publication);
        self.write_slot(publication);
    }
}

impl Drop for StateWriter {
    fn drop(&mut self) {
        self.block.words.store(header::FLAGS, CLOSED);
        if let Some(file) = &mut self.file {
            file.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_core::model::SceneSpec;

    #[test]
    fn a_reader_that_never_reads_keeps_one_block_however_many_scenes_come() {
        let model = Arc::new(Model::compile(&SceneSpec::default()).expect("an empty scene"));
        let mut writer = StateWriter::create(BlockPlace::Anonymous, "", &model).expect("a block");
        let mut idle = writer.reader();
        let mut blocks = vec![Arc::downgrade(&writer.block)];
        for generation in 2..12 {
            let encoded = encoded("", &model, None, &[]);
            let ready = Ready::new(needed(&model, encoded.lengths()), &encoded);
            let (name, notes) = ("", &[]);
            let published = PublishedScene {
                generation,
                name,
                model: &model,
                map: None,
                notes,
                prepared: None,
            };
            drop(writer.adopt(ready, &published));
            blocks.push(Arc::downgrade(&writer.block));
        }
        let kept = || blocks.iter().filter(|block| block.strong_count() > 0).count();
        assert_eq!(kept(), 2, "its own, and the one that is written");
        let scene = idle.scene().expect("a block").expect("a scene");
        assert_eq!((scene.generation, kept()), (11, 1), "it goes on in the newest");
    }
}
