//! Figures 5.4, 5.5, 5.8 and 5.9: paths of second and third degree, and references along them.

use super::{Claim, Section, Verdict};
use crate::plot::{COLOURS, Plot};
use anyhow::Result;
use rolima_math::{Pose2, Vec2};
use rolima_nav::path::cubic::Cubic;
use rolima_nav::path::thesis::{self, Problem};
use rolima_nav::path::{Method, Path, Sample, hermite, length, plan};
use rolima_nav::trajectory::references;

/// Headings in degrees at start and goal; the pictures of the thesis are not in its text.
const PAIRS: [(f64, f64); 9] = [
    (0.0, 50.0),
    (20.0, 70.0),
    (60.0, 20.0),
    (45.0, 0.0),
    (0.0, -50.0),
    (-30.0, 60.0),
    (80.0, 10.0),
    (120.0, 45.0),
    (30.0, 150.0),
];

const GOAL: Vec2 = Vec2 { x: 0.5, y: 0.5 };

const SETTING: &str = "From (0, 0) to (0.5, 0.5) m with headings of our choice at both ends; the thesis does not list its own.";

fn poses(pair: (f64, f64)) -> (Pose2, Pose2) {
    (Pose2::new(0.0, 0.0, pair.0.to_radians()), Pose2::new(GOAL.x, GOAL.y, pair.1.to_radians()))
}

fn sampled(curve: &Cubic) -> Vec<Vec2> {
    (0..=120).map(|i| curve.point(f64::from(i) / 120.0)).collect()
}

fn leaves_rectangle(curve: &Cubic) -> bool {
    let inside = |v: f64| (-1e-9..=0.5 + 1e-9).contains(&v);
    sampled(curve).iter().any(|p| !(inside(p.x) && inside(p.y)))
}

fn family(title: &str, low: f64, high: f64, curves: &[((f64, f64), Cubic)]) -> String {
    let mut plot = Plot::map(title, Vec2::new(low, low), Vec2::new(high, high));
    plot.rectangle(Vec2::ZERO, GOAL, "#9aa0a6");
    for (i, (pair, curve)) in curves.iter().enumerate() {
        let colour = COLOURS[i % 6];
        plot.line(sampled(curve), colour, i >= 6);
        plot.label(&format!("{} to {} deg", pair.0, pair.1), colour, i >= 6);
    }
    plot.finish()
}

fn keeps(pair: (f64, f64), curve: &Cubic) -> bool {
    let (from, to) = poses(pair);
    thesis::keeps_directions(curve, from, to)
}

fn second_degree() -> Section {
    let curves: Vec<_> = PAIRS
        .into_iter()
        .filter_map(|pair| {
            let (from, to) = poses(pair);
            thesis::parabola(from, to).ok().map(|curve| (pair, curve))
        })
        .collect();
    let good = curves.iter().filter(|(pair, curve)| keeps(*pair, curve)).count();
    let longest = curves
        .iter()
        .map(|(_, curve)| length::between(curve, 0.0, 1.0) / GOAL.length())
        .fold(0.0, f64::max);
    let (from, to) = poses((30.0, 30.0));
    let (vertical, _) = poses((90.0, 0.0));
    let singular = thesis::parabola(from, to).is_err() && thesis::parabola(vertical, to).is_err();
    Section {
        id: "figure-5.4",
        title: "Figure 5.4: paths of second degree".to_owned(),
        setting: SETTING.to_owned(),
        claims: vec![
            Claim::new(
                "any two configurations are joined, except where tan theta_i = tan theta_f or a heading is +-90 degrees",
                format!(
                    "{} of {} pairs joined; both singular cases refused by name: {singular}",
                    curves.len(),
                    PAIRS.len()
                ),
                Verdict::of(curves.len() == PAIRS.len() && singular),
            ),
            Claim::new(
                "some of the paths force unnecessary movements",
                format!(
                    "{good} of {} leave and arrive in the direction of the headings; the longest is {longest:.1} times the distance",
                    curves.len()
                ),
                Verdict::of(good < curves.len()),
            ),
        ],
        pictures: vec![family("Second degree", -0.6, 1.1, &curves)],
    }
}

fn third_degree_arbitrary() -> Result<Section> {
    let mut curves = vec![];
    for pair in PAIRS {
        let (from, to) = poses(pair);
        curves.push((pair, Problem::new(from, to)?.curve([1.0, 2.0])));
    }
    let out = curves.iter().filter(|(_, curve)| leaves_rectangle(curve)).count();
    Ok(Section {
        id: "figure-5.5",
        title: "Figure 5.5: paths of third degree with a1 = 1, a2 = 2".to_owned(),
        setting: SETTING.to_owned(),
        claims: vec![Claim::new(
            "the results are not satisfactory: the free coefficients need a criterion",
            format!("{out} of {} leave the rectangle between start and goal", curves.len()),
            Verdict::of(out == curves.len()),
        )],
        pictures: vec![family("Third degree, a1 = 1, a2 = 2", -0.6, 1.6, &curves)],
    })
}

/// The middle of all choices that keep x without an extremum, as shares of dx.
fn region_middle() -> Result<[f64; 2]> {
    const GRID: i32 = 400;
    let (from, to) = poses(PAIRS[0]);
    let problem = Problem::new(from, to)?;
    let (mut sum, mut count) = ([0.0; 2], 0.0);
    for i in 0..GRID {
        for j in 0..GRID {
            // From -4 dx to 4 dx.
            let choice = [i, j].map(|k| 8.0 * (f64::from(k) + 0.5) / f64::from(GRID) - 4.0);
            if problem.in_region_x(choice.map(|share| share * problem.gap[0])) {
                sum = [sum[0] + choice[0], sum[1] + choice[1]];
                count += 1.0;
            }
        }
    }
    Ok(sum.map(|sum| sum / f64::max(count, 1.0)))
}

fn third_degree() -> Result<Section> {
    let (mut printed, mut centroid, mut ours) = (vec![], vec![], vec![]);
    let (mut feasible, mut kept) = (0, 0);
    for pair in PAIRS {
        let (from, to) = poses(pair);
        let problem = Problem::new(from, to)?;
        printed.push((pair, problem.curve(problem.printed_choice())));
        centroid.push((pair, problem.curve(problem.centroid_choice())));
        let choice = hermite::plan(from, to, hermite::Wish::NoExtremum)?;
        if choice.feasible() {
            feasible += 1;
            kept += usize::from(!leaves_rectangle(&choice.curve));
        }
        ours.push((pair, choice.curve));
    }
    let inside = |curves: &[((f64, f64), Cubic)]| {
        curves.iter().filter(|(_, curve)| !leaves_rectangle(curve)).count()
    };
    let directed = |curves: &[((f64, f64), Cubic)]| {
        curves.iter().filter(|(pair, curve)| keeps(*pair, curve)).count()
    };
    let still_of = |curves: &[((f64, f64), Cubic)]| {
        curves.iter().filter(|(_, curve)| curve.d0.length() == 0.0).count()
    };
    let (still, ours_still) = (still_of(&printed), still_of(&ours));
    let can = |pair: (f64, f64)| {
        let (from, to) = poses(pair);
        hermite::feasible(from, to).is_ok_and(|axes| axes == [true; 2])
    };
    let printed_kept =
        printed.iter().filter(|(pair, curve)| can(*pair) && !leaves_rectangle(curve));
    let printed_kept = printed_kept.count();
    let middle = region_middle()?;
    let near = |to: [f64; 2]| (middle[0] - to[0]).abs() + (middle[1] - to[1]).abs() < 0.02;
    Ok(Section {
        id: "figure-5.8",
        title: "Figure 5.8: paths of third degree with suitable free coefficients".to_owned(),
        setting: format!(
            "{SETTING} As printed, (a1, a2) = (0, dx); with the true centroid (dx, 0); and ours, (a1, b1) = k0 (cos, sin) theta_i \
                          and likewise k1 at the goal, of least maximal curvature."
        ),
        claims: vec![
            Claim::new(
                "(a1, a2) = (0, dx) is the centroid of the admissible region of x",
                format!(
                    "over a grid of 400 x 400 choices the admissible ones have their middle at ({:.3} dx, {:.3} dx)",
                    middle[0], middle[1]
                ),
                Verdict::printed(near([0.0, 1.0]), near([1.0, 0.0])),
            ),
            Claim::new(
                "the paths are, for the most part, differentiable",
                format!(
                    "{still} of {} printed ones start with no speed, so that their first heading is 0/0; ours: {ours_still}",
                    printed.len()
                ),
                Verdict::printed(still == 0, ours_still == 0),
            ),
            Claim::new(
                "the paths stay in the rectangle whenever that is possible",
                format!(
                    "possible for {feasible} of {} pairs; of all pairs inside: printed {}, centroid {}, ours {}; of the possible ones printed keeps {printed_kept}, ours {kept}",
                    PAIRS.len(),
                    inside(&printed),
                    inside(&centroid),
                    inside(&ours)
                ),
                Verdict::printed(printed_kept == feasible && kept == feasible, kept == feasible),
            ),
            Claim::new(
                "the direction of arrival is lost, as the method works with tangents",
                format!(
                    "leaving and arriving along the headings: centroid {} of {}, ours {}",
                    directed(&centroid),
                    PAIRS.len(),
                    directed(&ours)
                ),
                Verdict::of(directed(&centroid) < PAIRS.len() && directed(&ours) == PAIRS.len()),
            ),
        ],
        pictures: vec![
            family("As printed: (a1, a2) = (0, dx)", -0.4, 1.0, &printed),
            family("True centroid: (dx, 0)", -0.4, 1.0, &centroid),
            family("Ours", -0.4, 1.0, &ours),
        ],
    })
}

fn trajectories() -> Result<Section> {
    /// Of the thesis's figure, m/s.
    const SPEED: f64 = 0.5;
    let mut map =
        Plot::map("References every 16.5 mm", Vec2::new(-0.1, -0.1), Vec2::new(0.7, 0.75));
    let mut paths = vec![];
    for degrees in [50.0f64, 0.0, -50.0] {
        let goal = Pose2::new(GOAL.x, GOAL.y, degrees.to_radians());
        paths.push((degrees, goal, plan(Pose2::IDENTITY, goal, Method::Cubic)?.path));
    }
    // The whole time of the longest, and some room.
    let longest = paths.iter().map(|(_, _, path)| path.length()).fold(0.0, f64::max);
    let range = (0.0, 1.05 * longest / SPEED);
    let mut places = Plot::new("x and y over time", ("time, s", "m"), range, (-0.1, 0.8));
    let mut headings =
        Plot::new("heading over time", ("time, s", "degrees"), range, (-100.0, 160.0));
    let (mut lengths, mut taylor, mut worst) = (vec![], vec![], 0.0f64);
    for (i, (degrees, goal, path)) in paths.into_iter().enumerate() {
        let all: Vec<_> = references(&path, SPEED, 0.033)?.collect();
        for pair in all[..all.len() - 1].windows(2) {
            worst = worst.max((pair[1].way - pair[0].way - 0.0165).abs());
        }
        let colour = COLOURS[i];
        map.line((0..=200).map(|k| path.pose(f64::from(k) / 200.0).position), colour, false);
        map.dots(all.iter().map(|s| s.point), colour);
        map.label(&format!("{degrees} degrees"), colour, false);
        let at = |k: usize| k as f64 * 0.033;
        let over_time = |of: &dyn Fn(&Sample) -> f64| -> Vec<(f64, f64)> {
            all.iter().enumerate().map(|(k, s)| (at(k), of(s))).collect()
        };
        places.curve(&over_time(&|s| s.point.x), colour, false);
        places.curve(&over_time(&|s| s.point.y), colour, true);
        places.label(&format!("x, goal with {degrees} degrees"), colour, false);
        places.label("y", colour, true);
        headings.curve(&over_time(&|s| s.heading.angle().to_degrees()), colour, false);
        headings.label(&format!("goal with {degrees} degrees"), colour, false);
        let problem = Problem::new(Pose2::IDENTITY, goal)?;
        let curve = problem.curve(problem.centroid_choice());
        lengths.push(length::between(&curve, 0.0, 1.0));
        taylor.push(length::taylor(&curve, 1.0).unwrap_or(f64::NAN));
    }
    let three =
        |values: &[f64]| values.iter().map(|v| format!("{v:.4}")).collect::<Vec<_>>().join(", ");
    let expected = [0.724140, 0.728620, 0.787583];
    let close = taylor.iter().zip(&lengths).all(|(got, want)| (got - want).abs() < 0.01 * want);
    let exact = lengths.iter().zip(expected).all(|(got, want)| (got - want).abs() < 1e-6);
    Ok(Section {
        id: "figure-5.9",
        title: "Figure 5.9: references for a mean speed of 0.5 m/s".to_owned(),
        setting: "From (0, 0, 0) to (0.5, 0.5) m with +50, 0 and -50 degrees; 33 ms, 16.5 mm, as in the thesis. Paths: ours.".to_owned(),
        claims: vec![
            Claim::new(
                "references lie on the path at partly regular distances",
                format!("16.5 mm along the path, to {:.1e} mm", 1e3 * worst),
                Verdict::of(worst < 1e-6),
            ),
            Claim::new(
                "the length is given by the Taylor polynomial of third degree, as l^4 is about 0",
                format!("at l = 1, with (a1, a2) = (dx, 0), it says {} m; the curves are {} m long", three(&taylor), three(&lengths)),
                Verdict::printed(close, exact),
            ),
        ],
        pictures: vec![map.finish(), places.finish(), headings.finish()],
    })
}

pub(super) fn sections() -> Result<Vec<Section>> {
    Ok(vec![
        second_degree(),
        third_degree_arbitrary()?,
        third_degree()?,
        trajectories()?,
        beyond()?,
    ])
}

/// Methods that the thesis names in its outlook, side by side.
fn beyond() -> Result<Section> {
    // All six differ here, the nearest two by some 5 cm.
    let (from, to) =
        (Pose2::new(0.0, 0.0, 60f64.to_radians()), Pose2::new(0.45, 0.15, 130f64.to_radians()));
    let methods = [
        Method::Cubic,
        Method::Gentle,
        Method::Bounded(0.1),
        Method::Dubins(0.1),
        Method::ReedsShepp(0.1),
        Method::Turn,
    ];
    let points = |path: &Path| -> Vec<Vec2> {
        (0..=300).map(|i| path.pose(path.end() * f64::from(i) / 300.0).position).collect()
    };
    let mut plot =
        Plot::map("One task, six methods", Vec2::new(-0.12, -0.12), Vec2::new(0.6, 0.44));
    plot.robot(from, "#202124");
    plot.robot(to, "#202124");
    let (mut text, mut met, mut tightest) = (vec![], true, f64::INFINITY);
    for (i, method) in methods.into_iter().enumerate() {
        let path = plan(from, to, method)?.path;
        let end = path.pose(path.end());
        met &= (end.position - to.position).length() < 1e-9
            && (end.rotation.x_axis() - to.rotation.x_axis()).length() < 1e-9;
        if matches!(method, Method::Bounded(_) | Method::Dubins(_) | Method::ReedsShepp(_)) {
            tightest = tightest.min(1.0 / path.largest_curvature());
        }
        plot.line(points(&path), COLOURS[i], false);
        plot.label(&format!("{}, {:.2} m", method.name(), path.length()), COLOURS[i], false);
        text.push(format!(
            "{} {:.3} m, largest curvature {:.1} 1/m",
            method.name(),
            path.length(),
            path.largest_curvature()
        ));
    }
    let mut ellipses = 0;
    let mut off = 0.0f64;
    for pair in PAIRS {
        let (from, to) = poses(pair);
        if let Ok(ellipse) = thesis::Ellipse::through(from, to) {
            ellipses += 1;
            off = off.max((ellipse.point(0.0) - from.position).length());
            off = off.max((ellipse.point(1.0) - to.position).length());
        }
    }
    Ok(Section {
        id: "beyond-paths",
        title: "Beyond the thesis: the methods of its outlook".to_owned(),
        setting: "From (0, 0) m with 60 degrees to (0.45, 0.15) m with 130 degrees; least radius 0.1 m where a method has one.".to_owned(),
        claims: vec![Claim::new(
            "other curves and criteria remain to be compared (chapter 7)",
            text.join("; "),
            Verdict::Measured,
        ), Claim::new(
            "(ours) all meet both poses to 1e-9, and those with a least radius keep 0.1 m",
            format!("both poses met: {met}; least radius {tightest:.6} m"),
            Verdict::of(met && tightest > 0.1 - 1e-9),
        ), Claim::new(
            "an ellipse through both configurations (section 5.3) is not of trivial solution",
            format!("with q = b^2/a^2 it is linear; {ellipses} of {} pairs of figure 5.4 have one, met to {off:.0e} m", PAIRS.len()),
            Verdict::printed(ellipses == 0, off < 1e-9),
        )],
        pictures: vec![plot.finish()],
    })
}
