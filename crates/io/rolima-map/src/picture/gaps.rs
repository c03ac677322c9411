//! Breaks in the ink that are narrower than the pen: nobody means a door by them.

use super::boxes::Boxes;
use super::effort::PictureEffort;
use super::plane::PixelPlane;
use super::stroke::{End, Ending, Stroke};
use rolima_math::Vec2;

/// How far aside ends of one straight stroke may lie, pixels.
const ASIDE: f64 = 1.0;
/// An end this near to another stroke belongs onto it, pixels.
const JOINED: f64 = 0.75;
/// One this near does where their inks touch, pixels: the pixels that lines touch do not show
/// narrower gaps between them.
const HIDDEN: f64 = 2.9;
/// How often ends are put onto strokes.
const SNAPS: usize = 2;
/// What is nearer than this is there, pixels.
const THERE: f64 = 1e-6;

/// The strokes with their free ends led over gaps that are narrower than the pen to the stroke
/// beyond, and those beside another stroke within one `ink` put onto it.
pub(crate) fn closed(
    strokes: &[Stroke],
    ink: &PixelPlane<bool>,
    effort: &PictureEffort,
) -> Vec<Stroke> {
    let mut strokes = strokes.to_vec();
    // One end that moves may leave another behind, which the next round fetches.
    (0..SNAPS).for_each(|_| snap(&mut strokes, ink, effort));
    let mut gone = vec![false; strokes.len()];
    let mut boxes = Boxes::of(&strokes);
    let widest = strokes.iter().map(|stroke| stroke.half).fold(0.0, f64::max);
    for i in 0..strokes.len() {
        effort.spend(strokes.len() as u64 / 256);
        if effort.is_spent() {
            break;
        }
        for end in 0..2 {
            if gone[i] || strokes[i].ends[end].ending != Ending::Free {
                continue;
            }
            // From ink to ink, less than the width of the pen.
            let reach = 3.0 * strokes[i].half + widest;
            let near = boxes.near_point(strokes[i].ends[end].point, reach);
            let others: Vec<usize> = near.filter(|j| *j != i && !gone[*j]).collect();
            let Some((j, at)) = beyond(&strokes, &others, i, end) else { continue };
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
            boxes.set(i, &strokes[i]);
        }
    }
    let mut index = 0;
    strokes.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
    strokes
}

/// Puts ends that lie beside a stroke onto it: a gap of half a pixel is one, too.
fn snap(strokes: &mut [Stroke], ink: &PixelPlane<bool>, effort: &PictureEffort) {
    let mut boxes = Boxes::of(strokes);
    for i in 0..strokes.len() {
        effort.spend(strokes.len() as u64 / 256);
        for end in 0..2 {
            let End { point, ending } = strokes[i].ends[end];
            let near = boxes.near_point(point, HIDDEN).filter(|j| *j != i);
            let places = near.map(|j| (strokes[j].nearest(point), j));
            let away = |(at, _): &(Vec2, usize)| (*at - point).length();
            let Some((at, j)) = places.min_by(|a, b| away(a).total_cmp(&away(b))) else { continue };
            let far = away(&(at, j));
            let is_hidden = || {
                let touch = far <= strokes[i].half + strokes[j].half || is_ink(ink, point, at);
                far <= HIDDEN && touch && !cross(&strokes[i], &strokes[j])
            };
            if far > JOINED && !is_hidden() {
                continue;
            }
            let reach = 2.0 * far.max(JOINED);
            let is_past = (at - strokes[i].ends[1 - end].point).length() < reach;
            if far > THERE && ending != Ending::AtSolid && !is_past {
                let straight_on = meeting(&strokes[i], end, &strokes[j], at);
                let is_near = (straight_on - point).length() <= reach;
                strokes[i].ends[end].point = if is_near { straight_on } else { at };
                boxes.set(i, &strokes[i]);
            }
        }
    }
}

/// Whether there is ink all the way.
pub(super) fn is_ink(ink: &PixelPlane<bool>, from: Vec2, to: Vec2) -> bool {
    let steps = (2.0 * (to - from).length()).ceil().max(1.0) as usize;
    (0..=steps).all(|k| ink.around(from + (to - from) * (k as f64 / steps as f64)))
}

/// Whether two strokes' middle lines cross, so that nothing passes between them.
fn cross(one: &Stroke, other: &Stroke) -> bool {
    let is_parted = |line: &Stroke, by: &Stroke| {
        let (from, along) = (line.ends[0].point, line.direction());
        let [a, b] = by.ends.map(|end| along.cross(end.point - from));
        a * b < 0.0
    };
    is_parted(one, other) && is_parted(other, one)
}

/// The stroke of `others` that a free end goes on to over a gap, and the nearest place on it.
fn beyond(strokes: &[Stroke], others: &[usize], i: usize, end: usize) -> Option<(usize, Vec2)> {
    let (stroke, point) = (&strokes[i], strokes[i].ends[end].point);
    let outward = stroke.direction() * if end == 0 { -1.0 } else { 1.0 };
    let mut nearest: Option<(f64, usize, Vec2)> = None;
    for &j in others {
        let other = &strokes[j];
        let at = other.nearest(point);
        let away = (at - point).length();
        if away <= JOINED {
            return None;
        }
        // Ahead is within 60 degrees.
        let gap = away - stroke.half - other.half;
        let is_ahead = (at - point).dot(outward) >= 0.5 * away;
        if gap < 2.0 * stroke.half && is_ahead && nearest.is_none_or(|(least, ..)| away < least) {
            nearest = Some((away, j, at));
        }
    }
    nearest.map(|(_, j, at)| (j, at))
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
