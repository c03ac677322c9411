//! The nearest few of many.

use serde::{Deserialize, Serialize};

/// Most obstacles and most walls that a robot heeds: the nearest.
pub(crate) const MOST_HEEDED: usize = 32;

/// The nearest few of many, whatever the order in which they are offered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Nearest<T> {
    /// Distance, number and thing; the farthest is the first.
    found: Vec<(f64, u32, T)>,
}

impl<T> Default for Nearest<T> {
    fn default() -> Self {
        Self { found: Vec::with_capacity(MOST_HEEDED) }
    }
}

impl<T> Nearest<T> {
    /// Kept if it is among the nearest, of equal ones the first by number; once, however often it is
    /// offered.
    pub(crate) fn offer(&mut self, distance: f64, number: u32, one: T) {
        let is_full = self.found.len() >= MOST_HEEDED;
        let is_nearer = |(other, name, _): &(f64, u32, T)| {
            distance.total_cmp(other).then(number.cmp(name)).is_lt()
        };
        if is_full && !is_nearer(&self.found[0])
            || self.found.iter().any(|(_, name, _)| *name == number)
        {
            return;
        }
        if is_full {
            self.found[0] = (distance, number, one);
        } else {
            self.found.push((distance, number, one));
        }
        let order = |&i: &usize, &j: &usize| {
            let (a, b) = (&self.found[i], &self.found[j]);
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        };
        let farthest = (0..self.found.len()).max_by(order).unwrap_or(0);
        self.found.swap(0, farthest);
    }

    /// What is farther than this is not kept any more, m.
    pub(crate) fn farthest(&self) -> f64 {
        if self.found.len() < MOST_HEEDED { f64::INFINITY } else { self.found[0].0 }
    }

    /// Whether what was read back are no more than the nearest few.
    pub(crate) fn fits(&self) -> bool {
        self.found.len() <= MOST_HEEDED
    }

    /// Gives them away.
    pub(crate) fn take(&mut self, all: &mut Vec<T>) {
        all.extend(self.found.drain(..).map(|(_, _, one)| one));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;

    #[test]
    fn the_nearest_are_kept_once_in_whatever_order_they_come() {
        let mut random = Stream::new(2, 0, "nearest");
        for count in [5, 32, 100] {
            // Every distance twice.
            let all: Vec<(f64, u32)> = (0..count).map(|i| (f64::from(i / 2), i)).collect();
            for _ in 0..50 {
                let mut nearest = Nearest::default();
                for _ in 0..count * 20 {
                    let (distance, number) = all[(random.next_u64() % u64::from(count)) as usize];
                    nearest.offer(distance, number, number);
                }
                for &(distance, number) in all.iter().rev() {
                    nearest.offer(distance, number, number);
                }
                let mut kept = vec![];
                nearest.take(&mut kept);
                kept.sort_unstable();
                assert_eq!(kept, (0..count.min(MOST_HEEDED as u32)).collect::<Vec<_>>());
            }
        }
    }
}
