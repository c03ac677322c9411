//! Figure 5.9: references along the thesis's own paths, and along ours.

use super::{Claim, Section, Verdict};
use crate::plot::{COLOURS, Plot};
use anyhow::Result;
use rolima_math::{Pose2, Vec2};
use rolima_nav::path::thesis::{self, Problem};
use rolima_nav::path::{Leg, LegShape, Method, Path, Sample, length, plan};
use rolima_nav::trajectory::references;

/// Of the thesis's figure: m/s, s, and their product in m.
const SPEED: f64 = 0.5;
const PERIOD: f64 = 0.033;
const SPACING: f64 = SPEED * PERIOD;

const DEGREES: [f64; 3] = [50.0, 0.0, -50.0];

fn goal(degrees: f64) -> Pose2 {
    Pose2::new(0.5, 0.5, degrees.to_radians())
}

/// Paths to the three goals by one planner, with references along them.
struct Planner {
    name: &'static str,
    paths: Vec<(f64, Path, Vec<Sample>)>,
}

impl Planner {
    fn new(name: &'static str, of: impl Fn(Pose2) -> Result<Path>) -> Result<Self> {
        let mut paths = vec![];
        for degrees in DEGREES {
            let path = of(goal(degrees))?;
            let all = references(&path, SPEED, PERIOD)?.collect();
            paths.push((degrees, path, all));
        }
        Ok(Self { name, paths })
    }

    /// Largest error of the distances between references along the path, m; the last one is what
    /// is left. The lengths are summed again from chords, apart from how references are found.
    fn worst_spacing(&self) -> f64 {
        let mut worst = 0.0f64;
        for (_, path, all) in &self.paths {
            for pair in all[..all.len() - 1].windows(2) {
                let [from, to] =
                    [pair[0].arc_length, pair[1].arc_length].map(|way| path.parameter_at(way));
                let point = |k: i32| path.pose(from + (to - from) * f64::from(k) / 2000.0).position;
                let chords: f64 = (0..2000).map(|k| (point(k + 1) - point(k)).length()).sum();
                worst = worst.max((chords - SPACING).abs());
            }
        }
        worst
    }

    /// By how much the paths leave and arrive off the headings asked for, degrees: the most of
    /// both ends for each.
    fn off_headings(&self) -> Vec<f64> {
        let off = |(degrees, path, _): &(f64, Path, Vec<Sample>)| {
            let ends = [(0.0, Pose2::IDENTITY), (path.end(), goal(*degrees))];
            let off = ends.map(|(at, pose)| {
                let (way, heading) = (path.pose(at).rotation.x_axis(), pose.rotation.x_axis());
                rolima_math::atan2(heading.cross(way), heading.dot(way)).to_degrees().abs()
            });
            off[0].max(off[1])
        };
        self.paths.iter().map(off).collect()
    }

    /// The map, x and y over time, the heading over time.
    fn pictures(&self, map_of: &[Vec2], seconds: f64) -> [String; 3] {
        let named = |what: &str| format!("{}: {what}", self.name);
        let mut map = Plot::map_around(&named("references every 16.5 mm"), map_of.iter().copied());
        let time = (0.0, 1.05 * seconds);
        let mut places = Plot::new(&named("x and y"), ("time, s", "m"), time, (-0.1, 0.7));
        let mut headings =
            Plot::new(&named("heading"), ("time, s", "degrees"), time, (-135.0, 135.0));
        for (i, (degrees, path, all)) in self.paths.iter().enumerate() {
            let colour = COLOURS[i];
            map.line(points(path), colour, false);
            map.dots(all.iter().map(|s| s.point), colour);
            map.label(&format!("to {degrees} degrees"), colour, false);
            let over_time = |of: &dyn Fn(&Sample) -> f64| -> Vec<(f64, f64)> {
                all.iter().enumerate().map(|(k, s)| (k as f64 * PERIOD, of(s))).collect()
            };
            places.curve(&over_time(&|s| s.point.x), colour, false);
            places.curve(&over_time(&|s| s.point.y), colour, true);
            places.label(&format!("x to {degrees} degrees"), colour, false);
            places.label(&format!("y to {degrees} degrees"), colour, true);
            headings.curve(&over_time(&|s| s.heading.angle().to_degrees()), colour, false);
            headings.label(&format!("to {degrees} degrees"), colour, false);
        }
        [map.finish(), places.finish(), headings.finish()]
    }

    fn longest(&self) -> f64 {
        self.paths.iter().map(|(_, path, _)| path.length()).fold(0.0, f64::max)
    }
}

fn points(path: &Path) -> Vec<Vec2> {
    (0..=200).map(|k| path.pose(path.end() * f64::from(k) / 200.0).position).collect()
}

fn listed(values: &[f64], digits: usize) -> String {
    values.iter().map(|v| format!("{v:.digits$}")).collect::<Vec<_>>().join(", ")
}

pub(super) fn section() -> Result<Section> {
    let printed = Planner::new("As printed", |goal| {
        let curve = thesis::printed(Pose2::IDENTITY, goal)?;
        Ok(Path::of(Leg::forwards(LegShape::Cubic(curve))))
    })?;
    let ours = Planner::new("Ours", |goal| Ok(plan(Pose2::IDENTITY, goal, Method::Cubic)?.path))?;
    let worst = [printed.worst_spacing(), ours.worst_spacing()];
    let off = [printed.off_headings(), ours.off_headings()];
    let kept = |off: &[f64]| off.iter().all(|degrees| *degrees < 1e-6);
    let (mut lengths, mut taylor, mut none) = (vec![], vec![], 0);
    for degrees in DEGREES {
        let problem = Problem::new(Pose2::IDENTITY, goal(degrees))?;
        let curve = problem.curve(problem.centroid_choice());
        lengths.push(length::between(&curve, 0.0, 1.0));
        taylor.push(length::taylor(&curve, 1.0).unwrap_or(f64::NAN));
        let as_printed = problem.curve(problem.printed_choice());
        none += usize::from(length::taylor(&as_printed, 1.0).is_none());
    }
    // Computed apart from the simulator.
    let expected = [0.724140, 0.728620, 0.787583];
    let close = taylor.iter().zip(&lengths).all(|(got, want)| (got - want).abs() < 0.01 * want);
    let exact = lengths.iter().zip(expected).all(|(got, want)| (got - want).abs() < 1e-6);
    let both = || printed.paths.iter().chain(&ours.paths);
    let everything: Vec<Vec2> = both().flat_map(|(_, path, _)| points(path)).collect();
    let seconds = printed.longest().max(ours.longest()) / SPEED;
    let [theirs, own] = [&printed, &ours].map(|planner| planner.pictures(&everything, seconds));
    Ok(Section {
        id: "figure-5.9",
        title: "Figure 5.9: references for a mean speed of 0.5 m/s".to_owned(),
        setting: "From (0, 0, 0) to (0.5, 0.5) m with +50, 0 and -50 degrees; 33 ms, 16.5 mm, as in the thesis. Paths: the thesis's \
                  own as printed, (a1, a2) = (0, dx), and ours; lengths by quadrature."
            .to_owned(),
        claims: vec![
            Claim::new(
                "references lie on the path at partly regular distances",
                format!(
                    "16.5 mm along the path, to {:.1e} mm on the printed ones and {:.1e} mm on ours",
                    1e3 * worst[0],
                    1e3 * worst[1]
                ),
                Verdict::of(worst.iter().all(|off| *off < 1e-6)),
            ),
            Claim::new(
                "they lead from configuration to configuration, headings included",
                format!(
                    "as printed the first or the last heading is off by {} degrees, as a1 = 0 leaves the first one open; ours by {}",
                    listed(&off[0], 1),
                    listed(&off[1], 1)
                ),
                Verdict::printed(kept(&off[0]), kept(&off[1])),
            ),
            Claim::new(
                "the length is given by the Taylor polynomial of third degree, as l^4 is about 0",
                format!(
                    "at l = 1, with (a1, a2) = (dx, 0), it says {} m; the curves are {} m long. With the printed (0, dx) it is 0/0 for \
                     {none} of 3",
                    listed(&taylor, 4),
                    listed(&lengths, 4)
                ),
                Verdict::printed(close && none == 0, exact),
            ),
        ],
        // Side by side.
        pictures: theirs.into_iter().zip(own).flat_map(|(theirs, own)| [theirs, own]).collect(),
    })
}
