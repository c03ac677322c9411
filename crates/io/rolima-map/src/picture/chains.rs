//! From a skeleton to straight pieces: chains of pixels between ends and junctions, each cut where
//! it leaves its chord (Douglas and Peucker).

use super::plane::Plane;
use rolima_math::Vec2;

/// Longest chain that is looked at in one go, pixels; longer ones are cut. It bounds the work of
/// cutting, which may grow with the square of the length.
const LONGEST: usize = 4096;
/// How far a chain may leave its chord, pixels. A straight stroke's skeleton leaves it by up to
/// one; more would round off slight bends.
const TOLERANCE: f64 = 1.5;

/// A nearly straight run of pixels of a skeleton, by their indices.
pub(crate) type Piece = Vec<usize>;

/// All straight pieces of a skeleton.
pub(crate) fn pieces(skeleton: &Plane<bool>) -> Vec<Piece> {
    let mut found = vec![];
    for chain in chains(skeleton) {
        for part in chain.chunks(LONGEST) {
            let points: Vec<Vec2> = part.iter().map(|i| skeleton.center(*i)).collect();
            for (first, last) in straight_runs(&points, TOLERANCE) {
                found.push(part[first..=last].to_vec());
            }
        }
    }
    found
}

/// Runs of pixels between pixels that do not have exactly two neighbours, those included; and
/// rings.
fn chains(skeleton: &Plane<bool>) -> Vec<Vec<usize>> {
    let around = |i: usize| skeleton.neighbours(i).filter(|n| skeleton.data[*n]);
    let is_link = |i: usize| around(i).count() == 2;
    let mut seen: Plane<bool> = Plane::new(skeleton.width, skeleton.height);
    let mut found = vec![];
    let all: Vec<usize> = (0..skeleton.data.len()).filter(|i| skeleton.data[*i]).collect();
    let (links, nodes): (Vec<usize>, Vec<usize>) = all.into_iter().partition(|i| is_link(*i));
    let mut follow = |start: usize, first: usize, seen: &mut Plane<bool>| {
        let mut chain = vec![start, first];
        let (mut before, mut here) = (start, first);
        while is_link(here) && !seen.data[here] {
            seen.data[here] = true;
            let Some(next) = around(here).find(|n| *n != before) else { break };
            chain.push(next);
            (before, here) = (here, next);
        }
        found.push(chain);
    };
    for node in nodes {
        for first in around(node) {
            // Two nodes side by side make a chain of two, once.
            if if is_link(first) { !seen.data[first] } else { node < first } {
                follow(node, first, &mut seen);
            }
        }
    }
    for link in links {
        if !seen.data[link]
            && let Some(first) = around(link).next()
        {
            follow(link, first, &mut seen); // a ring
        }
    }
    found
}

/// First and last index of each run of `points` that stays within `tolerance` of its chord.
pub(crate) fn straight_runs(points: &[Vec2], tolerance: f64) -> Vec<(usize, usize)> {
    let mut runs = vec![];
    let mut open = vec![(0, points.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        if last <= first {
            continue;
        }
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
        let mut plane: Plane<bool> = Plane::new(60, 60);
        for i in 5..40 {
            plane.data[10 * 60 + i] = true;
            plane.data[(5 + i) * 60 + 40] = true;
        }
        super::super::thin::thin(&mut plane); // a corner of three pixels becomes one of two
        assert_eq!(pieces(&plane).len(), 2);
        let mut ring: Plane<bool> = Plane::new(60, 60);
        for i in 10..50 {
            for index in [10 * 60 + i, 49 * 60 + i, i * 60 + 10, i * 60 + 49] {
                ring.data[index] = true;
            }
        }
        super::super::thin::thin(&mut ring);
        let pieces = pieces(&ring);
        assert!((4..=5).contains(&pieces.len()), "{}", pieces.len());
    }
}
