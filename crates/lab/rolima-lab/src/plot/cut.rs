//! Lines that leave the frame: drawn up to its edge, with what is beyond told by arrows.

use super::{LEFT, Plot, RIGHT, TOP, width_of};
use rolima_math::Vec2;
use std::fmt::Write;

/// Height of the row of values beyond an edge, pixels.
const ROW: f64 = 14.0;

/// A stretch of a line beyond the upper or the lower edge.
pub(super) struct Cut {
    /// Where it is furthest.
    x: f64,
    value: f64,
    above: bool,
    colour: String,
}

impl Plot {
    /// A line of (x, y) pairs that may leave the frame above or below. Each stretch beyond has an
    /// arrow where it is furthest, with that value; where values are too many to be read, those
    /// furthest beyond are told.
    pub(crate) fn cut_curve(&mut self, points: &[(f64, f64)], colour: &str, dashed: bool) {
        let (low, high) = (self.low.y, self.high.y);
        let mut piece: Vec<Vec2> = vec![];
        for pair in points.windows(2) {
            let Some((a, b)) = within(pair[0], pair[1], low, high) else { continue };
            if piece.last() != Some(&a) {
                self.line(std::mem::take(&mut piece), colour, dashed);
                piece.push(a);
            }
            piece.push(b);
        }
        self.line(piece, colour, dashed);
        let side = |v: f64| i8::from(v > high) - i8::from(v < low);
        for stretch in points.chunk_by(|a, b| side(a.1) == side(b.1)) {
            let above = stretch[0].1 > high;
            let furthest = stretch.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            if let Some(&(x, value)) = furthest.filter(|p| side(p.1) != 0) {
                self.cuts.push(Cut { x, value, above, colour: colour.to_owned() });
            }
        }
    }

    /// Room that the values beyond an edge take, pixels.
    pub(super) fn room_for_cuts(&self, above: bool) -> f64 {
        if self.cuts.iter().any(|cut| cut.above == above) { ROW } else { 0.0 }
    }

    /// Arrows at the edges, values beyond them.
    pub(super) fn write_cuts(&self, svg: &mut String) {
        let mut by_size: Vec<&Cut> = self.cuts.iter().collect();
        by_size.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        // What is taken by values, of the row above and of that below.
        let mut taken: Vec<(bool, f64, f64)> = vec![];
        for cut in by_size {
            let edge = if cut.above { self.high.y } else { self.low.y };
            let (x, y) = self.at(Vec2::new(cut.x, edge));
            let out = if cut.above { -1.0 } else { 1.0 };
            let _ = writeln!(
                svg,
                r#"<path class="cut" d="M{:.1} {:.1}h7l-3.5 {:.1}z" fill="{}"/>"#,
                x - 3.5,
                y - 6.0 * out,
                6.0 * out,
                cut.colour
            );
            let words = value(cut.value);
            let half = 0.5 * width_of(&words, 11.0) + 3.0;
            let middle = x.clamp(LEFT - 30.0 + half, self.width - RIGHT + 14.0 - half);
            let clashes = |&(above, from, to): &(bool, f64, f64)| {
                above == cut.above && middle + half > from && middle - half < to
            };
            if taken.iter().any(clashes) {
                continue;
            }
            taken.push((cut.above, middle - half, middle + half));
            let base = if cut.above { TOP - 5.0 } else { y + 12.0 };
            let _ = writeln!(
                svg,
                r#"<text x="{middle:.1}" y="{base:.1}" fill="{}" font-size="11" text-anchor="middle">{words}</text>"#,
                cut.colour
            );
        }
    }
}

/// The part of a line between two points that lies between two heights.
fn within(a: (f64, f64), b: (f64, f64), low: f64, high: f64) -> Option<(Vec2, Vec2)> {
    if !(a.1.is_finite() && b.1.is_finite()) || a.1.max(b.1) < low || a.1.min(b.1) > high {
        return None;
    }
    let at = |from: (f64, f64), to: (f64, f64)| {
        let edge = from.1.clamp(low, high);
        if edge == from.1 {
            return Vec2::new(from.0, from.1);
        }
        Vec2::new(from.0 + (to.0 - from.0) * (edge - from.1) / (to.1 - from.1), edge)
    };
    Some((at(a, b), at(b, a)))
}

fn value(v: f64) -> String {
    if v.abs() < 10.0 { format!("{v:.2}") } else { format!("{v:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_drawn_to_the_edge_and_what_is_beyond_is_told() {
        let mut plot = Plot::new("a", ("x", "y"), (0.0, 10.0), (-1.0, 1.0));
        let points: Vec<(f64, f64)> = [0.0, 0.5, 30.0, 729.0, 12.0, 0.5, -3.25, -2.0, 0.0, 0.0]
            .into_iter()
            .enumerate()
            .map(|(i, y)| (i as f64, y))
            .collect();
        plot.cut_curve(&points, "red", false);
        let frame = (TOP, plot.height - super::super::BOTTOM);
        let svg = plot.finish();
        let lines: Vec<&str> =
            svg.split("<polyline points=\"").skip(1).filter_map(|l| l.split('"').next()).collect();
        let heights = lines
            .iter()
            .flat_map(|l| l.split_whitespace())
            .filter_map(|p| p.split_once(',')?.1.parse::<f64>().ok());
        let heights: Vec<f64> = heights.collect();
        assert!(heights.iter().all(|&y| y >= frame.0 - 0.05 && y <= frame.1 + 0.05), "{heights:?}");
        // It leaves twice, so that it comes in three pieces, with two arrows.
        assert_eq!(lines.iter().filter(|l| !l.is_empty()).count(), 3);
        assert_eq!(svg.matches("class=\"cut\"").count(), 2);
        assert!(svg.contains(">729<") && svg.contains(">-3.25<"));
    }

    #[test]
    fn values_do_not_lie_over_each_other_and_the_furthest_is_told() {
        let mut plot = Plot::new("a", ("x", "y"), (0.0, 100.0), (-1.0, 1.0));
        let points: Vec<(f64, f64)> = (0..40)
            .map(|i| (f64::from(i), if i % 2 == 0 { 0.0 } else { 1000.0 + f64::from(i) }))
            .collect();
        plot.cut_curve(&points, "red", false);
        let svg = plot.finish();
        assert_eq!(svg.matches("class=\"cut\"").count(), 20);
        assert!(svg.contains(">1039<") && !svg.contains(">1037<"));
    }
}
