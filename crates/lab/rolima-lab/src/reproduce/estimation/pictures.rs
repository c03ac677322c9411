//! Courses and errors over time, whole: what an axis cannot hold is told at its edge.

use super::runs::{Course, FRAMES, GAPS, SETTLED, gap_frames, time};
use crate::plot::{COLOURS, Plot, decade_above};
use rolima_math::Vec2;

const START: &str = "#8a6d00";
const GAP: &str = "#5f6368";
/// Of what is not measured but true.
const TRUE: &str = "#9aa0a6";

/// Metres and radians as drawn.
pub(super) const MM: f64 = 1e3;
pub(super) const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// Pale for what is measured, dark for what is estimated.
const PAIRS: [(&str, &str); 2] = [("#9cc3ee", "#123f77"), ("#f3b48c", "#8f3a08")];

/// Measured and estimated values, over an axis for the measured ones.
pub(super) fn courses(title: &str, label: &str, courses: &[(&str, &Course)], scale: f64) -> String {
    let measured = courses.iter().flat_map(|(_, course)| course.measured.iter().flatten());
    let (low, high) = range_of(measured.map(|v| scale * v));
    let mut plot = Plot::new(title, ("time, s", label), (0.0, time(FRAMES)), (low, high));
    gap_bands(&mut plot);
    for (i, (name, course)) in courses.iter().enumerate() {
        let (solid, dashed) = PAIRS[i % 2];
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
            plot.cut_curve(&points, solid, false);
        }
        let points: Vec<_> =
            course.estimated.iter().enumerate().map(|(f, v)| (time(f), scale * v)).collect();
        plot.cut_curve(&points, dashed, true);
        plot.label(&format!("{name} measured"), solid, false);
        plot.label(&format!("{name} estimated"), dashed, true);
    }
    plot.band_label("vision lost", GAP);
    plot.finish()
}

/// The range of values with some room.
fn range_of(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let room = 0.06 * (high - low);
    (low - room, high + room)
}

fn gap_bands(plot: &mut Plot) {
    for (from, to) in GAPS {
        plot.band(time(from), time(to), GAP);
    }
}

/// An error over time; nothing where it is not known.
pub(super) struct Line<'a> {
    pub(super) name: &'a str,
    pub(super) errors: &'a [f64],
    /// Lines of a group are told together: where the largest of them is.
    pub(super) group: usize,
}

impl<'a> Line<'a> {
    pub(super) fn of(name: &'a str, course: &'a Course) -> Self {
        Self { name, errors: &course.errors, group: 0 }
    }
}

/// Absolute errors over all frames in decades from the least on, to the largest. The largest error
/// after the first second is told for each group, that of the first second for the first one.
pub(super) fn errors(title: &str, unit: &str, lines: &[Line], scale: f64, least: f64) -> String {
    let finite = lines.iter().flat_map(|line| line.errors).filter(|e| e.is_finite());
    let most = finite.fold(10.0 * least, |most, e| f64::max(most, scale * e));
    // A whole decade, with room for words.
    let top = decade_above(1.3 * most);
    let label = format!("{unit} (less than {least} on the edge)");
    let mut plot = Plot::decades(title, ("time, s", &label), (0.0, time(FRAMES)), (least, top));
    plot.band(0.0, time(SETTLED), START);
    gap_bands(&mut plot);
    for (line, colour) in lines.iter().zip(COLOURS) {
        let known = line.errors.iter().enumerate().filter(|(_, e)| e.is_finite());
        let known: Vec<(usize, f64)> = known.map(|(f, e)| (f, scale * e)).collect();
        for piece in known.chunk_by(|a, b| b.0 == a.0 + 1) {
            let points: Vec<_> = piece.iter().map(|&(f, e)| (time(f), e)).collect();
            plot.fine_curve(&points, colour);
        }
        plot.label(line.name, colour, false);
    }
    let most = lines.iter().map(|line| line.group).max().unwrap_or(0);
    for (group, frames) in (0..=most).map(|group| (group, SETTLED..FRAMES)).chain([(0, 0..SETTLED)])
    {
        let own = lines.iter().zip(COLOURS).filter(|(line, _)| line.group == group);
        let all = own.flat_map(|(line, colour)| {
            frames.clone().map(move |f| (colour, f, scale * line.errors[f]))
        });
        let largest = all.filter(|(_, _, e)| e.is_finite()).max_by(|a, b| a.2.total_cmp(&b.2));
        if let Some((colour, frame, error)) = largest {
            plot.callout(Vec2::new(time(frame), error), &told(error), colour);
        }
    }
    plot.band_label("first second", START);
    plot.band_label("vision lost", GAP);
    plot.finish()
}

/// A number as the text has it.
fn told(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// The surroundings of a gap: what was measured, what fills it, and the truth.
pub(super) fn around(gap: (usize, usize), lines: [(&str, &Course, &[f64]); 2]) -> String {
    const BEFORE: usize = 12;
    let frames = gap.0 - BEFORE..gap.1 + BEFORE;
    let values = lines.iter().flat_map(|(_, course, truth)| {
        frames.clone().flat_map(|f| [Some(truth[f]), Some(course.estimated[f]), course.measured[f]])
    });
    let range = range_of(values.flatten());
    let title = format!("(a) the gap near {:.0} s, filled", time(gap.0));
    let mut plot =
        Plot::new(&title, ("time, s", "m"), (time(frames.start), time(frames.end - 1)), range);
    plot.band(time(gap.0) - 0.5 * time(1), time(gap.1) - 0.5 * time(1), GAP);
    for (i, (name, course, truth)) in lines.into_iter().enumerate() {
        let (measured, filled) = (COLOURS[2 * i], COLOURS[2 * i + 1]);
        plot.line(frames.clone().map(|f| Vec2::new(time(f), truth[f])), TRUE, false);
        let seen = frames.clone().filter_map(|f| course.measured[f].map(|v| Vec2::new(time(f), v)));
        plot.dots(seen, measured);
        let own = gap_frames().filter(|f| frames.contains(f));
        plot.discs(own.map(|f| Vec2::new(time(f), course.estimated[f])), filled);
        plot.dot_label(&format!("{name} measured"), measured, false);
        plot.dot_label(&format!("{name} filled"), filled, true);
    }
    plot.label("true", TRUE, false);
    plot.band_label("vision lost", GAP);
    plot.finish()
}
