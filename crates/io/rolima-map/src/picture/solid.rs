//! Filled black areas: not strokes of a pen, but blocks. They become walls along their outlines.

use super::chains::straight_runs;
use super::effort::{PictureEffort, TooMany};
use super::plane::{Border, DEPTH_UNIT, PixelPlane, depth};
use super::runs::components;
use rolima_math::Vec2;

/// Least thickness of a solid area in pens.
const PENS: f64 = 2.5;
/// From this thickness in pens on, an area is solid however long it is.
const MANY_PENS: f64 = 6.0;
/// Least half thickness of a solid area, pixels.
const LEAST: f64 = 4.0;
/// Longest solid area, in thicknesses, of less than [`MANY_PENS`].
const LONGEST: f64 = 4.0;
/// Largest area of a compact thing, in squares of its own thickness.
const COMPACT: f64 = 1.5;
/// How far an outline may leave its sides, pixels.
const TOLERANCE: f64 = 1.2;

/// The pixels of solid areas; none if there are none.
pub(crate) fn areas(
    mask: &PixelPlane<bool>,
    depth_in: &PixelPlane<u16>,
    skeleton: &PixelPlane<bool>,
) -> Result<Option<SolidAreas>, TooMany> {
    let pixels = |depth: u16| f64::from(depth) / f64::from(DEPTH_UNIT);
    let mut depths: Vec<u16> =
        (0..skeleton.data.len()).filter(|i| skeleton.data[*i]).map(|i| depth_in.data[i]).collect();
    depths.sort_unstable();
    let Some(pen) = depths.get(depths.len() / 2).map(|depth| pixels(*depth)) else {
        return Ok(None);
    };
    let (width, height) = (mask.width, mask.height);
    let threshold = (PENS * pen).max(LEAST);
    let is_core = |i: usize| pixels(depth_in.data[i]) > threshold;
    let mut core: PixelPlane<bool> = PixelPlane::new(width, height);
    components(width, height, is_core, |part| {
        let deepest = part.iter().map(|i| depth_in.data[*i as usize]).max().map_or(0.0, pixels);
        let inside = deepest - threshold;
        let aspect = part.len() as f64 / (4.0 * inside * inside);
        if inside > 1.0 && (deepest > MANY_PENS * pen || aspect <= LONGEST) {
            part.iter().for_each(|i| core.data[*i as usize] = true);
        }
    })?;
    // A thing of its own that is about as wide as long was not drawn with a stroke either.
    let is_ink = |i: usize| mask.data[i];
    components(width, height, is_ink, |part| {
        let deepest = part.iter().map(|i| depth_in.data[*i as usize]).max().map_or(0.0, pixels);
        if deepest > 2.0 * LEAST && part.len() as f64 <= COMPACT * 4.0 * deepest * deepest {
            part.iter().for_each(|i| core.data[*i as usize] = true);
        }
    })?;
    if !core.data.contains(&true) {
        return Ok(None);
    }
    // Back from the core to the edge, but not into strokes that come out of it: first to all that
    // is a little thicker than a pen, from there by the rest.
    let rest = 1.3 * pen + 0.5;
    let mut body: PixelPlane<bool> = PixelPlane::new(width, height);
    let is_thick = |i: usize| pixels(depth_in.data[i]) > rest;
    components(width, height, is_thick, |part| {
        if part.iter().any(|i| core.data[*i as usize]) {
            part.iter().for_each(|i| body.data[*i as usize] = true);
        }
    })?;
    let is_body = |i: usize| body.data[i] || core.data[i];
    let away = depth(width, height, Border::Open, |i| !is_body(i));
    let mut solid: PixelPlane<bool> = PixelPlane::new(width, height);
    for i in 0..solid.data.len() {
        solid.data[i] = mask.data[i] && pixels(away.data[i]) <= rest + 0.5;
    }
    Ok(Some(SolidAreas { pixels: solid, rounding: rest }))
}

/// Solid areas.
pub(crate) struct SolidAreas {
    pub(crate) pixels: PixelPlane<bool>,
    /// Radius to which their corners have been rounded, pixels.
    rounding: f64,
}

/// Walls along the outlines of solid areas, their outer faces on the drawn edges.
pub(crate) fn outlines(
    ink: &PixelPlane<u8>,
    solid: &SolidAreas,
    half_wall: f64,
    effort: &PictureEffort,
) -> Vec<(Vec2, Vec2)> {
    let mut walls = vec![];
    for ring in rings(&solid.pixels) {
        let corners = corners(ink, &ring, solid.rounding, effort);
        let inset = inset(&corners, half_wall);
        let next = inset.iter().cycle().skip(1);
        walls.extend(inset.iter().zip(next).map(|(a, b)| (*a, *b)));
    }
    walls
}

/// Closed ways along the edges of pixels, the area on the right hand.
fn rings(solid: &PixelPlane<bool>) -> Vec<Vec<Vec2>> {
    // An edge is known by the pixel corner where it starts and its direction: right, down, left,
    // up (0 to 3), a bit each.
    let corners = solid.width + 1;
    let mut edges: PixelPlane<u8> = PixelPlane::new(corners, solid.height + 1);
    for y in 0..solid.height {
        let row = |y: usize| &solid.data[y * solid.width..][..solid.width];
        let above = (y > 0).then(|| row(y - 1));
        let below = (y + 1 < solid.height).then(|| row(y + 1));
        let here = row(y);
        for x in (0..solid.width).filter(|x| here[*x]) {
            let out = |beside: Option<&[bool]>| u8::from(!beside.is_some_and(|row| row[x]));
            let right = u8::from(!here.get(x + 1).is_some_and(|is_solid| *is_solid));
            let left = u8::from(x == 0 || !here[x - 1]);
            edges.data[y * corners + x] |= out(above);
            edges.data[y * corners + x + 1] |= right << 1;
            edges.data[(y + 1) * corners + x + 1] |= out(below) << 2;
            edges.data[(y + 1) * corners + x] |= left << 3;
        }
    }
    let step = |at: usize, direction: usize| match direction {
        0 => at + 1,
        1 => at + corners,
        2 => at - 1,
        _ => at - corners,
    };
    let mut found = vec![];
    for start in 0..edges.data.len() {
        let Some(first) = (0..4).find(|d| edges.data[start] >> d & 1 == 1) else { continue };
        let (mut at, mut direction) = (start, first);
        let mut ring = vec![];
        while edges.data[at] >> direction & 1 == 1 {
            edges.data[at] &= !(1 << direction);
            ring.push(Vec2::new((at % corners) as f64, (at / corners) as f64));
            at = step(at, direction);
            // Right turns first: areas that touch at a corner stay together.
            let turns = [(direction + 1) % 4, direction, (direction + 3) % 4];
            match turns.into_iter().find(|d| edges.data[at] >> d & 1 == 1) {
                Some(next) => direction = next,
                None => break,
            }
        }
        found.push(ring);
    }
    found
}

/// The corners of a ring, each the crossing of the two edges fitted beside it.
fn corners(
    ink: &PixelPlane<u8>,
    ring: &[Vec2],
    rounding: f64,
    effort: &PictureEffort,
) -> Vec<Vec2> {
    // A ring is cut at its point farthest from its first, which are corners or nearly so.
    let first = ring[0];
    let far = |p: &Vec2| (*p - first).length_squared();
    let middle = (0..ring.len()).max_by(|a, b| far(&ring[*a]).total_cmp(&far(&ring[*b])));
    let middle = middle.unwrap_or(0);
    let mut closed: Vec<Vec2> = ring[middle..].to_vec();
    closed.extend(&ring[..=middle]);
    let again = far_index(&closed);
    let mut cuts = vec![];
    for (start, part) in [(0, &closed[..=again]), (again, &closed[again..])] {
        cuts.extend(straight_runs(part, TOLERANCE, effort).into_iter().map(|(a, _)| start + a));
    }
    let last = closed.len() - 1;
    let run = |k: usize| (closed[cuts[k]], cuts.get(k + 1).map_or(closed[last], |c| closed[*c]));
    // A short side is a corner that was rounded off: its neighbours meet beyond it.
    let is_long = |k: &usize| (run(*k).1 - run(*k).0).length() > 1.5 * rounding + 1.0;
    let mut long: Vec<usize> = (0..cuts.len()).filter(is_long).collect();
    if long.len() < 3 {
        long = (0..cuts.len()).collect();
    }
    let mut runs: Vec<(Vec2, Vec2)> = vec![];
    for next in long.into_iter().map(run) {
        match runs.last_mut() {
            Some(before) if goes_on(*before, next) => before.1 = next.1,
            _ => runs.push(next),
        }
    }
    if runs.len() > 3 && goes_on(runs[runs.len() - 1], runs[0]) {
        runs[0].0 = runs.pop().map_or(runs[0].0, |last| last.0);
    }
    let sides: Vec<(Vec2, Vec2)> = runs.iter().map(|(from, to)| edge(ink, *from, *to)).collect();
    let corner = |k: usize| {
        let before = (k + sides.len() - 1) % sides.len();
        let rough = (runs[before].1 + runs[k].0) * 0.5;
        let is_near = |p: &Vec2| (*p - rough).length() < 2.0 * rounding + 4.0;
        meeting(sides[before], sides[k]).filter(is_near).unwrap_or(rough)
    };
    (0..sides.len()).map(corner).collect()
}

/// Whether a side goes on as another: straight on but for a pixel or two, where a stroke comes out
/// of the area.
fn goes_on(side: (Vec2, Vec2), next: (Vec2, Vec2)) -> bool {
    let along = (side.1 - side.0).unit_or(Vec2::new(1.0, 0.0));
    let aside = |p: Vec2| along.cross(p - side.0).abs();
    along.dot(next.1 - next.0) > 0.0 && aside(next.0) < 2.5 && aside(next.1) < 2.5
}

fn far_index(closed: &[Vec2]) -> usize {
    let far = |p: &Vec2| (*p - closed[0]).length_squared();
    (0..closed.len()).max_by(|a, b| far(&closed[*a]).total_cmp(&far(&closed[*b]))).unwrap_or(0)
}

/// The edge of the ink along a side, by least squares below the pixel: a point and a direction.
fn edge(ink: &PixelPlane<u8>, from: Vec2, to: Vec2) -> (Vec2, Vec2) {
    let length = (to - from).length();
    let along = (to - from).unit_or(Vec2::new(1.0, 0.0));
    let outward = Vec2::new(along.y, -along.x); // the area is on the right hand, y down
    let count = ((length - 4.0) as usize).min(200);
    let mut points = vec![];
    for k in 0..count {
        let s = 2.0 + (length - 4.0) * (k as f64 + 0.5) / count as f64;
        let at = from + along * s;
        let mut t = -2.0;
        while t < 2.0 {
            let (here, next) = (ink.amount(at + outward * t), ink.amount(at + outward * (t + 0.5)));
            if here >= 0.5 && next < 0.5 {
                points.push((s, t + 0.5 * (here - 0.5) / (here - next)));
                break;
            }
            t += 0.5;
        }
    }
    let n = points.len() as f64;
    if points.len() < 4 {
        return (from, along);
    }
    let mean_s = points.iter().map(|p| p.0).sum::<f64>() / n;
    let mean_t = points.iter().map(|p| p.1).sum::<f64>() / n;
    let spread: f64 = points.iter().map(|p| (p.0 - mean_s) * (p.0 - mean_s)).sum();
    let lean: f64 = points.iter().map(|p| (p.0 - mean_s) * (p.1 - mean_t)).sum();
    let slope = if spread > 1.0 { lean / spread } else { 0.0 };
    (from + along * mean_s + outward * mean_t, (along + outward * slope).unit_or(along))
}

fn meeting((p, u): (Vec2, Vec2), (q, v): (Vec2, Vec2)) -> Option<Vec2> {
    let sine = u.cross(v);
    (sine.abs() > 0.05).then(|| p + u * ((q - p).cross(v) / sine))
}

/// A ring moved inwards by half a wall's thickness, so that the wall's face is where the edge was
/// drawn; as it is where there is no room for that.
fn inset(corners: &[Vec2], half_wall: f64) -> Vec<Vec2> {
    let n = corners.len();
    let shortest = (0..n).map(|k| (corners[(k + 1) % n] - corners[k]).length()).fold(1e9, f64::min);
    if n < 3 || half_wall > 0.2 * shortest {
        return corners.to_vec();
    }
    let side = |k: usize| {
        let (from, to) = (corners[k % n], corners[(k + 1) % n]);
        let along = (to - from).unit_or(Vec2::new(1.0, 0.0));
        (from + Vec2::new(-along.y, along.x) * half_wall, along)
    };
    (0..n).map(|k| meeting(side(k + n - 1), side(k)).unwrap_or(side(k).0)).collect()
}
