//! Whether walls keep apart what the ink keeps apart.

use super::bare::covered;
use super::effort::TooMany;
use super::left_out::point;
use super::plane::PixelPlane;
use super::runs::{Connectivity, Runs};
use super::stroke::{Paper, Stroke};
use rolima_math::Vec2;

/// Most leaks that are told at a time.
const MOST_LEAKS: usize = 32;
/// Most leaks that are named.
const MOST_TOLD: usize = 3;
/// Leaks that are nearer to one another are told as one, pixels.
const ONE_LEAK: f64 = 16.0;
/// Label of pixels that belong to no patch.
const NONE: u16 = 0;

/// Places where two patches of paper that the ink keeps apart are joined, as neither a stroke nor a
/// solid area lies between them. Along the picture's border there are none, as ink ends there.
///
/// A patch counts by its core, which is clear of all strokes: a stroke that runs beside its ink
/// still keeps apart what lies beyond, and what is narrower than that nobody passes.
pub(crate) fn leaks(
    paper: &Paper<'_>,
    mask: &PixelPlane<bool>,
    strokes: &[Stroke],
) -> Result<Vec<Vec2>, TooMany> {
    let lines = lines(paper.solid, strokes);
    let (width, height) = (mask.width, mask.height);
    let patches = Runs::of(width, height, Connectivity::Sides, |i| !mask.data[i])?;
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

/// `a room that is closed on paper is open at (1, 2), (3, -4) m (+ 1)`; none without leaks. Those
/// that are near one another are one.
pub(crate) fn described(leaks: &[Vec2], metres: impl Fn(Vec2) -> Vec2) -> Option<String> {
    let mut apart: Vec<Vec2> = vec![];
    for at in leaks {
        if apart.iter().all(|other| (*other - *at).length() > ONE_LEAK) {
            apart.push(*at);
        }
    }
    let places: Vec<String> = apart.iter().take(MOST_TOLD).map(|at| point(metres(*at))).collect();
    let more = match apart.len().saturating_sub(MOST_TOLD) {
        0 => String::new(),
        more => format!(" (+ {more})"),
    };
    let places = places.join(", ");
    (!leaks.is_empty())
        .then(|| format!("a room that is closed on paper is open at {places} m{more}"))
}

/// Whether the cores of all patches of paper are apart where lines are all that keeps them apart.
/// It is quick, but does not say where.
fn is_sealed(
    patches: &Runs,
    lines: &PixelPlane<bool>,
    core: &PixelPlane<bool>,
) -> Result<bool, TooMany> {
    let open = Runs::of(lines.width, lines.height, Connectivity::Sides, |i| !lines.data[i])?;
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
fn labels(patches: &Runs, core: &PixelPlane<bool>) -> Option<PixelPlane<u16>> {
    let mut labels: PixelPlane<u16> = PixelPlane::new(core.width, core.height);
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
fn sides(mask: &PixelPlane<bool>, index: usize) -> impl Iterator<Item = usize> + use<> {
    let (width, x) = (mask.width, index % mask.width);
    let is_in = [index >= width, x + 1 < width, index + width < mask.data.len(), x > 0];
    let to = [index.wrapping_sub(width), index + 1, index + width, index.wrapping_sub(1)];
    to.into_iter().zip(is_in).filter_map(|(i, is_in)| is_in.then_some(i))
}

/// The pixels that strokes' middle lines touch, so that nothing passes between two of them by
/// their sides, and those of `solid` areas.
fn lines(solid: &PixelPlane<bool>, strokes: &[Stroke]) -> PixelPlane<bool> {
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

fn mark(plane: &mut PixelPlane<bool>, (x, y): (isize, isize)) {
    if x >= 0 && y >= 0 && (x as usize) < plane.width && (y as usize) < plane.height {
        plane.data[y as usize * plane.width + x as usize] = true;
    }
}

#[cfg(test)]
mod tests {
    use super::super::effort::PictureEffort;
    use super::super::gaps::closed;
    use super::super::stroke::{End, Ending};
    use super::*;

    const SIDE: f64 = 60.0;

    /// Ink of a pen of 6 px along a square, and strokes along it of which the last ends at `end`,
    /// `aside` of the square's side.
    fn square(end: f64, aside: f64) -> (PixelPlane<bool>, Vec<Stroke>) {
        let corner = |k: usize| [(10.0, 10.0), (50.0, 10.0), (50.0, 50.0), (10.0, 50.0)][k % 4];
        let mut mask: PixelPlane<bool> = PixelPlane::new(SIDE as usize, SIDE as usize);
        let point = |(x, y): (f64, f64)| End { point: Vec2::new(x, y), ending: Ending::InInk };
        let stroke = |a, b| Stroke { ends: [point(a), point(b)], half: 3.0, group: 0 };
        let mut strokes: Vec<Stroke> = (0..4).map(|k| stroke(corner(k), corner(k + 1))).collect();
        strokes.iter().for_each(|stroke| super::super::cover::cover(&mut mask, stroke, 3.0));
        strokes[3] = stroke(corner(3), (10.0, 30.0));
        strokes.push(stroke((10.0 + aside, end), corner(0)));
        (mask, strokes)
    }

    fn found(mask: &PixelPlane<bool>, strokes: &[Stroke]) -> Vec<Vec2> {
        let (ink, depth) = (PixelPlane::new(60, 60), PixelPlane::new(60, 60));
        let (solid, effort) = (PixelPlane::new(60, 60), PictureEffort::default());
        leaks(&Paper::new(&ink, &depth, &solid, &effort), mask, strokes).unwrap()
    }

    #[test]
    fn a_door_that_the_ink_does_not_have_is_told_by_its_place() {
        let (mask, strokes) = square(18.0, 0.0);
        let leaks = found(&mask, &strokes);
        let metres = |at: Vec2| Vec2::new((30.0 - at.y).round(), (30.0 - at.x).round());
        assert!(leaks.iter().all(|at| (at.x - 10.0).abs() < 4.0 && at.y > 15.0 && at.y < 33.0));
        let note = described(&leaks, metres).unwrap();
        let (before, places) = note.split_once('(').unwrap();
        assert_eq!(before, "a room that is closed on paper is open at ");
        assert!(places.ends_with(") m") && !places.contains('('), "one place: {note}");
        assert_eq!(super::described(&[], metres), None);
        let many: Vec<Vec2> = (0..5).map(|k| Vec2::new(f64::from(k) * 100.0, 0.0)).collect();
        let note = super::described(&many, |at| at).unwrap();
        assert!(note.ends_with("open at (0, 0), (100, 0), (200, 0) m (+ 2)"), "{note}");
    }

    #[test]
    fn a_slit_between_strokes_within_one_ink_is_closed_however_narrow() {
        for tenths in 1..=28 {
            // Two strokes that run side by side for 5 px, too near to each other to be seen.
            let aside = 0.1 * f64::from(tenths);
            let (mask, strokes) = square(35.0, aside);
            let closed = closed(&strokes, &mask, &PictureEffort::default());
            let [free, side] = [closed[4].ends[0].point, closed[3].ends[1].point];
            let gap = closed[3].distance(free).min(closed[4].distance(side));
            assert!(gap < 1e-9, "{aside}: {gap}");
            assert!(found(&mask, &closed).is_empty(), "{aside}");
        }
    }
}
