//! How wide the pen was along each way of a skeleton.

use super::graph::{Branch, Graph};
use super::plane::DEPTH_UNIT;
use super::stroke::{Paper, Stroke};
use super::strokes::Ink;
use rolima_math::Vec2;

/// A way this many times as long as the ink is deep shows its pen; a shorter one lies in the clot
/// where others meet.
const CLEAR: f64 = 6.0;
/// Most places of a way where its width is looked at.
const MOST_PLACES: usize = 200;

/// Ink this many times as wide as the usual pen was drawn with another one; narrower ink may be two strokes
/// beside one another.
const ANOTHER_PEN: f64 = 2.0;
/// How far ink may lie from its stroke's middle, in halves of the pen and less than its width by so many
/// pixels: so that it is a pen's width at most however the pen was measured.
const REACH: f64 = 1.9;
const LESS: f64 = 0.25;
/// The same of a pen finer than that, pixels: smoothed edges, JPEG and the raster itself move ink by one.
const LEAST_REACH: f64 = 1.9;
/// How far beyond half its width ink lies beside a stroke that is in the middle of it, pixels.
const BESIDE: f64 = 0.75;

/// The pen that most was drawn with.
pub(crate) struct UsualPen {
    half: f64,
}

impl UsualPen {
    /// By the length of strokes.
    pub(crate) fn of(strokes: &[Stroke]) -> Self {
        let mut halves: Vec<(f64, f64)> = strokes.iter().map(|s| (s.half, s.length())).collect();
        halves.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut left = 0.5 * halves.iter().map(|(_, length)| length).sum::<f64>();
        let usual = halves.iter().find(|(_, length)| {
            left -= length;
            left <= 0.0
        });
        Self { half: usual.map_or(0.0, |(half, _)| *half) }
    }

    /// Half its width, pixels.
    pub(crate) fn half(&self) -> f64 {
        self.half
    }

    /// How far from a stroke's middle ink may lie to be its own: less than the width of its pen, pixels.
    pub(crate) fn reach(&self, stroke: &Stroke) -> f64 {
        let of_pen = |half: f64| (REACH * half).min(2.0 * half - LESS).max(LEAST_REACH);
        let (usual, half) = (self.half, stroke.half);
        if half <= usual {
            of_pen(half)
        } else if half < ANOTHER_PEN * usual {
            // All of the ink between two strokes, but no more.
            of_pen(usual).max(half + BESIDE)
        } else if stroke.length() > CLEAR * half {
            of_pen(half)
        } else {
            of_pen(usual)
        }
    }
}

/// Half the width of the pen along each way, pixels.
pub(crate) fn halves(paper: &Paper<'_>, ink: &Ink<'_>, graph: &Graph) -> Vec<f64> {
    let rough: Vec<f64> = graph.branches.iter().map(|branch| by_depth(ink, branch)).collect();
    let is_clear = |k: usize| graph.branches[k].pixels.len() as f64 >= CLEAR * rough[k];
    let mut halves = rough.clone();
    // The widest pen of the clear ways at each node, and of each thing of ink.
    let mut at_node = vec![0.0_f64; graph.nodes.len()];
    let mut in_group = vec![0.0_f64; graph.nodes.len()];
    for (k, branch) in graph.branches.iter().enumerate().filter(|(k, _)| is_clear(*k)) {
        halves[k] = by_width(paper, ink, branch, rough[k]).unwrap_or(rough[k]);
        for node in branch.nodes {
            at_node[node] = at_node[node].max(halves[k]);
            in_group[graph.groups[node]] = in_group[graph.groups[node]].max(halves[k]);
        }
    }
    for (k, branch) in graph.branches.iter().enumerate().filter(|(k, _)| !is_clear(*k)) {
        let beside = at_node[branch.nodes[0]].max(at_node[branch.nodes[1]]);
        let widest = if beside > 0.0 { beside } else { in_group[graph.groups[branch.nodes[0]]] };
        if widest > 0.0 {
            halves[k] = halves[k].min(widest);
        }
    }
    halves
}

/// By how far inside the ink the way lies, to half a pixel.
fn by_depth(ink: &Ink<'_>, branch: &Branch) -> f64 {
    let mut depths: Vec<u16> = branch.pixels.iter().map(|i| ink.depth.data[*i]).collect();
    depths.sort_unstable();
    (f64::from(depths[depths.len() / 2]) / f64::from(DEPTH_UNIT) - 0.5).max(0.5)
}

/// By the width of the ink across the way. Where others join or run beside it, it is wider, so that
/// the narrower places count.
fn by_width(paper: &Paper<'_>, ink: &Ink<'_>, branch: &Branch, rough: f64) -> Option<f64> {
    let center = |k: usize| ink.skeleton.center(branch.pixels[k]);
    let (last, around) = (branch.pixels.len() - 1, rough.ceil() as usize + 2);
    let width = |k: usize| {
        let chord = center((k + around).min(last)) - center(k.saturating_sub(around));
        let along = chord.unit_or(Vec2::new(1.0, 0.0));
        paper.middle_across(center(k), along, 2.0 * rough + 4.0).map(|(_, width)| width)
    };
    let step = branch.pixels.len().div_ceil(MOST_PLACES);
    let mut widths: Vec<f64> = (0..=last).step_by(step).filter_map(width).collect();
    widths.sort_by(f64::total_cmp);
    let narrow = widths.get(widths.len() * 3 / 20)?;
    Some((0.5 * narrow).clamp(0.5, rough + 0.75))
}
