//! From the bytes of a file to pixels, upright, over white paper.

use super::{MAX_PICTURE_SIDE, larger};
use crate::error::MapError;
use crate::glance::glance;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage};
use std::io::Cursor;

/// The formats that are read, for messages.
pub(crate) const FORMATS: &str = "PNG, JPEG, GIF, WebP or BMP";

/// Most bytes of a decoded picture: 4096 x 4096 pixels of four channels. Pictures with 16 bits a
/// channel have half as many pixels.
const MOST_DECODED_BYTES: u64 = 4 * (MAX_PICTURE_SIDE as u64) * (MAX_PICTURE_SIDE as u64);

/// Whether the bytes begin as a PNG, JPEG, GIF, WebP or BMP picture does.
pub fn is_picture(bytes: &[u8]) -> bool {
    format_of(bytes).is_some()
}

pub(crate) fn format_of(bytes: &[u8]) -> Option<ImageFormat> {
    let png: &[u8] = b"\x89PNG";
    // `BM` may begin a text as well, but the four bytes that are reserved are zero in a picture.
    if bytes.starts_with(png) {
        Some(ImageFormat::Png)
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        Some(ImageFormat::Jpeg)
    } else if bytes.starts_with(b"BM") && bytes.get(6..10) == Some(&[0; 4]) {
        Some(ImageFormat::Bmp)
    } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
        Some(ImageFormat::Gif)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(ImageFormat::WebP)
    } else {
        None
    }
}

/// The pixels of a picture, turned as its camera says (EXIF), what is transparent over white. Of
/// an animation, its first picture.
pub(super) fn decode(file: &str, bytes: &[u8]) -> Result<RgbImage, MapError> {
    let Some(format) = format_of(bytes) else {
        return Err(MapError::picture(file, format!("a {FORMATS} picture"), "other bytes"));
    };
    glance(file, bytes)?;
    let whole = || format!("a whole {} picture", name(format));
    let wrong = |error| match error {
        image::ImageError::Limits(_) => larger(file, "a larger one"),
        error => MapError::picture(file, whole(), format!("an error: {error}")),
    };
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_PICTURE_SIDE);
    limits.max_image_height = Some(MAX_PICTURE_SIDE);
    limits.max_alloc = Some(2 * MOST_DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(wrong)?;
    if decoder.total_bytes() > MOST_DECODED_BYTES {
        let (width, height) = decoder.dimensions();
        let bits = decoder.color_type().bits_per_pixel();
        let expected = format!("a picture of at most {} MiB decoded", MOST_DECODED_BYTES >> 20);
        let got = format!("{width} x {height} pixels of {bits} bits");
        return Err(MapError::picture(file, expected, got));
    }
    // A picture whose turn cannot be read is taken as it is stored.
    let turn = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(wrong)?;
    if picture.width() == 0 || picture.height() == 0 {
        return Err(MapError::picture(file, whole(), "one without pixels"));
    }
    let mut upright = DynamicImage::ImageRgb8(over_white(picture));
    upright.apply_orientation(turn);
    Ok(upright.into_rgb8())
}

fn name(format: ImageFormat) -> String {
    match format {
        ImageFormat::Jpeg => "JPEG".to_owned(),
        ImageFormat::WebP => "WebP".to_owned(),
        other => other.extensions_str()[0].to_uppercase(),
    }
}

fn over_white(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let picture = picture.into_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [r, g, b, alpha] = picture.get_pixel(x, y).0;
        let alpha = u32::from(alpha);
        let blend = |c: u8| ((u32::from(c) * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        image::Rgb([blend(r), blend(g), blend(b)])
    })
}
