//! How bright each pixel is: uneven light, white balance, flicker, and noise.
//!
//! Pictures show the square root of light, so that gains of light are applied as their roots.

use super::rows_of;
use crate::camera::Lens;
use crate::rects::PictureRect;
use rolima_math::Stream;
use rolima_model::ImagingSpec;

/// Bits of a gain behind the point.
const GAIN_BITS: u32 = 12;

/// What a camera's pixels get wrong in one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// Standard deviation of a pixel's brightness, of 255.
    pub sigma: f64,
    /// The camera's own random stream, at its start.
    pub stream: Stream,
    /// Number of the picture: every picture has its own place in the stream.
    pub number: u64,
}

/// Gains of every pixel and of every colour.
pub(super) struct Light {
    width: u32,
    of_pixel: Vec<u16>,
    of_colour: [u32; 3],
}

/// The root of a gain of light, in parts.
fn root_of(gain: f64) -> u32 {
    (gain.max(0.0).sqrt() * f64::from(1 << GAIN_BITS) + 0.5).floor() as u32
}

#[inline(always)]
fn brightened(byte: u8, gain: u32) -> u8 {
    ((u32::from(byte) * gain + (1 << (GAIN_BITS - 1))) >> GAIN_BITS).min(255) as u8
}

impl Light {
    pub(super) fn new(imaging: &ImagingSpec, lens: &Lens) -> Self {
        let (width, height) = (f64::from(lens.width), f64::from(lens.height));
        let mut of_pixel = Vec::with_capacity(lens.pixels());
        for row in 0..lens.height {
            let v = (f64::from(row) + 0.5) / height - 0.5;
            for column in 0..lens.width {
                let u = (f64::from(column) + 0.5) / width - 0.5;
                // Light is at most twice that of the middle: the root fits.
                of_pixel.push(root_of(imaging.light_at([u, v])) as u16);
            }
        }
        Self { width: lens.width, of_pixel, of_colour: imaging.white_balance.map(root_of) }
    }

    /// Lights a rectangle of a picture.
    pub(super) fn shine(&self, rect: &PictureRect, rgb: &mut [u8]) {
        for row in rows_of(rect, self.width) {
            let gains = &self.of_pixel[row.start / 3..row.end / 3];
            for (pixel, &gain) in rgb[row].chunks_exact_mut(3).zip(gains) {
                for (byte, colour) in pixel.iter_mut().zip(self.of_colour) {
                    *byte = brightened(*byte, (u32::from(gain) * colour) >> GAIN_BITS);
                }
            }
        }
    }
}

/// Lights the rows of a picture that was taken at a time, s, as the mains' light was when each was read.
pub(crate) fn flicker_rows(imaging: &ImagingSpec, time_s: f64, lens: &Lens, rgb: &mut [u8]) {
    if imaging.flicker == 0.0 {
        return;
    }
    for (row, bytes) in rgb.chunks_exact_mut(3 * lens.width as usize).enumerate() {
        let gain = root_of(imaging.flicker_at(time_s - read_before(imaging, row as f64, lens)));
        bytes.iter_mut().for_each(|byte| *byte = brightened(*byte, gain));
    }
}

/// How long before the picture was taken a row was read, s.
pub(crate) fn read_before(imaging: &ImagingSpec, row: f64, lens: &Lens) -> f64 {
    imaging.readout_s * (1.0 - (row + 0.5) / f64::from(lens.height))
}

/// Makes every pixel brighter or darker by chance.
pub(crate) fn add_grain(rgb: &mut [u8], grain: Grain) {
    if grain.sigma <= 0.0 {
        return;
    }
    let mut stream = grain.stream;
    let pixels = (rgb.len() / 3) as u64;
    stream.drawn = stream.drawn.wrapping_add(grain.number.wrapping_mul(pixels));
    for pixel in rgb.chunks_exact_mut(3) {
        let error = grain.sigma * stream.normal();
        for channel in pixel {
            // The cast saturates.
            *channel = (f64::from(*channel) + error).round() as u8;
        }
    }
}
