//! How wide outlines are between two heights: what lays long walls into grids by the cells that
//! they pass through, not by those of the rectangle around them.

use crate::shape::{Part, Polygon};
use rolima_math::Vec2;

/// Least and greatest x of a convex outline between `low` and `high` in y, m; none where it does
/// not come there. Two corners are a line.
pub fn span_between(corners: &[Vec2], low: f64, high: f64) -> Option<(f64, f64)> {
    let mut span: Option<(f64, f64)> = None;
    let mut take = |x: f64| {
        let (least, most) = span.get_or_insert((x, x));
        (*least, *most) = (least.min(x), most.max(x));
    };
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        if a.y.max(b.y) < low || a.y.min(b.y) > high {
            continue;
        }
        // Where the side comes into the band and where it leaves it; all of it if it is level.
        for limit in [low, high] {
            let share = (limit - a.y) / (b.y - a.y);
            if share > 0.0 && share < 1.0 {
                take(a.x + (b.x - a.x) * share);
            }
        }
        for end in [a, b] {
            if end.y >= low && end.y <= high {
                take(end.x);
            }
        }
    }
    span
}

impl Part {
    /// Least and greatest x of the part between `low` and `high` in y, m; none where it does not
    /// come there.
    pub fn span_between(&self, low: f64, high: f64) -> Option<(f64, f64)> {
        match *self {
            Self::Circle { center, radius } => {
                let away = (low - center.y).max(center.y - high).max(0.0);
                let half = (radius * radius - away * away).max(0.0).sqrt();
                (away <= radius).then_some((center.x - half, center.x + half))
            }
            Self::Box { pose, half } => {
                span_between(&Polygon::rectangle(pose, half).vertices[..4], low, high)
            }
            Self::Polygon(p) => span_between(&p.vertices[..p.count], low, high),
        }
    }
}

/// Most entries of a grid for each outline; mazes have about three. Above five, as an outline that is
/// shorter than a cell may touch as many.
const ENTRIES_EACH: f64 = 12.0;
/// Most entries of a grid besides those.
const ENTRIES_ANYWAY: f64 = 65_536.0;

/// Bound on how many cells of a grid outlines touch together, found without looking at a cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage {
    /// Area of the outlines, m2.
    area: f64,
    /// Width and height of the rectangles around them, m.
    length: f64,
    count: f64,
}

impl Coverage {
    /// Counts a line between two points.
    pub fn add_line(&mut self, from: Vec2, to: Vec2) {
        self.length += (to.x - from.x).abs() + (to.y - from.y).abs();
        self.count += 1.0;
    }

    /// Counts a part.
    pub fn add(&mut self, part: &Part) {
        let (min, max) = part.bounding_box();
        // Both sides of an outline cut cells.
        self.length += 2.0 * (max.x - min.x + max.y - min.y);
        self.area += part.area();
        self.count += 1.0;
    }

    /// At most so many cells of this length, m, are touched.
    pub fn cells(&self, cell: f64) -> f64 {
        // A short line touches four cells at the most; one more for margins around cells.
        self.area / (cell * cell) + self.length / cell + 5.0 * self.count
    }

    /// The length of a cell, m, from `cell` up, with which a grid has at most 12 entries for
    /// each outline and 65,536 besides: memory then grows with the number of outlines, not with how
    /// long they are.
    pub fn cell_within(&self, cell: f64) -> f64 {
        let mut cell = cell;
        while self.cells(cell) > ENTRIES_EACH * self.count + ENTRIES_ANYWAY {
            cell *= 1.25;
        }
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::{Pose2, Stream};

    #[test]
    fn no_point_of_a_part_lies_outside_its_span_and_the_span_ends_at_the_part() {
        let mut random = Stream::new(3, 0, "spans");
        for _ in 0..2_000 {
            let center = Vec2::new(random.between(-2.0, 2.0), random.between(-2.0, 2.0));
            let pose = Pose2::new(center.x, center.y, random.between(-4.0, 4.0));
            let half = Vec2::new(random.between(0.01, 3.0), random.between(0.0, 0.3));
            let parts = [
                Part::Box { pose, half },
                Part::Circle { center, radius: half.x },
                Part::Polygon(Polygon::rectangle(pose, half)),
            ];
            let low = random.between(-4.0, 4.0);
            let high = low + random.between(0.0, 1.0);
            for part in parts {
                let span = part.span_between(low, high);
                let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
                for i in 0..=40 {
                    for k in 0..=40 {
                        let own = Vec2::new(f64::from(i - 20) / 20.0, f64::from(k - 20) / 20.0);
                        let at = match part {
                            Part::Circle { center, radius } => {
                                center + own * (radius / own.length().max(1.0))
                            }
                            _ => pose.transform(Vec2::new(own.x * half.x, own.y * half.y)),
                        };
                        if at.y >= low && at.y <= high {
                            (least, most) = (least.min(at.x), most.max(at.x));
                        }
                    }
                }
                let (from, to) = span.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
                assert!(from <= least + 1e-9 && to >= most - 1e-9, "{part:?} {low} {high}");
                let (min, max) = part.bounding_box();
                assert!(span.is_none() || (from >= min.x - 1e-9 && to <= max.x + 1e-9));
            }
        }
    }
}
