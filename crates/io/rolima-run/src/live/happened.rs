//! What happened since somebody last looked: bounded, the most important of it.

use rolima_core::{Event, EventKind, EventLog};

/// Most events that are told at a time.
pub const MOST_EVENTS_TOLD: usize = 256;

/// Keeps of too many events those that matter most, in their order: goals, refusals, quarantines and
/// what happens to vehicles before impacts, impacts before the rest, later ones before earlier ones.
/// Returns how many were left out.
///
/// Thinning a list as it grows keeps the same events as thinning it once at its end.
pub fn thin_events<T>(events: &mut Vec<T>, most: usize, kind: impl Fn(&T) -> EventKind) -> usize {
    let excess = events.len().saturating_sub(most);
    if excess == 0 {
        return 0;
    }
    let mut counts = [0; WEIGHTS];
    for event in events.iter() {
        counts[weight(kind(event))] += 1;
    }
    // The lightest go first.
    let mut left = excess;
    let to_go = counts.map(|count| {
        let go = left.min(count);
        left -= go;
        go
    });
    let mut gone = [0; WEIGHTS];
    events.retain(|event| {
        let weight = weight(kind(event));
        gone[weight] += 1;
        gone[weight] > to_go[weight]
    });
    excess
}

const WEIGHTS: usize = 3;

fn weight(kind: EventKind) -> usize {
    match kind {
        EventKind::Goal | EventKind::Refused | EventKind::Quarantine => 2,
        EventKind::RolledOver | EventKind::Righted | EventKind::LeftTerrain => 2,
        EventKind::Impact => 1,
        EventKind::Slip | EventKind::EnergyCap => 0,
    }
}

/// The events since a controller's last turn.
#[derive(Debug, Default)]
pub(super) struct RecentEvents {
    events: Vec<Event>,
    left_out: u64,
}

impl RecentEvents {
    /// Adds what a world's log holds.
    pub(super) fn add(&mut self, log: &EventLog) {
        self.left_out += log.dropped();
        self.events.extend_from_slice(log.events());
        // Thinned now and then, so that a long wait costs no more memory than a short one.
        if self.events.len() > 2 * MOST_EVENTS_TOLD {
            self.thin();
        }
    }

    /// The events to tell, and how many were left out.
    pub(super) fn newest(&mut self) -> (&[Event], u64) {
        self.thin();
        (&self.events, self.left_out)
    }

    /// Nothing has happened yet.
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.left_out = 0;
    }

    fn thin(&mut self) {
        self.left_out += thin_events(&mut self.events, MOST_EVENTS_TOLD, Event::kind) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_kind() -> impl Strategy<Value = EventKind> {
        // Slips are by far the most frequent.
        prop_oneof![20 => Just(EventKind::Slip), 4 => Just(EventKind::Impact),
            1 => proptest::sample::select(&EventKind::ALL[..])]
    }

    #[test]
    fn of_too_many_events_the_goal_stays() {
        let mut events = vec![(0, EventKind::Slip); 3000];
        (0..).zip(&mut events).for_each(|(serial, event)| event.0 = serial);
        (events[5].1, events[7].1) = (EventKind::Goal, EventKind::Impact);
        assert_eq!(thin_events(&mut events, 256, |event| event.1), 2744);
        assert_eq!((events.len(), events[0].0, events[1].0, events[255].0), (256, 5, 7, 2999));
    }

    proptest! {
        #[test]
        fn thinning_on_the_way_keeps_what_thinning_at_the_end_does(
            kinds in prop::collection::vec(any_kind(), 0..200), most in 1usize..20, every in 1usize..30,
        ) {
            let all: Vec<_> = kinds.into_iter().enumerate().collect();
            let mut on_the_way: Vec<_> = vec![];
            let mut left_out = 0;
            for chunk in all.chunks(every) {
                on_the_way.extend_from_slice(chunk);
                left_out += thin_events(&mut on_the_way, most, |event| event.1);
            }
            let mut at_the_end = all.clone();
            prop_assert_eq!(left_out, thin_events(&mut at_the_end, most, |event| event.1));
            // By hand: the heaviest, of these the latest, in their order.
            let mut expected = all;
            expected.sort_by_key(|&(serial, kind)| std::cmp::Reverse((weight(kind), serial)));
            expected.truncate(most);
            expected.sort_by_key(|&(serial, _)| serial);
            prop_assert_eq!(&on_the_way, &at_the_end);
            prop_assert_eq!(at_the_end, expected);
        }
    }
}
