//! Axes with round numbers, linear or in decades.

use super::{BOTTOM, LEFT, Plot, RIGHT, TOP, escaped};
use rolima_math::Vec2;
use std::fmt::Write;

impl Plot {
    /// Grid, numbers, frame and names of the axes; the numbers below are moved down a little.
    pub(super) fn axes(&self, svg: &mut String, down: f64) {
        let (w, h) = (self.width, self.height);
        for tick in ticks(self.low.x, self.high.x) {
            let (x, _) = self.at(Vec2::new(tick, self.low.y));
            let _ = writeln!(
                svg,
                r##"<path d="M{x:.1} {TOP}V{:.1}" stroke="#e6e8eb"/><text x="{x:.1}" y="{:.1}" fill="#5f6368" text-anchor="middle">{}</text>"##,
                h - BOTTOM,
                h - BOTTOM + 16.0 + down,
                number(tick)
            );
        }
        let (main, fine) = if self.decades {
            decades(self.low.y, self.high.y)
        } else {
            (ticks(self.low.y, self.high.y), vec![])
        };
        for tick in fine {
            let (_, y) = self.at(Vec2::new(self.low.x, tick));
            let _ =
                writeln!(svg, r##"<path d="M{LEFT} {y:.1}H{:.1}" stroke="#f3f4f6"/>"##, w - RIGHT);
        }
        for tick in main {
            let (_, y) = self.at(Vec2::new(self.low.x, tick));
            let _ = writeln!(
                svg,
                r##"<path d="M{LEFT} {y:.1}H{:.1}" stroke="#e0e3e7"/><text x="{:.1}" y="{:.1}" fill="#5f6368" text-anchor="end">{}</text>"##,
                w - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                number(tick)
            );
        }
        let (across, up) = (0.5 * (LEFT + w - RIGHT), 0.5 * (TOP + h - BOTTOM));
        let _ = writeln!(
            svg,
            r##"<rect x="{LEFT}" y="{TOP}" width="{:.1}" height="{:.1}" stroke="#9aa0a6"/><text x="{across:.1}" y="{:.1}" fill="#5f6368" text-anchor="middle">{}</text><text transform="translate(13 {up:.1}) rotate(-90)" fill="#5f6368" text-anchor="middle">{}</text>"##,
            w - LEFT - RIGHT,
            h - TOP - BOTTOM,
            h - BOTTOM + 32.0 + down,
            escaped(&self.labels.0),
            escaped(&self.labels.1)
        );
    }
}

/// Powers of ten that a plot may have.
const POWERS: std::ops::RangeInclusive<i32> = -15..=15;

/// Ten to a whole power, exact or the nearest there is.
fn power(n: i32) -> f64 {
    let size = (0..n.abs()).fold(1.0, |size, _| size * 10.0);
    if n < 0 { 1.0 / size } else { size }
}

/// The smallest power of ten that is not below a value.
pub(crate) fn decade_above(value: f64) -> f64 {
    POWERS.map(power).find(|&decade| decade >= value).unwrap_or(value)
}

/// Powers of ten from low to high, and what lies between them.
fn decades(low: f64, high: f64) -> (Vec<f64>, Vec<f64>) {
    if !(low > 0.0 && high > low && high.is_finite()) {
        return (vec![], vec![]);
    }
    // Rounding must not lose the ends.
    let main = POWERS.map(power).filter(|&v| v > low * (1.0 - 1e-9) && v < high * (1.0 + 1e-9));
    let between = POWERS.flat_map(|n| (2..10).map(move |k| f64::from(k) * power(n)));
    (main.collect(), between.filter(|&v| v > low && v < high).collect())
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
    fn decades_have_both_ends_and_eight_lines_between() {
        let (main, fine) = decades(0.01, 1000.0);
        assert_eq!(main.len(), 6);
        assert!(
            main.iter()
                .zip([0.01, 0.1, 1.0, 10.0, 100.0, 1e3])
                .all(|(a, b)| (a / b - 1.0).abs() < 1e-12)
        );
        assert_eq!(fine.len(), 5 * 8);
        assert_eq!([0.99, 1.0, 1.01].map(decade_above), [1.0, 1.0, 10.0]);
        assert!(decades(0.0, 1.0).0.is_empty() && decades(1.0, f64::INFINITY).0.is_empty());
    }
}
