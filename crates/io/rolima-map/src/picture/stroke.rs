//! One stroke of a pen: fitted to the ink below the pixel, and followed to its ends.

use super::effort::PictureEffort;
use super::plane::{DEPTH_OF_EDGE, PixelPlane};
use rolima_math::Vec2;

/// Ink a stroke can be followed on.
pub(crate) struct Paper<'a> {
    /// Amount of the ink.
    pub(crate) ink: &'a PixelPlane<u8>,
    /// Pixels of solid areas, where strokes end.
    pub(crate) solid: &'a PixelPlane<bool>,
    /// What may still be looked at.
    pub(crate) effort: &'a PictureEffort,
    /// Whether edges were drawn without smoothing.
    is_hard: bool,
}

impl<'a> Paper<'a> {
    pub(crate) fn new(
        ink: &'a PixelPlane<u8>,
        depth: &PixelPlane<u16>,
        solid: &'a PixelPlane<bool>,
        effort: &'a PictureEffort,
    ) -> Self {
        // A smoothed edge has a pixel of half ink at every second step or more; JPEG makes few.
        let is_edge = |i: &usize| (1..=DEPTH_OF_EDGE).contains(&depth.data[*i]);
        let (mut edge, mut half) = (0_usize, 0_usize);
        for i in (0..depth.data.len()).filter(is_edge) {
            edge += 1;
            half += usize::from((80..=175).contains(&ink.data[i]));
        }
        Self { ink, solid, effort, is_hard: half * 20 < edge }
    }
}

/// Distance between the places where a stroke is looked at while it is followed, pixels.
const STEP: f64 = 0.5;
/// Least amount of ink on the middle line.
const LEAST_PEAK: f64 = 0.3;
/// A break in the ink up to this long is dirt, pixels.
const LONGEST_BREAK: f64 = 1.5;
/// Most places that a fit looks at.
const MOST_STATIONS: f64 = 200.0;

/// Most times that a line is fitted anew because it reaches further.
const MOST_FITS: usize = 12;

/// How a stroke's end came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The ink ends here.
    Free,
    /// The ink goes on, but not straight on.
    InInk,
    /// At a solid area.
    AtSolid,
}

/// One end of a stroke: where the centre of the pen was.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) point: Vec2,
    pub(crate) ending: Ending,
}

/// A straight stroke.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stroke {
    pub(crate) ends: [End; 2],
    /// Half the width of the pen, pixels.
    pub(crate) half: f64,
    /// The thing of ink that it belongs to, by a number.
    pub(crate) group: usize,
}

impl Stroke {
    pub(crate) fn length(&self) -> f64 {
        (self.ends[1].point - self.ends[0].point).length()
    }

    /// From the first end to the second.
    pub(crate) fn direction(&self) -> Vec2 {
        (self.ends[1].point - self.ends[0].point).unit_or(Vec2::new(1.0, 0.0))
    }

    /// The point of the middle line between the ends that is nearest to one.
    pub(crate) fn nearest(&self, point: Vec2) -> Vec2 {
        let (from, along) = (self.ends[0].point, self.direction());
        from + along * (point - from).dot(along).clamp(0.0, self.length())
    }

    /// How far a point is from the middle line between the ends.
    pub(crate) fn distance(&self, point: Vec2) -> f64 {
        (point - self.nearest(point)).length()
    }
}

/// A line that is being fitted: the ink from `from` to `to` (distances along it) belongs to it.
#[derive(Clone, Copy)]
struct Axis {
    origin: Vec2,
    along: Vec2,
    half: f64,
    from: f64,
    to: f64,
}

/// The edges of the ink across a line, from its middle.
#[derive(Clone, Copy)]
struct Across {
    low: f64,
    high: f64,
}

impl Paper<'_> {
    /// The ink across `along` at `point`, up to `reach` to both sides; none where there is none
    /// within 1.5 pixels.
    fn across(&self, point: Vec2, along: Vec2, reach: f64) -> Option<Across> {
        self.effort.spend(1);
        let normal = along.perp();
        let amount = |t: f64| self.ink.amount(point + normal * t);
        let places = [0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5];
        let (mut top, mut peak) = (0.0, 0.0);
        for t in places {
            let here = amount(t);
            // A little more ink aside does not outweigh being in the middle.
            if here > peak + 0.02 {
                (top, peak) = (t, here);
            }
        }
        if peak < LEAST_PEAK {
            return None;
        }
        let edge = |side: f64| {
            let (mut t, mut before): (f64, f64) = (top, peak);
            loop {
                let next = t + side * 0.5;
                if (next - top).abs() > reach {
                    return next;
                }
                let here = amount(next);
                if here < 0.5 * peak {
                    let share = (before - 0.5 * peak) / (before - here);
                    return t + side * 0.5 * share;
                }
                (t, before) = (next, here);
            }
        };
        let (low, high) = (edge(-1.0), edge(1.0));
        // Across wide ink a look takes longer.
        self.effort.spend((high - low) as u64 / 8);
        Some(Across { low, high })
    }

    /// How far aside of `point` the middle of the ink across `along` is, and how wide the ink is
    /// there; it is looked for up to `reach` to both sides.
    pub(crate) fn middle_across(&self, point: Vec2, along: Vec2, reach: f64) -> Option<(f64, f64)> {
        let Across { low, high } = self.across(point, along, reach)?;
        Some((0.5 * (low + high), high - low))
    }

    /// Where the centre of the pen was at the end of a stroke that goes `outward` from `near`, a
    /// place about half a pen before the tip of the ink.
    pub(crate) fn free_end(&self, near: Vec2, outward: Vec2, half: f64) -> Vec2 {
        let axis = Axis { origin: near, along: outward, half, from: -half, to: 0.0 };
        let ends = [0.0, half].map(|reached| self.end(&axis, reached, false, 1.0));
        let free = ends.into_iter().find(|(_, ending)| *ending == Ending::Free);
        near + outward * free.map_or(0.0, |(s, _)| s)
    }

    /// The straight line of least squares through the middle of the ink around `axis`.
    fn fit(&self, axis: Axis) -> Option<Axis> {
        let length = axis.to - axis.from;
        let trim = axis.half.min(0.2 * length);
        let (first, last) = (axis.from + trim, axis.to - trim);
        let step = ((last - first) / MOST_STATIONS).max(1.0);
        let reach = 2.0 * axis.half + 4.0;
        let mut stations: Vec<(f64, Across)> = vec![];
        let mut s = first;
        while s <= last {
            let found = self.across(axis.origin + axis.along * s, axis.along, reach);
            stations.extend(found.map(|across| (s, across)));
            s += step;
        }
        if stations.len() < 3 {
            return None;
        }
        // Where other strokes join, the ink is wider; a third of the stations without is enough.
        let mut widths: Vec<f64> = stations.iter().map(|(_, a)| a.high - a.low).collect();
        widths.sort_by(f64::total_cmp);
        // Nor does a clot of ink make a wide pen of a narrow one.
        let width = widths[widths.len() * 3 / 10].min(2.5 * axis.half + 1.0);
        let is_clean =
            |across: &Across| (across.high - across.low - width).abs() <= (0.25 * width).max(1.0);
        let clean = stations.iter().filter(|(_, a)| is_clean(a));
        let mut points: Vec<(f64, f64)> =
            clean.map(|(s, a)| (*s, 0.5 * (a.low + a.high))).collect();
        let mut line = least_squares(&points)?;
        points.retain(|(s, t)| (t - line.0 - line.1 * s).abs() <= 0.75);
        line = least_squares(&points).unwrap_or(line);
        let (offset, slope) = line;
        let along = (axis.along + axis.along.perp() * slope).unit_or(axis.along);
        let middle = 0.5 * (axis.from + axis.to);
        let center =
            axis.origin + axis.along * middle + axis.along.perp() * (offset + slope * middle);
        let half = 0.5 * width;
        Some(Axis { origin: center, along, half, from: -0.5 * length, to: 0.5 * length })
    }

    /// Whether the whole width of the pen is covered with ink at `point`.
    fn is_full(&self, point: Vec2, axis: &Axis) -> bool {
        // Without smoothed edges, a stroke that hardly leans jumps aside by a whole pixel.
        let slack = if self.is_hard { 1.05 } else { 0.6 + 0.08 * axis.half };
        let across = self.across(point, axis.along, axis.half + slack + 1.0);
        across.is_some_and(|a| a.low <= slack - axis.half && a.high >= axis.half - slack)
    }

    /// How far along the line the ink goes on from `start` without a break, and whether it ended
    /// at a solid area.
    fn follow(&self, axis: &Axis, start: f64, side: f64) -> (f64, bool) {
        let (mut reached, mut s) = (start, start);
        let farthest = (self.ink.width + self.ink.height) as f64;
        while (s - start).abs() < farthest {
            let point = axis.origin + axis.along * s;
            if self.solid.around(point) {
                return (s, true);
            }
            if self.is_full(point, axis) {
                reached = s;
            } else if (s - reached).abs() > LONGEST_BREAK {
                break;
            }
            s += side * STEP;
        }
        (reached, false)
    }

    /// Where the ink ends on a line beside the middle one, from `reached` on; none if it goes on
    /// for longer than an end of this pen does.
    fn tip(&self, axis: &Axis, offset: f64, reached: f64, side: f64) -> Option<f64> {
        let origin = axis.origin + axis.along.perp() * offset;
        let amount = |s: f64| self.ink.amount(origin + axis.along * s);
        let (mut s, mut before) = (reached, amount(reached));
        // The ink may be fading at the start already: full is what it is a little before.
        let full = before.max(amount(reached - side)).max(amount(reached - 2.0 * side));
        let level = 0.5 * full.max(LEAST_PEAK);
        if before < level {
            return Some(reached);
        }
        while (s - reached).abs() < axis.half + 2.0 {
            let here = amount(s + side * STEP);
            if here < level {
                let share = ((before - level) / (before - here).max(1e-3)).clamp(0.0, 1.0);
                return Some(s + side * STEP * share);
            }
            s += side * STEP;
            before = here;
        }
        None
    }

    /// The end of the stroke on one side: the ink's tip less half the pen.
    fn end(&self, axis: &Axis, reached: f64, at_solid: bool, side: f64) -> (f64, Ending) {
        if at_solid {
            return (reached, Ending::AtSolid);
        }
        let Some(middle) = self.tip(axis, 0.0, reached, side) else {
            return (reached, Ending::InInk);
        };
        // A square pen that goes aslant has a corner beside the middle that reaches further, by
        // up to a quarter of its half; more is another stroke.
        let beside = (-4..=4).filter_map(|k| {
            let tip = self.tip(axis, 0.2 * f64::from(k) * axis.half, reached, side)?;
            Some((tip - middle) * side)
        });
        let corner = beside.fold(0.0, f64::max);
        // Of a fine pen that is less than the noise.
        let is_corner = axis.half > 2.5 && corner <= 0.3 * axis.half + 0.3;
        let corner = if is_corner { corner } else { 0.0 };
        (middle + side * (corner - axis.half), Ending::Free)
    }

    /// The stroke that a straight piece of skeleton from `from` to `to` belongs to; none if there
    /// is no clear one. `half` is about half its width.
    pub(crate) fn stroke(&self, from: Vec2, to: Vec2, half: f64) -> Option<Stroke> {
        let length = (to - from).length();
        if length < 2.0 || self.effort.is_spent() {
            return None;
        }
        let along = (to - from) * (1.0 / length);
        let mut axis = Axis { origin: from, along, half, from: 0.0, to: length };
        axis = self.fit(axis)?;
        axis = self.fit(axis)?;
        let half = axis.half;
        let mut grown = (axis.from, false, axis.to, false);
        // A longer stretch gives a better line, which may be followed further.
        for _ in 0..MOST_FITS {
            let start = 0.5 * (axis.from + axis.to);
            let (low, low_solid) = self.follow(&axis, start, -1.0);
            let (high, high_solid) = self.follow(&axis, start, 1.0);
            grown = (low, low_solid, high, high_solid);
            if high - low < axis.to - axis.from + 1.0 {
                break;
            }
            axis = self.fit(Axis { from: low, to: high, ..axis })?;
            // What is the pen's width does not change on the way.
            axis.half = axis.half.clamp(0.9 * half, 1.1 * half);
        }
        let (low, low_solid, high, high_solid) = grown;
        if high - low < 1.0 {
            return None;
        }
        // The last look at it is from its full length; what hardly leans does not lean.
        axis = upright(self.fit(Axis { from: low, to: high, ..axis }).unwrap_or(axis));
        let (low, high) = if axis.from < axis.to { (axis.from, axis.to) } else { (low, high) };
        let (low, low_ending) = self.end(&axis, low, low_solid, -1.0);
        let (high, high_ending) = self.end(&axis, high, high_solid, 1.0);
        let end = |s: f64, ending| End { point: axis.origin + axis.along * s, ending };
        let is_long = high - low > 1.0 + 0.5 * axis.half;
        let ends = [end(low, low_ending), end(high, high_ending)];
        is_long.then_some(Stroke { ends, half: axis.half, group: 0 })
    }
}

/// A line that leaves the horizontal or vertical by under half a pixel over its length is that:
/// mazes are full of them.
fn upright(axis: Axis) -> Axis {
    let length = axis.to - axis.from;
    let along = axis.along;
    let exact = if along.y.abs() * length < 0.5 {
        Vec2::new(along.x.signum(), 0.0)
    } else if along.x.abs() * length < 0.5 {
        Vec2::new(0.0, along.y.signum())
    } else {
        along
    };
    let middle = 0.5 * (axis.from + axis.to);
    let origin = axis.origin + along * middle;
    Axis { origin, along: exact, from: -0.5 * length, to: 0.5 * length, ..axis }
}

/// Offset and slope of the line through points (s, t); none for fewer than two places.
fn least_squares(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let n = points.len() as f64;
    let mean_s = points.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_t = points.iter().map(|p| p.1).sum::<f64>() / n;
    let spread: f64 = points.iter().map(|p| (p.0 - mean_s) * (p.0 - mean_s)).sum();
    let lean: f64 = points.iter().map(|p| (p.0 - mean_s) * (p.1 - mean_t)).sum();
    if points.len() < 2 || spread < 0.5 {
        return None;
    }
    let slope = lean / spread;
    Some((mean_t - slope * mean_s, slope))
}
