//! Straight strokes or the skeleton: which tells better what was drawn, thing by thing.
//!
//! Straight strokes are exact, also where they cross at small angles, but they explain what was
//! drawn with a ruler only. The skeleton explains all ink.

use super::graph::{Graph, Way};
use super::plane::{DEPTH_UNIT, Plane};
use super::sealed::leaks;
use super::stroke::Stroke;
use super::strokes::{Ink, cover};

/// More straight strokes than this many for one along the skeleton are crumbs of a stroke that
/// was not straight.
const CRUMBS: f64 = 1.1;

/// For each thing of ink, its straight strokes if they explain it, else those along its skeleton.
pub(crate) fn choose(
    ink: &Ink<'_>,
    graph: &Graph,
    straight: Vec<Stroke>,
    traced: Vec<Stroke>,
) -> Vec<Stroke> {
    let mut is_bad = vec![false; graph.nodes.len()];
    let mut counts = vec![(0_usize, 0_usize); graph.nodes.len()];
    straight.iter().for_each(|stroke| counts[stroke.group].0 += 1);
    traced.iter().for_each(|stroke| counts[stroke.group].1 += 1);
    for (is_bad, (straight, traced)) in is_bad.iter_mut().zip(counts) {
        *is_bad = straight as f64 > CRUMBS * traced as f64 + 0.5;
    }
    let mut covered: Plane<bool> = Plane::new(ink.mask.width, ink.mask.height);
    straight.iter().for_each(|stroke| cover(&mut covered, stroke, stroke.half + 1.0));
    for way in &graph.ways {
        is_bad[graph.groups[way.nodes[0]]] |= misses(ink, way, &covered);
    }
    drop(covered);
    for leak in leaks(ink.mask, &straight) {
        if let Some(group) = group_at(ink, graph, leak) {
            is_bad[group] = true;
        }
    }
    let good = straight.into_iter().filter(|stroke| !is_bad[stroke.group]);
    let by_hand = traced.into_iter().filter(|stroke| is_bad[stroke.group]);
    good.chain(by_hand).collect()
}

/// Whether a stretch of a way that is longer than the ink is deep lies under no stroke.
fn misses(ink: &Ink<'_>, way: &Way, covered: &Plane<bool>) -> bool {
    let mut run = 0.0;
    way.pixels.iter().any(|i| {
        run = if covered.data[*i] { 0.0 } else { run + 1.0 };
        run > f64::from(ink.depth.data[*i]) / f64::from(DEPTH_UNIT) + 1.0
    })
}

/// The thing of ink that a pixel of it belongs to, by the nearest node of its skeleton.
fn group_at(ink: &Ink<'_>, graph: &Graph, pixel: usize) -> Option<usize> {
    let at = ink.mask.center(pixel);
    let far = |way: &&Way| {
        let to = |i: &usize| (ink.mask.center(*i) - at).length_squared();
        way.pixels.iter().map(to).fold(f64::INFINITY, f64::min)
    };
    let nearest = graph.ways.iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
    Some(graph.groups[nearest.nodes[0]])
}
