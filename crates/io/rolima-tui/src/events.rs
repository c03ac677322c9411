//! Events in words.

use rolima_core::{Event, EventKind, Model};

/// Impacts slower than this are not worth a line, m/s.
const SLOWEST_TOLD_M_S: f64 = 0.1;

/// Whether people want to read of it. Tyres let go many times a second; that is only counted.
pub(super) fn is_told(event: &Event) -> bool {
    match event.kind {
        EventKind::Impact => event.value >= SLOWEST_TOLD_M_S,
        EventKind::Slip | EventKind::EnergyCap => false,
        EventKind::Goal | EventKind::Refused | EventKind::Quarantine => true,
        EventKind::RolledOver | EventKind::Righted | EventKind::LeftTerrain => true,
    }
}

/// What happened, in a few words.
pub(super) fn in_words(model: &Model, event: &Event) -> String {
    let subject = model.body_name(event.subject);
    match event.kind {
        EventKind::Impact => {
            let other = event.other.map_or("wall", |slot| model.body_name(slot));
            format!("{subject} hits {other}")
        }
        EventKind::Slip => format!("{subject} slips"),
        EventKind::Goal => match model.spec.zones.get(event.subject as usize) {
            Some(zone) => format!("GOAL for {}", zone.scores_for),
            None => "GOAL".to_owned(),
        },
        EventKind::Refused => {
            let robot = model.robots.get(event.subject as usize);
            format!("command refused: {}", robot.map_or("no such robot", |robot| &robot.name))
        }
        EventKind::Quarantine => format!("{subject} taken out: its motion went wild"),
        EventKind::EnergyCap => format!("bounce of {subject} limited"),
        EventKind::RolledOver => format!("{subject} rolled over"),
        EventKind::Righted => format!("{subject} back on its wheels"),
        EventKind::LeftTerrain => format!("{subject} left the terrain"),
    }
}
