//! What happened in a run, for a timeline.

use super::RunInstant;
use crate::live::happened::thin_events;
use crate::live::words::event_in_words;
use rolima_core::{Event, EventKind, Happened, Model};
use std::collections::BTreeMap;

/// Most marks of a timeline.
pub const MOST_MARKS: usize = 2000;

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryMark {
    /// When, s of the run.
    pub time_s: f64,
    /// What, as [`EventKind::name`] has it; or `reset`, `scene`, `taken_over`.
    pub kind: String,
    /// The same for people.
    pub text: String,
    /// The bodies concerned.
    pub bodies: Vec<u32>,
    /// Of an impact how fast the bodies approached, m/s.
    pub value: f64,
    /// Of a goal the number of its zone in the scene.
    pub zone: Option<u32>,
}

/// What happened, the most important of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryMarks {
    /// In order, at most [`MOST_MARKS`].
    pub marks: Vec<HistoryMark>,
    /// How many more there were of each kind.
    pub left_out: BTreeMap<String, u64>,
}

impl HistoryMarks {
    /// Adds one; now and then those go that matter least.
    pub fn add(&mut self, mark: HistoryMark) {
        self.marks.push(mark);
        if self.marks.len() >= 2 * MOST_MARKS {
            self.thin();
        }
    }

    /// Leaves those that matter most.
    pub fn thin(&mut self) {
        let mut counts = BTreeMap::<&str, u64>::new();
        for mark in &self.marks {
            *counts.entry(&mark.kind).or_default() += 1;
        }
        let mut counts: BTreeMap<String, u64> =
            counts.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect();
        // What is no event matters as much as a goal.
        let kind_of = |mark: &HistoryMark| {
            let named = EventKind::ALL.into_iter().find(|kind| kind.name() == mark.kind);
            named.unwrap_or(EventKind::Goal)
        };
        thin_events(&mut self.marks, MOST_MARKS, kind_of);
        for mark in &self.marks {
            if let Some(count) = counts.get_mut(&mark.kind) {
                *count -= 1;
            }
        }
        for (kind, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            *self.left_out.entry(kind).or_default() += count;
        }
    }
}

/// An event of a world as a mark.
pub fn mark_of_event(model: &Model, at: RunInstant, event: &Event) -> HistoryMark {
    let (bodies, value) = match event.what {
        Happened::Impact { body, other, speed } => {
            (std::iter::once(body).chain(other).map(|body| body.0).collect(), speed)
        }
        Happened::Slip { robot }
        | Happened::Refused { robot, .. }
        | Happened::RolledOver { robot }
        | Happened::Righted { robot } => (vec![robot.0], 0.0),
        Happened::Goal { ball, .. } => (vec![ball.0], 0.0),
        Happened::Quarantine { body } | Happened::LeftTerrain { body } => (vec![body.0], 0.0),
        Happened::EnergyCap { .. } => (vec![], 0.0),
    };
    HistoryMark {
        time_s: at.time_s,
        kind: event.kind().name().to_owned(),
        text: event_in_words(model, event),
        bodies,
        value,
        zone: match event.what {
            Happened::Goal { zone, .. } => Some(zone),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(kind: &str, time_s: f64) -> HistoryMark {
        let (kind, text) = (kind.to_owned(), String::new());
        HistoryMark { time_s, kind, text, bodies: vec![], value: 0.0, zone: None }
    }

    #[test]
    fn of_too_many_marks_goals_and_resets_stay_and_the_rest_is_counted() {
        let mut marks = HistoryMarks::default();
        for i in 0..9000 {
            marks.add(mark("slip", f64::from(i)));
        }
        marks.add(mark("goal", 9000.0));
        marks.add(mark("reset", 9001.0));
        for i in 0..5000 {
            marks.add(mark("impact", 9002.0 + f64::from(i)));
        }
        marks.thin();
        assert_eq!(marks.marks.len(), MOST_MARKS);
        assert!(marks.marks.is_sorted_by_key(|mark| mark.time_s));
        let count = |kind: &str| marks.marks.iter().filter(|mark| mark.kind == kind).count() as u64;
        assert_eq!((count("goal"), count("reset"), count("slip")), (1, 1, 0));
        assert_eq!(marks.left_out.get("slip"), Some(&9000));
        assert_eq!(count("impact") + marks.left_out["impact"], 5000);
    }
}
