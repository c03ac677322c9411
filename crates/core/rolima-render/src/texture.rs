//! Textures: square, repeating, with smaller copies of themselves for the distance.

use crate::StageError;

/// Pixels along the side of a texture. Pictures of other sizes are resampled to it.
pub const TEXTURE_SIDE: usize = 256;
/// The smallest copy has one pixel.
pub(crate) const LEVELS: usize = 9;
/// Copies lie side by side: copy n begins at column 512 - (512 >> n) and is 256 >> n wide.
const ATLAS_WIDTH: usize = 2 * TEXTURE_SIDE;
/// A power of two, so that a masked index needs no check.
pub(crate) const TEXELS: usize = ATLAS_WIDTH * TEXTURE_SIDE;

/// Packed red | green << 8 | blue << 16.
pub(crate) type Texels = [u32; TEXELS];

/// A texture and its smaller copies.
#[derive(Clone)]
pub struct Texture {
    pub(crate) texels: Box<Texels>,
}

impl std::fmt::Debug for Texture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Texture({TEXTURE_SIDE} x {TEXTURE_SIDE})")
    }
}

impl Texture {
    /// A texture by its colours, 0 to 255, at column and row; row 0 is the top.
    pub fn from_function(mut colour: impl FnMut(usize, usize) -> [f64; 3]) -> Self {
        let mut full = vec![[0.0; 3]; TEXTURE_SIDE * TEXTURE_SIDE];
        for (i, texel) in full.iter_mut().enumerate() {
            *texel = colour(i % TEXTURE_SIDE, i / TEXTURE_SIDE);
        }
        Self::from_full(full)
    }

    /// A texture of a picture: `rgb` has three bytes a pixel, rows from the top. It is resampled by
    /// area to [`TEXTURE_SIDE`] squared.
    pub fn from_rgb(width: usize, height: usize, rgb: &[u8]) -> Result<Self, StageError> {
        let pixels = width.checked_mul(height).and_then(|n| n.checked_mul(3));
        if width == 0 || height == 0 || pixels != Some(rgb.len()) {
            return Err(StageError::TextureSize { width, height, bytes: rgb.len() });
        }
        // Columns (or rows) that texel i covers: one at least, so small pictures are repeated.
        let range = |i: usize, pixels: usize| {
            let from = i * pixels / TEXTURE_SIDE;
            from..((i + 1) * pixels / TEXTURE_SIDE).max(from + 1)
        };
        Ok(Self::from_function(|column, row| {
            let mut sum = [0.0; 3];
            let mut count = 0.0;
            for y in range(row, height) {
                for x in range(column, width) {
                    let pixel = &rgb[(y * width + x) * 3..][..3];
                    (0..3).for_each(|c| sum[c] += f64::from(pixel[c]));
                    count += 1.0;
                }
            }
            sum.map(|s| s / count)
        }))
    }

    fn from_full(mut level: Vec<[f64; 3]>) -> Self {
        let mut texels: Box<Texels> = Box::new([0; TEXELS]);
        for n in 0..LEVELS {
            let (side, first) = (TEXTURE_SIDE >> n, ATLAS_WIDTH - (ATLAS_WIDTH >> n));
            for y in 0..side {
                for x in 0..side {
                    texels[y * ATLAS_WIDTH + first + x] = pack(level[y * side + x]);
                }
            }
            level = halved(&level, side);
        }
        Self { texels }
    }

    /// The colour of a pixel.
    pub fn pixel(&self, column: usize, row: usize) -> [u8; 3] {
        let [r, g, b, _] =
            self.texels[row % TEXTURE_SIDE * ATLAS_WIDTH + column % TEXTURE_SIDE].to_le_bytes();
        [r, g, b]
    }
}

fn pack(colour: [f64; 3]) -> u32 {
    // `as` saturates and makes 0 of what is not a number.
    let [r, g, b] = colour.map(|x| u32::from((x + 0.5) as u8));
    r | g << 8 | b << 16
}

fn halved(level: &[[f64; 3]], side: usize) -> Vec<[f64; 3]> {
    let half = side / 2;
    let mut out = Vec::with_capacity(half * half);
    for y in 0..half {
        for x in 0..half {
            let at = |dx: usize, dy: usize| level[(2 * y + dy) * side + 2 * x + dx];
            let (a, b, c, d) = (at(0, 0), at(1, 0), at(0, 1), at(1, 1));
            out.push([0, 1, 2].map(|i| (a[i] + b[i] + c[i] + d[i]) * 0.25));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_copy_is_the_mean_colour() {
        let texture = Texture::from_function(|x, _| [if x < 128 { 0.0 } else { 200.0 }, 50.0, 7.0]);
        let last = texture.texels[ATLAS_WIDTH - (ATLAS_WIDTH >> (LEVELS - 1))];
        assert_eq!(last, 100 | 50 << 8 | 7 << 16);
        assert_eq!((texture.pixel(127, 3), texture.pixel(128, 3)), ([0, 50, 7], [200, 50, 7]));
    }

    #[test]
    fn pictures_are_resampled_and_wrong_sizes_refused() {
        let rgb: Vec<u8> = (0..2 * 3).flat_map(|i| [i * 40, 0, 255]).collect();
        let texture = Texture::from_rgb(2, 3, &rgb).unwrap();
        assert_eq!(texture.pixel(0, 0), [0, 0, 255]);
        assert_eq!(texture.pixel(255, 255), [200, 0, 255]);
        let large: Vec<u8> = (0..512 * 512).flat_map(|i| [(i % 2 * 100) as u8, 1, 2]).collect();
        assert_eq!(Texture::from_rgb(512, 512, &large).unwrap().pixel(9, 9), [50, 1, 2]);
        for (w, h) in [(0, 0), (2, 2), (usize::MAX, 2), (3, 3)] {
            assert!(Texture::from_rgb(w, h, &rgb).is_err(), "{w} x {h}");
        }
    }
}
