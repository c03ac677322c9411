//! Plots as SVG: lines, dots and robots over axes, the legend below them.
//!
//! What a plot is asked to draw must lie within its frame, as nothing says that something is
//! missing. [`Plot::cut_curve`] is for lines that may leave it: it marks what is cut.

mod axes;
mod cut;

pub(crate) use axes::decade_above;

use cut::Cut;
use rolima_math::{Pose2, Vec2, ln};
use std::fmt::Write;

/// Margins around the plotted rectangle, pixels.
const LEFT: f64 = 62.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 42.0;
const BOTTOM: f64 = 44.0;
/// Between the lines of a legend, pixels.
const LINE: f64 = 17.0;

/// Half the side of a robot as drawn, m.
const HALF_ROBOT: f64 = 0.0375;

/// Colours that tell lines apart, also for those who see few.
pub(crate) const COLOURS: [&str; 6] =
    ["#1f5fa8", "#c2571a", "#2e7d4f", "#7b4fa3", "#8a6d00", "#5f6368"];

/// What stands before the words of a legend.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Line,
    Dashes,
    Band,
    Dot,
    Disc,
}

impl Mark {
    /// At a height, from a left edge on, 20 pixels wide.
    fn write(self, svg: &mut String, colour: &str, left: f64, y: f64) {
        let (middle, right) = (left + 10.0, left + 20.0);
        let look = match self {
            Self::Line => r#"stroke-width="1.9""#,
            Self::Dashes => r#"stroke-width="1.9" stroke-dasharray="5 4""#,
            Self::Band => r#"stroke-width="10" stroke-opacity="0.25""#,
            Self::Dot | Self::Disc => {
                let fill = if self == Self::Disc { colour } else { "none" };
                let _ = writeln!(
                    svg,
                    r#"<ellipse cx="{middle:.1}" cy="{y:.1}" rx="3.2" ry="3.2" stroke="{colour}" fill="{fill}"/>"#
                );
                return;
            }
        };
        let _ =
            writeln!(svg, r#"<path d="M{left:.1} {y:.1}H{right:.1}" stroke="{colour}" {look}/>"#);
    }
}

/// A line of a legend: words, colour, mark.
type Entry = (String, String, Mark);

/// A plot in the making.
pub(crate) struct Plot {
    width: f64,
    height: f64,
    low: Vec2,
    high: Vec2,
    body: String,
    legend: Vec<Entry>,
    title: String,
    labels: (String, String),
    /// Whether the vertical axis has decades.
    decades: bool,
    cuts: Vec<Cut>,
    /// What lies over the frame and is not cut off by it.
    above: String,
}

impl Plot {
    /// A plot of ranges of x and y.
    pub(crate) fn new(title: &str, labels: (&str, &str), x: (f64, f64), y: (f64, f64)) -> Self {
        Self {
            width: 460.0,
            height: 300.0,
            low: Vec2::new(x.0, y.0),
            high: Vec2::new(x.1, y.1),
            body: String::new(),
            legend: vec![],
            title: title.to_owned(),
            labels: (labels.0.to_owned(), labels.1.to_owned()),
            decades: false,
            cuts: vec![],
            above: String::new(),
        }
    }

    /// A plot with decades upwards, for values from a range above zero. Those below the range,
    /// which may be nothing at all, lie on the lower edge: the label should say so.
    pub(crate) fn decades(title: &str, labels: (&str, &str), x: (f64, f64), y: (f64, f64)) -> Self {
        Self { decades: true, ..Self::new(title, labels, x, y) }
    }

    /// A map: metres across and up at the same scale.
    pub(crate) fn map(title: &str, low: Vec2, high: Vec2) -> Self {
        let mut plot = Self::new(title, ("x, m", "y, m"), (low.x, high.x), (low.y, high.y));
        let scale = (plot.width - LEFT - RIGHT) / (high.x - low.x);
        plot.height = (TOP + BOTTOM + scale * (high.y - low.y)).clamp(160.0, 900.0);
        plot
    }

    /// A map that shows all of these points with some room around.
    pub(crate) fn map_around(title: &str, points: impl IntoIterator<Item = Vec2>) -> Self {
        let (mut low, mut high) = (Vec2::new(f64::MAX, f64::MAX), Vec2::new(f64::MIN, f64::MIN));
        for p in points {
            low = Vec2::new(low.x.min(p.x), low.y.min(p.y));
            high = Vec2::new(high.x.max(p.x), high.y.max(p.y));
        }
        let size = (high.x - low.x).max(high.y - low.y).max(0.1);
        let middle = (low + high) * 0.5;
        let half = Vec2::new(0.62, 0.62) * size;
        let tall = 0.5 * (high.y - low.y) + 0.12 * size;
        let half = Vec2::new(half.x, tall.max(0.45 * size));
        Self::map(title, middle - half, middle + half)
    }

    fn at(&self, p: Vec2) -> (f64, f64) {
        let (w, h) = (self.width - LEFT - RIGHT, self.height - TOP - BOTTOM);
        let up = if self.decades {
            ln(p.y.max(self.low.y) / self.low.y) / ln(self.high.y / self.low.y)
        } else {
            (p.y - self.low.y) / (self.high.y - self.low.y)
        };
        let share = Vec2::new((p.x - self.low.x) / (self.high.x - self.low.x), up);
        // Far beyond the edge it is cut off anyway, and numbers stay short.
        (LEFT + w * share.x.clamp(-4.0, 5.0), TOP + h * (1.0 - share.y.clamp(-4.0, 5.0)))
    }

    fn points(&self, points: impl IntoIterator<Item = Vec2>) -> String {
        points.into_iter().filter(|p| p.is_finite()).fold(String::new(), |mut text, p| {
            let (x, y) = self.at(p);
            let _ = write!(text, "{x:.1},{y:.1} ");
            text
        })
    }

    /// A line, dashed or not.
    pub(crate) fn line(
        &mut self,
        points: impl IntoIterator<Item = Vec2>,
        colour: &str,
        dashed: bool,
    ) {
        let points = self.points(points);
        if points.is_empty() {
            return;
        }
        let dash = if dashed { r#" stroke-dasharray="5 4""# } else { "" };
        let _ = writeln!(
            self.body,
            r#"<polyline points="{points}" stroke="{colour}" stroke-width="1.7"{dash}/>"#
        );
    }

    /// A thin line of (x, y) pairs, for what goes up and down all the time.
    pub(crate) fn fine_curve(&mut self, points: &[(f64, f64)], colour: &str) {
        let points = self.points(points.iter().map(|&(x, y)| Vec2::new(x, y)));
        let _ = writeln!(
            self.body,
            r#"<polyline points="{points}" stroke="{colour}" stroke-width="1.1"/>"#
        );
    }

    /// A line of (x, y) pairs.
    pub(crate) fn curve(&mut self, points: &[(f64, f64)], colour: &str, dashed: bool) {
        self.line(points.iter().map(|&(x, y)| Vec2::new(x, y)), colour, dashed);
    }

    /// Small circles.
    pub(crate) fn dots(&mut self, points: impl IntoIterator<Item = Vec2>, colour: &str) {
        for p in points {
            let (x, y) = self.at(p);
            let _ = writeln!(
                self.body,
                r#"<circle cx="{x:.1}" cy="{y:.1}" r="2.6" stroke="{colour}" fill="none"/>"#
            );
        }
    }

    /// Small filled circles.
    pub(crate) fn discs(&mut self, points: impl IntoIterator<Item = Vec2>, colour: &str) {
        for p in points {
            let (x, y) = self.at(p);
            let _ =
                writeln!(self.body, r#"<circle cx="{x:.1}" cy="{y:.1}" r="3.4" fill="{colour}"/>"#);
        }
    }

    /// The corners of a robot as [`Self::robot`] draws it, for plots that must have room for it.
    pub(crate) fn robot_corners(pose: Pose2) -> [Vec2; 4] {
        let h = HALF_ROBOT;
        [(h, h), (-h, h), (-h, -h), (h, -h)].map(|(x, y)| pose.transform(Vec2::new(x, y)))
    }

    /// A robot of 7.5 cm with its nose.
    pub(crate) fn robot(&mut self, pose: Pose2, colour: &str) {
        let outline = self.points(Self::robot_corners(pose));
        let nose = self.points([pose.position, pose.transform(Vec2::new(HALF_ROBOT, 0.0))]);
        let _ = writeln!(
            self.body,
            r#"<polygon points="{outline}" stroke="{colour}"/><polyline points="{nose}" stroke="{colour}"/>"#
        );
    }

    /// A filled circle of a radius in the plot's own unit.
    pub(crate) fn disc(&mut self, centre: Vec2, radius: f64, colour: &str) {
        let (x, y) = self.at(centre);
        let r = (self.at(centre + Vec2::new(radius, 0.0)).0 - x).abs();
        let _ = writeln!(
            self.body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{r:.1}" fill="{colour}" fill-opacity="0.35" stroke="{colour}"/>"#
        );
    }

    /// A rectangle's outline.
    pub(crate) fn rectangle(&mut self, a: Vec2, b: Vec2, colour: &str) {
        let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)];
        let points = self.points(corners);
        let _ = writeln!(
            self.body,
            r#"<polygon points="{points}" stroke="{colour}" stroke-dasharray="2 3"/>"#
        );
    }

    /// A band of the horizontal axis, behind what is drawn later.
    pub(crate) fn band(&mut self, from: f64, to: f64, colour: &str) {
        let (x0, y0) = self.at(Vec2::new(from, self.high.y));
        let (x1, y1) = self.at(Vec2::new(to, self.low.y));
        let _ = writeln!(
            self.body,
            r#"<rect x="{x0:.1}" y="{y0:.1}" width="{:.1}" height="{:.1}" fill="{colour}" fill-opacity="0.25"/>"#,
            x1 - x0,
            y1 - y0
        );
    }

    /// A line of the legend.
    pub(crate) fn label(&mut self, words: &str, colour: &str, dashed: bool) {
        let mark = if dashed { Mark::Dashes } else { Mark::Line };
        self.legend.push((words.to_owned(), colour.to_owned(), mark));
    }

    /// A line of the legend for small circles, filled or not.
    pub(crate) fn dot_label(&mut self, words: &str, colour: &str, filled: bool) {
        let mark = if filled { Mark::Disc } else { Mark::Dot };
        self.legend.push((words.to_owned(), colour.to_owned(), mark));
    }

    /// A line of the legend for a band.
    pub(crate) fn band_label(&mut self, words: &str, colour: &str) {
        self.legend.push((words.to_owned(), colour.to_owned(), Mark::Band));
    }

    /// A ring around a point and words beside it.
    pub(crate) fn callout(&mut self, p: Vec2, words: &str, colour: &str) {
        let (x, y) = self.at(p);
        // To the side that has more room, and not above the frame.
        let is_left = x < 0.6 * self.width;
        let (anchor, beside) = if is_left { ("start", x + 8.0) } else { ("end", x - 8.0) };
        let level = (y + 4.0).max(TOP + 12.0);
        let _ = writeln!(
            self.above,
            r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" stroke="#202124"/><text x="{beside:.1}" y="{level:.1}" fill="{colour}" font-size="11" font-weight="bold" stroke="#ffffff" stroke-width="3" paint-order="stroke" text-anchor="{anchor}">{}</text>"##,
            escaped(words)
        );
    }

    /// The SVG.
    pub(crate) fn finish(self) -> String {
        let rows = self.legend_rows();
        let (under, over) = (self.room_for_cuts(false), self.room_for_cuts(true));
        let (w, h) = (self.width, self.height + under + LINE * rows.len() as f64);
        let top = -over;
        let whole = h + over;
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 {top:.0} {w:.0} {whole:.0}" width="{w:.0}" height="{whole:.0}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="none" stroke-linejoin="round">
<rect y="{top:.0}" width="{w:.0}" height="{whole:.0}" fill="#ffffff"/>
"##
        );
        self.axes(&mut svg, under);
        let (x, y) = (LEFT, TOP);
        let (iw, ih) = (w - LEFT - RIGHT, self.height - TOP - BOTTOM);
        // Nested, so that what is outside of the axes is cut off without names that could clash.
        let _ = writeln!(
            svg,
            r#"<svg x="{x}" y="{y}" width="{iw:.1}" height="{ih:.1}" viewBox="{x} {y} {iw:.1} {ih:.1}">"#
        );
        svg.push_str(&self.body);
        svg.push_str("</svg>\n");
        let _ = writeln!(
            svg,
            r##"<text x="{x}" y="{:.0}" fill="#202124" font-size="14" font-weight="bold">{}</text>"##,
            22.0 - over,
            escaped(&self.title)
        );
        self.write_cuts(&mut svg);
        svg.push_str(&self.above);
        for (i, row) in rows.iter().enumerate() {
            let y = self.height + under + 8.0 + LINE * i as f64;
            for (left, (words, colour, mark)) in row {
                mark.write(&mut svg, colour, *left, y - 4.0);
                let _ = writeln!(
                    svg,
                    r##"<text x="{:.1}" y="{y:.1}" fill="#3c4043">{}</text>"##,
                    left + 25.0,
                    escaped(words)
                );
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The legend's entries in rows, each with its left edge.
    fn legend_rows(&self) -> Vec<Vec<(f64, &Entry)>> {
        let mut rows: Vec<Vec<_>> = vec![];
        let mut left = f64::INFINITY;
        for entry in &self.legend {
            let width = 25.0 + width_of(&entry.0, 12.0) + 16.0;
            if left + width > self.width {
                rows.push(vec![]);
                left = LEFT - 40.0;
            }
            if let Some(row) = rows.last_mut() {
                row.push((left, entry));
            }
            left += width;
        }
        rows
    }
}

/// About how wide words are, pixels, in letters of a size.
fn width_of(words: &str, size: f64) -> f64 {
    0.51 * size * words.chars().count() as f64
}

/// Text without what XML would take for its own.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_nonsense_is_left_out() {
        let mut plot = Plot::new("a < b", ("x", "y"), (0.0, 1.0), (0.0, 1.0));
        plot.curve(&[(0.0, 0.0), (f64::NAN, 1.0), (1.0, 1.0)], "red", false);
        let svg = plot.finish();
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN"));
    }

    #[test]
    fn the_legend_lies_below_the_frame_and_within_the_picture() {
        let mut plot = Plot::new("many", ("x", "y"), (0.0, 1.0), (0.0, 1.0));
        (0..9).for_each(|i| plot.label(&format!("line {i} with a long name"), "red", false));
        let rows = plot.legend_rows();
        assert!(rows.len() > 2 && rows.iter().map(Vec::len).sum::<usize>() == 9);
        let (frame_ends, width) = (plot.height - BOTTOM, plot.width);
        let svg = plot.finish();
        for mark in svg.split(r#"<path d="M"#).skip(1).filter(|m| m.contains("stroke-width")) {
            let mut numbers = mark.split([' ', 'H', '"']).map_while(|n| n.parse::<f64>().ok());
            let [x0, y, x1] = [(); 3].map(|()| numbers.next().unwrap());
            assert!(y > frame_ends && x0 >= 0.0 && x1 + 130.0 < width, "{x0} {y} {x1}");
        }
    }

    #[test]
    fn decades_are_equally_high_and_nothing_is_on_the_lower_edge() {
        let plot = Plot::decades("a", ("x", "y"), (0.0, 1.0), (0.01, 100.0));
        let y = |value: f64| plot.at(Vec2::new(0.0, value)).1;
        let decade = y(0.1) - y(1.0);
        assert!((y(1.0) - y(10.0) - decade).abs() < 1e-9 && decade > 30.0);
        assert_eq!((y(100.0), y(0.0)), (TOP, plot.height - BOTTOM));
    }
}
