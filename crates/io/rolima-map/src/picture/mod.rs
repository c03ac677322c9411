//! Pictures of maps: yellow lines, black walls, red robots, blue balls, green cubes, on white.
//!
//! | module | what |
//! |---|---|
//! | `decode` | bytes to upright pixels |
//! | `light` | uneven light evened out, paper made white |
//! | `ink` | colours to amounts of ink |
//! | `mask` | the pixels of strokes, without dirt |
//! | `plane` | values of pixels; depth inside a shape |
//! | `runs` | pixels that hang together |
//! | `cover` | pixels near a stroke |
//! | `blobs` | filled shapes: robots, balls, cubes |
//! | `thin` | strokes to a skeleton of one pixel |
//! | `chains` | skeletons to straight pieces |
//! | `stroke` | a piece fitted to the ink below the pixel, followed to its ends |
//! | `strokes` | all straight ones; corners that meet |
//! | `boxes` | strokes that may be near one another |
//! | `graph` | a skeleton as ways between junctions |
//! | `pens` | how wide the pen was along them; how far ink may lie from a stroke |
//! | `trace`, `polyline`, `web` | ways drawn by hand to walls end to end |
//! | `choose`, `sealed` | straight strokes or ways, by what ink they explain and keep closed |
//! | `bare` | ink that strokes do not explain |
//! | `gaps` | breaks that are narrower than the pen, closed |
//! | `rest` | further strokes to ink that is far from all others |
//! | `solid` | filled black areas to their outlines |
//! | `left_out` | ink that became nothing, and where |
//! | `effort` | how much work a picture may cost |

mod bare;
mod blobs;
mod boxes;
mod chains;
mod choose;
mod cover;
mod decode;
mod effort;
mod gaps;
mod graph;
mod ink;
mod left_out;
mod light;
mod mask;
mod pens;
mod plane;
mod polyline;
mod rest;
mod runs;
mod sealed;
mod solid;
mod stroke;
mod strokes;
mod thin;
mod trace;
mod web;

use crate::element::{Element, Map, WALL_THICKNESS};
use crate::error::MapError;
use crate::size::Size;
use blobs::Blob;
use choose::Chosen;
use decode::decode;
use effort::{PictureEffort, TooMany};
use ink::{InkColour, Inks, WEAK};
use left_out::{PixelBox, PixelBoxes, left_out};
use mask::{Mask, mask};
use plane::{Border, PixelPlane, depth};
use rest::Explained;
use rolima_math::{Vec2, atan2};
use runs::components;
use stroke::{Paper, Stroke};
use strokes::Ink;

pub use decode::is_picture;
pub(crate) use decode::{FORMATS, format_of};

/// Largest picture file, bytes.
pub const MAX_PICTURE_BYTES: usize = 16 << 20;
/// Most pixels of a picture in width and in height.
pub const MAX_PICTURE_SIDE: u32 = 4096;
/// Most walls, lines and shapes of a picture: noise has more.
pub const MAX_PICTURE_ELEMENTS: usize = 5_000;

/// Least share of white paper in a drawing.
const LEAST_PAPER: f64 = 0.2;
/// Largest share of colours that mean nothing.
const MOST_OTHER: f64 = 0.2;

/// What was found in a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    /// The elements.
    pub map: Map,
    /// The real size of a picture; none for a text map.
    pub size: Option<Size>,
    /// Whether nobody has said that size.
    pub is_proposed: bool,
    /// What the user may want to know: pixels passed over and the like. One line each.
    pub notes: Vec<String>,
}

impl Recognised {
    /// Says which size was taken, if nobody has said one.
    pub fn proposal(&self) -> Option<String> {
        let size = self.size.filter(|_| self.is_proposed)?;
        let (width, height) = (size.width(), size.height());
        Some(format!("no size was given, so that the picture is taken to be {width} x {height} m"))
    }
}

/// Finds the elements of a picture (PNG, JPEG, GIF, WebP or BMP). `size` is its real size; none
/// proposes one. The picture's centre is the origin, up is x, left is y.
pub fn recognise(file: &str, bytes: &[u8], size: Option<Size>) -> Result<Recognised, MapError> {
    let effort = PictureEffort::default();
    let mut picture = decode(file, bytes)?;
    light::even_out(&mut picture);
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    effort.pass(PASSES_TO_INKS, width * height);
    let inks = Inks::of(&picture);
    drop(picture);
    check(file, &inks)?;
    let mut notes = vec![];
    let is_proposed = size.is_none();
    let size = size.unwrap_or_else(|| Size::proposed(file, [width, height]));
    let frame = Frame::new(width, height, size);
    let many = |_: TooMany| {
        let expected = format!("{DRAWING} with at most {MAX_PICTURE_ELEMENTS} strokes and shapes");
        MapError::picture(file, expected, "more")
    };
    let found = find(inks, &frame, &effort, &mut notes).map_err(many)?;
    let mut map = Map::default();
    let shapes = |is_robot: bool| {
        let wanted = move |blob: &&Blob| (blob.colour == InkColour::Red) == is_robot;
        found.blobs.iter().filter(wanted).map(|blob| frame.shape(blob))
    };
    map.elements.extend(shapes(true));
    map.elements.extend(found.walls.iter().filter_map(|(from, to)| frame.wall(*from, *to)));
    map.elements.extend(found.lines.iter().filter_map(|(from, to)| frame.line(*from, *to)));
    map.elements.extend(shapes(false));
    Ok(Recognised { map, size: Some(size), is_proposed, notes })
}

/// What a picture should be.
const DRAWING: &str = "a drawing in black, yellow, red, blue and green on white";

/// Refuses photographs and the like.
fn check(file: &str, inks: &Inks) -> Result<(), MapError> {
    let pixels = inks.black.data.len() as f64;
    let percent = |count: usize| format!("{:.0} %", 100.0 * count as f64 / pixels);
    if (inks.paper as f64) < LEAST_PAPER * pixels {
        return Err(MapError::picture(file, DRAWING, format!("{} white", percent(inks.paper))));
    }
    if inks.other as f64 > MOST_OTHER * pixels {
        let got = format!("{} of other colours", percent(inks.other));
        return Err(MapError::picture(file, DRAWING, got));
    }
    Ok(())
}

/// Passes over all pixels, as they are counted: from bytes to inks, of each ink to its depth and the first
/// look around, to solid areas.
const PASSES_TO_INKS: usize = 8;
const PASSES_TO_SKELETON: usize = 3;
const PASSES_TO_SOLID: usize = 5;

/// What is said of a picture that is too large.
pub(crate) fn larger(file: &str, got: impl Into<String>) -> MapError {
    let most = format!("a picture of at most {MAX_PICTURE_SIDE} x {MAX_PICTURE_SIDE} pixels");
    MapError::picture(file, most, got)
}

/// Ends of a straight wall or line, in pixels.
type Ends = (Vec2, Vec2);

/// What one ink became, in pixels.
struct Strokes {
    strokes: Vec<Ends>,
    /// What was left out.
    left: PixelBoxes,
    /// Where strokes let through what the ink does not.
    leaks: Vec<Vec2>,
}

/// What is in a picture, in pixels.
struct Found {
    blobs: Vec<Blob>,
    walls: Vec<Ends>,
    lines: Vec<Ends>,
}

fn find(
    inks: Inks,
    frame: &Frame,
    effort: &PictureEffort,
    notes: &mut Vec<String>,
) -> Result<Found, TooMany> {
    let metres = |at: Vec2| frame.point(at);
    if inks.other > 0 {
        let mut places = PixelBoxes::default();
        let is_other = |i: usize| inks.colour.data[i] == InkColour::Other;
        components(inks.colour.width, inks.colour.height, is_other, |pixels| {
            places.add(PixelBox::of(&inks.colour, pixels));
        })?;
        notes.extend(places.described("other colours were left out", metres));
    }
    let mut specks = PixelBoxes::default();
    let blobs = blobs::blobs(&inks, MAX_PICTURE_ELEMENTS, &mut specks, effort)?;
    if blobs.len() > MAX_PICTURE_ELEMENTS {
        return Err(TooMany);
    }
    notes.extend(specks.described("specks of red, blue and green were left out", metres));
    // What is not needed any more makes room: a large picture takes some for each pixel.
    let Inks { black, yellow, colour, tinge, chroma, .. } = inks;
    drop((tinge, chroma));
    let is_shape = |i: usize| colour.data[i] != InkColour::None;
    let (mut lines, mut walls) = (vec![], vec![]);
    if let Some(mask) = mask(&yellow, is_shape, effort)? {
        let found = self::lines(&yellow, mask, effort)?;
        lines = found.strokes;
        notes.extend(found.left.described("yellow ink was left out", metres));
    }
    // Where two colours meet, their blend is grey: a sliver beside shapes is no wall.
    let is_other = |i: usize| is_shape(i) || yellow.data[i] >= WEAK;
    let mask = mask(&black, is_other, effort)?;
    drop((yellow, colour));
    if let Some(mask) = mask {
        let found = self::walls(&black, mask, frame.half_wall(), effort)?;
        walls = found.strokes;
        notes.extend(found.left.described("black ink was left out", metres));
        notes.extend(sealed::described(&found.leaks, metres));
    }
    Ok(Found { blobs, walls, lines })
}

fn walls(
    ink: &PixelPlane<u8>,
    found: Mask,
    half_wall: f64,
    effort: &PictureEffort,
) -> Result<Strokes, TooMany> {
    let mask = &found.mask;
    let depth = depth(mask.width, mask.height, Border::Edge, |i| mask.data[i]);
    let mut skeleton = mask.clone();
    effort.pass(PASSES_TO_SKELETON, mask.data.len());
    thin::thin(&mut skeleton, effort)?;
    effort.pass(PASSES_TO_SOLID, mask.data.len());
    let solid = solid::areas(mask, &depth, &skeleton)?;
    let mut walls = vec![];
    if let Some(solid) = &solid {
        walls = solid::outlines(ink, solid, half_wall, effort);
        if walls.len() > MAX_PICTURE_ELEMENTS {
            return Err(TooMany);
        }
        // Strokes that come out of a solid area are thinned without it.
        for (pixel, is_solid) in skeleton.data.iter_mut().zip(&solid.pixels.data) {
            *pixel &= !is_solid;
        }
    }
    let none = || PixelPlane::new(mask.width, mask.height);
    let solid = solid.map_or_else(none, |solid| solid.pixels);
    let found = strokes_of((ink, 1), found, &solid, &skeleton, &depth, effort)?;
    walls.extend(found.strokes);
    Ok(Strokes { strokes: walls, ..found })
}

fn lines(ink: &PixelPlane<u8>, found: Mask, effort: &PictureEffort) -> Result<Strokes, TooMany> {
    let mut skeleton = found.mask.clone();
    let (width, height) = (skeleton.width, skeleton.height);
    let depth = depth(width, height, Border::Edge, |i| skeleton.data[i]);
    effort.pass(PASSES_TO_SKELETON, width * height);
    thin::thin(&mut skeleton, effort)?;
    let solid = PixelPlane::new(width, height);
    strokes_of((ink, LEAST_YELLOW), found, &solid, &skeleton, &depth, effort)
}

/// Less yellow far from a line is the smear of JPEG, which keeps colours at half the resolution: no further
/// line leads there, and it is told.
const LEAST_YELLOW: usize = 4;

/// The strokes outside of `solid` areas, and what was left out; further ones lead to ink of so many pixels
/// at least that is far from all others.
fn strokes_of(
    (ink, least): (&PixelPlane<u8>, usize),
    found: Mask,
    solid: &PixelPlane<bool>,
    skeleton: &PixelPlane<bool>,
    depth: &PixelPlane<u16>,
    effort: &PictureEffort,
) -> Result<Strokes, TooMany> {
    let Mask { mask, dots, more } = found;
    let paper = Paper::new(ink, depth, solid, effort);
    let most = MAX_PICTURE_ELEMENTS;
    let ink = Ink { mask: &mask, skeleton, depth, most, least };
    let Chosen { strokes, leaks } = strokes::strokes(&paper, &ink)?;
    let Explained { strokes, covered } = rest::explained(&paper, &ink, strokes)?;
    let left = left_out(&mask, &covered, &dots, more)?;
    let ends = |stroke: &Stroke| (stroke.ends[0].point, stroke.ends[1].point);
    Ok(Strokes { strokes: strokes.iter().map(ends).collect(), left, leaks })
}

/// From pixels to metres.
struct Frame {
    center: Vec2,
    /// Metres a pixel, along x (up) and y (left).
    scale: Vec2,
    /// Coordinates are multiples of one by this: fine enough for a fiftieth of a pixel.
    per_metre: f64,
}

impl Frame {
    fn new(width: usize, height: usize, size: Size) -> Self {
        let scale = Vec2::new(size.height() / height as f64, size.width() / width as f64);
        let mut per_metre = 1.0;
        while per_metre * scale.x.min(scale.y) < 50.0 && per_metre < 1e12 {
            per_metre *= 10.0;
        }
        let center = Vec2::new(0.5 * width as f64, 0.5 * height as f64);
        Self { center, scale, per_metre }
    }

    /// Half the thickness of a wall, in pixels.
    fn half_wall(&self) -> f64 {
        0.5 * WALL_THICKNESS / (self.scale.x * self.scale.y).sqrt()
    }

    fn rounded(&self, x: f64) -> f64 {
        (x * self.per_metre).round() / self.per_metre + 0.0
    }

    fn point(&self, pixel: Vec2) -> Vec2 {
        let from_center = self.center - pixel;
        Vec2::new(
            self.rounded(from_center.y * self.scale.x),
            self.rounded(from_center.x * self.scale.y),
        )
    }

    fn wall(&self, from: Vec2, to: Vec2) -> Option<Element> {
        let (from, to) = (self.point(from), self.point(to));
        (from != to).then_some(Element::Wall { from, to })
    }

    fn line(&self, from: Vec2, to: Vec2) -> Option<Element> {
        let (from, to) = (self.point(from), self.point(to));
        (from != to).then_some(Element::Line { from, to })
    }

    fn shape(&self, blob: &Blob) -> Element {
        let position = self.point(blob.center);
        let area = blob.area * self.scale.x * self.scale.y;
        let size = |x: f64| self.rounded(x).max(1.0 / self.per_metre);
        match blob.colour {
            InkColour::Blue => {
                let diameter = size(2.0 * (area / core::f64::consts::PI).sqrt());
                Element::Ball { position, diameter }
            }
            InkColour::Green => {
                let side = size(area.sqrt());
                Element::Cube { position, size: side, height: side }
            }
            _ => {
                let heading = blob.tip.map_or(0.0, |tip| {
                    let (x, y) = (-tip.y * self.scale.x, -tip.x * self.scale.y);
                    let heading = atan2(y, x);
                    // A thousandth of a radian is finer than any drawing; a degree is zero.
                    if heading.abs() < 0.02 { 0.0 } else { (heading * 1e3).round() / 1e3 }
                });
                Element::Robot { position, heading }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgb, RgbImage};

    /// A picture with a disc of a colour as large as it can be, and the work that it is read with.
    fn found(side: u32, colour: [u8; 3], effort: &PictureEffort) -> Result<Found, TooMany> {
        let from_center = |x: u32| x.abs_diff(side / 2).pow(2);
        let is_in = |x, y| from_center(x) + from_center(y) < (side / 2 - 2).pow(2);
        let picture =
            RgbImage::from_fn(side, side, |x, y| Rgb(if is_in(x, y) { colour } else { [255; 3] }));
        let size = Size::new(40.0, 40.0).expect("a size");
        let frame = Frame::new(side as usize, side as usize, size);
        find(Inks::of(&picture), &frame, effort, &mut vec![])
    }

    #[test]
    fn areas_are_counted_as_well_as_strokes_and_refused_where_nothing_is_left() {
        for colour in [[0; 3], [255, 0, 0], [255, 255, 0]] {
            let work = |side: u32| {
                let effort = PictureEffort::default();
                found(side, colour, &effort).expect("a disc");
                effort.spent() as f64
            };
            let (small, large) = (work(300), work(900));
            let per_pixel = large / (900.0 * 900.0);
            assert!(per_pixel > 0.05 && (5.0..13.0).contains(&(large / small)), "{colour:?}");
            let little = PictureEffort::of((0.5 * large) as u64);
            assert!(found(900, colour, &little).is_err(), "{colour:?}");
        }
    }
}
