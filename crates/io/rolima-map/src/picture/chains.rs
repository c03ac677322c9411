//! From a skeleton to straight pieces: chains of pixels between ends and junctions, each cut where
//! it leaves its chord (Douglas and Peucker).

use super::effort::{PictureEffort, TooMany};
use super::plane::PixelPlane;
use rolima_math::Vec2;

/// Most ends and junctions of a skeleton: a drawn maze has some thousands, noise millions.
const MOST_NODES: usize = 60_000;
/// Most pixels of a skeleton.
const MOST_PIXELS: usize = 800_000;
/// Longest chain that is looked at in one go, pixels; longer ones are cut. It bounds the work of
/// cutting, which may grow with the square of the length.
const LONGEST: usize = 4096;
/// How far a chain may leave its chord, pixels. A straight stroke's skeleton leaves it by up to
/// one; more would round off slight bends.
const TOLERANCE: f64 = 1.5;

/// A nearly straight run of pixels of a skeleton, by their indices.
pub(crate) struct PixelRun {
    pub(crate) pixels: Vec<usize>,
    /// Which chain it is a part of.
    pub(crate) chain: usize,
}

/// All straight pieces of a skeleton's chains.
pub(crate) fn pieces(
    skeleton: &PixelPlane<bool>,
    chains: &[Vec<usize>],
    effort: &PictureEffort,
) -> Vec<PixelRun> {
    let mut found = vec![];
    for (index, chain) in chains.iter().enumerate() {
        for part in chain.chunks(LONGEST) {
            let points: Vec<Vec2> = part.iter().map(|i| skeleton.center(*i)).collect();
            for (first, last) in straight_runs(&points, TOLERANCE, effort) {
                found.push(PixelRun { pixels: part[first..=last].to_vec(), chain: index });
            }
        }
    }
    found
}

/// Runs of pixels between pixels that do not have exactly two neighbours, those included; and
/// rings, which end where they begin. Fails for more than a drawing has.
pub(crate) fn chains(skeleton: &PixelPlane<bool>) -> Result<Vec<Vec<usize>>, TooMany> {
    let around = |i: usize| skeleton.neighbours(i).filter(|n| skeleton.data[*n]);
    let is_link = |i: usize| around(i).count() == 2;
    let mut seen: PixelPlane<bool> = PixelPlane::new(skeleton.width, skeleton.height);
    let mut found = vec![];
    let all = || (0..skeleton.data.len()).filter(|i| skeleton.data[*i]);
    // What is too much is known before it takes memory.
    let nodes: Vec<usize> = all().filter(|i| !is_link(*i)).take(MOST_NODES + 1).collect();
    if nodes.len() > MOST_NODES || all().take(MOST_PIXELS + 1).count() > MOST_PIXELS {
        return Err(TooMany);
    }
    let follow = |start: usize, first: usize, seen: &mut PixelPlane<bool>| {
        let mut chain = vec![start, first];
        let (mut before, mut here) = (start, first);
        while is_link(here) && !seen.data[here] {
            seen.data[here] = true;
            let Some(next) = around(here).find(|n| *n != before) else { break };
            chain.push(next);
            (before, here) = (here, next);
        }
        chain
    };
    for node in nodes {
        for first in around(node) {
            // Two nodes side by side make a chain of two, once.
            if if is_link(first) { !seen.data[first] } else { node < first } {
                found.push(follow(node, first, &mut seen));
            }
        }
    }
    for link in all().filter(|i| is_link(*i)) {
        if !seen.data[link]
            && let Some(first) = around(link).next()
        {
            let mut ring = follow(link, first, &mut seen);
            ring.pop(); // it has gone one step into its second round
            found.push(ring);
        }
    }
    Ok(found)
}

/// First and last index of each run of `points` that stays within `tolerance` of its chord.
pub(crate) fn straight_runs(
    points: &[Vec2],
    tolerance: f64,
    effort: &PictureEffort,
) -> Vec<(usize, usize)> {
    let mut runs = vec![];
    let mut open = vec![(0, points.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        if last <= first || effort.is_spent() {
            continue;
        }
        effort.spend((last - first) as u64 / 16);
        let chord = points[last] - points[first];
        let length = chord.length();
        let away = |i: &usize| {
            let from = points[*i] - points[first];
            if length < 1.0 { from.length() } else { (chord.cross(from) / length).abs() }
        };
        let farthest = (first + 1..last).max_by(|a, b| away(a).total_cmp(&away(b)));
        match farthest.filter(|i| away(i) > tolerance) {
            // The later half is opened first, so that runs come out in order.
            Some(middle) => open.extend([(middle, last), (first, middle)]),
            None => runs.push((first, last)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_makes_two_pieces_and_a_ring_more() {
        let mut plane: PixelPlane<bool> = PixelPlane::new(60, 60);
        for i in 5..40 {
            plane.data[10 * 60 + i] = true;
            plane.data[(5 + i) * 60 + 40] = true;
        }
        super::super::thin::thin(&mut plane, &PictureEffort::default()).expect("little work"); // a corner of three pixels becomes one of two
        let count = |plane: &PixelPlane<bool>| {
            let chains = chains(plane).expect("few chains");
            pieces(plane, &chains, &PictureEffort::default()).len()
        };
        assert_eq!(count(&plane), 2);
        let mut ring: PixelPlane<bool> = PixelPlane::new(60, 60);
        for i in 10..50 {
            for index in [10 * 60 + i, 49 * 60 + i, i * 60 + 10, i * 60 + 49] {
                ring.data[index] = true;
            }
        }
        super::super::thin::thin(&mut ring, &PictureEffort::default()).expect("little work");
        assert!((4..=5).contains(&count(&ring)), "{}", count(&ring));
    }
}
