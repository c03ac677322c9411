//! Maps of worlds: from text or from a picture drawn in a paint program to walls, lines, balls,
//! cubes and robots, and back to text or to an SVG that shows what was recognised.
//!
//! Bytes go in, elements come out; there are no files, no clock and no threads here.
//!
//! ```
//! use rolima_map::{Element, Vec2, read};
//! let map = read("maze.txt", b"W -20 -20, 20 -20  # south\nB 1.5 0\n", None)?.map;
//! assert_eq!(map.elements[1], Element::Ball { position: Vec2::new(1.5, 0.0), diameter: 1.0 });
//! assert_eq!(map.to_string(), "W -20 -20 20 -20\nB 1.5 0\n");
//! # Ok::<(), rolima_map::MapError>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `element` | what a map is made of, with defaults and limits |
//! | `text` | text maps: reading them, writing them |
//! | `picture` | pictures: pixels to elements |
//! | `size` | the real size of a picture |
//! | `preview` | a map as SVG |
//! | `foreign` | what a file is that is no map |
//! | `glance` | what is too large to be read, told at once |
//! | `error` | what is wrong with a map, with file, line and column |
//!
//! Frame: metres and radians, x up in the picture, y to the left, origin in the centre.

mod element;
mod error;
mod foreign;
mod glance;
mod picture;
mod preview;
mod size;
mod text;

pub use element::{
    CELL_SIDE, DEFAULT_BALL_DIAMETER, DEFAULT_CUBE_SIZE, Element, FARTHEST, MAX_ELEMENTS, Map,
    WALL_HEIGHT, WALL_THICKNESS,
};
pub use error::{MAX_ERRORS, MapError, TextError};
pub use glance::glance;
pub use picture::{
    MAX_PICTURE_BYTES, MAX_PICTURE_ELEMENTS, MAX_PICTURE_SIDE, Recognised, is_picture, recognise,
};
pub use preview::svg;
pub use rolima_math::Vec2;
pub use size::{LONGER_SIDE, Size};
pub use text::{MAX_TEXT_BYTES, parse};

/// Reads a map, told apart by its content: a PNG, JPEG, GIF, WebP or BMP picture, else text.
///
/// `size` is the real size of a picture; none proposes one. A text map says its own
/// coordinates, so that a size for it is an error.
pub fn read(file: &str, bytes: &[u8], size: Option<Size>) -> Result<Recognised, MapError> {
    if is_picture(bytes) {
        return recognise(file, bytes, size);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(MapError::unknown(file, bytes));
    };
    if size.is_some() {
        return Err(MapError::SizeOfText { file: file.to_owned() });
    }
    let map = parse(file, text)?;
    Ok(Recognised { map, size: None, is_proposed: false, notes: vec![] })
}

/// Reads whatever the bytes are, and writes and draws it: the entry of a fuzz target.
pub fn fuzz_entry(bytes: &[u8]) {
    let glanced = glance("fuzz", bytes).is_ok();
    for size in [None, Size::new(40.0, 30.0)] {
        match read("fuzz", bytes, size) {
            Ok(read) => {
                assert!(glanced, "what can be read is not refused at a glance");
                let text = read.map.to_string();
                let again = parse("fuzz", &text).map_err(|error| error.to_string());
                assert_eq!(again.as_ref(), Ok(&read.map), "{text}");
                drop(svg(&read.map, read.size));
            }
            Err(error) => drop(error.to_string()),
        }
    }
}
