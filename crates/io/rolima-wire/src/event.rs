//! What happened, in words.

use crate::pb;
use rolima_core::{CommandRefusal, Event, EventKind, Happened};

/// Something that happened, as frames and shared memory carry it: one shape for all kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventNow {
    /// Counts the events of a run, from 0.
    pub serial: u64,
    /// The step during which it happened.
    pub step: u64,
    /// What.
    pub kind: EventKind,
    /// Number of the body, of the robot (refused commands) or of the zone (goals); [`NOBODY`] where
    /// it is about none.
    pub subject: u32,
    /// Number of the other body; none: a wall, or there is none.
    pub other: Option<u32>,
    /// Approach speed of an impact, m/s; the refused number; how many bounces were limited.
    pub value: f64,
}

/// The number of no body.
pub const NOBODY: u32 = u32::MAX;

impl EventNow {
    /// An event of the core.
    pub fn of(serial: u64, event: &Event) -> Self {
        let (subject, other, value) = match event.what {
            Happened::Impact { body, other, speed } => (body.0, other, speed),
            Happened::Goal { zone, ball } => (zone, Some(ball), 0.0),
            Happened::Refused { robot, why: CommandRefusal::Absurd(volts) } => {
                (robot.0, None, volts)
            }
            Happened::Refused { robot, .. } => (robot.0, None, f64::NAN),
            Happened::EnergyCap { times } => (NOBODY, None, times.into()),
            Happened::Slip { robot }
            | Happened::RolledOver { robot }
            | Happened::Righted { robot } => (robot.0, None, 0.0),
            Happened::Quarantine { body } | Happened::LeftTerrain { body } => (body.0, None, 0.0),
        };
        let other = other.map(|body| body.0);
        Self { serial, step: event.step, kind: event.kind(), subject, other, value }
    }

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
            EventKind::EnergyCap => format!("{} bounces were limited", self.value),
            EventKind::RolledOver => format!("{subject} has rolled over"),
            EventKind::Righted => format!("{subject} is back on its wheels"),
            EventKind::LeftTerrain => format!("{subject} has left the terrain"),
        }
    }
}
