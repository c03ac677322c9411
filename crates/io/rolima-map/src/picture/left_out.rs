//! Ink that became nothing, and where: nothing is left out without a word.

use super::effort::TooMany;
use super::plane::PixelPlane;
use super::runs::components;
use rolima_math::Vec2;

/// Most places that are told one by one: a fine pen in a poor JPEG leaves as many specks.
const MOST_TOLD: usize = 12;
/// Diagonal of the largest place that is told as a point, pixels; a larger one is told from corner
/// to corner.
const POINT: f64 = 8.0;

/// An upright rectangle around some pixels, and how many they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PixelBox {
    low: Vec2,
    high: Vec2,
    pixels: usize,
}

impl PixelBox {
    /// The place of some pixels of a plane.
    pub(crate) fn of<T: Copy + Default>(plane: &PixelPlane<T>, pixels: &[u32]) -> Self {
        let far = Vec2::new(f64::INFINITY, f64::INFINITY);
        let none = Self { low: far, high: far * -1.0, pixels: 0 };
        let half = Vec2::new(0.5, 0.5);
        pixels
            .iter()
            .map(|i| plane.center(*i as usize))
            .fold(none, |sum, at| sum.and(&Self { low: at - half, high: at + half, pixels: 1 }))
    }

    fn and(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self {
            low: Vec2::new(a.low.x.min(b.low.x), a.low.y.min(b.low.y)),
            high: Vec2::new(a.high.x.max(b.high.x), a.high.y.max(b.high.y)),
            pixels: a.pixels + b.pixels,
        }
    }

    fn center(&self) -> Vec2 {
        (self.low + self.high) * 0.5
    }

    /// `(1, 2)`, or `(1, 2) to (3, 4)` for a large one.
    fn described(&self, metres: impl Fn(Vec2) -> Vec2) -> String {
        let point = |at: Vec2| point(metres(at));
        if (self.high - self.low).length() <= POINT {
            point(self.center())
        } else {
            // Up and left in the picture is the greater, so that the last corner has the least.
            format!("{} to {}", point(self.high), point(self.low))
        }
    }
}

/// Places of a picture: the largest one by one, and one for the rest.
#[derive(Debug, Default)]
pub(crate) struct PixelBoxes {
    first: Vec<PixelBox>,
    rest: Option<PixelBox>,
    count: usize,
}

impl PixelBoxes {
    pub(crate) fn add(&mut self, place: PixelBox) {
        self.count += 1;
        let at = self.first.partition_point(|other| other.pixels >= place.pixels);
        self.first.insert(at, place);
        if self.first.len() > MOST_TOLD
            && let Some(least) = self.first.pop()
        {
            self.rest = Some(self.rest.map_or(least, |rest| rest.and(&least)));
        }
    }

    /// `black ink was left out: 12 px at (1, 2), (3, -4) m`, with the number of further places and
    /// where they are; none if nothing was.
    pub(crate) fn described(&self, what: &str, metres: impl Fn(Vec2) -> Vec2) -> Option<String> {
        let places: Vec<String> = self.first.iter().map(|place| place.described(&metres)).collect();
        let more = self.rest.map_or_else(String::new, |rest| {
            let count = self.count - self.first.len();
            format!(" (+ {count}: {} m)", rest.described(&metres))
        });
        let pixels: usize = self.first.iter().chain(&self.rest).map(|place| place.pixels).sum();
        let places = places.join(", ");
        (self.count > 0).then(|| format!("{what}: {pixels} px at {places} m{more}"))
    }
}

/// `(1, -2.5)`.
pub(crate) fn point(at: Vec2) -> String {
    format!("({}, {})", rounded(at.x), rounded(at.y))
}

/// To a hundredth, without a minus before 0.
fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0 + 0.0
}

/// Ink that strokes do not cover, of `mask` and of the `dots` beside it: in `covered` are the pixels that they
/// do, and those of solid areas. What `places` has already is kept.
pub(crate) fn left_out(
    mask: &PixelPlane<bool>,
    covered: &PixelPlane<bool>,
    dots: &[PixelBox],
    mut places: PixelBoxes,
) -> Result<PixelBoxes, TooMany> {
    let is_left = |i: usize| mask.data[i] && !covered.data[i];
    components(covered.width, covered.height, is_left, |pixels| {
        places.add(PixelBox::of(mask, pixels));
    })?;
    let is_bare = |dot: &&PixelBox| !covered.around(dot.center());
    dots.iter().filter(is_bare).for_each(|dot| places.add(*dot));
    Ok(places)
}
