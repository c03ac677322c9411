//! All strokes of one ink: the longest first, each explaining the skeleton along it; then corners
//! and junctions are made to meet.

use super::boxes::Boxes;
use super::chains::{self, PixelRun};
use super::choose::{Chosen, choose};
use super::cover::cover;
use super::effort::TooMany;
use super::graph::Graph;
use super::plane::{DEPTH_UNIT, PixelPlane};
use super::stroke::{End, Ending, Paper, Stroke};
use rolima_math::Vec2;

/// An ink in which strokes are looked for.
pub(crate) struct Ink<'a> {
    /// Pixels that have enough of it.
    pub(crate) mask: &'a PixelPlane<bool>,
    pub(crate) skeleton: &'a PixelPlane<bool>,
    /// How far inside the ink a pixel lies.
    pub(crate) depth: &'a PixelPlane<u16>,
    /// Most strokes.
    pub(crate) most: usize,
    /// Fewest pixels to which a further stroke leads where they lie far from all others.
    pub(crate) least: usize,
}

/// The strokes of an ink, straight where it is straight, else along its skeleton.
pub(crate) fn strokes(paper: &Paper<'_>, ink: &Ink<'_>) -> Result<Chosen, TooMany> {
    let chains = chains::chains(ink.skeleton)?;
    let graph = Graph::new(ink.skeleton, ink.depth, &chains)?;
    let straight = straight(paper, ink, &chains, &graph)?;
    drop(chains);
    paper.effort.check()?;
    let chosen = choose(paper, ink, &graph, &straight)?;
    if chosen.strokes.len() > ink.most {
        return Err(TooMany);
    }
    Ok(chosen)
}

/// The straight strokes of an ink: the longest first.
fn straight(
    paper: &Paper<'_>,
    ink: &Ink<'_>,
    chains: &[Vec<usize>],
    graph: &Graph,
) -> Result<Vec<Stroke>, TooMany> {
    let skeleton = ink.skeleton;
    let mut pieces = chains::pieces(skeleton, chains, paper.effort);
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.pixels.len())); // stable: order stays that of pixels
    let mut explained: PixelPlane<bool> = PixelPlane::new(skeleton.width, skeleton.height);
    let mut found: Vec<Stroke> = vec![];
    for PixelRun { pixels, chain } in &pieces {
        let mut depths: Vec<u16> = pixels.iter().map(|i| ink.depth.data[*i]).collect();
        depths.sort_unstable();
        let half = f64::from(depths[depths.len() / 2]) / f64::from(DEPTH_UNIT) - 0.5;
        let half = half.max(0.5);
        let open = pixels.iter().filter(|i| !explained.data[**i]).count();
        // Within half a pen of other strokes, a skeleton is bent by them and means nothing.
        if (open as f64) < 1.0 + 0.75 * half {
            continue;
        }
        let (Some(&first), Some(&last)) = (pixels.first(), pixels.last()) else { continue };
        let (from, to) = (skeleton.center(first), skeleton.center(last));
        let Some(stroke) = paper.stroke(from, to, half) else { continue };
        let near = |i: &&usize| stroke.distance(skeleton.center(**i)) <= stroke.half + 0.75;
        if pixels.iter().filter(near).count() * 2 < pixels.len() {
            continue; // it has run away to another one
        }
        cover(&mut explained, &stroke, stroke.half + 0.75);
        found.push(Stroke { group: graph.chain_groups[*chain], ..stroke });
        if found.len() > ink.most {
            return Err(TooMany);
        }
    }
    let mut found = merge(paper, found);
    paper.effort.check()?;
    join(&mut found);
    Ok(drop_covered(found))
}

/// Makes one stroke of two that go on as one another where the ink bears it out.
fn merge(paper: &Paper<'_>, mut strokes: Vec<Stroke>) -> Vec<Stroke> {
    let boxes = Boxes::of(&strokes);
    let mut gone = vec![false; strokes.len()];
    for i in 0..strokes.len() {
        let near: Vec<usize> = boxes.near(i, 3.0).collect();
        for j in near {
            if gone[i] || gone[j] {
                continue;
            }
            if let Some(both) = union(paper, &strokes[i], &strokes[j]) {
                strokes[i] = both;
                gone[j] = true;
            }
        }
    }
    strokes.into_iter().zip(gone).filter_map(|(stroke, gone)| (!gone).then_some(stroke)).collect()
}

/// One stroke for two nearly in a line, if there is one that reaches as far as both.
fn union(paper: &Paper<'_>, a: &Stroke, b: &Stroke) -> Option<Stroke> {
    // A pen's width aside in a stretch of its length and less is as good as straight on.
    let shorter = a.length().min(b.length());
    let thick = a.half.max(b.half);
    let sine = a.direction().cross(b.direction()).abs();
    let is_beside = b.ends.iter().any(|end| a.distance(end.point) < 2.0 * thick + 2.0)
        || a.ends.iter().any(|end| b.distance(end.point) < 2.0 * thick + 2.0);
    let is_alike = a.half.min(b.half) > 0.7 * thick;
    if sine > 0.1 || sine * shorter > 3.0 || !is_beside || !is_alike {
        return None;
    }
    let points = [a.ends[0], a.ends[1], b.ends[0], b.ends[1]].map(|end| end.point);
    let pairs = [(0, 2), (0, 3), (1, 2), (1, 3)].map(|(i, j)| (points[i], points[j]));
    let longest = pairs
        .into_iter()
        .max_by(|p, q| (p.1 - p.0).length_squared().total_cmp(&(q.1 - q.0).length_squared()));
    let (from, to) = longest?;
    let both = paper.stroke(from, to, thick)?;
    let reaches = |p: &Vec2| both.distance(*p) <= 1.0 + 0.25 * thick;
    (both.length() + 1.0 >= (to - from).length() && points.iter().all(reaches))
        .then_some(Stroke { group: a.group, ..both })
}

/// Moves ends that lie on other strokes to where the middle lines cross.
fn join(strokes: &mut [Stroke]) {
    let before = strokes.to_vec();
    let boxes = Boxes::of(&before);
    let widest = before.iter().map(|stroke| stroke.half).fold(0.0, f64::max);
    for (a, stroke) in before.iter().enumerate() {
        let near: Vec<usize> =
            boxes.near(a, 2.0 * farthest_crossing(stroke.half, widest)).collect();
        for end in 0..2 {
            let crossings = near.iter().filter_map(|b| crossing(stroke, end, &before[*b]));
            let nearest = crossings.min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((point, _)) = nearest {
                strokes[a].ends[end].point = point;
            }
        }
    }
}

/// Sine of the smallest angle at which two strokes cross rather than go on as one another.
const LEAST_SINE: f64 = 0.05;

/// How far from an end its crossing with another stroke may be: it grows as the angle gets small.
fn farthest_crossing(half: f64, other: f64) -> f64 {
    (half + other) / LEAST_SINE + 2.0
}

/// Where the end of `stroke` belongs if it lies on `other`, and how far that is.
fn crossing(stroke: &Stroke, end: usize, other: &Stroke) -> Option<(Vec2, f64)> {
    let End { point, ending } = stroke.ends[end];
    let thick = stroke.half.max(other.half);
    let (along, across) = (stroke.direction(), other.direction());
    let sine = along.cross(across).abs();
    let reach = match ending {
        Ending::Free => 0.8 * thick + 1.5,
        // Ink that goes on: it leaves this stroke's straight within a distance that grows as the
        // angle gets small.
        Ending::InInk => (stroke.half + other.half) / sine.max(LEAST_SINE) + 2.0,
        Ending::AtSolid => return None,
    };
    if sine < LEAST_SINE || (ending == Ending::Free && other.distance(point) > reach) {
        return None;
    }
    let from = other.ends[0].point;
    let s = (from - point).cross(across) / along.cross(across);
    let meeting = point + along * s;
    let on_other = (meeting - from).dot(across);
    let slack = (stroke.half + other.half) / sine + 2.0;
    let is_on = on_other >= -slack && on_other <= other.length() + slack;
    let is_near = s.abs() <= if ending == Ending::Free { reach / sine } else { reach };
    // An end must not be moved past the other end.
    let keeps =
        (meeting - stroke.ends[1 - end].point).dot(point - stroke.ends[1 - end].point) > 0.0;
    let meeting = sharp_corner(stroke, end, other, meeting).unwrap_or(meeting);
    (is_on && is_near && keeps).then_some((meeting, s.abs()))
}

/// Where two free ends meet at a sharp angle. There the crossing of the middle lines is unsure
/// along them, and the tips of the ink say more: the place of least squares of both.
fn sharp_corner(stroke: &Stroke, end: usize, other: &Stroke, meeting: Vec2) -> Option<Vec2> {
    // How sure a middle line is across, and a tip along it, pixels.
    const ACROSS: f64 = 0.15;
    const ALONG: f64 = 0.5;
    // A tip farther off was made by the other stroke.
    const FARTHEST: f64 = 1.6;
    let near = |e: &&End| (e.point - meeting).length() < FARTHEST;
    let other_end = other.ends.iter().find(near)?;
    near(&&stroke.ends[end]).then_some(())?;
    let ends = [(stroke.ends[end], stroke.direction()), (*other_end, other.direction())];
    let sine = ends[0].1.cross(ends[1].1).abs();
    if sine > 0.5 || ends.iter().any(|(end, _)| end.ending != Ending::Free) {
        return None;
    }
    // Normal equations: the sum over both of w (p - e) (p - e), along and across.
    let (mut xx, mut xy, mut yy, mut x, mut y) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (end, along) in ends {
        for (u, sigma) in [(along, ALONG), (along.perp(), ACROSS)] {
            let weight = 1.0 / (sigma * sigma);
            let at = end.point.dot(u);
            xx += weight * u.x * u.x;
            xy += weight * u.x * u.y;
            yy += weight * u.y * u.y;
            x += weight * u.x * at;
            y += weight * u.y * at;
        }
    }
    let determinant = xx * yy - xy * xy;
    Some(Vec2::new((yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant))
}

/// Takes out strokes all of which lies on others, shortest first.
fn drop_covered(strokes: Vec<Stroke>) -> Vec<Stroke> {
    let mut order: Vec<usize> = (0..strokes.len()).collect();
    order.sort_by(|a, b| strokes[*a].length().total_cmp(&strokes[*b].length()));
    let mut kept = vec![true; strokes.len()];
    let boxes = Boxes::of(&strokes);
    for &i in &order {
        let stroke = &strokes[i];
        let steps = stroke.length().ceil().max(1.0) as usize;
        let near: Vec<usize> = boxes.near(i, 1.0).filter(|j| kept[*j]).collect();
        let is_covered = (0..=steps).all(|k| {
            let share = k as f64 / steps as f64;
            let [from, to] = stroke.ends.map(|end| end.point);
            let point = from + (to - from) * share;
            near.iter().any(|j| strokes[*j].distance(point) <= 0.9)
        });
        kept[i] = !is_covered && stroke.length() > 1.0;
    }
    strokes.into_iter().zip(kept).filter_map(|(stroke, kept)| kept.then_some(stroke)).collect()
}
