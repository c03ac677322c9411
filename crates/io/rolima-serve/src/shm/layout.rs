//! Where everything lies in the state block: docs/shared-memory.md as constants.
//!
//! All offsets and strides are in words of 64 bits.

use super::memory::SharedWords;

/// `ROLIMAST` as bytes in memory (little endian).
pub const MAGIC: u64 = u64::from_le_bytes(*b"ROLIMAST");
/// Version of the layout. Any change of what is below needs another one.
pub const LAYOUT_VERSION: u64 = 6;

/// Words of the block's header.
pub(crate) mod header {
    pub(crate) const MAGIC: usize = 0;
    pub(crate) const VERSION: usize = 1;
    pub(crate) const TOTAL_WORDS: usize = 2;
    pub(crate) const WRITER_PID: usize = 3;
    /// Bits: 1 closed, 2 superseded.
    pub(crate) const FLAGS: usize = 4;
    /// Suffix of the file that follows a superseded one; zero: the same name.
    pub(crate) const SUCCESSOR: usize = 5;
    pub(crate) const BODY_CAPACITY: usize = 6;
    pub(crate) const CONTACT_CAPACITY: usize = 7;
    pub(crate) const SCORE_CAPACITY: usize = 8;
    pub(crate) const EVENT_CAPACITY: usize = 9;
    pub(crate) const SCENE_CAPACITY: usize = 10;
    pub(crate) const SLOT_COUNT: usize = 11;
    pub(crate) const SLOT_STRIDE: usize = 12;
    pub(crate) const EVENTS_AT: usize = 13;
    pub(crate) const SCENE_AT: usize = 14;
    pub(crate) const SLOTS_AT: usize = 15;
    /// Publications published; the newest is in slot (NEWEST - 1) mod SLOT_COUNT.
    pub(crate) const NEWEST: usize = 16;
    pub(crate) const READING_CAPACITY: usize = 17;
    /// Places in space; zero while the scene's ground is flat.
    pub(crate) const POSE_CAPACITY: usize = 18;
    pub(crate) const WHEEL_CAPACITY: usize = 19;
    pub(crate) const CHANNEL_CAPACITY: usize = 20;
    /// Bytes of the names of channels that there is room for, and where they begin.
    pub(crate) const NAMES_CAPACITY: usize = 21;
    pub(crate) const NAMES_AT: usize = 22;
    pub(crate) const SCENE_SEQUENCE: usize = 24;
    pub(crate) const SCENE_GENERATION: usize = 25;
    pub(crate) const SCENE_BYTES: usize = 26;
    /// Bytes of the names of channels; channels that the scene has beyond those in the block.
    pub(crate) const NAMES_BYTES: usize = 27;
    pub(crate) const CHANNELS_LEFT_OUT: usize = 28;
    /// Length of the header.
    pub(crate) const WORDS: usize = 64;
}

/// Bit of the header's flags: the writer has ended.
pub(crate) const CLOSED: u64 = 1;
/// Bit of the header's flags: a larger block has taken over.
pub(crate) const SUPERSEDED: u64 = 2;

/// Words of a publication's slot.
pub(crate) mod slot {
    /// Odd while it is written; else twice its publication.
    pub(crate) const SEQUENCE: usize = 0;
    /// Sum over the words in use from `PUBLICATION` on, each times twice its index plus one.
    pub(crate) const CHECK: usize = 1;
    pub(crate) const PUBLICATION: usize = 2;
    pub(crate) const GENERATION: usize = 3;
    pub(crate) const STEP: usize = 4;
    pub(crate) const TIME_S: usize = 5;
    pub(crate) const BODIES: usize = 6;
    pub(crate) const ROBOTS: usize = 7;
    pub(crate) const CONTACTS: usize = 8;
    pub(crate) const CONTACTS_IN_ALL: usize = 9;
    pub(crate) const SCORES: usize = 10;
    pub(crate) const EVENTS_END: usize = 11;
    pub(crate) const EVENTS_DROPPED: usize = 12;
    /// Bits: 1 paused, 2 ended, 4 lock step, 8 an earlier instant is shown, 16 a replay is.
    pub(crate) const STATUS_FLAGS: usize = 13;
    pub(crate) const SPEED: usize = 14;
    pub(crate) const REAL_TIME_FACTOR: usize = 15;
    pub(crate) const SEED: usize = 16;
    pub(crate) const MISSED_TICKS: usize = 17;
    pub(crate) const MISSED_FRAMES: usize = 18;
    pub(crate) const BEHIND_S: usize = 19;
    pub(crate) const TICK_LATENESS: usize = 20;
    pub(crate) const FRAME_LATENESS: usize = 24;
    pub(crate) const CONTROLLERS: usize = 28;
    pub(crate) const AWAITED: usize = 29;
    pub(crate) const READINGS: usize = 30;
    /// Places in space in the lower half, wheels in the upper one; zero on flat ground.
    pub(crate) const POSES_AND_WHEELS: usize = 31;
    pub(crate) const CHANNELS: usize = 32;
    /// Simulated time since the run began, over resets and other scenes.
    pub(crate) const RUN_TIME_S: usize = 33;
    /// Length of a slot's header; then come scores, contacts, bodies, readings, places in space,
    /// wheels, channels.
    pub(crate) const WORDS: usize = 40;
}

/// Words of a contact: x, y, impulse.
pub(crate) const CONTACT_WORDS: usize = 3;
/// Words of a body: x, y, cosine and sine of its heading, vx, vy, omega; volts, currents, wheel
/// speeds (right, left each); flags in the last.
pub(crate) const BODY_WORDS: usize = 14;
/// Words of a place in space: height, quaternion (w, x, y, z).
pub(crate) const POSE_WORDS: usize = 5;
/// Words of a wheel: angle, spin, way raised, load, angle steered.
pub(crate) const WHEEL_WORDS: usize = 5;
/// Words of an event: serial + 1, step, kind, subject, other (all ones: none), value, two spare.
pub(crate) const EVENT_WORDS: usize = 8;
/// Most words of a block: 4 GiB. A file that claims more is no block.
const MOST_WORDS: u64 = 1 << 29;

/// How much a block has room for, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockLayout {
    pub(crate) bodies: usize,
    pub(crate) contacts: usize,
    pub(crate) scores: usize,
    /// Numbers that all sensors together read.
    pub(crate) readings: usize,
    /// Places in space, and wheels; none while all ground was flat.
    pub(crate) poses: usize,
    pub(crate) wheels: usize,
    pub(crate) channels: usize,
    pub(crate) events: usize,
    pub(crate) scene_bytes: usize,
    pub(crate) names_bytes: usize,
    pub(crate) slots: usize,
}

/// What a scene needs room for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needed {
    pub(crate) bodies: usize,
    pub(crate) zones: usize,
    pub(crate) readings: usize,
    /// Places in space, and wheels; zero on flat ground.
    pub(crate) poses: usize,
    pub(crate) wheels: usize,
    pub(crate) channels: usize,
    pub(crate) scene_bytes: usize,
    pub(crate) names_bytes: usize,
}

impl BlockLayout {
    /// Room for a scene, and for somewhat larger ones. Flat scenes get none for what only rough
    /// ground has.
    pub(crate) fn for_scene(needed: Needed) -> Self {
        let Needed { bodies, zones, readings, poses, wheels, channels, scene_bytes, names_bytes } =
            needed;
        let bodies = (bodies + bodies / 4).max(64);
        let rough = |count: usize| if count == 0 { 0 } else { (count + count / 4).max(64) };
        Self {
            bodies,
            contacts: (64 + 2 * bodies).min(4096),
            scores: zones.max(16),
            readings: (readings + readings / 4).max(128),
            poses: rough(poses),
            wheels: rough(wheels),
            channels: (channels + channels / 4).max(512),
            events: 2048,
            scene_bytes: (scene_bytes + scene_bytes / 2).max(64 * 1024),
            names_bytes: (names_bytes + names_bytes / 4).max(64 * 1024),
            // Copying a large publication takes long, but so does writing one: four suffice.
            slots: if bodies > 4096 { 4 } else { 8 },
        }
    }

    pub(crate) fn holds(&self, needed: Needed) -> bool {
        let Needed { bodies, zones, readings, poses, wheels, channels, scene_bytes, names_bytes } =
            needed;
        bodies <= self.bodies
            && zones <= self.scores
            && readings <= self.readings
            && poses <= self.poses
            && wheels <= self.wheels
            && channels <= self.channels
            && scene_bytes <= self.scene_bytes
            && names_bytes <= self.names_bytes
    }

    pub(crate) fn events_at(&self) -> usize {
        header::WORDS
    }

    pub(crate) fn scene_at(&self) -> usize {
        self.events_at() + self.events * EVENT_WORDS
    }

    pub(crate) fn names_at(&self) -> usize {
        self.scene_at() + self.scene_bytes.div_ceil(8)
    }

    pub(crate) fn slots_at(&self) -> usize {
        (self.names_at() + self.names_bytes.div_ceil(8)).next_multiple_of(8)
    }

    pub(crate) fn contacts_in_slot(&self) -> usize {
        slot::WORDS + self.scores
    }

    pub(crate) fn bodies_in_slot(&self) -> usize {
        self.contacts_in_slot() + self.contacts * CONTACT_WORDS
    }

    pub(crate) fn readings_in_slot(&self) -> usize {
        self.bodies_in_slot() + self.bodies * BODY_WORDS
    }

    pub(crate) fn poses_in_slot(&self) -> usize {
        self.readings_in_slot() + self.readings
    }

    pub(crate) fn wheels_in_slot(&self) -> usize {
        self.poses_in_slot() + self.poses * POSE_WORDS
    }

    pub(crate) fn channels_in_slot(&self) -> usize {
        self.wheels_in_slot() + self.wheels * WHEEL_WORDS
    }

    /// Length of a slot, in whole cache lines.
    pub(crate) fn slot_stride(&self) -> usize {
        (self.channels_in_slot() + self.channels).next_multiple_of(8)
    }

    pub(crate) fn slot_at(&self, publication_number: u64) -> usize {
        let slot = (publication_number.wrapping_sub(1) % self.slots as u64) as usize;
        self.slots_at() + slot * self.slot_stride()
    }

    pub(crate) fn event_at(&self, serial: u64) -> usize {
        self.events_at() + (serial % self.events as u64) as usize * EVENT_WORDS
    }

    pub(crate) fn total_words(&self) -> usize {
        self.slots_at() + self.slots * self.slot_stride()
    }

    /// Writes the header of a fresh block.
    pub(crate) fn write(&self, words: &SharedWords) {
        for (index, value) in [
            (header::VERSION, LAYOUT_VERSION),
            (header::TOTAL_WORDS, self.total_words() as u64),
            (header::WRITER_PID, u64::from(std::process::id())),
            (header::BODY_CAPACITY, self.bodies as u64),
            (header::CONTACT_CAPACITY, self.contacts as u64),
            (header::SCORE_CAPACITY, self.scores as u64),
            (header::READING_CAPACITY, self.readings as u64),
            (header::POSE_CAPACITY, self.poses as u64),
            (header::WHEEL_CAPACITY, self.wheels as u64),
            (header::CHANNEL_CAPACITY, self.channels as u64),
            (header::NAMES_CAPACITY, self.names_bytes as u64),
            (header::NAMES_AT, self.names_at() as u64),
            (header::EVENT_CAPACITY, self.events as u64),
            (header::SCENE_CAPACITY, self.scene_bytes as u64),
            (header::SLOT_COUNT, self.slots as u64),
            (header::SLOT_STRIDE, self.slot_stride() as u64),
            (header::EVENTS_AT, self.events_at() as u64),
            (header::SCENE_AT, self.scene_at() as u64),
            (header::SLOTS_AT, self.slots_at() as u64),
            (header::MAGIC, MAGIC),
        ] {
            words.store(index, value);
        }
    }

    /// The layout that a header tells, if it is one and fits into the memory.
    pub(crate) fn read(words: &SharedWords) -> Result<Self, String> {
        if words.load(header::MAGIC) != MAGIC {
            return Err("this is no state block of rolima".to_owned());
        }
        let version = words.load(header::VERSION);
        if version != LAYOUT_VERSION {
            return Err(format!("layout {version}, expected {LAYOUT_VERSION}"));
        }
        let number = |index: usize| match words.load(index) {
            value if value < MOST_WORDS => Ok(value as usize),
            value => Err(format!("a damaged header: word {index} is {value}")),
        };
        let layout = Self {
            bodies: number(header::BODY_CAPACITY)?,
            contacts: number(header::CONTACT_CAPACITY)?,
            scores: number(header::SCORE_CAPACITY)?,
            readings: number(header::READING_CAPACITY)?,
            poses: number(header::POSE_CAPACITY)?,
            wheels: number(header::WHEEL_CAPACITY)?,
            channels: number(header::CHANNEL_CAPACITY)?,
            events: number(header::EVENT_CAPACITY)?.max(1),
            scene_bytes: number(header::SCENE_CAPACITY)?,
            names_bytes: number(header::NAMES_CAPACITY)?,
            slots: number(header::SLOT_COUNT)?.clamp(1, 1024),
        };
        let total = layout.total_words();
        if number(header::TOTAL_WORDS)? != total || words.count() < total {
            let count = words.count();
            return Err(format!("{count} words, expected {total}: a damaged or cut file"));
        }
        Ok(layout)
    }
}

/// One term of a slot's check.
pub(crate) fn check_term(index: usize, word: u64) -> u64 {
    word.wrapping_mul(2 * index as u64 + 1)
}
