//! The real size of a picture: given, or proposed.

use crate::element::FARTHEST;

/// What is proposed for the longer side of a picture, m: that of the maze of the Robot One thesis.
pub const LONGER_SIDE: f64 = 40.0;

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

    /// What a picture of so many pixels is taken for where nobody has said it: what its name says,
    /// as in `maze 40x30 m.png`; else [`LONGER_SIDE`] for its longer side.
    pub(crate) fn proposed(file: &str, [width, height]: [usize; 2]) -> Self {
        let metre = width.max(height) as f64 / LONGER_SIDE;
        // To a tenth of a millimetre: nobody types more.
        let side = |pixels: usize| (pixels as f64 / metre * 1e4).round().max(1.0) / 1e4;
        Self::in_name(file).unwrap_or(Self { width: side(width), height: side(height) })
    }

    /// The size in a name such as `maze 40x30.5 m.png`, which the page's editor gives to pictures.
    fn in_name(file: &str) -> Option<Self> {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        file.match_indices(['x', 'X']).find_map(|(at, x)| {
            let (before, after) = (&file[..at], &file[at + x.len()..]);
            let before = before.strip_suffix(' ').unwrap_or(before);
            let after = after.strip_prefix(' ').unwrap_or(after);
            let width = &before[before.trim_end_matches(is_number).len()..];
            let rest = after.trim_start_matches(is_number);
            let height = &after[..after.len() - rest.len()];
            let unit = rest.strip_prefix(' ').unwrap_or(rest).strip_prefix(['m', 'M'])?;
            let is_word = unit.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let size = Self::new(width.parse().ok()?, height.parse().ok()?);
            size.filter(|_| !is_word)
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_proposed_by_the_name_or_for_the_longer_side() {
        let proposed = |file, pixels| {
            let Size { width, height } = Size::proposed(file, pixels);
            [width, height]
        };
        assert_eq!(proposed("maze.png", [240, 240]), [40.0, 40.0]);
        assert_eq!(proposed("maze.png", [300, 400]), [30.0, 40.0]);
        assert_eq!(proposed("maze.png", [4096, 1]), [40.0, 0.0098]);
        for name in ["maze 12x30.5 m.png", "maze-12x30.5m.png", "max 12 X 30.5 M", "éx12x30.5 m"] {
            assert_eq!(proposed(name, [300, 400]), [12.0, 30.5], "{name}");
        }
        for name in ["maze 0x3 m.png", "maze-4xm.png", "IMG 4032x3024.jpg", "1.2.3x4 m", "4x3 mm"] {
            assert_eq!(proposed(name, [300, 400]), [30.0, 40.0], "{name}");
        }
    }
}
