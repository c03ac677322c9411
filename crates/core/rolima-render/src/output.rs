//! From packed pixels to what callers get.

use crate::raster::LANES;

/// Writes packed pixels of a row as red, green, blue bytes.
#[inline]
pub(crate) fn write_rgb(packed: &[[u32; LANES]], row: &mut [u8]) {
    let mut chunks = row.chunks_exact_mut(3 * LANES);
    for (block, bytes) in packed.iter().zip(&mut chunks) {
        let p = block.map(u64::from);
        let words = [
            p[0] | p[1] << 24 | p[2] << 48,
            p[2] >> 16 | p[3] << 8 | p[4] << 32 | p[5] << 56,
            p[5] >> 8 | p[6] << 16 | p[7] << 40,
        ];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
    if let Some(block) = packed.last() {
        for (bytes, pixel) in chunks.into_remainder().chunks_exact_mut(3).zip(block) {
            bytes.copy_from_slice(&pixel.to_le_bytes()[..3]);
        }
    }
}

/// Writes the means of two by two packed pixels as red, green, blue bytes.
pub(crate) fn write_rgb_mean(upper: &[[u32; LANES]], lower: &[[u32; LANES]], row: &mut [u8]) {
    let (upper, lower) = (upper.as_flattened(), lower.as_flattened());
    // Two channels at a time: sums of four bytes need ten bits.
    let pairs = upper.chunks_exact(2).zip(lower.chunks_exact(2));
    for (bytes, (a, b)) in row.chunks_exact_mut(3).zip(pairs) {
        let four = [a[0], a[1], b[0], b[1]];
        let red_blue: u32 = four.iter().map(|p| p & 0x00FF_00FF).sum::<u32>() + 0x0002_0002;
        let green: u32 = four.iter().map(|p| (p >> 8) & 0xFF).sum::<u32>() + 2;
        bytes[0] = (red_blue >> 2) as u8;
        bytes[1] = (green >> 2) as u8;
        bytes[2] = (red_blue >> 18) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_in_order_for_every_width() {
        for width in 1..40_usize {
            let pixel =
                |i: usize| (3 * i) as u32 | (3 * i as u32 + 1) << 8 | (3 * i as u32 + 2) << 16;
            let blocks = width.div_ceil(LANES);
            let packed: Vec<[u32; LANES]> =
                (0..blocks).map(|b| std::array::from_fn(|i| pixel(b * LANES + i))).collect();
            let mut row = vec![0; 3 * width];
            write_rgb(&packed, &mut row);
            assert!(
                row.iter().enumerate().all(|(i, &byte)| byte as usize == i),
                "{width}: {row:?}"
            );
        }
    }

    #[test]
    fn means_are_rounded_to_the_nearest() {
        let (upper, lower) = ([[0x00FF_0100; LANES]], [[0x00FF_02FF; LANES]]);
        let mut row = [0; 3];
        write_rgb_mean(&upper, &lower, &mut row);
        assert_eq!(row, [128, 2, 255]);
    }
}
