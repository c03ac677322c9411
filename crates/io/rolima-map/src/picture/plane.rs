//! A rectangle of values, one a pixel.

use rolima_math::Vec2;

/// One value a pixel, row by row from the top. Pixel (i, j) covers the square from (i, j) to
/// (i + 1, j + 1), so that its centre is at (i + 0.5, j + 0.5).
#[derive(Clone, Debug)]
pub(crate) struct Plane<T> {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) data: Vec<T>,
}

impl<T: Copy + Default> Plane<T> {
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
        const AROUND: [(isize, isize); 8] =
            [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
        let (width, height) = (self.width as isize, self.height as isize);
        let (x, y) = ((index % self.width) as isize, (index / self.width) as isize);
        AROUND.into_iter().filter_map(move |(dx, dy)| {
            let (x, y) = (x + dx, y + dy);
            let inside = x >= 0 && y >= 0 && x < width && y < height;
            inside.then_some((y * width + x) as usize)
        })
    }
}

impl Plane<u8> {
    /// The amount at a point, 0 to 1, linear between the centres of pixels.
    pub(crate) fn amount(&self, point: Vec2) -> f64 {
        let (x, y) = (point.x - 0.5, point.y - 0.5);
        let (left, top) = (x.floor(), y.floor());
        let (u, v) = (x - left, y - top);
        let (i, j) = (left as isize, top as isize);
        let value = |i, j| f64::from(self.at(i, j));
        let upper = value(i, j) * (1.0 - u) + value(i + 1, j) * u;
        let lower = value(i, j + 1) * (1.0 - u) + value(i + 1, j + 1) * u;
        (upper * (1.0 - v) + lower * v) / 255.0
    }
}

/// Calls `visit` with the pixels that hang together, sides or corners touching: flood fill from
/// each that `is_in`.
pub(crate) fn components(
    width: usize,
    height: usize,
    is_in: impl Fn(usize) -> bool,
    mut visit: impl FnMut(&[u32]),
) {
    let mut seen: Plane<bool> = Plane::new(width, height);
    let mut pixels: Vec<u32> = vec![];
    for start in 0..width * height {
        if seen.data[start] || !is_in(start) {
            continue;
        }
        seen.data[start] = true;
        pixels.clear();
        pixels.push(start as u32);
        let mut next = 0;
        while let Some(&pixel) = pixels.get(next) {
            next += 1;
            for neighbour in seen.neighbours(pixel as usize) {
                if !seen.data[neighbour] && is_in(neighbour) {
                    seen.data[neighbour] = true;
                    pixels.push(neighbour as u32);
                }
            }
        }
        visit(&pixels);
    }
}

/// What a step to a side costs in [`depth`]; divide by it for pixels.
pub(crate) const DEPTH_UNIT: u16 = 3;

/// How far each pixel that `is_in` lies inside, in thirds of a pixel: 3 a step to the side, 4 a
/// step across, which is true to 8 %. The picture's border is an edge if `border` says so.
pub(crate) fn depth(
    width: usize,
    height: usize,
    border: Border,
    is_in: impl Fn(usize) -> bool,
) -> Plane<u16> {
    const FAR: u16 = u16::MAX / 2;
    let mut plane: Plane<u16> = Plane::new(width, height);
    let outside = if border == Border::Edge { 0 } else { FAR };
    let forward = [(-1, 0, 3), (-1, -1, 4), (0, -1, 3), (1, -1, 4)];
    let backward = [(1, 0, 3), (1, 1, 4), (0, 1, 3), (-1, 1, 4)];
    let least = |plane: &Plane<u16>, index: usize, steps: &[(isize, isize, u16)]| {
        let (x, y) = ((index % width) as isize, (index / width) as isize);
        let cost = |(dx, dy, cost): &(isize, isize, u16)| {
            let (i, j) = (x + dx, y + dy);
            let is_inside = i >= 0 && j >= 0 && (i as usize) < width && (j as usize) < height;
            (if is_inside { plane.at(i, j) } else { outside }) + cost
        };
        steps.iter().map(cost).min().unwrap_or_default().min(FAR)
    };
    for index in 0..width * height {
        if is_in(index) {
            plane.data[index] = least(&plane, index, &forward);
        }
    }
    for index in (0..width * height).rev() {
        if plane.data[index] > 0 {
            plane.data[index] = plane.data[index].min(least(&plane, index, &backward));
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
