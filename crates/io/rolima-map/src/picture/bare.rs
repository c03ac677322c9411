//! Ink that strokes do not explain, and whose it is.

use super::cover::cover;
use super::effort::TooMany;
use super::graph::Graph;
use super::plane::PixelPlane;
use super::runs::components;
use super::stroke::{Paper, Stroke};
use rolima_math::Vec2;

/// How far ink lies from the middle of a stroke that is where it was drawn, pixels: the corners of a square pen
/// reach farthest, and a pixel besides; of a fine pen two, as smoothed edges, JPEG and the raster itself move
/// ink by a pixel.
fn closeness(half: f64) -> f64 {
    (1.45 * half + 1.0).min(2.0 * half).max(2.0)
}

/// Places of ink of `mask` that is farther from strokes than it would be if they were where they
/// were drawn.
pub(crate) fn far(
    paper: &Paper<'_>,
    mask: &PixelPlane<bool>,
    strokes: &[Stroke],
) -> Result<Vec<Vec2>, TooMany> {
    let covered = covered(paper, strokes);
    let mut far = vec![];
    let is_bare = |i: usize| mask.data[i] && !covered.data[i];
    components(mask.width, mask.height, is_bare, |pixels| {
        // A long one may belong to several ways.
        let some = [0, pixels.len() / 2, pixels.len() - 1].map(|k| pixels[k] as usize);
        far.extend(some.map(|i| mask.center(i)));
    })?;
    Ok(far)
}

/// The pixels of `mask` that are near some of `strokes`.
pub(crate) fn within(
    paper: &Paper<'_>,
    mask: &PixelPlane<bool>,
    strokes: &[Stroke],
) -> PixelPlane<bool> {
    let mut covered = covered(paper, strokes);
    covered.data.iter_mut().zip(&mask.data).for_each(|(near, is_ink)| *near &= is_ink);
    covered
}

/// The pixels of solid areas, and those as near to strokes as their ink is.
pub(crate) fn covered(paper: &Paper<'_>, strokes: &[Stroke]) -> PixelPlane<bool> {
    let mut covered = paper.solid.clone();
    strokes.iter().for_each(|stroke| cover(&mut covered, stroke, closeness(stroke.half)));
    covered
}

/// The pixels of a graph's ways in their order, each with its way.
pub(crate) struct Skeletons<'a> {
    graph: &'a Graph,
    width: usize,
    pixels: Vec<(u32, u32)>,
}

impl<'a> Skeletons<'a> {
    pub(crate) fn of(graph: &'a Graph) -> Self {
        let branches = graph.branches.iter().zip(0..);
        let pixels =
            branches.flat_map(|(branch, k)| branch.pixels.iter().map(move |i| (*i as u32, k)));
        let mut pixels: Vec<(u32, u32)> = pixels.collect();
        pixels.sort_unstable();
        Self { graph, width: graph.width, pixels }
    }

    /// The ways that ink `far` from strokes belongs to, and those where there are `leaks`, with all
    /// that meet there; each once.
    pub(crate) fn branches_of(&self, far: &[Vec2], leaks: &[Vec2]) -> Vec<usize> {
        let mut branches: Vec<usize> = far.iter().filter_map(|at| self.nearest(*at)).collect();
        let mut open = vec![false; self.graph.nodes.len()];
        for (at, branch) in leaks.iter().filter_map(|at| Some((at, self.nearest(*at)?))) {
            branches.push(branch);
            let far = |node: &usize| (self.graph.nodes[*node].place - *at).length_squared();
            let nodes = self.graph.branches[branch].nodes;
            let nearest = nodes.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)));
            nearest.into_iter().for_each(|node| open[node] = true);
        }
        let meets =
            |branch: &usize| self.graph.branches[*branch].nodes.iter().any(|node| open[*node]);
        branches.extend((0..self.graph.branches.len()).filter(meets));
        branches.sort_unstable();
        branches.dedup();
        branches
    }

    /// The way that is nearest to a place.
    fn nearest(&self, at: Vec2) -> Option<usize> {
        let (x, y) = (at.x as usize, at.y as usize);
        let rows = self.pixels.last()?.0 as usize / self.width + 1;
        let mut best: Option<(f64, u32)> = None;
        // Row by row, up and down, as long as there may be a nearer one.
        for away in 0..rows.max(y + 1) {
            if best.is_some_and(|(least, _)| (away * away) as f64 > least) {
                break;
            }
            let above = y.checked_sub(away);
            let below = Some(y + away).filter(|row| away > 0 && *row < rows);
            for row in above.into_iter().chain(below) {
                let start = (row * self.width) as u32;
                let middle = self.pixels.partition_point(|(i, _)| *i < start + x as u32);
                let beside = [middle.checked_sub(1), Some(middle)].into_iter().flatten();
                for (i, branch) in beside.filter_map(|k| self.pixels.get(k)) {
                    let (column, far) = (*i as usize % self.width, *i as usize / self.width);
                    let aside = column.abs_diff(x);
                    let square = (away * away + aside * aside) as f64;
                    if far == row && best.is_none_or(|(least, _)| square < least) {
                        best = Some((square, *branch));
                    }
                }
            }
        }
        best.map(|(_, branch)| branch as usize)
    }
}
