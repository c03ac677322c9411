//! Figures 4.2 to 4.6: least squares of orders 2, 5 and 10, gaps filled, the heading unwrapped.

use super::{Claim, Section, Verdict};
use crate::plot::{COLOURS, Plot};
use crate::scene::builtin;
use anyhow::Result;
use rolima_core::World;
use rolima_math::{Pose2, Stream};
use rolima_nav::estimate::{Fit, LeastSquares, Unwrap};
use rolima_pilot::pilot::{FRAME_S, truth_of};
use rolima_pilot::vision::{Blur, Vision};

const SETTING: &str = "Both motors get a step, in open loop; the thesis used its real robot. Ours: minirobot-2001 with 1.3 V right \
                       and 1.0 V left, a circle of some 20 cm; vision of 1 mm and 0.5 degrees every 30 ms that loses the robot for \
                       five frames near 2 s and 9 s. Forgetting 0.995, P = 1e6 I, first parameters random.";

/// Gaps, by frame.
const GAPS: [(usize, usize); 2] = [(67, 72), (300, 305)];
const FRAMES: usize = 400;
/// The first frame after the first second, in which the fit starts from nothing.
const SETTLED: usize = 34;
const SCALE_V: f64 = 1.0 / 9.0;

struct Data {
    truth: Vec<Pose2>,
    seen: Vec<Option<Pose2>>,
}

fn is_gap(frame: usize) -> bool {
    GAPS.iter().any(|&(from, to)| (from..to).contains(&frame))
}

fn data() -> Result<Data> {
    let model = builtin("open-loop", &["left=1.0".to_owned(), "right=1.3".to_owned()])?;
    let mut world = World::new(model);
    let slot = world.model().robots[0].slot;
    let blur = Blur { position: 0.001, heading: 0.5f64.to_radians(), ..Blur::default() };
    let mut eyes = Vision::new(blur, Stream::new(4, 0, "vision"));
    let (mut truth, mut seen) = (vec![], vec![]);
    for frame in 0..FRAMES {
        let pose = truth_of(&world, slot).map_or(Pose2::IDENTITY, |truth| truth.pose);
        let sight = eyes.frame(pose);
        truth.push(pose);
        seen.push(sight.filter(|_| !is_gap(frame)));
        world.steps(30);
    }
    Ok(Data { truth, seen })
}

/// A coordinate as estimated: what the fit says before it sees each frame.
struct Course {
    measured: Vec<Option<f64>>,
    estimated: Vec<f64>,
    /// Absolute errors against the truth.
    errors: Vec<f64>,
}

impl Course {
    /// Mean absolute error over some frames.
    fn mean(&self, frames: impl Iterator<Item = usize>) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for frame in frames {
            sum += self.errors[frame];
            count += 1.0;
        }
        sum / f64::max(count, 1.0)
    }

    fn largest(&self, from: usize) -> f64 {
        self.errors[from..].iter().copied().fold(0.0, f64::max)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Of {
    X,
    Y,
    /// As vision tells it, in (-180, 180] degrees.
    Wrapped,
    /// As the thesis prints the normalisation: atan(sin theta / cos theta).
    Printed,
    /// Unwrapped.
    Heading,
}

fn fitted(data: &Data, order: usize, of: Of) -> Result<Course> {
    let mut fit =
        LeastSquares::new(Fit { order, horizon: 100, most_error: 1e9, ..Fit::default() })?;
    let mut random = Stream::new(9, order as u64, "first parameters");
    let first: Vec<f64> = (0..3 * order).map(|_| random.between(-1.0, 1.0)).collect();
    fit.start_with(&first)?;
    let (mut unwrap, mut true_unwrap) = (Unwrap::default(), Unwrap::default());
    let mut course = Course { measured: vec![], estimated: vec![], errors: vec![] };
    for (pose, seen) in data.truth.iter().zip(&data.seen) {
        let value = |pose: &Pose2| match of {
            Of::X => pose.position.x,
            Of::Y => pose.position.y,
            Of::Wrapped | Of::Heading => pose.theta(),
            Of::Printed => {
                rolima_math::atan(rolima_math::sin(pose.theta()) / rolima_math::cos(pose.theta()))
            }
        };
        let mut truth = value(pose);
        let mut measured = seen.as_ref().map(value);
        if of == Of::Heading {
            truth = true_unwrap.next(truth);
            measured = measured.map(|theta| unwrap.next(theta));
        }
        let estimated = fit.predicted();
        let used = fit.frame(measured, [1.0 * SCALE_V, 1.3 * SCALE_V]);
        if of == Of::Heading && measured.is_none() {
            unwrap.expect(used);
        }
        let error = estimated - truth;
        course.measured.push(measured);
        course.estimated.push(estimated);
        course.errors.push(error.abs());
    }
    Ok(course)
}

fn time(frame: usize) -> f64 {
    frame as f64 * FRAME_S
}

fn course_plot(
    title: &str,
    label: &str,
    courses: &[(&str, &Course)],
    scale: f64,
    range: (f64, f64),
) -> String {
    let mut plot = Plot::new(title, ("time, s", label), (0.0, time(FRAMES)), range);
    for (i, (name, course)) in courses.iter().enumerate() {
        let (solid, dashed) = (COLOURS[2 * i % 6], COLOURS[(2 * i + 1) % 6]);
        // The line breaks where vision did.
        for piece in course
            .measured
            .iter()
            .enumerate()
            .collect::<Vec<_>>()
            .chunk_by(|a, b| a.1.is_some() == b.1.is_some())
        {
            let points: Vec<_> =
                piece.iter().filter_map(|(f, v)| v.map(|v| (time(*f), scale * v))).collect();
            plot.curve(&points, solid, false);
        }
        let points: Vec<_> =
            course.estimated.iter().enumerate().map(|(f, v)| (time(f), scale * v)).collect();
        plot.curve(&points, dashed, true);
        plot.label(&format!("{name} measured"), solid, false);
        plot.label(&format!("{name} estimated"), dashed, true);
    }
    plot.finish()
}

fn error_plot(
    title: &str,
    label: &str,
    courses: &[(&str, &Course)],
    scale: f64,
    most: f64,
) -> String {
    const START: &str = "#8a6d00";
    const GAP: &str = "#5f6368";
    let mut plot = Plot::new(title, ("time, s", label), (0.0, time(FRAMES)), (0.0, most));
    plot.band(0.0, time(SETTLED), START);
    for (from, to) in GAPS {
        plot.band(time(from), time(to), GAP);
    }
    for (i, (name, course)) in courses.iter().enumerate() {
        let points: Vec<_> =
            course.errors.iter().enumerate().map(|(f, e)| (time(f), scale * e)).collect();
        plot.curve(&points, COLOURS[i], i > 0);
        plot.label(name, COLOURS[i], i > 0);
    }
    plot.band_label("first second", START);
    plot.band_label("vision lost", GAP);
    plot.finish()
}

/// Frames whose error counts: after the first second, and not within a gap or just after.
fn settled() -> impl Iterator<Item = usize> {
    (SETTLED..FRAMES).filter(|&f| !(0..12).any(|back| f >= back && is_gap(f - back)))
}

fn gap_frames() -> impl Iterator<Item = usize> {
    (0..FRAMES).filter(|&f| is_gap(f))
}

pub(super) fn sections() -> Result<Vec<Section>> {
    let data = data()?;
    let orders = [(2, "figure-4.2"), (5, "figure-4.3"), (10, "figure-4.4")];
    let mut sections = vec![];
    let (mut first_second, mut overall) = (vec![], vec![]);
    for (order, id) in orders {
        let [x, y, theta] = [
            fitted(&data, order, Of::X)?,
            fitted(&data, order, Of::Y)?,
            fitted(&data, order, Of::Wrapped)?,
        ];
        let begin = 0.5 * (x.mean(0..33) + y.mean(0..33));
        first_second.push(begin);
        overall.push(0.5e3 * (x.mean(0..FRAMES) + y.mean(0..FRAMES)));
        let quiet = 0.5e3 * (x.mean(settled()) + y.mean(settled()));
        let in_gaps = 0.5e3 * (x.mean(gap_frames()) + y.mean(gap_frames()));
        let jump = theta.largest(SETTLED).to_degrees();
        let mut claims = vec![
            Claim::new(
                "x and y are estimated with small absolute errors",
                format!("mean error {quiet:.2} mm after the first second (vision: 1 mm)"),
                // Three times what vision itself is off by.
                Verdict::of(quiet < 3.0),
            ),
            Claim::new(
                "errors grow while vision has lost the robot, near 2 s and 9 s",
                format!("{in_gaps:.1} mm within the gaps against {quiet:.2} mm"),
                Verdict::of(in_gaps > quiet),
            ),
            Claim::new(
                "the heading in [-180, 180] degrees has errors where it jumps",
                format!("largest error after the first second {jump:.0} degrees"),
                Verdict::of(jump > 180.0),
            ),
        ];
        if order > 2 {
            let before = first_second[first_second.len() - 2];
            claims.push(Claim::new(
                "errors of the first instants grow with n",
                format!(
                    "mean of the first second {:.1} mm, with the order before {:.1} mm",
                    1e3 * begin,
                    1e3 * before
                ),
                Verdict::of(begin > before),
            ));
        }
        if order == 10 {
            let each = overall.iter().map(|mean| format!("{mean:.2} mm"));
            claims.push(Claim::new(
                "of n = 2, 5 and 10 the errors are smallest with 2",
                format!(
                    "over all frames, gaps and first instants included: {}; once settled, higher orders smooth the noise better",
                    each.collect::<Vec<_>>().join(", ")
                ),
                Verdict::of(overall[0] <= overall[1] && overall[0] <= overall[2]),
            ));
        }
        sections.push(Section {
            id,
            title: format!(
                "Figure {}: measured and estimated x, y, heading with n = {order}",
                &id[7..]
            ),
            setting: SETTING.to_owned(),
            claims,
            pictures: vec![
                course_plot("(a) x and y", "m", &[("x", &x), ("y", &y)], 1.0, (-0.4, 0.75)),
                course_plot(
                    "(b) heading",
                    "degrees",
                    &[("heading", &theta)],
                    57.29578,
                    (-250.0, 330.0),
                ),
                error_plot(
                    "(c) absolute errors of x and y",
                    "mm",
                    &[("x", &x), ("y", &y)],
                    1e3,
                    40.0,
                ),
                error_plot(
                    "(d) absolute error of the heading",
                    "degrees",
                    &[("heading", &theta)],
                    57.29578,
                    400.0,
                ),
            ],
        });
    }
    sections.push(filled(&data)?);
    sections.push(unwrapped(&data)?);
    Ok(sections)
}

fn filled(data: &Data) -> Result<Section> {
    let [x, y] = [fitted(data, 2, Of::X)?, fitted(data, 2, Of::Y)?];
    let worst = |course: &Course, frames: &mut dyn Iterator<Item = usize>| {
        frames.map(|f| course.errors[f]).fold(0.0, f64::max)
    };
    let both =
        |from: usize, to: usize| 1e3 * worst(&x, &mut (from..to)).max(worst(&y, &mut (from..to)));
    let most = 1e3 * worst(&x, &mut gap_frames()).max(worst(&y, &mut gap_frames()));
    let begin = both(0, SETTLED);
    let back = GAPS.map(|(_, end)| both(end, end + 5)).into_iter().fold(0.0, f64::max);
    // What would be used without a fit: the last pose seen.
    let stale = gap_frames().map(|f| {
        let last = (0..f).rev().find_map(|b| data.seen[b]).unwrap_or_default();
        (last.position - data.truth[f].position).length()
    });
    let stale = 1e3 * stale.fold(0.0, f64::max);
    let mut plot =
        Plot::new("(a) gaps filled by the estimate", ("time, s", "m"), (1.5, 3.0), (-0.4, 0.75));
    for (i, (course, name)) in [(&x, "x"), (&y, "y")].into_iter().enumerate() {
        let points: Vec<_> = course
            .measured
            .iter()
            .enumerate()
            .filter_map(|(f, v)| v.map(|v| (time(f), v)))
            .collect();
        plot.dots(points.iter().map(|&(t, v)| rolima_math::Vec2::new(t, v)), COLOURS[2 * i]);
        let fill: Vec<_> =
            gap_frames().map(|f| rolima_math::Vec2::new(time(f), course.estimated[f])).collect();
        plot.dots(fill, COLOURS[2 * i + 1]);
        plot.label(&format!("{name} measured"), COLOURS[2 * i], false);
        plot.label(&format!("{name} filled"), COLOURS[2 * i + 1], false);
    }
    Ok(Section {
        id: "figure-4.5",
        title: "Figure 4.5: estimates used where measurements are missing".to_owned(),
        setting: SETTING.to_owned(),
        claims: vec![Claim::new(
            "the configuration is known at every instant",
            format!(
                "x and y are off by at most {most:.1} mm within five missing frames, where the last pose seen is off by \
                 {stale:.0} mm; by {back:.1} mm in the frames just after them, when the fit's own values are still among the \
                 past ones, and by {begin:.1} mm in the first second, when the fit starts from nothing"
            ),
            Verdict::of(most < stale),
        )],
        pictures: vec![
            plot.finish(),
            error_plot("(b) absolute errors", "mm", &[("x", &x), ("y", &y)], 1e3, 40.0),
        ],
    })
}

fn unwrapped(data: &Data) -> Result<Section> {
    let heading = fitted(data, 2, Of::Heading)?;
    let worst =
        |of: Of| Ok::<f64, anyhow::Error>(fitted(data, 2, of)?.largest(SETTLED).to_degrees());
    let (before, printed) = (worst(Of::Wrapped)?, worst(Of::Printed)?);
    let after = heading.largest(SETTLED).to_degrees();
    let begin = heading.largest(0).to_degrees();
    Ok(Section {
        id: "figure-4.6",
        title: "Figure 4.6: the heading after normalisation, n = 2".to_owned(),
        setting: SETTING.to_owned(),
        claims: vec![
            Claim::new(
                "the heading on a line without jumps is estimated more precisely",
                format!(
                    "largest error after the first second {after:.2} degrees, wrapped {before:.0} degrees; with the first \
                     second, when the fit starts from nothing, {begin:.2} degrees"
                ),
                Verdict::of(after < 0.1 * before),
            ),
            Claim::new(
                "the normalisation is theta = atan(sin theta / cos theta)",
                format!(
                    "that is a wrap to +-90 degrees, the opposite of what is needed: largest error after the first second {printed:.0} degrees; ours takes the \
                     value nearest to the last: {after:.2} degrees"
                ),
                Verdict::printed(printed < 5.0, after < 5.0),
            ),
        ],
        pictures: vec![
            course_plot(
                "(a) heading, unwrapped",
                "degrees",
                &[("heading", &heading)],
                57.29578,
                (-100.0, 2200.0),
            ),
            error_plot("(b) absolute error", "degrees", &[("heading", &heading)], 57.29578, 20.0),
        ],
    })
}
