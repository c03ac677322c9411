//! From colours to how much of which ink lies on each pixel.
//!
//! A drawing is ink on white paper, and a pixel at an edge is a blend: half black and half white
//! is half a pixel of wall, not some other thing. So a pixel gets an amount of black and an amount
//! of yellow, 0 to 1 and linear in the blend, and the other colours go by hue. JPEG keeps
//! brightness sharp and smears colour over two pixels: a dark pixel with a tinge stays black, and
//! a light one with a tinge is too faint to count.

use super::plane::PixelPlane;
use image::RgbImage;

/// Least amount of ink that counts at all: what is nearer to paper is paper.
pub(crate) const WEAK: u8 = 89; // 0.35
/// Some pixel of a stroke has at least this much: a thin stroke between two rows has 0.5.
pub(crate) const STRONG: u8 = 108; // 0.42
/// Least difference between the largest and the smallest of red, green and blue in a coloured
/// pixel: a quarter of a pure colour.
pub(crate) const COLOURED: u8 = 64;
/// Least such difference in a pixel with a tinge: more than the noise of JPEG.
const TINGED: u8 = 20;
/// How far a hue may be from that of an element, degrees. Paint programs' reds, greens and blues
/// are within 25; purple and turquoise are none.
const HUE_TOLERANCE: f64 = 45.0;

/// What is drawn by filled shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum InkColour {
    /// Paper, black or yellow.
    #[default]
    None,
    Red,
    Green,
    Blue,
    /// A colour that means nothing.
    Other,
}

/// How much of which ink lies where.
pub(crate) struct Inks {
    /// Black: walls.
    pub(crate) black: PixelPlane<u8>,
    /// Yellow: lines.
    pub(crate) yellow: PixelPlane<u8>,
    /// Colours of filled shapes.
    pub(crate) colour: PixelPlane<InkColour>,
    /// The same of pixels that have a tinge only: the edges of shapes.
    pub(crate) tinge: PixelPlane<InkColour>,
    /// Strength of the colour.
    pub(crate) chroma: PixelPlane<u8>,
    /// Pixels with no ink at all.
    pub(crate) paper: usize,
    /// Pixels whose colour means nothing.
    pub(crate) other: usize,
}

impl Inks {
    pub(crate) fn of(picture: &RgbImage) -> Self {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let mut inks = Self {
            black: PixelPlane::new(width, height),
            yellow: PixelPlane::new(width, height),
            colour: PixelPlane::new(width, height),
            tinge: PixelPlane::new(width, height),
            chroma: PixelPlane::new(width, height),
            paper: 0,
            other: 0,
        };
        for (index, pixel) in picture.pixels().enumerate() {
            let [r, g, b] = pixel.0;
            let (most, least) = (r.max(g).max(b), r.min(g).min(b));
            let chroma = most - least;
            // Black without colour: what is colourful is a dark colour, not a wall.
            let black = (255 - 2 * i32::from(most) + i32::from(least)).max(0) as u8;
            let yellow = r.min(g).saturating_sub(b);
            inks.black.data[index] = black;
            inks.yellow.data[index] = yellow;
            inks.chroma.data[index] = chroma;
            let colour = if chroma >= TINGED { by_hue(r, g, b) } else { InkColour::None };
            inks.tinge.data[index] = colour;
            if chroma >= COLOURED && chroma >= black {
                inks.colour.data[index] = colour;
                inks.other += usize::from(colour == InkColour::Other);
            } else if black < WEAK {
                inks.paper += 1;
            }
        }
        inks
    }
}

/// The element's colour whose hue is nearest. The pixel is not grey.
fn by_hue(r: u8, g: u8, b: u8) -> InkColour {
    let [r, g, b] = [r, g, b].map(f64::from);
    let most = r.max(g).max(b);
    let chroma = most - r.min(g).min(b);
    let sixths = if most == r {
        (g - b) / chroma
    } else if most == g {
        2.0 + (b - r) / chroma
    } else {
        4.0 + (r - g) / chroma
    };
    let hue = 60.0 * sixths;
    let known = [
        (0.0, InkColour::Red),
        (60.0, InkColour::None),
        (120.0, InkColour::Green),
        (240.0, InkColour::Blue),
    ];
    let distance = |of: f64| {
        let apart = (hue - of).rem_euclid(360.0);
        apart.min(360.0 - apart)
    };
    let nearest = known.into_iter().min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
    match nearest {
        Some((of, colour)) if distance(of) <= HUE_TOLERANCE => colour,
        _ => InkColour::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_of_paint_programs_are_told_apart() {
        let of = |[r, g, b]: [u8; 3]| by_hue(r, g, b);
        for red in [[255, 0, 0], [237, 28, 36], [136, 0, 21], [204, 0, 0], [255, 127, 127]] {
            assert_eq!(of(red), InkColour::Red, "{red:?}");
        }
        for green in [[0, 255, 0], [0, 128, 0], [34, 177, 76], [78, 154, 6]] {
            assert_eq!(of(green), InkColour::Green, "{green:?}");
        }
        for blue in [[0, 0, 255], [63, 72, 204], [0, 0, 128], [52, 101, 164], [90, 90, 255]] {
            assert_eq!(of(blue), InkColour::Blue, "{blue:?}");
        }
        for yellow in [[255, 255, 0], [255, 242, 0], [255, 201, 14], [237, 212, 0]] {
            assert_eq!(of(yellow), InkColour::None, "{yellow:?}");
        }
        for other in [[163, 73, 164], [0, 255, 255]] {
            assert_eq!(of(other), InkColour::Other, "{other:?}");
        }
    }

    #[test]
    fn a_blend_of_black_and_white_is_that_much_wall_and_a_colour_is_none() {
        let of = |rgb: [u8; 3]| {
            let inks = Inks::of(&RgbImage::from_pixel(1, 1, image::Rgb(rgb)));
            (inks.black.data[0], inks.yellow.data[0], inks.colour.data[0])
        };
        assert_eq!(of([0, 0, 0]), (255, 0, InkColour::None));
        assert_eq!(of([155, 155, 155]), (100, 0, InkColour::None));
        assert_eq!(of([255, 255, 128]), (0, 127, InkColour::None));
        assert_eq!(of([136, 0, 21]), (0, 0, InkColour::Red));
        // A wall beside a ball after JPEG: black with a tinge.
        assert_eq!(of([0, 0, 40]).2, InkColour::None);
        assert!(of([0, 0, 40]).0 >= STRONG);
    }
}
