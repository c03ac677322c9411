//! Patches as what compresses well, and back.
//!
//! Of a patch go its pixels as they are, but that black and the background's own colour change places: so zeros go
//! wherever nothing stands, whatever the ground looks like, and even colours stay even.
//!
//! Where every pixel differs by noise, the difference to the background goes, modulo 256. Red and blue are less the
//! difference of green, which leaves zeros of noise in brightness, and all reds go first, then all greens, then all
//! blues. A background is predicted by the pixel to the left, and the first of a row by black.

use crate::messages::FramePatch;
use std::ops::Range;

/// Where the bytes of each row of a patch are in a picture so many pixels wide.
pub(crate) fn rows(patch: &FramePatch, width: u32) -> impl Iterator<Item = Range<usize>> + use<> {
    let (left, top) = (usize::from(patch.left), usize::from(patch.top));
    let (across, width) = (usize::from(patch.width), width as usize);
    (top..top + usize::from(patch.height)).map(move |row| {
        let first = 3 * (row * width + left);
        first..first + 3 * across
    })
}

/// The checksum of patches: of each its four numbers, then its pixels.
pub(crate) fn checksum(patches: &[FramePatch], width: u32, rgb: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    for patch in patches {
        for number in [patch.left, patch.top, patch.width, patch.height] {
            crc.update(&number.to_le_bytes());
        }
        rows(patch, width).for_each(|row| crc.update(&rgb[row]));
    }
    crc.finalize()
}

/// Black and the background's own colour change places; twice is as if nothing was done.
#[inline(always)]
fn swapped(pixel: [u8; 3], under: [u8; 3]) -> [u8; 3] {
    if pixel == under {
        [0; 3]
    } else if pixel == [0; 3] {
        under
    } else {
        pixel
    }
}

/// What a pixel differs by.
#[inline(always)]
fn difference(pixel: [u8; 3], under: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = [0, 1, 2].map(|c| pixel[c].wrapping_sub(under[c]));
    [r.wrapping_sub(g), g, b.wrapping_sub(g)]
}

/// The opposite of [`difference`].
#[inline(always)]
fn sum([r, g, b]: [u8; 3], under: [u8; 3]) -> [u8; 3] {
    [
        under[0].wrapping_add(r.wrapping_add(g)),
        under[1].wrapping_add(g),
        under[2].wrapping_add(b.wrapping_add(g)),
    ]
}

fn pixel(bytes: &[u8]) -> [u8; 3] {
    [bytes[0], bytes[1], bytes[2]]
}

/// Adds what goes of a patch to a list, pixel by pixel: differences of noisy frames.
pub(crate) fn take_apart(
    patch: &FramePatch,
    (width, noisy): (u32, bool),
    rgb: &[u8],
    background: &[u8],
    out: &mut Vec<u8>,
) {
    for row in rows(patch, width) {
        let pairs = rgb[row.clone()].chunks_exact(3).zip(background[row].chunks_exact(3));
        let pairs = pairs.map(|(own, under)| (pixel(own), pixel(under)));
        // A loop each, so that each has its own straight code.
        if noisy {
            pairs.for_each(|(own, under)| out.extend_from_slice(&difference(own, under)));
        } else {
            pairs.for_each(|(own, under)| out.extend_from_slice(&swapped(own, under)));
        }
    }
}

/// Lays a patch over the background: the opposite of [`take_apart`]. `came` is what came of this patch.
pub(crate) fn put_together(
    patch: &FramePatch,
    (width, noisy): (u32, bool),
    came: impl Iterator<Item = [u8; 3]>,
    background: &[u8],
    rgb: &mut [u8],
) {
    let mut came = came;
    for row in rows(patch, width) {
        let pairs = rgb[row.clone()].chunks_exact_mut(3).zip(background[row].chunks_exact(3));
        for ((own, under), came) in pairs.zip(&mut came) {
            let under = pixel(under);
            own.copy_from_slice(&if noisy { sum(came, under) } else { swapped(came, under) });
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
