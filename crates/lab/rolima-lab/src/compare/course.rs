//! How much two courses differ: points over time, or over the way that was gone.
//!
//! A course is a polyline, straight between its points. Two are compared where both are known. Between
//! two neighbouring points of either, their difference d changes evenly from a to b, so that
//!
//! | number | how |
//! |---|---|
//! | maximum | the largest \|d\| at any point of either: no \|d\| between is larger |
//! | rms | square root of the mean of \|d\|², whose integral over a piece is (a² + a·b + b²) / 3 of it |
//! | end | \|d\| where the shorter one ends |

/// Points over a number that never goes back: a time, s, or a way, m.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Course {
    pub(super) at: Vec<f64>,
    pub(super) points: Vec<[f64; 3]>,
}

/// By how much two courses differ.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Difference {
    pub(super) maximum: f64,
    /// Where the maximum is.
    pub(super) maximum_at: f64,
    pub(super) rms: f64,
    pub(super) end: f64,
    /// Where both are known.
    pub(super) from: f64,
    pub(super) to: f64,
    /// The difference along the way.
    pub(super) along: Vec<(f64, f64)>,
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn size(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

impl Course {
    /// Adds a point; one at the same place replaces nothing: where a number stands still, it jumps there.
    pub(super) fn push(&mut self, at: f64, point: [f64; 3]) {
        self.at.push(at);
        self.points.push(point);
    }

    /// The same points over the way from the first of them on, m; those that do not get any further are left
    /// out.
    pub(super) fn by_length(&self) -> Self {
        let mut way = Self::default();
        for &point in &self.points {
            match way.points.last().zip(way.at.last()) {
                None => way.push(0.0, point),
                Some((&last, &at)) => {
                    let gone = size(minus(point, last));
                    if gone > 0.0 {
                        way.push(at + gone, point);
                    }
                }
            }
        }
        way
    }

    /// The point at a number, from the piece `after` on or a later one, which is told.
    fn point(&self, at: f64, after: usize) -> ([f64; 3], usize) {
        let mut piece = after;
        while piece + 2 < self.at.len() && self.at[piece + 1] <= at {
            piece += 1;
        }
        let Some((&to, &end)) = self.at.get(piece + 1).zip(self.points.get(piece + 1)) else {
            return (self.points.first().copied().unwrap_or_default(), 0);
        };
        let (from, begin) = (self.at[piece], self.points[piece]);
        let share = if to > from { ((at - from) / (to - from)).clamp(0.0, 1.0) } else { 1.0 };
        ([0, 1, 2].map(|i| begin[i] + share * (end[i] - begin[i])), piece)
    }

    /// By how much this one differs from another; none where they are nowhere known both.
    pub(super) fn difference(&self, other: &Self) -> Option<Difference> {
        let from = self.at.first()?.max(*other.at.first()?);
        let to = self.at.last()?.min(*other.at.last()?);
        if from > to {
            return None;
        }
        let mut knots: Vec<f64> = self.at.iter().chain(&other.at).copied().collect();
        knots.retain(|at| (from..=to).contains(at));
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        let (mut own, mut others) = (0, 0);
        let mut along = Vec::with_capacity(knots.len());
        let (mut squares, mut before): (f64, Option<(f64, [f64; 3])>) = (0.0, None);
        let (mut maximum, mut maximum_at) = (-1.0, from);
        for at in knots {
            let (a, piece) = self.point(at, own);
            own = piece;
            let (b, piece) = other.point(at, others);
            others = piece;
            let d = minus(a, b);
            if let Some((last, e)) = before {
                squares += (at - last) * (dot(d, d) + dot(d, e) + dot(e, e)) / 3.0;
            }
            let off = size(d);
            if off > maximum {
                (maximum, maximum_at) = (off, at);
            }
            along.push((at, off));
            before = Some((at, d));
        }
        let end = along.last()?.1;
        let rms = if to > from { (squares / (to - from)).max(0.0).sqrt() } else { end };
        Some(Difference { maximum, maximum_at, rms, end, from, to, along })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn course(points: &[(f64, [f64; 3])]) -> Course {
        let mut course = Course::default();
        points.iter().for_each(|&(at, point)| course.push(at, point));
        course
    }

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn a_line_beside_another_differs_by_their_distance_everywhere() {
        let one = course(&[(0.0, [0.0; 3]), (4.0, [8.0, 0.0, 0.0])]);
        let other =
            course(&[(1.0, [2.0, 0.3, 0.4]), (2.5, [5.0, 0.3, 0.4]), (9.0, [18.0, 0.3, 0.4])]);
        let d = one.difference(&other).unwrap();
        assert_eq!((d.from, d.to), (1.0, 4.0));
        for number in [d.maximum, d.rms, d.end] {
            assert!(is_near(number, 0.5), "{d:?}");
        }
        assert_eq!(d.along.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [1.0, 2.5, 4.0]);
    }

    #[test]
    fn a_difference_that_grows_evenly_has_an_rms_of_its_end_over_the_root_of_three() {
        let still = course(&[(0.0, [1.0, 1.0, 1.0]), (2.0, [1.0, 1.0, 1.0])]);
        let away = course(&[(0.0, [1.0, 1.0, 1.0]), (1.0, [1.0, 4.0, 1.0])]);
        let d = still.difference(&away).unwrap();
        assert!(is_near(d.end, 3.0) && is_near(d.rms, 3.0 / 3.0_f64.sqrt()), "{d:?}");
        assert!(is_near(d.maximum, 3.0) && is_near(d.maximum_at, 1.0));
        // There and back: the peak is at a point of the other course only.
        let peak = course(&[(0.0, [1.0; 3]), (0.5, [1.0, 1.0, 3.0]), (2.0, [1.0; 3])]);
        let d = peak.difference(&still).unwrap();
        assert!(is_near(d.maximum, 2.0) && d.maximum_at == 0.5 && is_near(d.end, 0.0));
        assert!(is_near(d.rms, 2.0 / 3.0_f64.sqrt()), "{d:?}");
    }

    #[test]
    fn the_same_way_at_another_pace_differs_by_time_and_not_by_length() {
        let slow = course(&[
            (0.0, [0.0; 3]),
            (2.0, [0.0; 3]),
            (6.0, [4.0, 0.0, 0.0]),
            (9.0, [4.0, 3.0, 0.0]),
        ]);
        let fast = course(&[(0.0, [0.0; 3]), (1.0, [4.0, 0.0, 0.0]), (2.0, [4.0, 2.0, 0.0])]);
        assert!(slow.difference(&fast).unwrap().maximum > 4.0);
        let d = slow.by_length().difference(&fast.by_length()).unwrap();
        assert!(d.maximum < 1e-12 && d.to == 6.0, "{d:?}");
    }

    #[test]
    fn courses_that_are_never_known_both_have_no_difference() {
        let early = course(&[(0.0, [0.0; 3]), (1.0, [1.0; 3])]);
        let late = course(&[(2.0, [0.0; 3]), (3.0, [1.0; 3])]);
        assert_eq!(early.difference(&late), None);
        assert_eq!(early.difference(&Course::default()), None);
        let point = course(&[(0.5, [0.5; 3])]);
        let d = early.difference(&point).unwrap();
        assert_eq!((d.from, d.to, d.maximum, d.rms), (0.5, 0.5, 0.0, 0.0));
    }
}
