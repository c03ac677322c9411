//! Rectangles of a picture.

/// A rectangle of a picture, pixels; right and bottom are exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PictureRect {
    /// First column.
    pub left: u32,
    /// First row.
    pub top: u32,
    /// The column after the last.
    pub right: u32,
    /// The row after the last.
    pub bottom: u32,
}

/// Two rectangles become one if that is at most so many times as large as both: what is drawn or sent twice costs
/// as much as what need not be.
const MOST_WASTE: f64 = 1.15;

impl PictureRect {
    /// All of a picture.
    pub fn whole(width: u32, height: u32) -> Self {
        Self { left: 0, top: 0, right: width, bottom: height }
    }

    /// Left, top, right and bottom.
    pub fn corners(&self) -> [u32; 4] {
        [self.left, self.top, self.right, self.bottom]
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.left >= self.right || self.top >= self.bottom
    }

    /// Pixels across; 0 if it is empty.
    pub fn width(&self) -> u32 {
        self.right.saturating_sub(self.left)
    }

    /// Pixels down; 0 if it is empty.
    pub fn height(&self) -> u32 {
        self.bottom.saturating_sub(self.top)
    }

    /// Pixels in it.
    pub fn pixels(&self) -> usize {
        self.width() as usize * self.height() as usize
    }

    /// The smallest rectangle around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// What is in both; empty if nothing is.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// So many pixels more on all sides, within a picture.
    #[must_use]
    pub fn grown(&self, by: u32, width: u32, height: u32) -> Self {
        if self.is_empty() {
            return *self;
        }
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: (self.right + by).min(width),
            bottom: (self.bottom + by).min(height),
        }
    }

    /// Makes one of those that overlap or lie so near that one costs no more; drops empty ones. No two of those
    /// that are left overlap, and they are in order from top to bottom.
    pub fn merge(rects: &mut Vec<Self>) {
        rects.retain(|rect| !rect.is_empty());
        let mut at = 0;
        while at < rects.len() {
            let mut other = at + 1;
            while other < rects.len() {
                let (a, b) = (rects[at], rects[other]);
                let both = a.union(&b);
                let apart = a.intersection(&b).is_empty();
                let sum = (a.pixels() + b.pixels()) as f64;
                if apart && both.pixels() as f64 > MOST_WASTE * sum {
                    other += 1;
                    continue;
                }
                rects[at] = both;
                rects.swap_remove(other);
                // It may now overlap those that were looked at before.
                (at, other) = (0, 1);
            }
            at += 1;
        }
        rects.sort_unstable_by_key(|rect| (rect.top, rect.left));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect([left, top, right, bottom]: [u32; 4]) -> PictureRect {
        PictureRect { left, top, right, bottom }
    }

    #[test]
    fn what_overlaps_becomes_one_and_what_lies_apart_stays() {
        let mut rects = vec![
            rect([50, 50, 60, 60]),
            rect([0, 0, 10, 10]),
            rect([5, 5, 5, 9]),
            rect([8, 8, 20, 20]),
            rect([18, 18, 22, 22]),
        ];
        PictureRect::merge(&mut rects);
        assert_eq!(rects, [rect([0, 0, 22, 22]), rect([50, 50, 60, 60])]);
    }
}
