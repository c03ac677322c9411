//! Pictures of maps: yellow lines, black walls, red robots, blue balls, green cubes, on white.
//!
//! | module | what |
//! |---|---|
//! | `ink` | colours to amounts of ink |
//! | `plane` | values of pixels; flood fill; depth inside a shape |
//! | `blobs` | filled shapes: robots, balls, cubes |
//! | `thin` | strokes to a skeleton of one pixel |
//! | `chains` | skeletons to straight pieces |
//! | `stroke` | a piece fitted to the ink below the pixel, followed to its ends |
//! | `strokes` | all of them; corners that meet |
//! | `solid` | filled black areas to their outlines |

mod blobs;
mod chains;
mod ink;
mod plane;
mod solid;
mod stroke;
mod strokes;
mod thin;

use crate::element::{Element, FARTHEST, Map, WALL_THICKNESS};
use crate::error::MapError;
use crate::glance::glance;
use blobs::Blob;
use image::{ImageFormat, ImageReader, Limits, RgbaImage};
use ink::{Colour, Inks, STRONG, WEAK};
use plane::{Border, Plane, components, depth};
use rolima_math::{Vec2, atan2};
use std::io::Cursor;
use stroke::{Paper, Stroke};

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

/// The real size of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    width: f64,
    height: f64,
}

impl Size {
    /// `width` is the picture's horizontal side (along y), `height` the vertical one (along x),
    /// both in metres; none unless both are positive and at most [`FARTHEST`].
    pub fn new(width: f64, height: f64) -> Option<Self> {
        let is_good = |x: f64| x > 0.0 && x <= FARTHEST;
        (is_good(width) && is_good(height)).then_some(Self { width, height })
    }

    /// Reads `40x30` or `12.5x8`: width and height in metres.
    pub fn parse(text: &str) -> Option<Self> {
        let (width, height) = text.trim().split_once(['x', 'X'])?;
        Self::new(width.trim().parse().ok()?, height.trim().parse().ok()?)
    }

    /// Horizontal side, m.
    pub fn width(self) -> f64 {
        self.width
    }

    /// Vertical side, m.
    pub fn height(self) -> f64 {
        self.height
    }
}

/// What was found in a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognised {
    /// The elements.
    pub map: Map,
    /// The real size of a picture; none for a text map.
    pub size: Option<Size>,
    /// What the user may want to know: pixels passed over and the like. One line each.
    pub notes: Vec<String>,
}

/// Whether the bytes begin as a PNG, JPEG or BMP picture does.
pub fn is_picture(bytes: &[u8]) -> bool {
    format_of(bytes).is_some()
}

fn format_of(bytes: &[u8]) -> Option<ImageFormat> {
    let png: &[u8] = b"\x89PNG";
    // `BM` may begin a text as well, but the four bytes that are reserved are zero in a picture.
    if bytes.starts_with(png) {
        Some(ImageFormat::Png)
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        Some(ImageFormat::Jpeg)
    } else if bytes.starts_with(b"BM") && bytes.get(6..10) == Some(&[0; 4]) {
        Some(ImageFormat::Bmp)
    } else {
        None
    }
}

/// Finds the elements of a picture (PNG, JPEG or BMP). `size` is its real size; none takes 1 m for
/// a pixel. The picture's centre is the origin, up is x, left is y.
pub fn recognise(file: &str, bytes: &[u8], size: Option<Size>) -> Result<Recognised, MapError> {
    let picture = decode(file, bytes)?;
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let inks = Inks::of(&picture);
    drop(picture);
    let pixels = (width * height) as f64;
    let percent = |count: usize| format!("{:.0} %", 100.0 * count as f64 / pixels);
    let drawing = "a drawing in black, yellow, red, blue and green on white";
    if (inks.paper as f64) < LEAST_PAPER * pixels {
        return Err(MapError::picture(file, drawing, format!("{} white", percent(inks.paper))));
    }
    if inks.other as f64 > MOST_OTHER * pixels {
        let got = format!("{} of other colours", percent(inks.other));
        return Err(MapError::picture(file, drawing, got));
    }
    let size = size.unwrap_or(Size { width: width as f64, height: height as f64 });
    let frame = Frame::new(width, height, size);
    let mut notes = vec![];
    if inks.other > 0 {
        notes.push(format!("{} pixels of other colours were passed over", inks.other));
    }
    let many = || {
        let expected = format!("{drawing} with at most {MAX_PICTURE_ELEMENTS} strokes and shapes");
        MapError::picture(file, expected, "more")
    };
    let blobs = blobs::blobs(&inks);
    if blobs.len() > MAX_PICTURE_ELEMENTS {
        return Err(many());
    }
    let walls = walls(&inks, &frame, &mut notes).map_err(|_| many())?;
    let lines = lines(&inks, &mut notes).map_err(|_| many())?;
    let mut map = Map::default();
    map.elements.extend(blobs.iter().filter(|b| b.colour == Colour::Red).map(|b| frame.shape(b)));
    map.elements.extend(walls.into_iter().filter_map(|(from, to)| frame.wall(from, to)));
    map.elements.extend(lines.into_iter().filter_map(|(from, to)| frame.line(from, to)));
    map.elements.extend(blobs.iter().filter(|b| b.colour != Colour::Red).map(|b| frame.shape(b)));
    Ok(Recognised { map, size: Some(size), notes })
}

/// What is said of a picture that is too large.
pub(crate) fn larger(file: &str, got: impl Into<String>) -> MapError {
    let most = format!("a picture of at most {MAX_PICTURE_SIDE} x {MAX_PICTURE_SIDE} pixels");
    MapError::picture(file, most, got)
}

fn decode(file: &str, bytes: &[u8]) -> Result<RgbaImage, MapError> {
    let Some(format) = format_of(bytes) else {
        return Err(MapError::picture(file, "a PNG, JPEG or BMP picture", "other bytes"));
    };
    glance(file, bytes)?;
    let limits = || {
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_PICTURE_SIDE);
        limits.max_image_height = Some(MAX_PICTURE_SIDE);
        // 16 bits in each of four channels, and as much again for the decoder.
        limits.max_alloc = Some(2 * 8 * u64::from(MAX_PICTURE_SIDE) * u64::from(MAX_PICTURE_SIDE));
        limits
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits());
    let whole = || format!("a whole {} picture", format.extensions_str()[0].to_uppercase());
    let picture = reader.decode().map_err(|error| match error {
        image::ImageError::Limits(_) => larger(file, "a larger one"),
        error => MapError::picture(file, whole(), format!("an error: {error}")),
    })?;
    if picture.width() == 0 || picture.height() == 0 {
        return Err(MapError::picture(file, whole(), "one without pixels"));
    }
    Ok(picture.into_rgba8())
}

/// Ends of a straight wall or line, in pixels.
type Ends = (Vec2, Vec2);

fn walls(
    inks: &Inks,
    frame: &Frame,
    notes: &mut Vec<String>,
) -> Result<Vec<Ends>, strokes::TooMany> {
    let ink = &inks.black;
    // Where two colours meet, their blend is grey: a sliver beside shapes is no wall.
    let is_shape = |i: usize| inks.colour.data[i] != Colour::None || inks.yellow.data[i] >= WEAK;
    let mask = mask(ink, is_shape, "black", notes);
    let depth = depth(mask.width, mask.height, Border::Edge, |i| mask.data[i]);
    let mut skeleton = mask.clone();
    thin::thin(&mut skeleton);
    let solid = solid::areas(&mask, &depth, &skeleton);
    let mut found = vec![];
    if let Some(solid) = &solid {
        found = solid::outlines(ink, solid, frame.half_wall());
        if found.len() > MAX_PICTURE_ELEMENTS {
            return Err(strokes::TooMany);
        }
        // Strokes that come out of a solid area are thinned without it.
        for (pixel, is_solid) in skeleton.data.iter_mut().zip(&solid.pixels.data) {
            *pixel &= !is_solid;
        }
    }
    let none = || Plane::new(mask.width, mask.height);
    let solid = solid.map_or_else(none, |solid| solid.pixels);
    let paper = Paper::new(ink, &mask, &solid);
    found.extend(ends_of(strokes::strokes(&paper, &skeleton, &depth, MAX_PICTURE_ELEMENTS)?));
    Ok(found)
}

fn lines(inks: &Inks, notes: &mut Vec<String>) -> Result<Vec<Ends>, strokes::TooMany> {
    let ink = &inks.yellow;
    let is_shape = |i: usize| inks.colour.data[i] != Colour::None;
    let mask = mask(ink, is_shape, "yellow", notes);
    let mut skeleton = mask.clone();
    let depth = depth(skeleton.width, skeleton.height, Border::Edge, |i| skeleton.data[i]);
    thin::thin(&mut skeleton);
    let solid = Plane::new(skeleton.width, skeleton.height);
    let paper = Paper::new(ink, &mask, &solid);
    Ok(ends_of(strokes::strokes(&paper, &skeleton, &depth, MAX_PICTURE_ELEMENTS)?))
}

fn ends_of(strokes: Vec<Stroke>) -> Vec<Ends> {
    strokes.into_iter().map(|stroke| (stroke.ends[0].point, stroke.ends[1].point)).collect()
}

/// The pixels of an ink's strokes: those that hang together and are strong enough somewhere.
/// Dots and slivers along shapes of other colours go.
fn mask(
    ink: &Plane<u8>,
    is_shape: impl Fn(usize) -> bool,
    name: &str,
    notes: &mut Vec<String>,
) -> Plane<bool> {
    let mut mask: Plane<bool> = Plane::new(ink.width, ink.height);
    let mut dots = 0;
    for pixels in components(ink.width, ink.height, |i| ink.data[i] >= WEAK) {
        let peak = pixels.iter().map(|i| ink.data[*i]).max().unwrap_or_default();
        if peak < STRONG {
            continue;
        }
        let is_beside = |i: &&usize| {
            is_shape(**i)
                || ink.neighbours(**i).any(|n| is_shape(n) || ink.neighbours(n).any(&is_shape))
        };
        if peak < 192 && pixels.iter().filter(is_beside).count() * 10 >= pixels.len() * 9 {
            continue;
        }
        if pixels.len() < 4 {
            dots += 1;
            continue;
        }
        for i in pixels {
            mask.data[i] = true;
        }
    }
    if dots > 0 {
        notes.push(format!("{dots} {name} dots of under 4 pixels were passed over"));
    }
    mask
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
        let scale = Vec2::new(size.height / height as f64, size.width / width as f64);
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
            Colour::Blue => {
                let diameter = size(2.0 * (area / core::f64::consts::PI).sqrt());
                Element::Ball { position, diameter }
            }
            Colour::Green => {
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
