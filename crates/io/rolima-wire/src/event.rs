//! What happened, in words.

use crate::pb;
use rolima_core::{Event, EventKind, Frame, Model};

/// Something that happened, with numbers of bodies in place of slots.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventNow {
    /// Counts the events of a run, from 0.
    pub serial: u64,
    /// The step during which it happened.
    pub step: u64,
    /// What.
    pub kind: EventKind,
    /// Number of the body, of the robot (refused commands) or of the zone (goals).
    pub subject: u32,
    /// Number of the other body; none: a wall, or there is none.
    pub other: Option<u32>,
    /// Approach speed of an impact, m/s; the refused number.
    pub value: f64,
}

/// Numbers of bodies by slot.
#[derive(Clone, Debug, Default)]
pub struct Happening {
    numbers: Vec<u32>,
}

impl Happening {
    /// The numbers of a scene's bodies.
    pub fn of(model: &Model) -> Self {
        Self::of_slots(model.bodies.iter().flatten().map(|body| body.slot))
    }

    /// The numbers of the bodies in a frame.
    pub fn in_frame(frame: &Frame) -> Self {
        Self::of_slots(frame.bodies.iter().map(|body| body.slot))
    }

    /// Of bodies in the order of their numbers.
    fn of_slots(slots: impl Iterator<Item = u32>) -> Self {
        let mut numbers = vec![];
        for (number, slot) in (0..).zip(slots) {
            let slot = slot as usize;
            if slot >= numbers.len() {
                numbers.resize(slot + 1, u32::MAX);
            }
            numbers[slot] = number;
        }
        Self { numbers }
    }

    /// Number of the body in a slot.
    pub fn number(&self, slot: u32) -> Option<u32> {
        self.numbers.get(slot as usize).copied().filter(|number| *number != u32::MAX)
    }

    /// An event of the core, by numbers.
    pub fn event(&self, serial: u64, event: &Event) -> EventNow {
        let subject = match event.kind {
            EventKind::Goal | EventKind::Refused => event.subject,
            _ => self.number(event.subject).unwrap_or(u32::MAX),
        };
        EventNow {
            serial,
            step: event.step,
            kind: event.kind,
            subject,
            other: event.other.and_then(|slot| self.number(slot)),
            value: event.value,
        }
    }
}

impl EventNow {
    /// The message, with a line for people.
    pub fn message(&self, scene: &pb::Scene) -> pb::Event {
        let is_of_bodies = self.kind != EventKind::Goal;
        let subject = is_of_bodies.then_some(self.subject);
        let known = |number: &u32| (*number as usize) < scene.bodies.len();
        pb::Event {
            step: self.step,
            time_s: self.step as f64 * scene.step_s,
            kind: self.kind.name().to_owned(),
            text: self.in_words(scene),
            bodies: subject.into_iter().chain(self.other).filter(known).collect(),
            value: self.value,
            zone: if is_of_bodies { 0 } else { self.subject.saturating_add(1) },
        }
    }

    /// One line for people.
    pub fn in_words(&self, scene: &pb::Scene) -> String {
        let name_of = |number: u32| {
            scene.bodies.get(number as usize).map_or("something", |body| body.name.as_str())
        };
        let subject = name_of(self.subject);
        match self.kind {
            EventKind::Impact => {
                let other = self.other.map_or("a wall", name_of);
                format!("{subject} hit {other} at {:.2} m/s", self.value)
            }
            EventKind::Slip => format!("{subject}'s tyres let go"),
            EventKind::Goal => match scene.zones.get(self.subject as usize) {
                Some(zone) if zone.scores_for.is_empty() => format!("Goal in {}", zone.name),
                Some(zone) => format!("Goal for {}", zone.scores_for),
                None => "Goal".to_owned(),
            },
            EventKind::Refused if self.value.is_finite() => {
                format!("A command for {subject} was refused: {} V", self.value)
            }
            EventKind::Refused => format!("A command for {subject} was refused"),
            EventKind::Quarantine => format!("{subject} was taken out: its motion went wild"),
            EventKind::EnergyCap => format!("A bounce of {subject} was limited"),
            EventKind::RolledOver => format!("{subject} has rolled over"),
            EventKind::Righted => format!("{subject} is back on its wheels"),
            EventKind::LeftTerrain => format!("{subject} has left the terrain"),
        }
    }
}
