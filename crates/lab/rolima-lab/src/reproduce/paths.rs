//! Figures 5.4, 5.5 and 5.8: paths of second and third degree.

use super::{Claim, Section, Verdict};
use crate::plot::{COLOURS, Plot};
use anyhow::Result;
use rolima_math::{Pose2, Stream, Vec2};
use rolima_nav::path::cubic::Cubic;
use rolima_nav::path::thesis::{self, Problem};
use rolima_nav::path::{Method, hermite, length, plan};

/// Headings in degrees at start and goal; the pictures of the thesis are not in its text.
pub(super) const PAIRS: [(f64, f64); 9] = [
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
const COUNTED: &str = "Beside these nine that are drawn, 10,000 random pairs of poses on the MiroSot field are counted.";

/// How many random pairs are tried.
const MANY: usize = 10_000;

/// Pairs of poses anywhere on the field, any way round.
fn random_pairs() -> Vec<(Pose2, Pose2)> {
    let mut random = Stream::new(5, 4, "pairs of poses");
    let mut pose = || {
        let (x, y) = (random.between(-0.75, 0.75), random.between(-0.65, 0.65));
        Pose2::new(x, y, random.between(-std::f64::consts::PI, std::f64::consts::PI))
    };
    (0..MANY).map(|_| (pose(), pose())).collect()
}

pub(super) fn poses(pair: (f64, f64)) -> (Pose2, Pose2) {
    (Pose2::new(0.0, 0.0, pair.0.to_radians()), Pose2::new(GOAL.x, GOAL.y, pair.1.to_radians()))
}

fn sampled(curve: &Cubic) -> Vec<Vec2> {
    (0..=120).map(|i| curve.point(f64::from(i) / 120.0)).collect()
}

/// Whether a curve leaves the rectangle between its ends.
fn leaves_rectangle(curve: &Cubic) -> bool {
    let (a, b) = (curve.start, curve.end);
    let outside = |v: f64, a: f64, b: f64| v < a.min(b) - 1e-9 || v > a.max(b) + 1e-9;
    sampled(curve).iter().any(|p| outside(p.x, a.x, b.x) || outside(p.y, a.y, b.y))
}

type Family = Vec<((f64, f64), Cubic)>;

/// A picture of each family, all to the same scale.
fn families(drawn: &[(&str, &Family)]) -> Vec<String> {
    let everything: Vec<Vec2> = drawn
        .iter()
        .flat_map(|(_, curves)| curves.iter().flat_map(|(_, curve)| sampled(curve)))
        .chain([Vec2::ZERO, GOAL])
        .collect();
    let picture = |(title, curves): &(&str, &Family)| {
        let mut plot = Plot::map_around(title, everything.iter().copied());
        plot.rectangle(Vec2::ZERO, GOAL, "#9aa0a6");
        for (i, (pair, curve)) in curves.iter().enumerate() {
            let colour = COLOURS[i % 6];
            plot.line(sampled(curve), colour, i >= 6);
            plot.label(&format!("{} to {} deg", pair.0, pair.1), colour, i >= 6);
        }
        plot.finish()
    };
    drawn.iter().map(picture).collect()
}

fn keeps(pair: (f64, f64), curve: &Cubic) -> bool {
    let (from, to) = poses(pair);
    thesis::keeps_directions(curve, from, to)
}

/// Whether a curve begins and ends at two poses with their tangents, front or back.
fn joins(curve: &Cubic, from: Pose2, to: Pose2) -> bool {
    [(0.0, from), (1.0, to)].into_iter().all(|(at, pose)| {
        let tangent = curve.direction(at).x_axis().cross(pose.rotation.x_axis());
        (curve.point(at) - pose.position).length() < 1e-9 && tangent.abs() < 1e-6
    })
}

fn second_degree() -> Result<Section> {
    let mut curves = vec![];
    for pair in PAIRS {
        let (from, to) = poses(pair);
        curves.push((pair, thesis::parabola(from, to)?));
    }
    let pairs = random_pairs();
    let parabola = |(from, to): &(Pose2, Pose2)| thesis::parabola(*from, *to).ok();
    let found: Vec<_> = pairs.iter().filter_map(|pair| Some((pair, parabola(pair)?))).collect();
    let joined = found.iter().filter(|((from, to), curve)| joins(curve, *from, *to)).count();
    let directed = found
        .iter()
        .filter(|((from, to), curve)| thesis::keeps_directions(curve, *from, *to))
        .count();
    let good = curves.iter().filter(|(pair, curve)| keeps(*pair, curve)).count();
    let longest = curves
        .iter()
        .map(|(_, curve)| length::between(curve, 0.0, 1.0) / GOAL.length())
        .fold(0.0, f64::max);
    let (from, to) = poses((30.0, 30.0));
    let (vertical, _) = poses((90.0, 0.0));
    let singular = thesis::parabola(from, to).is_err() && thesis::parabola(vertical, to).is_err();
    Ok(Section {
        id: "figure-5.4",
        title: "Figure 5.4: paths of second degree".to_owned(),
        setting: format!("{SETTING} {COUNTED}"),
        claims: vec![
            Claim::new(
                "any two configurations are joined, except where tan theta_i = tan theta_f or a heading is +-90 degrees",
                format!(
                    "{joined} of {MANY} random pairs are, positions to 1e-9 m and tangents to 1e-6; both singular cases refused by name: {singular}"
                ),
                Verdict::of(joined == MANY && singular),
            ),
            Claim::new(
                "some of the paths force unnecessary movements",
                format!(
                    "{good} of {} leave and arrive in the direction of the headings, {directed} of the random ones; the longest \
                     drawn is {longest:.1} times the distance",
                    curves.len()
                ),
                Verdict::of(good < curves.len() && directed < MANY),
            ),
        ],
        pictures: families(&[("Second degree", &curves)]),
    })
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
        pictures: families(&[("Third degree, a1 = 1, a2 = 2", &curves)]),
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

/// How third-degree paths do on random pairs.
#[derive(Default)]
struct Counts {
    /// Pairs for which the criterion can be met, and those of them that stay in the rectangle.
    feasible: usize,
    printed_inside: usize,
    ours_inside: usize,
    /// Pairs that leave and arrive along the headings.
    printed_directed: usize,
    centroid_directed: usize,
    ours_directed: usize,
}

impl Counts {
    fn of(pairs: &[(Pose2, Pose2)]) -> Result<Self> {
        let mut counts = Self::default();
        for &(from, to) in pairs {
            let problem = Problem::new(from, to)?;
            let printed = problem.curve(problem.printed_choice());
            let centroid = problem.curve(problem.centroid_choice());
            let choice = hermite::plan(from, to, hermite::Wish::NoExtremum)?;
            if choice.feasible() {
                counts.feasible += 1;
                counts.printed_inside += usize::from(!leaves_rectangle(&printed));
                counts.ours_inside += usize::from(!leaves_rectangle(&choice.curve));
            }
            let kept = |curve: &Cubic| usize::from(thesis::keeps_directions(curve, from, to));
            counts.printed_directed += kept(&printed);
            counts.centroid_directed += kept(&centroid);
            counts.ours_directed += kept(&choice.curve);
        }
        Ok(counts)
    }
}

/// Of random pairs without displacement in x: how many the printed form joins, and how many we do.
fn without_displacement(pairs: &[(Pose2, Pose2)]) -> Result<[usize; 2]> {
    let mut joined = [0; 2];
    for &(from, to) in pairs {
        let to = Pose2 { position: Vec2::new(from.position.x, to.position.y), ..to };
        let problem = Problem::new(from, to)?;
        let printed = problem.curve(problem.printed_choice());
        joined[0] += usize::from(joins(&printed, from, to));
        let path = plan(from, to, Method::Cubic)?.path;
        let near = |pose: Pose2, wanted: Pose2| {
            let turn = (pose.rotation.x_axis() - wanted.rotation.x_axis()).length();
            (pose.position - wanted.position).length() < 1e-9 && turn < 1e-6
        };
        joined[1] += usize::from(near(path.pose(0.0), from) && near(path.pose(path.end()), to));
    }
    Ok(joined)
}

fn third_degree() -> Result<Section> {
    let (mut printed, mut centroid, mut ours) = (vec![], vec![], vec![]);
    for pair in PAIRS {
        let (from, to) = poses(pair);
        let problem = Problem::new(from, to)?;
        printed.push((pair, problem.curve(problem.printed_choice())));
        centroid.push((pair, problem.curve(problem.centroid_choice())));
        ours.push((pair, hermite::plan(from, to, hermite::Wish::NoExtremum)?.curve));
    }
    let drawn: Vec<(Pose2, Pose2)> = PAIRS.into_iter().map(poses).collect();
    let (nine, many) = (Counts::of(&drawn)?, Counts::of(&random_pairs())?);
    let still_of =
        |curves: &Family| curves.iter().filter(|(_, curve)| curve.d0.length() == 0.0).count();
    let (still, ours_still) = (still_of(&printed), still_of(&ours));
    let middle = region_middle()?;
    let near = |to: [f64; 2]| (middle[0] - to[0]).abs() + (middle[1] - to[1]).abs() < 0.02;
    let kept = nine.ours_inside == nine.feasible && many.ours_inside == many.feasible;
    let printed_kept = nine.printed_inside == nine.feasible && many.printed_inside == many.feasible;
    let [joined, we_join] = without_displacement(&random_pairs()[..1000])?;
    Ok(Section {
        id: "figure-5.8",
        title: "Figure 5.8: paths of third degree with suitable free coefficients".to_owned(),
        setting: format!(
            "{SETTING} {COUNTED} As printed, (a1, a2) = (0, dx); with the true centroid (dx, 0); and ours, (a1, b1) = k0 (cos, sin) theta_i \
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
                    "possible for {} of the {} drawn pairs, of which printed keeps {}, ours {}; for {} of {MANY} random ones, of \
                     which printed keeps {}, ours {}",
                    nine.feasible,
                    PAIRS.len(),
                    nine.printed_inside,
                    nine.ours_inside,
                    many.feasible,
                    many.printed_inside,
                    many.ours_inside
                ),
                Verdict::printed(printed_kept && kept, kept),
            ),
            Claim::new(
                "the direction of arrival is lost, as the method works with tangents",
                format!(
                    "leaving and arriving along the headings, of {MANY} random pairs: printed {}, centroid {}, ours {}",
                    many.printed_directed, many.centroid_directed, many.ours_directed
                ),
                Verdict::of(many.centroid_directed < MANY && many.ours_directed == MANY),
            ),
            Claim::new(
                "for some configurations no path is determined, such as those without displacement in x",
                format!(
                    "of 1000 random pairs with dx = 0 the printed form joins {joined} with their tangents, as (a1, a2) = (0, 0) \
                     never leaves x; ours {we_join}"
                ),
                Verdict::of(joined == 0 && we_join == 1000),
            ),
        ],
        pictures: families(&[
            ("As printed: (a1, a2) = (0, dx)", &printed),
            ("True centroid: (dx, 0)", &centroid),
            ("Ours", &ours),
        ]),
    })
}

pub(super) fn sections() -> Result<Vec<Section>> {
    Ok(vec![second_degree()?, third_degree_arbitrary()?, third_degree()?])
}
