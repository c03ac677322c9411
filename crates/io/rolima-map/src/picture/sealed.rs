//! Whether walls keep apart what the ink keeps apart.

use super::plane::Plane;
use super::stroke::Stroke;
use rolima_math::Vec2;

/// Fewest pixels of a patch of paper that counts.
const LEAST_PATCH: usize = 12;
/// Most leaks that are told: one is bad enough.
const MOST_LEAKS: usize = 32;
/// Label of pixels that belong to no patch.
const NONE: u16 = 0;

/// Pixels of ink where two patches of paper that the ink keeps apart are joined, as no stroke runs
/// between them. Along the picture's border there are none, as ink ends there.
pub(crate) fn leaks(mask: &Plane<bool>, strokes: &[Stroke]) -> Vec<usize> {
    let Some((mut labels, mut front)) = patches(mask) else { return vec![] };
    let lines = lines(mask, strokes);
    let margin = strokes.iter().map(|stroke| stroke.half).fold(1.0, f64::max) + 2.0;
    let is_inner = |i: usize| {
        let at = mask.center(i);
        let (width, height) = (mask.width as f64, mask.height as f64);
        at.x.min(width - at.x).min(at.y).min(height - at.y) > margin
    };
    let mut found: Vec<usize> = vec![];
    let mut next = 0;
    while let Some(&pixel) = front.get(next) {
        next += 1;
        let own = labels.data[pixel as usize];
        for i in sides(mask, pixel as usize) {
            if lines.data[i] {
                continue;
            }
            if labels.data[i] == NONE {
                labels.data[i] = own;
                front.push(i as u32);
            } else if labels.data[i] != own && is_inner(i) && found.len() < MOST_LEAKS {
                found.push(i);
            }
        }
    }
    found
}

/// The pixels to the four sides of one.
fn sides(mask: &Plane<bool>, index: usize) -> impl Iterator<Item = usize> + use<> {
    let (width, x) = (mask.width, index % mask.width);
    let is_in = [index >= width, x + 1 < width, index + width < mask.data.len(), x > 0];
    let to = [index.wrapping_sub(width), index + 1, index + width, index.wrapping_sub(1)];
    to.into_iter().zip(is_in).filter_map(|(i, is_in)| is_in.then_some(i))
}

/// Patches of paper by number, and their pixels beside ink; none for more than can be counted.
fn patches(mask: &Plane<bool>) -> Option<(Plane<u16>, Vec<u32>)> {
    let mut labels: Plane<u16> = Plane::new(mask.width, mask.height);
    let mut front: Vec<u32> = vec![];
    let mut open: Vec<u32> = vec![];
    let mut count = NONE;
    // The label of patches that are too small.
    const SMALL: u16 = u16::MAX;
    for start in 0..mask.data.len() {
        if mask.data[start] || labels.data[start] != NONE {
            continue;
        }
        let label = count + 1;
        if label == SMALL {
            return None;
        }
        // The first pixels are kept, in case that they are all.
        let (mut first, mut pixels, edges) = (vec![], 0, front.len());
        open.push(start as u32);
        labels.data[start] = label;
        while let Some(pixel) = open.pop() {
            pixels += 1;
            if first.len() < LEAST_PATCH {
                first.push(pixel);
            }
            let mut is_edge = false;
            for i in sides(mask, pixel as usize) {
                is_edge |= mask.data[i];
                if !mask.data[i] && labels.data[i] == NONE {
                    labels.data[i] = label;
                    open.push(i as u32);
                }
            }
            if is_edge {
                front.push(pixel);
            }
        }
        if pixels < LEAST_PATCH {
            first.iter().for_each(|i| labels.data[*i as usize] = SMALL);
            front.truncate(edges);
        } else {
            count = label;
        }
    }
    labels.data.iter_mut().filter(|label| **label == SMALL).for_each(|label| *label = NONE);
    Some((labels, front))
}

/// The pixels that strokes' middle lines touch, so that nothing passes between two of them by
/// their sides.
fn lines(mask: &Plane<bool>, strokes: &[Stroke]) -> Plane<bool> {
    let mut lines: Plane<bool> = Plane::new(mask.width, mask.height);
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
