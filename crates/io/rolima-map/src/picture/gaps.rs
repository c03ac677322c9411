//! Breaks in the ink that are narrower than the pen: nobody means a door by them.

use super::effort::Effort;
use super::stroke::{End, Ending, Stroke};
use rolima_math::Vec2;

/// How far aside ends of one straight stroke may lie, pixels.
const ASIDE: f64 = 1.0;
/// An end this near to another stroke is joined already, pixels.
const JOINED: f64 = 0.75;

/// Leads free ends over gaps that are narrower than the pen to the stroke beyond.
pub(crate) fn close(strokes: &mut Vec<Stroke>, effort: &Effort) {
    let mut gone = vec![false; strokes.len()];
    for i in 0..strokes.len() {
        effort.spend(strokes.len() as u64 / 8);
        if effort.is_spent() {
            break;
        }
        for end in 0..2 {
            if gone[i] || strokes[i].ends[end].ending != Ending::Free {
                continue;
            }
            let Some((j, at)) = beyond(strokes, &gone, i, end) else { continue };
            match straight_on(&strokes[i], end, &strokes[j]) {
                Some(both) => {
                    strokes[i] = both;
                    gone[j] = true;
                }
                None => {
                    let point = meeting(&strokes[i], end, &strokes[j], at);
                    strokes[i].ends[end] = End { point, ending: Ending::InInk };
                }
            }
        }
    }
    let mut index = 0;
    strokes.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
}

/// The stroke that a free end goes on to over a gap, and the nearest place on it.
fn beyond(strokes: &[Stroke], gone: &[bool], i: usize, end: usize) -> Option<(usize, Vec2)> {
    let (stroke, point) = (&strokes[i], strokes[i].ends[end].point);
    let outward = stroke.direction() * if end == 0 { -1.0 } else { 1.0 };
    let mut nearest: Option<(f64, usize, Vec2)> = None;
    for (j, other) in strokes.iter().enumerate() {
        if j == i || gone[j] {
            continue;
        }
        let at = nearest_on(other, point);
        let away = (at - point).length();
        if away <= JOINED {
            return None;
        }
        // From ink to ink, less than the width of the pen; and ahead, within 60 degrees.
        let gap = away - stroke.half - other.half;
        let is_ahead = (at - point).dot(outward) >= 0.5 * away;
        if gap < 2.0 * stroke.half && is_ahead && nearest.is_none_or(|(least, ..)| away < least) {
            nearest = Some((away, j, at));
        }
    }
    nearest.map(|(_, j, at)| (j, at))
}

fn nearest_on(stroke: &Stroke, point: Vec2) -> Vec2 {
    let (from, along) = (stroke.ends[0].point, stroke.direction());
    from + along * (point - from).dot(along).clamp(0.0, stroke.length())
}

/// One stroke for two, if the other begins where this one would go on, with a free end as well.
fn straight_on(stroke: &Stroke, end: usize, other: &Stroke) -> Option<Stroke> {
    let (near, start) = (stroke.ends[end], stroke.ends[1 - end]);
    let close = |k: &usize| (other.ends[*k].point - near.point).length_squared();
    let first = (0..2).min_by(|a, b| close(a).total_cmp(&close(b)))?;
    let (first, last) = (other.ends[first], other.ends[1 - first]);
    let along = (last.point - start.point).unit_or(Vec2::ZERO);
    let is_beside = |p: Vec2| along.cross(p - start.point).abs() <= ASIDE;
    let is_in_order = (first.point - near.point).dot(along) > 0.0
        && (last.point - first.point).dot(along) > 0.0
        && (near.point - start.point).dot(along) > 0.0;
    let is_one = first.ending == Ending::Free && is_beside(near.point) && is_beside(first.point);
    (is_one && is_in_order).then_some(Stroke { ends: [start, last], ..*stroke })
}

/// Where the end meets the other stroke: straight on if that is on it, else at `at`.
fn meeting(stroke: &Stroke, end: usize, other: &Stroke, at: Vec2) -> Vec2 {
    let (point, along) = (stroke.ends[end].point, stroke.direction());
    let across = other.direction();
    let sine = along.cross(across);
    if sine.abs() < 0.3 {
        return at;
    }
    let crossing = point + along * ((other.ends[0].point - point).cross(across) / sine);
    if other.distance(crossing) < 1e-6 { crossing } else { at }
}
