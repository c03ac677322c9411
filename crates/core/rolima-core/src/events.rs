//! What happened, for people and programs: sorted by step, bounded in memory.

use crate::commands::CommandRefusal;
use rolima_model::{BodyId, RobotId};

/// Kinds of events, for counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
pub enum EventKind {
    /// Two bodies, or a body and a wall, hit one another.
    Impact,
    /// A robot's tyres let go.
    Slip,
    /// A ball entered a zone.
    Goal,
    /// A command was refused.
    Refused,
    /// A body turned non-finite and was taken out.
    Quarantine,
    /// The rigid response had to give back less than asked, so as not to gain energy.
    EnergyCap,
    /// A vehicle has rolled over: it lies on its side or roof.
    RolledOver,
    /// A vehicle has come back onto its wheels.
    Righted,
    /// A vehicle has left a terrain that ends, and the run with it; or a body has, and stays there.
    LeftTerrain,
}

/// How many kinds there are.
pub const EVENT_KINDS: usize = 9;

/// How many of them, the first ones, happen in the plane.
pub(crate) const PLANAR_EVENT_KINDS: usize = 6;

impl EventKind {
    /// All kinds, in the order of their counts.
    pub const ALL: [Self; EVENT_KINDS] = [
        Self::Impact,
        Self::Slip,
        Self::Goal,
        Self::Refused,
        Self::Quarantine,
        Self::EnergyCap,
        Self::RolledOver,
        Self::Righted,
        Self::LeftTerrain,
    ];

    /// A lower-case word for outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impact => "impact",
            Self::Slip => "slip",
            Self::Goal => "goal",
            Self::Refused => "refused",
            Self::Quarantine => "quarantine",
            Self::EnergyCap => "energy_cap",
            Self::RolledOver => "rolled_over",
            Self::Righted => "righted",
            Self::LeftTerrain => "left_terrain",
        }
    }
}

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The step during which it happened.
    pub step: u64,
    /// What.
    pub what: Happened,
}

/// What happened, and to whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happened {
    /// Two bodies, or a body and a wall, hit one another.
    Impact {
        /// One of them.
        body: BodyId,
        /// The other; none: a wall.
        other: Option<BodyId>,
        /// How fast they approached, m/s.
        speed: f64,
    },
    /// A robot's tyres let go.
    Slip {
        /// Which one's.
        robot: RobotId,
    },
    /// A ball entered a zone.
    Goal {
        /// Number of the zone in the scene.
        zone: u32,
        /// The ball.
        ball: BodyId,
    },
    /// A command was refused.
    Refused {
        /// The robot that it was for; there may be none of this number.
        robot: RobotId,
        /// Why.
        why: CommandRefusal,
    },
    /// A body turned non-finite and was taken out.
    Quarantine {
        /// Which one.
        body: BodyId,
    },
    /// The rigid response had to give back less than asked, so as not to gain energy.
    EnergyCap {
        /// How often in this step.
        times: u32,
    },
    /// A vehicle has rolled over: it lies on its side or roof.
    RolledOver {
        /// Which one.
        robot: RobotId,
    },
    /// A vehicle has come back onto its wheels.
    Righted {
        /// Which one.
        robot: RobotId,
    },
    /// A vehicle has left a terrain that ends, and the run with it; or a body has, and stays there.
    LeftTerrain {
        /// Which one.
        body: BodyId,
    },
}

impl Event {
    /// Its kind, for counting.
    pub fn kind(&self) -> EventKind {
        match self.what {
            Happened::Impact { .. } => EventKind::Impact,
            Happened::Slip { .. } => EventKind::Slip,
            Happened::Goal { .. } => EventKind::Goal,
            Happened::Refused { .. } => EventKind::Refused,
            Happened::Quarantine { .. } => EventKind::Quarantine,
            Happened::EnergyCap { .. } => EventKind::EnergyCap,
            Happened::RolledOver { .. } => EventKind::RolledOver,
            Happened::Righted { .. } => EventKind::Righted,
            Happened::LeftTerrain { .. } => EventKind::LeftTerrain,
        }
    }
}

/// The events since they were last taken, at most a fixed number.
#[derive(Clone, Debug)]
pub struct EventLog {
    events: Vec<Event>,
    dropped: u64,
}

/// Most events kept until somebody takes them; the counts in the state go on.
pub const LOG_CAPACITY: usize = 1024;

impl Default for EventLog {
    fn default() -> Self {
        Self { events: Vec::with_capacity(LOG_CAPACITY), dropped: 0 }
    }
}

impl EventLog {
    /// Adds an event and counts it.
    pub(crate) fn push(&mut self, counts: &mut [u64; EVENT_KINDS], event: Event) {
        let count = &mut counts[event.kind() as usize];
        *count = count.saturating_add(1);
        if self.events.len() < LOG_CAPACITY {
            self.events.push(event);
        } else {
            self.dropped += 1;
        }
    }
    /// The events so far, oldest first.
    pub fn events(&self) -> &[Event] {
        &self.events
    }
    /// How many did not fit.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
    /// Empties the log.
    pub fn clear(&mut self) {
        self.events.clear();
        self.dropped = 0;
    }
}

/// Where a stage notes what happens in this step.
pub(crate) struct Notes<'a> {
    /// Number of the step.
    pub(crate) step: u64,
    pub(crate) counts: &'a mut [u64; EVENT_KINDS],
    pub(crate) log: &'a mut EventLog,
}

impl Notes<'_> {
    /// Notes an event.
    pub(crate) fn note(&mut self, what: Happened) {
        self.log.push(self.counts, Event { step: self.step, what });
    }
}
