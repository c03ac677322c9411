//! Whether walls keep apart what the ink keeps apart.

use super::bare::covered;
use super::effort::TooMany;
use super::plane::Plane;
use super::runs::{Runs, Touch};
use super::stroke::{Paper, Stroke};
use rolima_math::Vec2;

/// Most leaks that are told at a time.
const MOST_LEAKS: usize = 32;
/// Label of pixels that belong to no patch.
const NONE: u16 = 0;

/// Places where two patches of paper that the ink keeps apart are joined, as neither a stroke nor a
/// solid area lies between them. Along the picture's border there are none, as ink ends there.
///
/// A patch counts by its core, which is clear of all strokes: a stroke that runs beside its ink
/// still keeps apart what lies beyond, and what is narrower than that nobody passes.
pub(crate) fn leaks(
    paper: &Paper<'_>,
    mask: &Plane<bool>,
    strokes: &[Stroke],
) -> Result<Vec<Vec2>, TooMany> {
    let lines = lines(paper.solid, strokes);
    let (width, height) = (mask.width, mask.height);
    let patches = Runs::of(width, height, Touch::Sides, |i| !mask.data[i])?;
    let mut core = covered(paper, strokes);
    core.data.iter_mut().zip(&mask.data).for_each(|(is_core, ink)| *is_core = !*is_core && !*ink);
    if is_sealed(&patches, &lines, &core)? {
        return Ok(vec![]);
    }
    let Some(mut labels) = labels(&patches, &core) else { return Ok(vec![]) };
    drop(core);
    let margin = strokes.iter().map(|stroke| stroke.half).fold(1.0, f64::max) + 2.0;
    let is_inner = |i: usize| {
        let at = mask.center(i);
        let (width, height) = (mask.width as f64, mask.height as f64);
        at.x.min(width - at.x).min(at.y).min(height - at.y) > margin
    };
    let mut found: Vec<usize> = vec![];
    let is_front = |i: &u32| {
        let label = labels.data[*i as usize];
        label != NONE && sides(mask, *i as usize).any(|n| labels.data[n] == NONE)
    };
    let mut front: Vec<u32> = (0..mask.data.len() as u32).filter(is_front).collect();
    // Step by step towards one another, so that only the front takes memory.
    while !front.is_empty() {
        let mut next = vec![];
        for pixel in front {
            let own = labels.data[pixel as usize];
            for i in sides(mask, pixel as usize).filter(|i| !lines.data[*i]) {
                if labels.data[i] == NONE {
                    labels.data[i] = own;
                    next.push(i as u32);
                } else if labels.data[i] != own && is_inner(i) && found.len() < MOST_LEAKS {
                    found.push(i);
                }
            }
        }
        front = next;
    }
    Ok(found.into_iter().map(|i| mask.center(i)).collect())
}

/// Whether the cores of all patches of paper are apart where lines are all that keeps them apart.
/// It is quick, but does not say where.
fn is_sealed(patches: &Runs, lines: &Plane<bool>, core: &Plane<bool>) -> Result<bool, TooMany> {
    let open = Runs::of(lines.width, lines.height, Touch::Sides, |i| !lines.data[i])?;
    let mut patch_of: Vec<Option<u32>> = vec![None; open.runs.len()];
    let mut k = 0;
    for (run, patch) in patches.runs.iter().zip(&patches.things) {
        while k < open.runs.len() && open.runs[k].end <= run.first {
            k += 1;
        }
        let mut here = k;
        while here < open.runs.len() && open.runs[here].first < run.end {
            let (first, end) =
                (run.first.max(open.runs[here].first), run.end.min(open.runs[here].end));
            if core.data[first as usize..end as usize].contains(&true) {
                let known = patch_of[open.things[here] as usize].get_or_insert(*patch);
                if known != patch {
                    return Ok(false);
                }
            }
            here += 1;
        }
    }
    Ok(true)
}

/// The cores of patches, by numbers; none for more than can be counted.
fn labels(patches: &Runs, core: &Plane<bool>) -> Option<Plane<u16>> {
    let mut labels: Plane<u16> = Plane::new(core.width, core.height);
    let mut numbers: Vec<u16> = vec![NONE; patches.runs.len()];
    let mut count = NONE;
    for (run, patch) in patches.runs.iter().zip(&patches.things) {
        for i in (run.first as usize..run.end as usize).filter(|i| core.data[*i]) {
            let number = &mut numbers[*patch as usize];
            if *number == NONE {
                count = count.checked_add(1)?;
                *number = count;
            }
            labels.data[i] = *number;
        }
    }
    Some(labels)
}

/// The pixels to the four sides of one.
fn sides(mask: &Plane<bool>, index: usize) -> impl Iterator<Item = usize> + use<> {
    let (width, x) = (mask.width, index % mask.width);
    let is_in = [index >= width, x + 1 < width, index + width < mask.data.len(), x > 0];
    let to = [index.wrapping_sub(width), index + 1, index + width, index.wrapping_sub(1)];
    to.into_iter().zip(is_in).filter_map(|(i, is_in)| is_in.then_some(i))
}

/// The pixels that strokes' middle lines touch, so that nothing passes between two of them by
/// their sides, and those of `solid` areas.
fn lines(solid: &Plane<bool>, strokes: &[Stroke]) -> Plane<bool> {
    let mut lines = solid.clone();
    for stroke in strokes {
        let [from, to] = stroke.ends.map(|end| end.point);
        let steps = (4.0 * stroke.length()).ceil().max(1.0) as usize;
        let mut before: Option<(isize, isize)> = None;
        for k in 0..=steps {
            let at: Vec2 = from + (to - from) * (k as f64 / steps as f64);
            let here = (at.x.floor() as isize, at.y.floor() as isize);
            mark(&mut lines, here);
            // From one pixel to the next by a corner, the one beside belongs to the line as well.
            if before.is_some_and(|b| b.0 != here.0 && b.1 != here.1) {
                mark(&mut lines, (before.map_or(here.0, |b| b.0), here.1));
            }
            before = Some(here);
        }
    }
    lines
}

fn mark(plane: &mut Plane<bool>, (x, y): (isize, isize)) {
    if x >= 0 && y >= 0 && (x as usize) < plane.width && (y as usize) < plane.height {
        plane.data[y as usize * plane.width + x as usize] = true;
    }
}
