//! Every pixel that was inked lies within a pen's width of a wall, or a note names the area that it
//! was left out of.
//!
//! A pixel is inked if ink covers half of it or more when it is drawn, before light, camera and
//! JPEG do theirs. A pen's width is the width that it was drawn with; of a pen finer than 2.25 pixels
//! it is that: the centre of a pixel that a pen of one pixel inks lies up to a pixel from the middle
//! of the stroke, and half as much ink in the next one moves the middle that can be read by as much.

use crate::common;

use common::freehand::{Drawn, Manner, draw, found, scribble, walls_of};
use common::{Ends, distance, v};
use rolima_map::Vec2;
use rolima_math::Stream;
use rolima_testing::samples;

/// Corners of an upright rectangle.
type Area = (Vec2, Vec2);

/// The areas that notes name one by one, in pixels: the rectangle around the rest may be most of the
/// sheet.
fn areas_of(notes: &[String], side: u32) -> Vec<Area> {
    let half = 0.5 * f64::from(side);
    let mut areas = vec![];
    for note in notes {
        let mut is_second = false;
        let named = note.split(" (+ ").next().unwrap_or_default();
        for part in named.split('(').skip(1) {
            let Some((x, rest)) = part.split_once(", ") else { continue };
            let Some((y, rest)) = rest.split_once(')') else { continue };
            let (Ok(x), Ok(y)) = (x.parse::<f64>(), y.parse::<f64>()) else { continue };
            let at = v(half - y, half - x);
            match areas.last_mut() {
                Some((_, to)) if is_second => *to = at,
                _ => areas.push((at, at)),
            }
            is_second = rest.starts_with(" to ");
        }
    }
    areas
}

/// A point is named by one at most this far off: a place of eight pixels is told as a point.
const POINT: f64 = 4.5;

fn is_in(point: Vec2, (a, b): Area) -> bool {
    let inside = |p: f64, a: f64, b: f64| p > a.min(b) - POINT && p < a.max(b) + POINT;
    inside(point.x, a.x, b.x) && inside(point.y, a.y, b.y)
}

struct Outcome {
    /// Largest distance of an inked pixel from the walls that no note names, pixels.
    farthest: f64,
    at: Vec2,
    /// Share of the inked pixels that is farther than allowed and noted.
    noted: f64,
    notes: Vec<String>,
    walls: usize,
}

fn outcome(manner: Manner, drawn: &Drawn, near: f64) -> Outcome {
    let read = found(&drawn.bytes, manner.side);
    let walls: Vec<Ends> = walls_of(&read, manner.side);
    let areas = areas_of(&read.notes, manner.side);
    let (mut farthest, mut at, mut noted) = (0.0, v(0.0, 0.0), 0_usize);
    for pixel in &drawn.inked {
        let away = walls.iter().map(|wall| distance(*pixel, *wall)).fold(1e9, f64::min);
        if away <= near {
            farthest = f64::max(farthest, away);
        } else if areas.iter().any(|area| is_in(*pixel, *area)) {
            noted += 1;
        } else if away > farthest {
            (farthest, at) = (away, *pixel);
        }
    }
    let noted = noted as f64 / drawn.inked.len() as f64;
    Outcome { farthest, at, noted, notes: read.notes, walls: walls.len() }
}

/// The width of a pen, pixels.
fn width(pen: f64) -> f64 {
    pen.max(2.25)
}

fn check(name: &str, seed: u64, drawing: impl Fn(Manner) -> Drawn) {
    let cases = samples(150, 2_000);
    let mut random = Stream::new(seed, 0, name);
    let (mut bad, mut noted, mut worst) = (vec![], 0.0, 0.0_f64);
    for _ in 0..cases {
        let manner = Manner::any(&mut random);
        let near = width(manner.pen);
        let o = outcome(manner, &drawing(manner), near);
        noted += o.noted / cases as f64;
        worst = worst.max(o.farthest / width(manner.pen));
        if o.farthest > near {
            bad.push(format!(
                "{:.2} px at {:?}, {} walls, {:?}: {manner:?}",
                o.farthest, o.at, o.walls, o.notes
            ));
        }
    }
    println!("{name}: {worst:.3} pens, {:.4} % of the ink is left out and noted", 100.0 * noted);
    assert!(bad.is_empty(), "{} of {cases}:\n{}", bad.len(), bad.join("\n"));
    // Notes are for dirt.
    assert!(noted < 0.001, "{noted}");
}

#[test]
fn every_inked_pixel_of_rooms_lies_near_a_wall_or_is_noted() {
    check("rooms", 11, draw);
}

#[test]
fn every_inked_pixel_of_scribbles_lies_near_a_wall_or_is_noted() {
    check("scribbles", 12, scribble);
}
