//! The nearest few of many.

/// Most obstacles and most walls that a robot heeds: the nearest.
pub(crate) const MOST_HEEDED: usize = 32;

/// The nearest few of many.
#[derive(Clone, Debug)]
pub(crate) struct Nearest<T> {
    found: Vec<(f64, T)>,
}

impl<T> Default for Nearest<T> {
    fn default() -> Self {
        Self { found: Vec::with_capacity(MOST_HEEDED) }
    }
}

impl<T> Nearest<T> {
    /// Kept if it is among the nearest; the farthest is the first.
    pub(crate) fn offer(&mut self, distance: f64, one: T) {
        if self.found.len() < MOST_HEEDED {
            self.found.push((distance, one));
        } else if distance < self.found[0].0 {
            self.found[0] = (distance, one);
        } else {
            return;
        }
        let last = self.found.len() - 1;
        let by_distance = |&i: &usize, &j: &usize| self.found[i].0.total_cmp(&self.found[j].0);
        let farthest = (0..=last).max_by(by_distance).unwrap_or(0);
        self.found.swap(0, farthest);
    }

    /// Gives them away.
    pub(crate) fn take(&mut self, all: &mut Vec<T>) {
        all.extend(self.found.drain(..).map(|(_, one)| one));
    }
}
