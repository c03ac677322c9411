//! Drawings for tests: random mazes, and a rasteriser of its own that draws them.
#![allow(dead_code)] // each test file uses its part

pub(crate) mod freehand;

use image::codecs::jpeg::JpegEncoder;
use image::{ImageFormat, Rgb, RgbImage};
use rolima_map::Vec2;
use rolima_math::Stream;
use std::io::Cursor;

/// How a pen looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pen {
    /// A disc.
    Round,
    /// An upright square, as paint programs have.
    Square,
}

/// A stroke from one point to another, in pixels.
pub(crate) type Ends = (Vec2, Vec2);

pub(crate) fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// A sheet of paper.
pub(crate) struct Sheet {
    pub(crate) picture: RgbImage,
    /// Points a pixel is tried at in a row: 1 is a hard edge.
    fine: usize,
}

impl Sheet {
    pub(crate) fn new(width: u32, height: u32, is_smooth: bool) -> Self {
        let picture = RgbImage::from_pixel(width, height, Rgb([255; 3]));
        Self { picture, fine: if is_smooth { 4 } else { 1 } }
    }

    /// Fills what `is_in` holds for, near `low` to `high`.
    pub(crate) fn fill(
        &mut self,
        low: Vec2,
        high: Vec2,
        colour: [u8; 3],
        is_in: impl Fn(Vec2) -> bool,
    ) {
        let (width, height) = self.picture.dimensions();
        let range = |low: f64, high: f64, most: u32| {
            (low.floor().max(0.0) as u32)..(high.ceil().clamp(0.0, f64::from(most)) as u32)
        };
        for y in range(low.y, high.y, height) {
            for x in range(low.x, high.x, width) {
                let mut hits = 0;
                for k in 0..self.fine * self.fine {
                    let offset = |k: usize| (k as f64 + 0.5) / self.fine as f64;
                    let point = v(
                        f64::from(x) + offset(k % self.fine),
                        f64::from(y) + offset(k / self.fine),
                    );
                    hits += usize::from(is_in(point));
                }
                let share = hits as f64 / (self.fine * self.fine) as f64;
                let pixel = self.picture.get_pixel_mut(x, y);
                for c in 0..3 {
                    let blend =
                        f64::from(pixel.0[c]) * (1.0 - share) + f64::from(colour[c]) * share;
                    pixel.0[c] = blend.round() as u8;
                }
            }
        }
    }

    /// Draws with a pen of some width, its centre going from one end to the other.
    pub(crate) fn stroke(&mut self, (from, to): Ends, width: f64, pen: Pen, colour: [u8; 3]) {
        let half = 0.5 * width;
        let margin = v(half + 1.0, half + 1.0);
        let low = v(from.x.min(to.x), from.y.min(to.y)) - margin;
        let high = v(from.x.max(to.x), from.y.max(to.y)) + margin;
        let along = to - from;
        self.fill(low, high, colour, |p| match pen {
            _ if along.cross(p - from).abs() > 1.5 * half * along.length() => false,
            Pen::Round => distance(p, (from, to)) <= half,
            // Some centre on the way is within half a pen along both axes.
            Pen::Square => {
                let (mut first, mut last) = (0.0_f64, 1.0_f64);
                for (d, a) in [(p.x - from.x, along.x), (p.y - from.y, along.y)] {
                    if a == 0.0 {
                        if d.abs() > half {
                            return false;
                        }
                        continue;
                    }
                    let (s, t) = ((d - half) / a, (d + half) / a);
                    first = first.max(s.min(t));
                    last = last.min(s.max(t));
                }
                first <= last
            }
        });
    }

    pub(crate) fn disc(&mut self, center: Vec2, radius: f64, colour: [u8; 3]) {
        let margin = v(radius + 1.0, radius + 1.0);
        self.fill(center - margin, center + margin, colour, |p| (p - center).length() <= radius);
    }

    pub(crate) fn square(&mut self, center: Vec2, side: f64, colour: [u8; 3]) {
        let half = 0.5 * side;
        let margin = v(half + 1.0, half + 1.0);
        self.fill(center - margin, center + margin, colour, |p| {
            (p.x - center.x).abs() <= half && (p.y - center.y).abs() <= half
        });
    }

    pub(crate) fn png(&self) -> Vec<u8> {
        self.saved(ImageFormat::Png)
    }

    pub(crate) fn saved(&self, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(vec![]);
        self.picture.write_to(&mut bytes, format).expect("a picture that can be written");
        bytes.into_inner()
    }

    /// As JPEG with its colours at half the resolution, as most programs save it.
    pub(crate) fn jpeg(&self, quality: u8) -> Vec<u8> {
        let mut picture = self.picture.clone();
        let (width, height) = picture.dimensions();
        for y in (0..height).step_by(2) {
            for x in (0..width).step_by(2) {
                let block: Vec<(u32, u32)> = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .into_iter()
                    .map(|(i, j)| (x + i, y + j))
                    .filter(|(i, j)| *i < width && *j < height)
                    .collect();
                let n = block.len() as f64;
                let mean = |c: usize| {
                    block.iter().map(|(i, j)| ycc(picture.get_pixel(*i, *j).0)[c]).sum::<f64>() / n
                };
                let (cb, cr) = (mean(1), mean(2));
                for (i, j) in block {
                    let luma = ycc(picture.get_pixel(i, j).0)[0];
                    picture.put_pixel(i, j, Rgb(rgb([luma, cb, cr])));
                }
            }
        }
        let mut bytes = vec![];
        JpegEncoder::new_with_quality(&mut bytes, quality)
            .encode_image(&picture)
            .expect("a picture that can be written");
        bytes
    }
}

fn ycc([r, g, b]: [u8; 3]) -> [f64; 3] {
    let [r, g, b] = [r, g, b].map(f64::from);
    let luma = 0.299 * r + 0.587 * g + 0.114 * b;
    [luma, (b - luma) / 1.772, (r - luma) / 1.402]
}

fn rgb([luma, cb, cr]: [f64; 3]) -> [u8; 3] {
    let (r, b) = (luma + 1.402 * cr, luma + 1.772 * cb);
    let g = (luma - 0.299 * r - 0.114 * b) / 0.587;
    [r, g, b].map(|c| c.round().clamp(0.0, 255.0) as u8)
}

/// Distance of a point from a stretch.
pub(crate) fn distance(p: Vec2, (from, to): Ends) -> f64 {
    let along = to - from;
    let s = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (p - (from + along * s)).length()
}

/// The largest distance of a point of `of` from the nearest of `to`, and that point.
pub(crate) fn worst(of: &[Ends], to: &[Ends]) -> (f64, Vec2) {
    let mut worst = (0.0, v(0.0, 0.0));
    for (a, b) in of {
        let is_near = |(c, d): &&Ends| {
            let apart = |a: f64, b: f64, c: f64, d: f64| {
                a.min(b) > c.max(d) + 5.0 || c.min(d) > a.max(b) + 5.0
            };
            !apart(a.x, b.x, c.x, d.x) && !apart(a.y, b.y, c.y, d.y)
        };
        // What is farther than that is wrong by five or more.
        let near: Vec<&Ends> = to.iter().filter(is_near).collect();
        let steps = ((*b - *a).length() * 2.0).ceil().max(1.0) as usize;
        for k in 0..=steps {
            let point = *a + (*b - *a) * (k as f64 / steps as f64);
            let away = near.iter().map(|other| distance(point, **other)).fold(999.0, f64::min);
            if away > worst.0 {
                worst = (away, point);
            }
        }
    }
    worst
}

/// Random walls: a grid maze, with neighbours in a row joined.
pub(crate) fn grid_maze(
    random: &mut Stream,
    cols: usize,
    rows: usize,
    cell: Vec2,
    origin: Vec2,
) -> Vec<Ends> {
    // Walls right of and below each cell; a random spanning tree opens ways.
    let mut right = vec![true; cols * rows];
    let mut below = vec![true; cols * rows];
    let mut seen = vec![false; cols * rows];
    let mut way = vec![0usize];
    seen[0] = true;
    while let Some(&here) = way.last() {
        let (x, y) = (here % cols, here / cols);
        let mut open = vec![];
        if x > 0 {
            open.push(here - 1)
        }
        if x + 1 < cols {
            open.push(here + 1)
        }
        if y > 0 {
            open.push(here - cols)
        }
        if y + 1 < rows {
            open.push(here + cols)
        }
        open.retain(|n| !seen[*n]);
        if open.is_empty() {
            way.pop();
            continue;
        }
        let next = open[(random.uniform() * open.len() as f64) as usize];
        seen[next] = true;
        match next {
            n if n == here + 1 => right[here] = false,
            n if n + 1 == here => right[n] = false,
            n if n == here + cols => below[here] = false,
            n => below[n] = false,
        }
        way.push(next);
    }
    let at = |x: usize, y: usize| origin + v(cell.x * x as f64, cell.y * y as f64);
    let mut walls = vec![];
    for y in 0..=rows {
        let is_wall = |x: usize| y == 0 || below[(y - 1) * cols + x];
        walls.extend(runs(cols, is_wall).into_iter().map(|(a, b)| (at(a, y), at(b, y))));
    }
    for x in 0..=cols {
        let is_wall = |y: usize| x == 0 || right[y * cols + x - 1];
        walls.extend(runs(rows, is_wall).into_iter().map(|(a, b)| (at(x, a), at(x, b))));
    }
    walls
}

fn runs(n: usize, is_in: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut found = vec![];
    let mut start = None;
    for i in 0..=n {
        match (i < n && is_in(i), start) {
            (true, None) => start = Some(i),
            (false, Some(s)) => {
                found.push((s, i));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Random walls in any direction. Each is clear of the others, crosses them well inside, or ends
/// on one of them or at its end: what a drawing can tell.
pub(crate) fn free_walls(random: &mut Stream, side: f64, pen: f64, count: usize) -> Vec<Ends> {
    let margin = pen + 4.0;
    let clear = 2.0 * pen + 5.0;
    let mut walls: Vec<Ends> = vec![];
    let place = |random: &mut Stream| {
        v(random.between(margin, side - margin), random.between(margin, side - margin))
    };
    for _ in 0..count * 60 {
        if walls.len() == count {
            break;
        }
        let mut ends = [place(random), place(random)];
        for end in &mut ends {
            if !walls.is_empty() && random.uniform() < 0.5 {
                let (a, b) = walls[(random.uniform() * walls.len() as f64) as usize];
                let share = [0.0, 1.0, random.between(0.2, 0.8)][(random.uniform() * 3.0) as usize];
                *end = a + (b - a) * share;
            }
        }
        let wall = (ends[0], ends[1]);
        if (wall.1 - wall.0).length() > 6.0 * pen + 20.0
            && walls.iter().all(|other| is_clear(wall, *other, clear, pen))
        {
            walls.push(wall);
        }
    }
    walls
}

/// Whether two walls are clear of one another, or meet in a way that a drawing shows.
fn is_clear(a: Ends, b: Ends, clear: f64, pen: f64) -> bool {
    let (u, w) = (a.1 - a.0, b.1 - b.0);
    let sine = u.cross(w) / (u.length() * w.length());
    let touches = |p: Vec2, e: Ends| distance(p, e) < 1e-6;
    let near = |p: Vec2, e: Ends| distance(p, e) < clear && !touches(p, e);
    if near(a.0, b) || near(a.1, b) || near(b.0, a) || near(b.1, a) {
        return false;
    }
    let s = (b.0 - a.0).cross(w) / u.cross(w);
    let t = (b.0 - a.0).cross(u) / u.cross(w);
    let meets = (-1e-6..=1.0 + 1e-6).contains(&s) && (-1e-6..=1.0 + 1e-6).contains(&t);
    // 20 degrees: sharper ones need long walls to tell them apart.
    !meets
        || (sine.abs() > 0.35 && {
            let inside = |s: f64, length: f64| {
                s.abs() * length < 1e-3
                    || (1.0 - s).abs() * length < 1e-3
                    || (s * length > 3.0 * pen + 6.0 && (1.0 - s) * length > 3.0 * pen + 6.0)
            };
            inside(s, u.length()) && inside(t, w.length())
        })
}
