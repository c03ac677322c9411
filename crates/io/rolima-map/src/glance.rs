//! What a map says of its own size, before anything is read or allocated for it.

use crate::error::{MapError, TextError};
use crate::picture::{MAX_PICTURE_BYTES, MAX_PICTURE_SIDE, format_of, is_picture, larger};
use crate::text::MAX_TEXT_BYTES;
use image::ImageFormat;

/// Parts of a JPEG file before its size that are passed over; cameras write some ten.
const MOST_PARTS: usize = 1_000;

/// Refuses what is too large to be read, by the length of the bytes and by what a picture says of
/// itself. Looks at few bytes, so that it can be asked before a map waits for its turn.
pub fn glance(file: &str, bytes: &[u8]) -> Result<(), MapError> {
    if !is_picture(bytes) {
        return text(file, bytes.len());
    }
    if bytes.len() > MAX_PICTURE_BYTES {
        let expected = format!("a file of at most {} MiB", MAX_PICTURE_BYTES >> 20);
        return Err(MapError::picture(file, expected, format!("{} bytes", bytes.len())));
    }
    match declared(bytes) {
        Some([width, height]) if width.max(height) > MAX_PICTURE_SIDE => {
            Err(larger(file, format!("one of {width} x {height}")))
        }
        // One that does not say its size is broken, which its reader finds out.
        _ => Ok(()),
    }
}

/// Refuses a text that is too long.
pub(crate) fn text(file: &str, length: usize) -> Result<(), MapError> {
    if length <= MAX_TEXT_BYTES {
        return Ok(());
    }
    let error = TextError {
        file: file.to_owned(),
        line: 1,
        column: 1,
        expected: format!("a text of at most {} MiB", MAX_TEXT_BYTES >> 20),
        got: format!("{length} bytes"),
    };
    Err(MapError::Text { errors: vec![error], count: 1 })
}

/// Width and height that a picture claims to have, pixels.
fn declared(bytes: &[u8]) -> Option<[u32; 2]> {
    match format_of(bytes)? {
        ImageFormat::Png => Some([big(bytes, 16, 4)?, big(bytes, 20, 4)?]),
        ImageFormat::Bmp if little(bytes, 14, 4)? == 12 => {
            Some([little(bytes, 18, 2)?, little(bytes, 20, 2)?])
        }
        // A negative height means that the top row is first.
        ImageFormat::Bmp => {
            let side = |at| Some(little(bytes, at, 4)?.cast_signed().unsigned_abs());
            Some([side(18)?, side(22)?])
        }
        ImageFormat::Gif => Some([little(bytes, 6, 2)?, little(bytes, 8, 2)?]),
        ImageFormat::WebP => of_webp(bytes),
        _ => of_jpeg(bytes),
    }
}

/// The size of a WebP file, of which there are three kinds: extended, without loss, with loss.
fn of_webp(bytes: &[u8]) -> Option<[u32; 2]> {
    match bytes.get(12..16)? {
        b"VP8X" => Some([little(bytes, 24, 3)? + 1, little(bytes, 27, 3)? + 1]),
        b"VP8L" => {
            let sides = little(bytes, 21, 4)?;
            Some([(sides & 0x3fff) + 1, (sides >> 14 & 0x3fff) + 1])
        }
        _ => Some([little(bytes, 26, 2)? & 0x3fff, little(bytes, 28, 2)? & 0x3fff]),
    }
}

/// The size in the first frame header of a JPEG file.
fn of_jpeg(bytes: &[u8]) -> Option<[u32; 2]> {
    let mut at = 2;
    for _ in 0..MOST_PARTS {
        let (mark, kind) = (*bytes.get(at)?, *bytes.get(at + 1)?);
        match kind {
            _ if mark != 0xff => return None,
            // What fills up, and marks without a length.
            0xff => at += 1,
            0x01 | 0xd0..=0xd8 => at += 2,
            0xc0..=0xcf if !matches!(kind, 0xc4 | 0xc8 | 0xcc) => {
                return Some([big(bytes, at + 7, 2)?, big(bytes, at + 5, 2)?]);
            }
            _ => at += 2 + big(bytes, at + 2, 2)?.max(2) as usize,
        }
    }
    None
}

fn big(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let found = bytes.get(at..at + count)?;
    Some(found.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

fn little(bytes: &[u8], at: usize, count: usize) -> Option<u32> {
    let found = bytes.get(at..at + count)?;
    Some(found.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::RgbImage;
    use std::io::Cursor;

    const FORMATS: [ImageFormat; 5] = [
        ImageFormat::Png,
        ImageFormat::Jpeg,
        ImageFormat::Bmp,
        ImageFormat::Gif,
        ImageFormat::WebP,
    ];

    fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(vec![]);
        RgbImage::new(width, height).write_to(&mut bytes, format).expect("a picture");
        bytes.into_inner()
    }

    #[test]
    fn pictures_say_their_size() {
        for format in FORMATS {
            let bytes = picture(70, 33, format);
            assert_eq!(declared(&bytes), Some([70, 33]), "{format:?}");
            assert_eq!(glance("map", &bytes), Ok(()));
            // Any part of it is looked at without harm.
            (0..bytes.len()).for_each(|count| drop(glance("map", &bytes[..count])));
        }
    }

    #[test]
    fn what_is_too_large_is_refused_at_a_glance() {
        for format in FORMATS {
            let refused = glance("map", &picture(5000, 2, format)).expect_err("too large");
            let text = refused.to_string();
            let wanted =
                "map: expected a picture of at most 4096 x 4096 pixels, got one of 5000 x 2";
            assert_eq!(text, wanted, "{format:?}");
        }
        let text = vec![b'#'; MAX_TEXT_BYTES + 1];
        let refused = glance("map", &text).expect_err("too long");
        assert_eq!(refused, crate::read("map", &text, None).expect_err("too long"));
        assert_eq!(glance("map", &text[1..]), Ok(()));
        // Rows from the top, as a negative height.
        let mut bmp = picture(3, 2, ImageFormat::Bmp);
        bmp[22..26].copy_from_slice(&(-5000_i32).to_le_bytes());
        assert!(glance("map", &bmp).is_err());
    }
}
