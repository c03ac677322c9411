//! Paths and signals as plots, and the page about them.

use super::course::Course;
use super::run::{Run, Signal};
use super::{Compared, Row, number};
use crate::plot::{COLOURS, Plot, escaped};
use rolima_math::Vec2;
use std::fmt::Write;

/// Points of a line in a plot, at most: more than its pixels say nothing.
const MOST_POINTS: usize = 1500;

/// A plot in a file.
pub(super) struct Figure {
    pub(super) file: String,
    pub(super) svg: String,
}

/// The plots of some runs, of which the first is the reference.
pub(super) fn figures(runs: &[Run], compared: &[Compared<'_>]) -> Vec<Figure> {
    let mut all = vec![];
    all.extend(paths(runs).map(|svg| Figure { file: "paths".to_owned(), svg }));
    let distance = |file: &str, title: &str, over: &str, of: &dyn Fn(&Compared<'_>) -> Line| {
        let lines = compared.iter().map(|one| (&one.run.name[..], of(one))).collect::<Vec<_>>();
        let svg = curves(title, (over, "m"), &lines, 1)?;
        Some(Figure { file: file.to_owned(), svg })
    };
    let along = |d: &Option<super::Difference>| d.as_ref().map_or(vec![], |d| d.along.clone());
    let name = &runs[0].name;
    let title = format!("Distance from {name}, at equal times");
    all.extend(distance("distance-by-time", &title, "time, s", &|one| along(&one.by_time)));
    let title = format!("Distance from {name}, after equal ways");
    all.extend(distance("distance-by-length", &title, "way, m", &|one| along(&one.by_length)));
    for signal in &runs[0].signals {
        all.extend(signal_figure(signal, runs));
    }
    all
}

/// Points of a line.
type Line = Vec<(f64, f64)>;

/// The paths of all runs over the ground.
fn paths(runs: &[Run]) -> Option<String> {
    let points =
        |run: &Run| run.path.points.iter().map(|[x, y, _]| Vec2::new(*x, *y)).collect::<Vec<_>>();
    let all: Vec<Vec<Vec2>> = runs.iter().map(points).collect();
    if all.iter().all(Vec::is_empty) {
        return None;
    }
    let mut plot = Plot::map_around("Paths over the ground", all.iter().flatten().copied());
    let (mut low, mut high) = (all.concat()[0], all.concat()[0]);
    for p in all.iter().flatten() {
        low = Vec2::new(low.x.min(p.x), low.y.min(p.y));
        high = Vec2::new(high.x.max(p.x), high.y.max(p.y));
    }
    let near = (high - low).length() / MOST_POINTS as f64;
    for (number, (run, points)) in runs.iter().zip(&all).enumerate() {
        let (colour, dashed) = look(number);
        plot.line(without_near(points, near), colour, dashed);
        plot.discs(points.first().copied(), colour);
        plot.label(&run.name, colour, dashed);
    }
    Some(plot.finish())
}

/// How the line of a run looks: the reference's is dashed, so that one that lies on it is seen.
fn look(number: usize) -> (&'static str, bool) {
    (COLOURS[number % COLOURS.len()], number == 0)
}

/// Points of a path without those that are next to the one before; the last is kept.
fn without_near(points: &[Vec2], near: f64) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = vec![];
    for (i, &point) in points.iter().enumerate() {
        let is_last = i + 1 == points.len();
        if is_last || kept.last().is_none_or(|last| (point - *last).length() > near) {
            kept.push(point);
        }
    }
    kept
}

/// A signal of all runs that have it.
fn signal_figure(signal: &Signal, runs: &[Run]) -> Option<Figure> {
    let lines: Vec<(&str, Line)> = runs
        .iter()
        .map(|run| {
            let own = run.signals.iter().find(|own| own.name == signal.name);
            (&run.name[..], own.map_or(vec![], |own| line_of(&own.course)))
        })
        .collect();
    let name = signal.name.trim_start_matches('.');
    let svg = curves(name, ("time, s", &signal.unit), &lines, 0)?;
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    Some(Figure { file: name.chars().map(letter).collect(), svg })
}

fn line_of(course: &Course) -> Line {
    course.at.iter().copied().zip(course.points.iter().map(|point| point[0])).collect()
}

/// Lines over a common axis; the first has the look of the run of number `first`.
fn curves(
    title: &str,
    labels: (&str, &str),
    lines: &[(&str, Line)],
    first: usize,
) -> Option<String> {
    let all = || lines.iter().flat_map(|(_, line)| line);
    let (mut x, mut y) = ((f64::MAX, f64::MIN), (f64::MAX, f64::MIN));
    for &(at, value) in all() {
        x = (x.0.min(at), x.1.max(at));
        y = (y.0.min(value), y.1.max(value));
    }
    if x.0 > x.1 {
        return None;
    }
    // Room above and below, and for what stays the same.
    let room = (0.06 * (y.1 - y.0)).max(1e-6 * y.1.abs().max(1e-3));
    let x = (x.0, if x.1 > x.0 { x.1 } else { x.0 + 1.0 });
    let mut plot = Plot::new(title, labels, x, (y.0 - room, y.1 + room));
    for (number, (name, line)) in lines.iter().enumerate().filter(|(_, (_, line))| !line.is_empty())
    {
        let (colour, dashed) = look(first + number);
        plot.curve(&thinned(line), colour, dashed);
        plot.label(name, colour, dashed);
    }
    Some(plot.finish())
}

/// At most so many points that a plot looks the same: of each piece the lowest and the highest.
fn thinned(line: &[(f64, f64)]) -> Line {
    if line.len() <= MOST_POINTS {
        return line.to_vec();
    }
    let piece = line.len().div_ceil(MOST_POINTS / 2);
    let mut kept = vec![];
    for points in line.chunks(piece) {
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let ends = [points.iter().min_by(by_value), points.iter().max_by(by_value)];
        let mut ends: Line = ends.into_iter().flatten().copied().collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        kept.extend(ends);
    }
    kept
}

const STYLE: &str = "body{font:15px/1.5 Helvetica,Arial,sans-serif;margin:2rem;color:#202124}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.3rem .8rem;border-bottom:1px solid #e0e3e7;text-align:left}\
td.n{text-align:right;font-variant-numeric:tabular-nums}th{background:#f5f6f7}\
.plots{display:flex;flex-wrap:wrap;gap:.5rem}.plots svg{max-width:100%;height:auto;border:1px solid #eceef0}";

/// The page: the numbers, then all plots. It needs nothing from elsewhere.
pub(super) fn page(reference: &str, table: &[(&str, Vec<Row<'_>>)], figures: &[Figure]) -> String {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Rolimã: runs compared</title><style>{STYLE}</style></head>\
         <body>\n<h1>Runs compared</h1>\n<p>Beside <b>{}</b>, the reference.</p>\n<table><tr><th>run</th>\
         <th>what</th><th>unit</th><th>maximum</th><th>at</th><th>rms</th><th>end</th></tr>\n",
        escaped(reference)
    );
    for (run, rows) in table {
        for (what, unit, d, over) in rows {
            let _ = writeln!(
                html,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{} {over}</td>\
                 <td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                escaped(run),
                escaped(what),
                escaped(unit),
                number(d.maximum),
                number(d.maximum_at),
                number(d.rms),
                number(d.end)
            );
        }
    }
    html.push_str("</table>\n<div class=\"plots\">\n");
    figures.iter().for_each(|figure| html.push_str(&figure.svg));
    html.push_str("</div>\n</body></html>\n");
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_line_keeps_its_peaks_and_its_ends_in_order() {
        let mut line: Line =
            (0..100_000).map(|i| (f64::from(i), (f64::from(i) * 1e-3).fract())).collect();
        line[50_123].1 = 40.0;
        line[70_001].1 = -3.0;
        let kept = thinned(&line);
        assert!(kept.len() <= MOST_POINTS + 2 && kept.len() > MOST_POINTS / 2, "{}", kept.len());
        assert!(kept.contains(&line[50_123]) && kept.contains(&line[70_001]));
        assert!(kept.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert_eq!(thinned(&line[..10]), line[..10]);
    }

    #[test]
    fn a_path_without_near_points_keeps_its_ends() {
        let points: Vec<Vec2> = (0..=1000).map(|i| Vec2::new(1e-3 * f64::from(i), 0.0)).collect();
        let kept = without_near(&points, 0.1);
        assert!((9..=12).contains(&kept.len()) && kept[0] == points[0]);
        assert_eq!(kept.last(), points.last());
    }
}
