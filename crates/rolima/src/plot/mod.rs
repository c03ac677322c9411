//! Plots as SVG: lines, dots and robots over axes.

use rolima_math::{Pose2, Vec2};
use std::fmt::Write;

/// Margins around the plotted rectangle, pixels.
const LEFT: f64 = 58.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 44.0;

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
}

/// A plot in the making.
pub(crate) struct Plot {
    width: f64,
    height: f64,
    low: Vec2,
    high: Vec2,
    body: String,
    legend: Vec<(String, String, Mark)>,
    title: String,
    labels: (String, String),
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
        }
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
        let share = Vec2::new(
            (p.x - self.low.x) / (self.high.x - self.low.x),
            (p.y - self.low.y) / (self.high.y - self.low.y),
        );
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
        let dash = if dashed { r#" stroke-dasharray="5 4""# } else { "" };
        let _ = writeln!(
            self.body,
            r#"<polyline points="{points}" stroke="{colour}" stroke-width="1.7"{dash}/>"#
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

    /// A line of the legend for a band.
    pub(crate) fn band_label(&mut self, words: &str, colour: &str) {
        self.legend.push((words.to_owned(), colour.to_owned(), Mark::Band));
    }

    /// The SVG.
    pub(crate) fn finish(self) -> String {
        let (w, h) = (self.width, self.height);
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:.0} {h:.0}" width="{w:.0}" height="{h:.0}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="none" stroke-linejoin="round">
<rect width="{w:.0}" height="{h:.0}" fill="#ffffff"/>
"##
        );
        self.axes(&mut svg);
        let (x, y) = (LEFT, TOP);
        let (iw, ih) = (w - LEFT - RIGHT, h - TOP - BOTTOM);
        // Nested, so that what is outside of the axes is cut off without names that could clash.
        let _ = writeln!(
            svg,
            r#"<svg x="{x}" y="{y}" width="{iw:.1}" height="{ih:.1}" viewBox="{x} {y} {iw:.1} {ih:.1}">"#
        );
        svg.push_str(&self.body);
        svg.push_str("</svg>\n");
        let _ = writeln!(
            svg,
            r##"<text x="{x}" y="20" fill="#202124" font-size="14" font-weight="bold">{}</text>"##,
            escaped(&self.title)
        );
        for (i, (words, colour, mark)) in self.legend.iter().enumerate() {
            let y = TOP + 14.0 + 15.0 * i as f64;
            let (x0, x1) = (LEFT + 8.0, LEFT + 28.0);
            let look = match mark {
                Mark::Line => r#"stroke-width="1.7""#,
                Mark::Dashes => r#"stroke-width="1.7" stroke-dasharray="5 4""#,
                Mark::Band => r#"stroke-width="9" stroke-opacity="0.25""#,
            };
            let _ = writeln!(
                svg,
                r##"<path d="M{x0} {:.1}H{x1}" stroke="{colour}" {look}/><text x="{:.1}" y="{y:.1}" fill="#3c4043">{}</text>"##,
                y - 4.0,
                x1 + 5.0,
                escaped(words)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn axes(&self, svg: &mut String) {
        let (w, h) = (self.width, self.height);
        for tick in ticks(self.low.x, self.high.x) {
            let (x, _) = self.at(Vec2::new(tick, self.low.y));
            let _ = writeln!(
                svg,
                r##"<path d="M{x:.1} {TOP}V{:.1}" stroke="#e6e8eb"/><text x="{x:.1}" y="{:.1}" fill="#5f6368" text-anchor="middle">{}</text>"##,
                h - BOTTOM,
                h - BOTTOM + 16.0,
                number(tick)
            );
        }
        for tick in ticks(self.low.y, self.high.y) {
            let (_, y) = self.at(Vec2::new(self.low.x, tick));
            let _ = writeln!(
                svg,
                r##"<path d="M{LEFT} {y:.1}H{:.1}" stroke="#e6e8eb"/><text x="{:.1}" y="{:.1}" fill="#5f6368" text-anchor="end">{}</text>"##,
                w - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                number(tick)
            );
        }
        let _ = writeln!(
            svg,
            r##"<rect x="{LEFT}" y="{TOP}" width="{:.1}" height="{:.1}" stroke="#9aa0a6"/><text x="{:.1}" y="{:.1}" fill="#5f6368" text-anchor="end">{}</text><text x="4" y="{:.1}" fill="#5f6368">{}</text>"##,
            w - LEFT - RIGHT,
            h - TOP - BOTTOM,
            w - RIGHT,
            h - 10.0,
            escaped(&self.labels.0),
            h - 10.0,
            escaped(&self.labels.1)
        );
    }
}

/// Round numbers between two, some five of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![];
    }
    let mut step = 1e-9;
    let factors = [2.0, 2.5, 2.0];
    let mut i = 0;
    while span / step > 7.0 {
        step *= factors[i % 3];
        i += 1;
    }
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last.min(first + 20)).map(|n| n as f64 * step).collect()
}

fn number(x: f64) -> String {
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text without what XML would take for its own.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        for (low, high) in [(0.0, 1.0), (-0.3, 0.31), (0.0, 12.0), (-180.0, 180.0)] {
            let found = ticks(low, high);
            assert!((3..=8).contains(&found.len()), "{low} {high} {found:?}");
            assert!(found.iter().all(|&t| t >= low - 1e-9 && t <= high + 1e-9));
        }
        assert!(ticks(1.0, 1.0).is_empty() && ticks(f64::NAN, 1.0).is_empty());
        assert_eq!(
            (number(0.25), number(-0.0), number(3.0)),
            ("0.25".into(), "0".into(), "3".into())
        );
    }

    #[test]
    fn text_is_escaped_and_nonsense_is_left_out() {
        let mut plot = Plot::new("a < b", ("x", "y"), (0.0, 1.0), (0.0, 1.0));
        plot.curve(&[(0.0, 0.0), (f64::NAN, 1.0), (1.0, 1.0)], "red", false);
        let svg = plot.finish();
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN"));
    }
}
