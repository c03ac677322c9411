//! A robot's motion seen many times with other noise, and fits of it.

use anyhow::Result;
use rolima_agents::pilot::{FRAME_S, truth_of};
use rolima_agents::vision::{Blur, Vision};
use rolima_core::{RobotId, World};
use rolima_math::{Pose2, Stream};
use rolima_nav::estimate::{Fit, LeastSquares, Unwrap};
use rolima_scene::builtin_model;

/// Gaps, by frame.
pub(super) const GAPS: [(usize, usize); 2] = [(67, 72), (300, 305)];
pub(super) const FRAMES: usize = 400;
/// The first frame after the first second, in which the fit starts from nothing.
pub(super) const SETTLED: usize = 34;
/// How often the motion is seen; the first time is drawn.
pub(super) const RUNS: usize = 100;
/// Left and right motor, V.
const VOLTS: [f64; 2] = [1.0, 1.3];
const SUPPLY: f64 = 9.0;

/// The motion as seen once.
pub(super) struct Data {
    pub(super) truth: Vec<Pose2>,
    /// As vision without gaps would have it.
    all: Vec<Option<Pose2>>,
    pub(super) seen: Vec<Option<Pose2>>,
    run: u64,
}

pub(super) fn is_gap(frame: usize) -> bool {
    GAPS.iter().any(|&(from, to)| (from..to).contains(&frame))
}

/// Time of a frame, s.
pub(super) fn time(frame: usize) -> f64 {
    frame as f64 * FRAME_S
}

/// Frames whose error counts: after the first second, and not within a gap or just after.
pub(super) fn settled() -> impl Iterator<Item = usize> {
    (SETTLED..FRAMES).filter(|&f| !(0..12).any(|back| f >= back && is_gap(f - back)))
}

pub(super) fn gap_frames() -> impl Iterator<Item = usize> {
    (0..FRAMES).filter(|&f| is_gap(f))
}

/// The same motion, seen [`RUNS`] times.
pub(super) fn data() -> Result<Vec<Data>> {
    let [left, right] = VOLTS;
    let model = builtin_model("open-loop", &[format!("left={left}"), format!("right={right}")])?;
    let mut world = World::new(model);
    let robot = RobotId(0);
    let mut truth = vec![];
    for _ in 0..FRAMES {
        truth.push(truth_of(&world, robot).map_or(Pose2::IDENTITY, |truth| truth.pose));
        world.steps(30);
    }
    let blur = Blur { position: 0.001, heading: 0.5f64.to_radians(), ..Blur::default() };
    let once = |run: u64| {
        let mut robot_vision = Vision::new(blur, Stream::new(4, run, "vision"));
        let all: Vec<Option<Pose2>> = truth.iter().map(|&pose| robot_vision.frame(pose)).collect();
        let seen = all.iter().enumerate().map(|(f, pose)| pose.filter(|_| !is_gap(f))).collect();
        Data { truth: truth.clone(), all, seen, run }
    };
    Ok((0..RUNS as u64).map(once).collect())
}

/// A coordinate as estimated: what the fit says before it sees each frame.
pub(super) struct Course {
    pub(super) measured: Vec<Option<f64>>,
    pub(super) estimated: Vec<f64>,
    /// Absolute errors against the truth.
    pub(super) errors: Vec<f64>,
}

impl Course {
    /// Mean absolute error over some frames.
    pub(super) fn mean(&self, frames: impl IntoIterator<Item = usize>) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for frame in frames {
            sum += self.errors[frame];
            count += 1.0;
        }
        sum / f64::max(count, 1.0)
    }

    /// Largest absolute error over some frames.
    pub(super) fn largest(&self, frames: impl IntoIterator<Item = usize>) -> f64 {
        frames.into_iter().map(|frame| self.errors[frame]).fold(0.0, f64::max)
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Of {
    X,
    Y,
    /// As vision tells it, in (-180, 180] degrees.
    Wrapped,
    /// As the thesis prints the normalisation: atan(sin theta / cos theta).
    Printed,
    /// Unwrapped.
    Heading,
}

/// A fit of what was seen.
pub(super) fn fitted(data: &Data, order: usize, of: Of) -> Result<Course> {
    fitted_to(data, &data.seen, order, of)
}

/// A fit of what would have been seen without gaps.
fn fitted_whole(data: &Data, order: usize, of: Of) -> Result<Course> {
    fitted_to(data, &data.all, order, of)
}

fn fitted_to(data: &Data, seen: &[Option<Pose2>], order: usize, of: Of) -> Result<Course> {
    let mut fit =
        LeastSquares::new(Fit { order, horizon: 100, most_error: 1e9, ..Fit::default() })?;
    let mut random = Stream::new(9 + data.run, order as u64, "first parameters");
    let first: Vec<f64> = (0..3 * order).map(|_| random.between(-1.0, 1.0)).collect();
    fit.start_with(&first)?;
    let (mut unwrap, mut true_unwrap) = (Unwrap::default(), Unwrap::default());
    let mut course = Course { measured: vec![], estimated: vec![], errors: vec![] };
    for (pose, seen) in data.truth.iter().zip(seen) {
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
        let used = fit.frame(measured, VOLTS.map(|volts| volts / SUPPLY));
        if of == Of::Heading && measured.is_none() {
            unwrap.expect(used);
        }
        course.measured.push(measured);
        course.estimated.push(estimated);
        course.errors.push((estimated - truth).abs());
    }
    Ok(course)
}

/// Mean errors of x and y in one run, mm.
#[derive(Clone, Copy)]
pub(super) struct Errors {
    /// Of the first second.
    pub(super) begin: f64,
    /// After it, and away from the gaps.
    pub(super) quiet: f64,
    pub(super) in_gaps: f64,
    pub(super) overall: f64,
    /// In the n frames after a gap, in the n frames after those, and in these without any gap.
    pub(super) after: [f64; 3],
}

/// All runs with one order.
pub(super) struct Order {
    /// x, y and the wrapped heading of the first run.
    pub(super) drawn: [Course; 3],
    pub(super) errors: Vec<Errors>,
    /// Largest errors of the wrapped heading after the first second, rad.
    pub(super) jumps: Vec<f64>,
}

impl Order {
    pub(super) fn of(data: &[Data], order: usize) -> Result<Self> {
        let (mut drawn, mut errors, mut jumps) = (None, vec![], vec![]);
        for one in data {
            let courses = [
                fitted(one, order, Of::X)?,
                fitted(one, order, Of::Y)?,
                fitted(one, order, Of::Wrapped)?,
            ];
            let whole = [fitted_whole(one, order, Of::X)?, fitted_whole(one, order, Of::Y)?];
            errors.push(Errors::of([&courses[0], &courses[1]], [&whole[0], &whole[1]], order));
            jumps.push(courses[2].largest(SETTLED..FRAMES));
            drawn.get_or_insert(courses);
        }
        let drawn = drawn.ok_or_else(|| anyhow::anyhow!("no run"))?;
        Ok(Self { drawn, errors, jumps })
    }

    /// In how many runs something holds.
    pub(super) fn count(&self, holds: impl Fn(&Errors) -> bool) -> usize {
        self.errors.iter().filter(|errors| holds(errors)).count()
    }

    /// In how many runs something holds of this order beside another.
    pub(super) fn count_beside(
        &self,
        other: &Self,
        holds: impl Fn(&Errors, &Errors) -> bool,
    ) -> usize {
        self.errors.iter().zip(&other.errors).filter(|(own, other)| holds(own, other)).count()
    }

    /// Mean over all runs.
    pub(super) fn mean(&self, of: impl Fn(&Errors) -> f64) -> f64 {
        self.errors.iter().map(of).sum::<f64>() / self.errors.len().max(1) as f64
    }
}

impl Errors {
    fn of(courses: [&Course; 2], whole: [&Course; 2], order: usize) -> Self {
        let both = |courses: [&Course; 2], frames: &[usize]| {
            0.5e3
                * (courses[0].mean(frames.iter().copied())
                    + courses[1].mean(frames.iter().copied()))
        };
        let after = |skipped: usize| -> Vec<usize> {
            GAPS.iter().flat_map(|&(_, end)| end + skipped..end + skipped + order).collect()
        };
        Self {
            begin: both(courses, &(0..SETTLED).collect::<Vec<_>>()),
            quiet: both(courses, &settled().collect::<Vec<_>>()),
            in_gaps: both(courses, &gap_frames().collect::<Vec<_>>()),
            overall: both(courses, &(0..FRAMES).collect::<Vec<_>>()),
            after: [
                both(courses, &after(0)),
                both(courses, &after(order)),
                both(whole, &after(order)),
            ],
        }
    }
}
