//! The way from the run's thread to the one that writes: bounded in bytes.

use crate::item::Item;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes that may wait; what comes then is left out, or waited for.
const MOST_BYTES: usize = 64 << 20;
/// As many more may wait of what all that follows needs.
const MORE_BYTES: usize = 64 << 20;
/// Bytes that may wait where the run waits for room: no more than caches hold, yet as much as comes while
/// a chunk is compressed.
const MOST_AHEAD_BYTES: usize = 16 << 20;
/// Bytes that are taken at once, so that whoever waits for room need not wait for all of it.
const TAKEN_BYTES: usize = 1 << 20;
/// Bytes of lists of numbers that are kept to be used again.
const MOST_SPARE_BYTES: usize = 16 << 20;

/// A queue of items.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    /// There is more to write, or nothing any more.
    more: Condvar,
    /// There is room.
    room: Condvar,
}

#[derive(Default)]
struct State {
    items: VecDeque<Item>,
    /// Of all that is not written.
    bytes: usize,
    is_closed: bool,
    /// How many items and actions were lost, once the run has ended in good order.
    end: Option<(u64, u64)>,
    /// Nothing is written any more.
    is_broken: bool,
    spare: Vec<Vec<f64>>,
    spare_bytes: usize,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts items in, in their order; waits for room if asked to. Returns those that found none, or all
    /// where nothing is written any more.
    pub(crate) fn put(&self, items: impl Iterator<Item = Item>, waits: bool) -> Vec<Item> {
        let mut refused = vec![];
        let mut state = self.lock();
        for item in items {
            let size = item.size();
            let most = match (waits, item.is_needed()) {
                (true, _) => MOST_AHEAD_BYTES,
                (false, true) => MOST_BYTES + MORE_BYTES,
                (false, false) => MOST_BYTES,
            };
            // One that alone is larger than all must come through all the same.
            let is_full = |state: &mut State| {
                !state.is_broken && state.bytes > 0 && state.bytes + size > most
            };
            if waits && is_full(&mut state) {
                self.more.notify_one();
                // Not for the least bit of room only, or both threads wake one another all the time.
                let has_none = |state: &mut State| {
                    is_full(state) || !state.is_broken && state.bytes > most / 2
                };
                let waited = self.room.wait_while(state, has_none);
                state = waited.unwrap_or_else(PoisonError::into_inner);
            }
            if state.is_broken || is_full(&mut state) {
                refused.push(item);
                continue;
            }
            state.bytes += size;
            state.items.push_back(item);
        }
        self.more.notify_one();
        refused
    }

    /// A list to fill, used before if there is one.
    pub(crate) fn spare(&self, out: &mut Vec<Vec<f64>>) {
        let mut state = self.lock();
        out.append(&mut state.spare);
        state.spare_bytes = 0;
    }

    /// The run has ended in good order.
    pub(crate) fn end(&self, lost: u64, actions_lost: u64) {
        self.lock().end = Some((lost, actions_lost));
        self.close();
    }

    /// How many items and actions were lost, if the run has ended in good order.
    pub(crate) fn ended(&self) -> Option<(u64, u64)> {
        self.lock().end
    }

    /// No more comes.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
        self.more.notify_one();
    }

    /// Whether nothing is written any more.
    pub(crate) fn is_broken(&self) -> bool {
        self.lock().is_broken
    }

    /// Nothing is written any more.
    pub(crate) fn give_up(&self) {
        let mut state = self.lock();
        state.is_broken = true;
        state.items.clear();
        state.bytes = 0;
        self.room.notify_all();
    }

    /// Takes some items to write; waits for them. Nothing once it is closed and empty.
    pub(crate) fn take(&self, out: &mut Vec<Item>) {
        let idle = |state: &mut State| state.items.is_empty() && !state.is_closed;
        let waited = self.more.wait_while(self.lock(), idle);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let mut bytes = 0;
        while bytes < TAKEN_BYTES {
            let Some(item) = state.items.pop_front() else { break };
            bytes += item.size();
            out.push(item);
        }
    }

    /// Items were written: there is room for others.
    pub(crate) fn written(&self, items: &mut Vec<Item>) {
        let mut state = self.lock();
        for item in items.drain(..) {
            state.bytes = state.bytes.saturating_sub(item.size());
            if let Item::Sample(sample) = item
                && state.spare_bytes < MOST_SPARE_BYTES
            {
                state.spare_bytes += size_of_val(sample.numbers.as_slice());
                state.spare.push(sample.numbers);
            }
        }
        self.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(number: u64) -> Item {
        Item::Log { time_ns: number, text: vec![0; 100 << 10] }
    }

    #[test]
    fn whoever_waits_loses_nothing_and_is_not_far_ahead() {
        const ITEMS: u64 = 2000;
        let queue = Queue::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for number in 0..ITEMS {
                    assert!(queue.put([item(number)].into_iter(), true).is_empty());
                }
                queue.end(0, 0);
            });
            let (mut items, mut next) = (vec![], 0);
            loop {
                queue.take(&mut items);
                if items.is_empty() {
                    break;
                }
                assert!(queue.lock().bytes <= MOST_AHEAD_BYTES);
                for item in &items {
                    assert!(matches!(item, Item::Log { time_ns, .. } if *time_ns == next));
                    next += 1;
                }
                queue.written(&mut items);
            }
            assert_eq!((next, queue.ended()), (ITEMS, Some((0, 0))));
        });
    }

    #[test]
    fn whoever_does_not_wait_gets_back_what_finds_no_room() {
        let queue = Queue::default();
        let refused: usize = (0..2000).map(|n| queue.put([item(n)].into_iter(), false).len()).sum();
        let kept = 2000 - refused;
        let most = MOST_BYTES + MORE_BYTES;
        assert!(kept * item(0).size() <= most && (kept + 1) * item(0).size() > most, "{kept}");
        // What is not needed by what follows has less room.
        let sample = || Item::Sample(crate::item::SampleItem::default());
        assert_eq!(queue.put([sample()].into_iter(), false).len(), 1);
        queue.give_up();
        assert_eq!(queue.put([item(0)].into_iter(), true).len(), 1, "nothing is written any more");
    }
}
