//! Which contact of an island hits next.
//!
//! A binary heap of the numbers of contacts, ordered by the times of their hits and, of those at the
//! same time, by number. Each contact knows its place in it, so that one whose time changes is moved
//! by a few exchanges: a hit costs the logarithm of what is pending, however large a heap of bodies.

use super::contact::Contact;

/// Not in the queue.
pub(crate) const ABSENT: u32 = u32::MAX;

/// The contacts that hit, the next one first.
pub(crate) struct HitQueue(Vec<u32>);

impl HitQueue {
    pub(crate) fn with_capacity(contacts: usize) -> Self {
        Self(Vec::with_capacity(contacts))
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// The contact that hits first, and when, s since the start of the substep.
    pub(crate) fn first(&self, contacts: &[Contact]) -> Option<(usize, f64)> {
        self.0.first().map(|&number| (number as usize, contacts[number as usize].hit_at))
    }

    /// Takes in a contact that hits.
    pub(crate) fn insert(&mut self, contacts: &mut [Contact], number: usize) {
        contacts[number].queued = self.0.len() as u32;
        self.0.push(number as u32);
        self.rise(contacts, self.0.len() - 1);
    }

    /// Moves a contact to where its time belongs, out if that is infinite. It may be absent.
    pub(crate) fn renew(&mut self, contacts: &mut [Contact], number: usize) {
        let at = contacts[number].queued;
        if at == ABSENT {
            return;
        }
        let at = at as usize;
        if contacts[number].hit_at < f64::INFINITY {
            let at = self.rise(contacts, at);
            self.sink(contacts, at);
            return;
        }
        contacts[number].queued = ABSENT;
        let Some(last) = self.0.pop() else { return };
        if at < self.0.len() {
            self.put(contacts, at, last);
            let at = self.rise(contacts, at);
            self.sink(contacts, at);
        }
    }

    fn put(&mut self, contacts: &mut [Contact], at: usize, number: u32) {
        self.0[at] = number;
        contacts[number as usize].queued = at as u32;
    }

    fn comes_first(&self, contacts: &[Contact], at: usize, than: usize) -> bool {
        let [a, b] = [self.0[at], self.0[than]];
        let [time_a, time_b] = [a, b].map(|number| contacts[number as usize].hit_at);
        time_a.total_cmp(&time_b).then(a.cmp(&b)).is_lt()
    }

    fn swap(&mut self, contacts: &mut [Contact], at: usize, with: usize) {
        let [a, b] = [self.0[at], self.0[with]];
        self.put(contacts, at, b);
        self.put(contacts, with, a);
    }

    fn rise(&mut self, contacts: &mut [Contact], mut at: usize) -> usize {
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.comes_first(contacts, at, above) {
                break;
            }
            self.swap(contacts, at, above);
            at = above;
        }
        at
    }

    fn sink(&mut self, contacts: &mut [Contact], mut at: usize) {
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            let mut first = at;
            for below in [left, right] {
                if below < self.0.len() && self.comes_first(contacts, below, first) {
                    first = below;
                }
            }
            if first == at {
                return;
            }
            self.swap(contacts, at, first);
            at = first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planar::contacts::broad::Pair;
    use crate::planar::contacts::narrow::Manifold;
    use rolima_math::{Stream, Vec2};

    /// Against a search of all contacts, while times change at random, with many at the same time.
    #[test]
    fn the_first_is_always_the_earliest_and_of_those_the_lowest_number() {
        let origins = (Vec2::ZERO, Vec2::ZERO);
        let one = Contact::new((0, Pair { a: 0, b: 1 }), &Manifold::default(), [0.0; 2], origins);
        let mut contacts = vec![one; 40];
        let mut queue = HitQueue::with_capacity(40);
        let mut rng = Stream::new(7, 0, "test");
        for _ in 0..20_000 {
            let number = rng.between(0.0, 40.0) as usize;
            let time = rng.between(-4.0, 12.0).floor();
            contacts[number].hit_at = if time < 0.0 { f64::INFINITY } else { time };
            if contacts[number].queued == ABSENT && time >= 0.0 {
                queue.insert(&mut contacts, number);
            } else {
                queue.renew(&mut contacts, number);
            }
            let all = contacts.iter().map(|c| c.hit_at).enumerate();
            let pending = all.filter(|(_, time)| *time < f64::INFINITY);
            let expected = pending.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            assert_eq!(queue.first(&contacts), expected);
        }
    }
}
