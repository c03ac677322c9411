//! What is written and drawn over pictures.
//!
//! | module | what |
//! |---|---|
//! | `font` | letters |
//! | `trace` | where bodies have been |

mod font;
mod trace;

pub(crate) use trace::Traces;

use crate::FilmError;
use font::{HIGH, WIDE, glyph};

/// What is shown over the pictures, and how these are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlays {
    /// The time, at the upper left.
    pub time: bool,
    /// The score, where there is one.
    pub score: bool,
    /// Where robots and balls have been in the last seconds.
    pub traces: bool,
    /// Four samples a pixel: smooth edges, at nearly four times the cost.
    pub smooth: bool,
}

impl Overlays {
    /// Nothing over the pictures.
    pub const NONE: Self = Self { time: false, score: false, traces: false, smooth: false };
    /// All that there is.
    pub const ALL: Self = Self { time: true, score: true, traces: true, smooth: false };

    /// Those of a list such as `time,score`, or `none`.
    pub fn find(list: &str) -> Result<Self, FilmError> {
        let mut found = Self::NONE;
        if list.trim() == "none" {
            return Ok(found);
        }
        for name in list.split(',') {
            let chosen = match name.trim() {
                "time" => &mut found.time,
                "score" => &mut found.score,
                "traces" => &mut found.traces,
                _ => return Err(FilmError::Overlay { got: list.to_owned() }),
            };
            *chosen = true;
        }
        Ok(found)
    }
}

/// A picture that is written on: three bytes a pixel, top row first.
pub(crate) struct Paper<'a> {
    rgb: &'a mut [u8],
    pub(crate) width: i64,
    pub(crate) height: i64,
}

impl<'a> Paper<'a> {
    pub(crate) fn new(rgb: &'a mut [u8], [width, height]: [u32; 2]) -> Self {
        Self { rgb, width: i64::from(width), height: i64::from(height) }
    }

    /// Pixels of a dot of a letter, and of a line.
    pub(crate) fn scale(&self) -> i64 {
        (self.height / 200).max(1)
    }

    /// The place of a pixel among all, if it is within.
    pub(crate) fn pixel(&self, x: i64, y: i64) -> Option<usize> {
        let is_within = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        is_within.then(|| (y * self.width + x) as usize)
    }

    /// Lays a colour over a pixel, covering so many of 256 parts of it.
    pub(crate) fn lay(&mut self, pixel: usize, colour: [u8; 3], cover: u32) {
        let Some(own) = self.rgb.get_mut(3 * pixel..3 * pixel + 3) else { return };
        for (shade, new) in own.iter_mut().zip(colour) {
            let sum = u32::from(*shade) * (256 - cover) + u32::from(new) * cover;
            *shade = (sum >> 8) as u8;
        }
    }
}

/// Writes a line at the top of a picture, white on a shaded band: from 0, at the left, to 1, at the right.
pub(crate) fn text(paper: &mut Paper<'_>, words: &str, across: f64) {
    const SHADE: ([u8; 3], u32) = ([0, 0, 0], 150);
    let letters: Vec<[u8; HIGH]> = words.chars().map(glyph).collect();
    let dot = paper.scale();
    let (wide, high) = (WIDE as i64 * dot, HIGH as i64 * dot);
    let advance = wide + dot;
    let all = advance * letters.len() as i64 - dot;
    let margin = 2 * dot;
    let room = paper.width - all - 4 * margin;
    let left = 2 * margin + (across * room as f64) as i64;
    let top = 2 * margin;
    for y in top - margin..top + high + margin {
        for x in left - margin..left + all + margin {
            if let Some(pixel) = paper.pixel(x, y) {
                paper.lay(pixel, SHADE.0, SHADE.1);
            }
        }
    }
    for (letter, rows) in letters.iter().enumerate() {
        let begin = left + advance * letter as i64;
        for y in 0..high {
            for x in 0..wide {
                let row = rows[(y / dot) as usize];
                let is_ink = row >> (WIDE as i64 - 1 - x / dot) & 1 == 1;
                if let Some(pixel) = paper.pixel(begin + x, top + y).filter(|_| is_ink) {
                    paper.lay(pixel, [255; 3], 256);
                }
            }
        }
    }
}

/// A time as minutes, seconds and tenths.
pub(crate) fn clock(time_s: f64) -> String {
    // As far as it has got, and a step's rounding more.
    let tenths = (10.0 * time_s + 1e-6).floor().max(0.0);
    let minutes = (tenths / 600.0).floor();
    let rest = tenths - 600.0 * minutes;
    format!("{minutes:.0}:{:02.0}.{:.0}", (rest / 10.0).floor(), rest % 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_seconds_and_tenths() {
        let all = [0.0, 0.999, 1.0, 59.96, 60.0, 754.35, 3600.0].map(clock);
        assert_eq!(all, ["0:00.0", "0:00.9", "0:01.0", "0:59.9", "1:00.0", "12:34.3", "60:00.0"]);
        // A thousand steps of a millisecond, summed up.
        assert_eq!(clock((0..1000).map(|_| 0.001).sum()), "0:01.0");
    }

    #[test]
    fn overlays_are_chosen_by_their_names() {
        let found = Overlays::find("score, time").unwrap();
        assert_eq!(found, Overlays { time: true, score: true, ..Overlays::NONE });
        assert_eq!(Overlays::find("none").unwrap(), Overlays::NONE);
        assert_eq!(Overlays::find("time,score,traces").unwrap(), Overlays::ALL);
        for bad in ["", "times", "time,none", "none,time"] {
            let error = Overlays::find(bad).unwrap_err().to_string();
            assert!(error.contains("--overlay") && error.contains(&format!("`{bad}`")), "{error}");
        }
    }

    #[test]
    fn a_line_is_written_where_it_was_to_be_and_nowhere_else() {
        let mut rgb = vec![100_u8; 3 * 120 * 40];
        let mut paper = Paper::new(&mut rgb, [120, 40]);
        text(&mut paper, "I", 0.0);
        let white: Vec<usize> = (0..120 * 40).filter(|p| rgb[3 * p] == 255).collect();
        // An I: a stem of five dots between two bars of three.
        assert_eq!(white.len(), 11);
        assert_eq!(white[..3], [4 * 120 + 5, 4 * 120 + 6, 4 * 120 + 7]);
        assert!(rgb[3 * (20 * 120)..].iter().all(|&shade| shade == 100));
        // Wider than the picture: what fits is written.
        let mut paper = Paper::new(&mut rgb, [120, 40]);
        text(&mut paper, &"W".repeat(100), 0.5);
    }
}
