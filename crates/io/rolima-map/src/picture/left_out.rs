//! Ink that became nothing, and where: nothing is left out without a word.

use super::plane::{Plane, components};
use super::stroke::Stroke;
use super::strokes::cover;
use rolima_math::Vec2;

/// Most places that are told.
const MOST_TOLD: usize = 3;

/// Places of a picture, in pixels, and how much ink there is at them.
#[derive(Debug, Default)]
pub(crate) struct Places {
    first: Vec<(Vec2, usize)>,
    count: usize,
    pixels: usize,
}

impl Places {
    pub(crate) fn add(&mut self, at: Vec2, pixels: usize) {
        self.count += 1;
        self.pixels += pixels;
        self.first.push((at, pixels));
        // The largest are told.
        self.first.sort_by_key(|(_, pixels)| std::cmp::Reverse(*pixels));
        self.first.truncate(MOST_TOLD);
    }

    /// `black ink was left out: 12 px at (1, 2), (3, -4) m`, with the number of further places;
    /// none if nothing was.
    pub(crate) fn told(&self, what: &str, metres: impl Fn(Vec2) -> Vec2) -> Option<String> {
        let place = |(at, _): &(Vec2, usize)| {
            let at = metres(*at);
            format!("({}, {})", rounded(at.x), rounded(at.y))
        };
        let places: Vec<String> = self.first.iter().map(place).collect();
        let more = match self.count - self.first.len() {
            0 => String::new(),
            count => format!(" (+ {count})"),
        };
        let (pixels, places) = (self.pixels, places.join(", "));
        (self.count > 0).then(|| format!("{what} left out: {pixels} px at {places} m{more}"))
    }
}

/// To a hundredth, without a minus before 0.
fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0 + 0.0
}

/// Ink that lies farther than a pen's width from every stroke, `solid` areas left aside: of
/// `mask`, and the `dots` beside it.
pub(crate) fn left_out(
    mask: &Plane<bool>,
    solid: &Plane<bool>,
    strokes: &[Stroke],
    dots: &[(Vec2, usize)],
) -> Places {
    let mut covered = solid.clone();
    // Smoothed edges and JPEG make a stroke wider by a pixel or so.
    strokes.iter().for_each(|stroke| cover(&mut covered, stroke, 2.0 * stroke.half + 1.5));
    let mut places = Places::default();
    let is_left = |i: usize| mask.data[i] && !covered.data[i];
    components(covered.width, covered.height, is_left, |pixels| {
        let sum = pixels.iter().fold(Vec2::ZERO, |sum, i| sum + covered.center(*i as usize));
        places.add(sum * (1.0 / pixels.len() as f64), pixels.len());
    });
    let bare = dots.iter().filter(|(at, _)| !covered.around(*at));
    bare.for_each(|(at, pixels)| places.add(*at, *pixels));
    places
}
