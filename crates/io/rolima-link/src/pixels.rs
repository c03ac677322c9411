//! Patches as what compresses well, and back.
//!
//! Of every pixel goes the difference to the background, modulo 256: zeros wherever nothing stands. Red and blue are
//! less the difference of green, which leaves zeros of grey things and of noise in brightness. A background is
//! predicted by the pixel to the left, and the first of a row by black.

use crate::messages::Patch;
use std::ops::Range;

/// Where the bytes of each row of a patch are in a picture so many pixels wide.
pub(crate) fn rows(patch: &Patch, width: u32) -> impl Iterator<Item = Range<usize>> + use<> {
    let (left, top) = (usize::from(patch.left), usize::from(patch.top));
    let (across, width) = (usize::from(patch.width), width as usize);
    (top..top + usize::from(patch.height)).map(move |row| {
        let first = 3 * (row * width + left);
        first..first + 3 * across
    })
}

/// Adds the differences of a patch to a list, pixel by pixel.
pub(crate) fn take_apart(
    patch: &Patch,
    width: u32,
    rgb: &[u8],
    background: &[u8],
    out: &mut Vec<u8>,
) {
    for row in rows(patch, width) {
        let pairs = rgb[row.clone()].chunks_exact(3).zip(background[row].chunks_exact(3));
        for (pixel, under) in pairs {
            let [r, g, b] = [0, 1, 2].map(|c| pixel[c].wrapping_sub(under[c]));
            out.extend_from_slice(&[r.wrapping_sub(g), g, b.wrapping_sub(g)]);
        }
    }
}

/// Lays a patch over the background: the opposite of [`take_apart`]. `differences` are those of this patch.
pub(crate) fn put_together(
    patch: &Patch,
    width: u32,
    differences: impl Iterator<Item = [u8; 3]>,
    background: &[u8],
    rgb: &mut [u8],
) {
    let mut differences = differences;
    for row in rows(patch, width) {
        let pairs = rgb[row.clone()].chunks_exact_mut(3).zip(background[row].chunks_exact(3));
        for ((pixel, under), [r, g, b]) in pairs.zip(&mut differences) {
            pixel[0] = under[0].wrapping_add(r.wrapping_add(g));
            pixel[1] = under[1].wrapping_add(g);
            pixel[2] = under[2].wrapping_add(b.wrapping_add(g));
        }
    }
}

/// Sorts bytes by colour: all of the first, all of the second, all of the third.
pub(crate) fn by_planes(bytes: &[u8], out: &mut Vec<u8>) {
    out.clear();
    for c in 0..3 {
        out.extend(bytes.chunks_exact(3).map(|pixel| pixel[c]));
    }
}

/// A background as what compresses well.
pub(crate) fn predict(rgb: &[u8], width: u32, out: &mut Vec<u8>) {
    for row in rgb.chunks_exact(3 * width as usize) {
        let mut before = [0; 3];
        for pixel in row.chunks_exact(3) {
            let [r, g, b] = [0, 1, 2].map(|c| pixel[c].wrapping_sub(before[c]));
            out.extend_from_slice(&[r.wrapping_sub(g), g, b.wrapping_sub(g)]);
            before.copy_from_slice(pixel);
        }
    }
}

/// The opposite of [`predict`], in place.
pub(crate) fn restore(bytes: &mut [u8], width: u32) {
    for row in bytes.chunks_exact_mut(3 * width as usize) {
        let mut before = [0_u8; 3];
        for pixel in row.chunks_exact_mut(3) {
            let g = pixel[1];
            let differences = [pixel[0].wrapping_add(g), g, pixel[2].wrapping_add(g)];
            for c in 0..3 {
                before[c] = before[c].wrapping_add(differences[c]);
            }
            pixel.copy_from_slice(&before);
        }
    }
}
