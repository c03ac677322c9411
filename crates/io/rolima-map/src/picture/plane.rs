//! A rectangle of values, one a pixel.

use rolima_math::Vec2;

/// One value a pixel, row by row from the top. Pixel (i, j) covers the square from (i, j) to
/// (i + 1, j + 1), so that its centre is at (i + 0.5, j + 0.5).
#[derive(Clone, Debug)]
pub(crate) struct PixelPlane<T> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) data: Vec<T>,
}

impl<T: Copy + Default> PixelPlane<T> {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, height, data: vec![T::default(); width * height] }
    }

    /// The value of a pixel; the default outside.
    pub(crate) fn at(&self, x: isize, y: isize) -> T {
        let inside = x >= 0 && y >= 0 && (x as usize) < self.width && (y as usize) < self.height;
        if inside { self.data[y as usize * self.width + x as usize] } else { T::default() }
    }

    /// The value of the pixel that a point lies in.
    pub(crate) fn around(&self, point: Vec2) -> T {
        self.at(point.x.floor() as isize, point.y.floor() as isize)
    }

    /// The centre of a pixel by its index.
    pub(crate) fn center(&self, index: usize) -> Vec2 {
        Vec2::new((index % self.width) as f64 + 0.5, (index / self.width) as f64 + 0.5)
    }

    /// Indices of the up to eight pixels around one.
    pub(crate) fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<T> {
        let (width, column) = (self.width, index % self.width);
        let mut found = [0; 8];
        let mut count = 0;
        let mut add = |is_inside: bool, neighbour: usize| {
            if is_inside {
                found[count] = neighbour;
                count += 1;
            }
        };
        let (has_left, has_right) = (column > 0, column + 1 < width);
        let (has_above, has_below) = (index >= width, index + width < self.data.len());
        let (above, below) = (index.wrapping_sub(width), index + width);
        add(has_above, above);
        add(has_above && has_right, above.wrapping_add(1));
        add(has_right, index + 1);
        add(has_below && has_right, below + 1);
        add(has_below, below);
        add(has_below && has_left, below.wrapping_sub(1));
        add(has_left, index.wrapping_sub(1));
        add(has_above && has_left, above.wrapping_sub(1));
        found.into_iter().take(count)
    }
}

impl PixelPlane<u8> {
    /// The amount at a point, 0 to 1, linear between the centres of pixels.
    pub(crate) fn amount(&self, point: Vec2) -> f64 {
        let (i, u) = whole_and_rest(point.x - 0.5);
        let (j, v) = whole_and_rest(point.y - 0.5);
        let is_inner =
            i >= 0 && j >= 0 && i as usize + 1 < self.width && j as usize + 1 < self.height;
        let [a, b, c, d] = if is_inner {
            let at = j as usize * self.width + i as usize;
            let (upper, lower) = (&self.data[at..at + 2], &self.data[at + self.width..][..2]);
            [upper[0], upper[1], lower[0], lower[1]]
        } else {
            [self.at(i, j), self.at(i + 1, j), self.at(i, j + 1), self.at(i + 1, j + 1)]
        }
        .map(f64::from);
        let upper = a * (1.0 - u) + b * u;
        let lower = c * (1.0 - u) + d * u;
        (upper * (1.0 - v) + lower * v) / 255.0
    }
}

/// The largest whole number that is not above `x`, and what is left. Strokes ask for it so often
/// that a call of `floor`, which not every processor has an instruction for, would be felt.
fn whole_and_rest(x: f64) -> (isize, f64) {
    let toward_zero = x as isize;
    let whole = toward_zero - isize::from(toward_zero as f64 > x);
    (whole, x - whole as f64)
}

/// What a step to a side costs in [`depth`]; divide by it for pixels.
pub(crate) const DEPTH_UNIT: u16 = 3;
/// Most [`depth`] of a pixel beside one that is out, by a side or a corner.
pub(crate) const DEPTH_OF_EDGE: u16 = 4;

/// How far each pixel that `is_in` lies inside, in thirds of a pixel: 3 a step to the side, 4 a
/// step across, which is true to 8 %. The picture's border is an edge if `border` says so.
pub(crate) fn depth(
    width: usize,
    height: usize,
    border: Border,
    is_in: impl Fn(usize) -> bool,
) -> PixelPlane<u16> {
    const FAR: u16 = u16::MAX / 2;
    const SIDE: u16 = DEPTH_UNIT;
    const CORNER: u16 = DEPTH_OF_EDGE;
    let mut plane: PixelPlane<u16> = PixelPlane::new(width, height);
    let outside = if border == Border::Edge { 0 } else { FAR };
    // The rows above and below the picture.
    let blank = vec![outside; width];
    for y in 0..height {
        let (before, rest) = plane.data.split_at_mut(y * width);
        let above = if y > 0 { &before[(y - 1) * width..] } else { &blank };
        let row = &mut rest[..width];
        let (mut left, mut above_left) = (outside, outside);
        for x in 0..width {
            let above_right = above.get(x + 1).copied().unwrap_or(outside);
            if is_in(y * width + x) {
                let side = left.min(above[x]) + SIDE;
                row[x] = side.min(above_left.min(above_right) + CORNER).min(FAR);
            }
            (left, above_left) = (row[x], above[x]);
        }
    }
    for y in (0..height).rev() {
        let (rest, after) = plane.data.split_at_mut((y + 1) * width);
        let below = if y + 1 < height { &after[..width] } else { &blank[..] };
        let row = &mut rest[y * width..];
        let (mut right, mut below_right) = (outside, outside);
        for x in (0..width).rev() {
            let below_left = if x > 0 { below[x - 1] } else { outside };
            if row[x] > 0 {
                let side = right.min(below[x]) + SIDE;
                row[x] = row[x].min(side).min(below_right.min(below_left) + CORNER);
            }
            (right, below_right) = (row[x], below[x]);
        }
    }
    plane
}

/// What the picture's border is for [`depth`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Border {
    /// The outside counts as out.
    Edge,
    /// The outside counts as neither.
    Open,
}
