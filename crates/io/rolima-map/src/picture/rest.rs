//! Ink that lies farther from all strokes than their pen is wide: further strokes lead to it.
//!
//! Where strokes meet at a small angle, or one runs along another, walls that are few and straight leave ink
//! aside. From the pixel that lies farthest off, a further stroke goes to the nearest one, and along the ink
//! that was left aside if that is long. What lies beyond paper stays, and [`left_out`](super::left_out) tells of
//! it.

use super::boxes::Boxes;
use super::cover::cover;
use super::effort::{PictureEffort, TooMany};
use super::gaps::is_ink;
use super::pens::UsualPen;
use super::plane::PixelPlane;
use super::runs::components;
use super::stroke::{End, Ending, Paper, Stroke};
use super::strokes::Ink;
use rolima_math::Vec2;

/// Most pixels that are looked at; what is beyond is told. A drawing leaves some hundred.
const MOST_PIXELS: usize = 1 << 16;
/// Most times that a stroke is led to what is left of one thing.
const MOST_ROUNDS: usize = 8;

/// The strokes of an ink.
pub(crate) struct Explained {
    pub(crate) strokes: Vec<Stroke>,
    /// The pixels that are no farther from them than their pen is wide, and those of solid areas.
    pub(crate) covered: PixelPlane<bool>,
}

/// The strokes, and further ones to ink that lies farther from them than it may.
pub(crate) fn explained(
    paper: &Paper<'_>,
    ink: &Ink<'_>,
    mut strokes: Vec<Stroke>,
) -> Result<Explained, TooMany> {
    let (mask, pen) = (ink.mask, UsualPen::of(&strokes));
    let mut covered = paper.solid.clone();
    strokes.iter().for_each(|stroke| cover(&mut covered, stroke, pen.reach(stroke)));
    let (mut things, mut count): (Vec<Vec<Vec2>>, usize) = (vec![], 0);
    let is_bare = |i: usize| mask.data[i] && !covered.data[i];
    components(mask.width, mask.height, is_bare, |pixels| {
        count += pixels.len();
        if pixels.len() >= ink.least && count <= MOST_PIXELS {
            things.push(pixels.iter().map(|i| mask.center(*i as usize)).collect());
        }
    })?;
    let boxes = Boxes::of(&strokes);
    let before = strokes.len();
    for thing in things {
        paper.effort.spend(before as u64 / 64);
        if paper.effort.is_spent() {
            break;
        }
        let reach = 4.0 * pen.half() + extent(&thing);
        let near: Vec<usize> = boxes.near_point(thing[0], reach).collect();
        let near: Vec<Stroke> = near.into_iter().map(|i| strokes[i]).collect();
        let further = Rest { ink, pen: &pen, effort: paper.effort, near }.through(thing);
        if strokes.len() + further.len() > ink.most {
            break;
        }
        further.iter().for_each(|stroke| cover(&mut covered, stroke, pen.reach(stroke)));
        strokes.extend(further);
    }
    Ok(Explained { strokes, covered })
}

/// How far pixels lie from the first of them, at most.
fn extent(pixels: &[Vec2]) -> f64 {
    pixels.iter().map(|at| (*at - pixels[0]).length()).fold(0.0, f64::max)
}

/// Ink that hangs together and lies far from strokes.
struct Rest<'a> {
    ink: &'a Ink<'a>,
    pen: &'a UsualPen,
    effort: &'a PictureEffort,
    /// The strokes that it may belong to.
    near: Vec<Stroke>,
}

impl Rest<'_> {
    /// Further strokes, so that none of the pixels lies far from one, where that can be.
    fn through(mut self, mut pixels: Vec<Vec2>) -> Vec<Stroke> {
        let first = self.near.len();
        for _ in 0..MOST_ROUNDS {
            self.effort.spend((pixels.len() * self.near.len()) as u64 / 16);
            if pixels.len() < self.ink.least || self.effort.is_spent() {
                break;
            }
            let Some(way) = self.way(&pixels) else { break };
            let is_far = |at: &Vec2, one: &Stroke| one.distance(*at) > self.pen.reach(one);
            pixels.retain(|at| way.iter().all(|stroke| is_far(at, stroke)));
            self.near.extend(way);
        }
        self.near.split_off(first)
    }

    /// A stroke from the farthest pixel to the nearest stroke, after one along the ink if that is long.
    fn way(&self, pixels: &[Vec2]) -> Option<Vec<Stroke>> {
        let ends = pixels.iter().filter_map(|at| self.end(*at));
        let one = ends.max_by(|a, b| a.away.total_cmp(&b.away))?;
        let far = |at: &&Vec2| (**at - one.pixel).length_squared();
        let other = pixels.iter().max_by(|a, b| far(a).total_cmp(&far(b)))?;
        let other = self.end(*other)?;
        let joined = |end: &RestEnd| self.stroke(end, end.point, end.on, Ending::Free);
        let along = || self.stroke(&one, other.point, one.point, Ending::Free);
        let is_long = (other.pixel - one.pixel).length() > 2.0 * self.pen.half();
        if is_long && let (Some(along), Some(joined)) = (along(), joined(&one)) {
            return Some(vec![along, joined]);
        }
        Some(vec![joined(&one)?])
    }

    /// Where a pen would have been that inked a pixel, and the nearest place of a stroke.
    fn end(&self, pixel: Vec2) -> Option<RestEnd> {
        let places = self.near.iter().map(|stroke| (stroke.nearest(pixel), stroke.group));
        let away = |(on, _): &(Vec2, usize)| (*on - pixel).length();
        let (on, group) = places.min_by(|a, b| away(a).total_cmp(&away(b)))?;
        let away = (pixel - on).length();
        // As far inside of the ink as the pen is wide on one side.
        let point = pixel + (on - pixel) * (self.pen.half() / away.max(1e-9)).min(0.5);
        Some(RestEnd { pixel, point, on, away, group })
    }

    /// A stroke, if there is ink all the way but for the last half pen.
    fn stroke(&self, of: &RestEnd, from: Vec2, to: Vec2, ending: Ending) -> Option<Stroke> {
        let length = (to - from).length();
        let inked = from + (to - from) * (1.0 - (self.pen.half() + 1.0) / length).clamp(0.0, 1.0);
        let ends = [End { point: from, ending }, End { point: to, ending: Ending::InInk }];
        let stroke = Stroke { ends, half: self.pen.half(), group: of.group };
        (length > 1e-3 && is_ink(self.ink.mask, from, inked)).then_some(stroke)
    }
}

/// A pixel that a further stroke is to explain.
struct RestEnd {
    pixel: Vec2,
    /// Where the stroke's end is.
    point: Vec2,
    /// The nearest place of a stroke.
    on: Vec2,
    /// How far that is from the pixel.
    away: f64,
    group: usize,
}
