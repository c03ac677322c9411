//! Drawn by hand: the ways of a skeleton as walls end to end.
//!
//! Where straight strokes leave ink unexplained, the skeleton says how the ink hangs together. Its
//! ways become as few straight walls as stay within a pixel or so of the stroke's middle, and they
//! meet where the ways meet, so that what is closed on paper is closed.

use super::chains::straight_runs;
use super::effort::Effort;
use super::graph::{Graph, Way};
use super::plane::{DEPTH_UNIT, Plane};
use super::polyline::{Run, corner, merged};
use super::stroke::{End, Ending, Paper, Stroke};
use super::web::Web;
use rolima_math::Vec2;

/// How far a stroke's middle may leave the chord of a run before runs are merged, pixels.
const TOLERANCE: f64 = 1.0;
/// Longest run of points that is cut in one go; see `chains`.
const LONGEST: usize = 4096;

/// The middle of the ink along a way.
struct Middle {
    points: Vec<Vec2>,
    half: f64,
}

/// A way as straight runs.
struct Traced {
    runs: Vec<Run>,
    /// Where one run becomes the next.
    corners: Vec<Vec2>,
    half: f64,
}

/// The walls of a skeleton's ways.
pub(crate) fn trace(
    paper: &Paper<'_>,
    skeleton: &Plane<bool>,
    depth: &Plane<u16>,
    graph: &Graph,
) -> Vec<Stroke> {
    let traced: Vec<Traced> = graph
        .ways
        .iter()
        .map(|way| {
            let middle = middle(paper, skeleton, depth, way);
            let points = clear_of_junctions(&middle.points, graph, way);
            traced(points, middle.half, paper.effort)
        })
        .collect();
    let mut web = Web::new(places(paper, graph, &traced));
    for (way, traced) in graph.ways.iter().zip(&traced) {
        web.add(way.nodes, &traced.corners, traced.half, graph.groups[way.nodes[0]]);
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
            Stroke { ends, half: wall.half, group: wall.group }
        })
        .filter(|stroke| stroke.length() > 1e-3)
        .collect()
}

/// The middle of the ink along the pixels of a way, below the pixel where the ink is clear.
fn middle(paper: &Paper<'_>, skeleton: &Plane<bool>, depth: &Plane<u16>, way: &Way) -> Middle {
    let mut depths: Vec<u16> = way.pixels.iter().map(|i| depth.data[*i]).collect();
    depths.sort_unstable();
    let half = (f64::from(depths[depths.len() / 2]) / f64::from(DEPTH_UNIT) - 0.5).max(0.5);
    let centers: Vec<Vec2> = way.pixels.iter().map(|i| skeleton.center(*i)).collect();
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
    Middle { points: (0..centers.len()).map(point).collect(), half }
}

/// The points of a way without those that lie in the clot of ink of a junction, where thinning
/// bends it.
fn clear_of_junctions<'a>(points: &'a [Vec2], graph: &Graph, way: &Way) -> &'a [Vec2] {
    let is_bent = |node: usize, point: &Vec2| {
        let node = graph.nodes[node];
        node.degree >= 3 && (*point - node.place).length() < 0.9 * node.depth + 0.5
    };
    let first = points.iter().take_while(|p| is_bent(way.nodes[0], p)).count();
    let rest = points[first.min(points.len())..].iter().rev();
    let last = points.len() - rest.take_while(|p| is_bent(way.nodes[1], p)).count();
    // A way that lies in the clot whole keeps its middle.
    if last > first + 1 { &points[first..last] } else { &[] }
}

fn traced(points: &[Vec2], half: f64, effort: &Effort) -> Traced {
    let mut runs = vec![];
    let mut start = 0;
    while start + 1 < points.len() {
        let end = (start + LONGEST).min(points.len() - 1);
        let part = straight_runs(&points[start..=end], TOLERANCE, effort);
        runs.extend(part.into_iter().map(|(a, b)| Run::of(points, start + a, start + b)));
        start = end;
    }
    let runs = merged(points, runs, half, effort);
    let corners =
        runs.windows(2).map(|pair| corner(&pair[0], &pair[1], points[pair[1].first], half));
    let corners = corners.collect();
    Traced { runs, corners, half }
}

/// Where the nodes of a graph are by the lines that meet there.
fn places(paper: &Paper<'_>, graph: &Graph, traced: &[Traced]) -> Vec<Vec2> {
    let mut meets: Vec<Meeting> = graph.nodes.iter().map(|node| Meeting::at(node.place)).collect();
    let mut places: Vec<Vec2> = graph.nodes.iter().map(|node| node.place).collect();
    for (way, traced) in graph.ways.iter().zip(traced) {
        let ends = [(way.nodes[0], traced.runs.first()), (way.nodes[1], traced.runs.last())];
        for (side, (node, run)) in ends.into_iter().enumerate() {
            let Some(run) = run else { continue };
            let (length, depth) = (run.length(), graph.nodes[node].depth);
            if graph.nodes[node].degree == 1 {
                let outward = if side == 0 { run.along * -1.0 } else { run.along };
                if length >= 2.0 {
                    let near = run.nearest(places[node]);
                    places[node] = paper.free_end(near, outward, traced.half);
                }
            } else if length >= 2.0 + depth {
                meets[node].add(run.point, run.along, length.min(40.0));
            }
        }
    }
    for ((place, meeting), node) in places.iter_mut().zip(&meets).zip(&graph.nodes) {
        let is_near = |p: &Vec2| (*p - *place).length() <= 0.8 * node.depth + 0.8;
        if node.degree >= 2
            && let Some(point) = meeting.place().filter(is_near)
        {
            *place = point;
        }
    }
    places
}

/// The place that is nearest to some lines, by least squares.
struct Meeting {
    rough: Vec2,
    weight: f64,
    xx: f64,
    xy: f64,
    yy: f64,
    x: f64,
    y: f64,
}

impl Meeting {
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
