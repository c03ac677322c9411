//! Straight strokes or the skeleton: which tells better what was drawn, thing by thing.
//!
//! Straight strokes are exact, also where they cross at small angles, but they explain what was
//! drawn with a ruler only. The skeleton explains all ink, with few walls where few will do: where
//! ink lies farther from them than a pen's width, or they let through what the ink does not, they
//! keep closer to it, way by way.

use super::bare::{Skeletons, far, within};
use super::cover::cover;
use super::effort::TooMany;
use super::gaps;
use super::graph::{Branch, Graph};
use super::plane::{DEPTH_UNIT, PixelPlane};
use super::sealed::leaks;
use super::stroke::{Paper, Stroke};
use super::strokes::Ink;
use super::trace::Tracer;
use rolima_math::Vec2;

/// More straight strokes than this many for one along the skeleton are crumbs of a stroke that
/// was not straight.
const CRUMBS: f64 = 1.1;
/// Most times that strokes are looked at: straight ones, three kinds along the skeleton, and some
/// more as one place of bare ink may belong to several ways.
const MOST_ROUNDS: usize = 8;
/// Most pixels that are looked at in all rounds after the first four.
const MOST_PIXELS: usize = 16_000_000;

/// The strokes of an ink, and where they let through what the ink does not.
pub(crate) struct Chosen {
    pub(crate) strokes: Vec<Stroke>,
    pub(crate) leaks: Vec<Vec2>,
}

/// The strokes of an ink: for each thing its straight ones if they explain it, else those along its
/// skeleton; breaks that are narrower than the pen are closed.
pub(crate) fn choose(
    paper: &Paper<'_>,
    ink: &Ink<'_>,
    graph: &Graph,
    straight: &[Stroke],
) -> Result<Chosen, TooMany> {
    let mut tracer = Tracer::new(paper, ink, graph);
    paper.effort.check()?;
    let mut is_traced = are_crooked(ink, graph, straight, &tracer.walls(|_| true));
    let skeletons = Skeletons::of(graph);
    let mut near_skeleton: Option<PixelPlane<bool>> = None;
    let most_rounds = (4 + MOST_PIXELS / ink.mask.data.len().max(1)).min(MOST_ROUNDS);
    let mut rounds = 0;
    loop {
        let kept = straight.iter().filter(|stroke| !is_traced[stroke.group]);
        let mut chosen: Vec<Stroke> = kept.copied().collect();
        chosen.extend(tracer.walls(|group| is_traced[group]));
        let strokes = gaps::closed(&chosen, ink.mask, paper.effort);
        paper.effort.check()?;
        let leaks = leaks(paper, ink.mask, &strokes)?;
        rounds += 1;
        if rounds == most_rounds {
            return Ok(Chosen { strokes, leaks });
        }
        let mut bare = far(paper, near_skeleton.as_ref().unwrap_or(ink.mask), &strokes)?;
        if !bare.is_empty() && near_skeleton.is_none() {
            // Bumps that not even the skeleton explains change nothing: they are left out.
            let near = near_skeleton.insert(within(paper, ink.mask, &tracer.literal()));
            bare = far(paper, near, &strokes)?;
        }
        let places = [&bare[..], &leaks[..]].concat();
        let mut is_changed = false;
        // What becomes traced now begins with few walls, all of its ways.
        let was_traced = is_traced.clone();
        for branch in skeletons.branches_of(&bare, &leaks) {
            let group = graph.groups[graph.branches[branch].nodes[0]];
            is_changed |= !was_traced[group] || tracer.raise(branch, &places);
            is_traced[group] = true;
        }
        if !is_changed {
            return Ok(Chosen { strokes, leaks });
        }
    }
}

/// For each thing of ink whether straight strokes are not what was drawn.
fn are_crooked(ink: &Ink<'_>, graph: &Graph, straight: &[Stroke], traced: &[Stroke]) -> Vec<bool> {
    let mut counts = vec![(0_usize, 0_usize); graph.nodes.len()];
    straight.iter().for_each(|stroke| counts[stroke.group].0 += 1);
    traced.iter().for_each(|stroke| counts[stroke.group].1 += 1);
    let is_crumbs =
        |(straight, traced): (usize, usize)| straight as f64 > CRUMBS * traced as f64 + 0.5;
    let mut is_crooked: Vec<bool> = counts.into_iter().map(is_crumbs).collect();
    let mut near: PixelPlane<bool> = PixelPlane::new(ink.mask.width, ink.mask.height);
    // Where strokes meet at a small angle, the skeleton lies between them.
    straight.iter().for_each(|stroke| cover(&mut near, stroke, stroke.half + 1.0));
    for branch in &graph.branches {
        let is_crooked = &mut is_crooked[graph.groups[branch.nodes[0]]];
        *is_crooked = *is_crooked || misses(ink, branch, &near);
    }
    is_crooked
}

/// Whether a stretch of a way that is longer than the ink is deep lies under no stroke.
fn misses(ink: &Ink<'_>, branch: &Branch, near: &PixelPlane<bool>) -> bool {
    let mut run = 0.0;
    branch.pixels.iter().any(|i| {
        run = if near.data[*i] { 0.0 } else { run + 1.0 };
        run > f64::from(ink.depth.data[*i]) / f64::from(DEPTH_UNIT) + 1.0
    })
}
