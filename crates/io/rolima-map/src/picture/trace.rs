//! Drawn by hand: the ways of a skeleton as walls end to end.
//!
//! Where straight strokes leave ink unexplained, the skeleton says how the ink hangs together. Its
//! ways become as few straight walls as stay within a pixel or so of the stroke's middle, and they
//! meet where the ways meet, so that what is closed on paper is closed.

use super::chains::straight_runs;
use super::effort::PictureEffort;
use super::graph::{Branch, Graph};
use super::pens::halves;
use super::polyline::{Run, Slack, corner, merged};
use super::stroke::{End, Ending, Paper, Stroke};
use super::strokes::Ink;
use super::web::{Kind, Web};
use rolima_math::Vec2;

/// How close walls keep to the middle of the ink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closeness {
    /// Few walls.
    Few,
    /// As many walls as it takes to stay within a pixel.
    Near,
    /// From pixel to pixel of the skeleton, which hangs together as the ink does, by chords that
    /// it leaves by a pixel at most, and by less where even that is too far.
    Followed,
}

/// How far the skeleton may leave a chord where a pixel is too far, pixels.
const CLOSEST: f64 = 0.6;

impl Closeness {
    /// How far the middle may leave the chord of a run before runs are merged, pixels.
    fn tolerance(self) -> f64 {
        match self {
            Self::Few | Self::Followed => 1.0,
            Self::Near => 0.8,
        }
    }

    /// How far the middle may lie from the line of merged runs.
    fn slack(self) -> Slack {
        match self {
            Self::Few => Slack { farthest: 1.3, mean: 0.8 },
            _ => Slack { farthest: 1.0, mean: 0.6 },
        }
    }
}

/// Longest run of points that is cut in one go; see `chains`.
const LONGEST: usize = 4096;

/// A way as straight runs.
struct Traced {
    runs: Vec<Run>,
    /// Where one run becomes the next.
    corners: Vec<Vec2>,
}

/// The ways of a skeleton as walls.
pub(crate) struct Tracer<'a> {
    paper: &'a Paper<'a>,
    ink: &'a Ink<'a>,
    graph: &'a Graph,
    /// For each way how close its walls keep, and its runs.
    branches: Vec<(Closeness, Traced)>,
    /// Half the width of each way's pen, pixels.
    halves: Vec<f64>,
}

impl<'a> Tracer<'a> {
    pub(crate) fn new(paper: &'a Paper<'a>, ink: &'a Ink<'a>, graph: &'a Graph) -> Self {
        let halves = halves(paper, ink, graph);
        let mut tracer = Self { paper, ink, graph, branches: vec![], halves };
        let few = Closeness::Few;
        tracer.branches =
            (0..graph.branches.len()).map(|branch| (few, tracer.traced(branch, few))).collect();
        tracer
    }

    /// Lets the walls of a way keep closer to it, in the end near some `places` only; false if they
    /// cannot.
    pub(crate) fn raise(&mut self, branch: usize, places: &[Vec2]) -> bool {
        let closeness = match self.branches[branch].0 {
            Closeness::Few => Closeness::Near,
            Closeness::Near => Closeness::Followed,
            Closeness::Followed => return self.refine(branch, places),
        };
        self.branches[branch] = (closeness, self.traced(branch, closeness));
        true
    }

    /// Cuts the runs of a way that is followed where they are near some places.
    fn refine(&mut self, branch: usize, places: &[Vec2]) -> bool {
        let (points, effort) = (self.skeleton_of(branch), self.paper.effort);
        let reach = 3.0 * self.halves[branch] + 3.0;
        let before = &self.branches[branch].1.runs;
        effort.spend((before.len() * places.len()) as u64 / 64);
        let mut runs = vec![];
        for run in before {
            let ends = (points[run.first], points[run.last]);
            if places.iter().any(|at| distance(*at, ends) <= reach) {
                let cut = straight_runs(&points[run.first..=run.last], CLOSEST, effort);
                let cut = cut.iter().map(|(a, b)| Run::of(&points, run.first + a, run.first + b));
                runs.extend(cut);
            } else {
                runs.push(*run);
            }
        }
        let is_changed = runs.len() > before.len();
        self.branches[branch].1 = followed(&points, runs);
        is_changed
    }

    /// Centres of the pixels of a way.
    fn skeleton_of(&self, branch: usize) -> Vec<Vec2> {
        self.graph.branches[branch].pixels.iter().map(|i| self.ink.skeleton.center(*i)).collect()
    }

    fn traced(&self, branch: usize, closeness: Closeness) -> Traced {
        if closeness == Closeness::Followed {
            let points = self.skeleton_of(branch);
            let runs = runs(&points, closeness.tolerance(), self.paper.effort);
            return followed(&points, runs);
        }
        let (branch, half, effort) =
            (&self.graph.branches[branch], self.halves[branch], self.paper.effort);
        let middle = middle(self.paper, self.ink, branch, half);
        let points = clear_of_junctions(&middle, self.graph, branch);
        let runs = runs(points, closeness.tolerance(), effort);
        let runs = merged(points, runs, half, closeness.slack(), effort);
        let pairs = runs.windows(2);
        let corners = pairs.map(|pair| corner(&pair[0], &pair[1], points[pair[1].first], half));
        let corners = corners.collect();
        Traced { runs, corners }
    }

    /// The walls of those things of ink that are `wanted` by their number.
    pub(crate) fn walls(&self, wanted: impl Fn(usize) -> bool) -> Vec<Stroke> {
        let graph = self.graph;
        let mut web = Web::new(self.places());
        let branches = graph.branches.iter().zip(&self.branches).zip(&self.halves);
        for ((branch, (closeness, traced)), half) in branches {
            let group = graph.groups[branch.nodes[0]];
            if wanted(group) {
                let is_fixed = *closeness == Closeness::Followed;
                let kind = Kind { half: *half, group, is_fixed };
                web.add(branch.nodes, &traced.corners, kind);
            }
        }
        web.straighten();
        let is_free = |vertex: usize| graph.nodes.get(vertex).is_some_and(|node| node.degree == 1);
        let end = |vertex: usize, point: Vec2| {
            let ending = if is_free(vertex) { Ending::Free } else { Ending::InInk };
            End { point, ending }
        };
        web.walls()
            .map(|wall| {
                let ends = wall.ends.map(|vertex| end(vertex, web.place(vertex)));
                Stroke { ends, half: wall.kind.half, group: wall.kind.group }
            })
            .filter(|stroke| stroke.length() > 1e-3)
            .collect()
    }

    /// Strokes along all ways as they are.
    pub(crate) fn literal(&self) -> Vec<Stroke> {
        let strokes = |branch: usize| {
            let points = self.skeleton_of(branch);
            let runs = runs(&points, CLOSEST, self.paper.effort);
            let (half, group) =
                (self.halves[branch], self.graph.groups[self.graph.branches[branch].nodes[0]]);
            let end = |k: usize| End { point: points[k], ending: Ending::InInk };
            let stroke = |run: &Run| Stroke { ends: [run.first, run.last].map(end), half, group };
            runs.iter().map(stroke).collect::<Vec<Stroke>>()
        };
        (0..self.graph.branches.len()).flat_map(strokes).collect()
    }

    /// Where the nodes are by the lines that meet there.
    fn places(&self) -> Vec<Vec2> {
        let nodes = &self.graph.nodes;
        let mut meets: Vec<LineIntersection> =
            nodes.iter().map(|node| LineIntersection::at(node.place)).collect();
        let mut places: Vec<Vec2> = nodes.iter().map(|node| node.place).collect();
        let mut is_fixed = vec![false; nodes.len()];
        let branches = self.graph.branches.iter().zip(&self.branches).zip(&self.halves);
        for ((branch, (closeness, traced)), half) in branches {
            let ends =
                [(branch.nodes[0], traced.runs.first()), (branch.nodes[1], traced.runs.last())];
            for (side, (node, run)) in ends.into_iter().enumerate() {
                is_fixed[node] |= *closeness == Closeness::Followed;
                let Some(run) = run else { continue };
                let (length, depth) = (run.length(), nodes[node].depth);
                if nodes[node].degree == 1 {
                    let outward = if side == 0 { run.along * -1.0 } else { run.along };
                    if length >= 2.0 {
                        let near = run.nearest(places[node]);
                        places[node] = self.paper.free_end(near, outward, *half);
                    }
                } else if length >= 2.0 + depth {
                    meets[node].add(run.point, run.along, length.min(40.0));
                }
            }
        }
        for (i, (place, meeting)) in places.iter_mut().zip(&meets).enumerate() {
            let is_near = |p: &Vec2| (*p - *place).length() <= 0.8 * nodes[i].depth + 0.8;
            if nodes[i].degree >= 2
                && !is_fixed[i]
                && let Some(point) = meeting.place().filter(is_near)
            {
                *place = point;
            }
        }
        places
    }
}

/// The middle of the ink along the pixels of a way, below the pixel where the ink is clear.
fn middle(paper: &Paper<'_>, ink: &Ink<'_>, branch: &Branch, half: f64) -> Vec<Vec2> {
    let centers: Vec<Vec2> = branch.pixels.iter().map(|i| ink.skeleton.center(*i)).collect();
    let around = half.ceil() as usize + 2;
    let last = centers.len() - 1;
    let clear = (0.35 * 2.0 * half).max(1.2);
    let point = |k: usize| {
        let here = centers[k];
        let chord = centers[(k + around).min(last)] - centers[k.saturating_sub(around)];
        let along = chord.unit_or(Vec2::new(1.0, 0.0));
        match paper.middle_across(here, along, 2.0 * half + 4.0) {
            Some((aside, width))
                if (width - 2.0 * half).abs() <= clear && aside.abs() <= 0.5 * half + 1.0 =>
            {
                here + along.perp() * aside
            }
            _ => here,
        }
    };
    (0..centers.len()).map(point).collect()
}

/// The points of a way without those that lie in the clot of ink of a junction, where thinning
/// bends it.
fn clear_of_junctions<'a>(points: &'a [Vec2], graph: &Graph, branch: &Branch) -> &'a [Vec2] {
    let is_bent = |node: usize, point: &Vec2| {
        let node = graph.nodes[node];
        node.degree >= 3 && (*point - node.place).length() < 0.9 * node.depth + 0.5
    };
    let first = points.iter().take_while(|p| is_bent(branch.nodes[0], p)).count();
    let rest = points[first.min(points.len())..].iter().rev();
    let last = points.len() - rest.take_while(|p| is_bent(branch.nodes[1], p)).count();
    // A way that lies in the clot whole keeps its middle.
    if last > first + 1 { &points[first..last] } else { &[] }
}

/// Runs from point to point of a way.
fn followed(points: &[Vec2], runs: Vec<Run>) -> Traced {
    let corners = runs.iter().skip(1).map(|run| points[run.first]).collect();
    Traced { runs, corners }
}

/// How far a point is from a straight stretch.
fn distance(point: Vec2, (from, to): (Vec2, Vec2)) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared().max(1e-12);
    (point - from - along * share.clamp(0.0, 1.0)).length()
}

/// Straight runs through the points of a way.
fn runs(points: &[Vec2], tolerance: f64, effort: &PictureEffort) -> Vec<Run> {
    let mut runs = vec![];
    let mut start = 0;
    while start + 1 < points.len() {
        let end = (start + LONGEST).min(points.len() - 1);
        let part = straight_runs(&points[start..=end], tolerance, effort);
        runs.extend(part.into_iter().map(|(a, b)| Run::of(points, start + a, start + b)));
        start = end;
    }
    runs
}

/// The place that is nearest to some lines, by least squares.
struct LineIntersection {
    rough: Vec2,
    weight: f64,
    xx: f64,
    xy: f64,
    yy: f64,
    x: f64,
    y: f64,
}

impl LineIntersection {
    fn at(rough: Vec2) -> Self {
        Self { rough, weight: 0.0, xx: 0.0, xy: 0.0, yy: 0.0, x: 0.0, y: 0.0 }
    }

    fn add(&mut self, point: Vec2, along: Vec2, weight: f64) {
        let normal = along.perp();
        // From the rough place, so that sums stay small.
        let away = (point - self.rough).dot(normal);
        self.weight += weight;
        self.xx += weight * normal.x * normal.x;
        self.xy += weight * normal.x * normal.y;
        self.yy += weight * normal.y * normal.y;
        self.x += weight * normal.x * away;
        self.y += weight * normal.y * away;
    }

    /// Along lines that are nearly parallel, the rough place decides.
    fn place(&self) -> Option<Vec2> {
        let hold = 0.02 * self.weight;
        let (xx, yy) = (self.xx + hold, self.yy + hold);
        let determinant = xx * yy - self.xy * self.xy;
        (self.weight > 0.0).then(|| {
            let x = (yy * self.x - self.xy * self.y) / determinant;
            let y = (xx * self.y - self.xy * self.x) / determinant;
            self.rough + Vec2::new(x, y)
        })
    }
}
