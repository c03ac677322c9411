//! The light on the paper: what is white there, neighbourhood by neighbourhood.
//!
//! A photographed sheet is darker in one corner, and lamps are yellow. So the paper's own colour
//! is looked for in blocks of some pixels, and every pixel is divided by the paper around it. The
//! paper of a picture from a paint program is white throughout, which leaves it as it is.

use super::plane::PixelPlane;
use image::RgbImage;

/// Side of a block, pixels. Light that changes by more than a quarter over it is taken for ink.
const BLOCK: usize = 16;
/// Share of a block's pixels that are darker than its paper or as dark: noise makes some
/// brighter, and ink covers some.
const DARKER: f64 = 0.8;
/// Least brightness of a block's paper in that of its brightest neighbour. A filled area falls
/// off at once, shade little by little.
const LEAST_RATIO: f64 = 0.75;
/// Darkest paper that can be told from ink, of 255, and how far paper is white already.
const DARKEST: u8 = 50;
const WHITE: u8 = 250;

/// The colour of the paper in each block: red, green and blue.
struct Light {
    paper: PixelPlane<[u8; 3]>,
}

/// Makes the paper white where light, camera or scanner did not.
pub(super) fn even_out(picture: &mut RgbImage) {
    let Some(light) = Light::of(picture) else { return };
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    for y in 0..height {
        let row = light.row(y);
        for x in 0..width {
            let paper = row.at(x);
            let pixel = &mut picture.get_pixel_mut(x as u32, y as u32).0;
            for (value, paper) in pixel.iter_mut().zip(paper) {
                let even = u32::from(*value) * 65_280 / paper.max(1);
                *value = even.min(255) as u8;
            }
        }
    }
}

impl Light {
    /// None where the paper is white throughout.
    fn of(picture: &RgbImage) -> Option<Self> {
        let mut paper = levels(picture);
        let whitest = |level: &[u8; 3]| level.iter().all(|c| *c >= WHITE);
        if paper.data.iter().all(whitest) {
            return None;
        }
        let mut is_paper = paper_blocks(&paper)?;
        fill(&mut paper, &mut is_paper);
        let paper = raise(&raise(&paper));
        if paper.data.iter().all(whitest) {
            return None;
        }
        Some(Self { paper: smooth(&paper) })
    }

    /// The paper along row `y` of the picture.
    fn row(&self, y: usize) -> Row<'_> {
        // Blocks' colours hold at their centres, and are linear between, in 256ths.
        let (above, below, share) = between(y, self.paper.height);
        let width = self.paper.width;
        let row = |k: usize| &self.paper.data[k * width..(k + 1) * width];
        Row { above: row(above), below: row(below), share }
    }
}

/// The two blocks whose centres a pixel lies between, and how near to the second, in 256ths.
fn between(at: usize, blocks: usize) -> (usize, usize, u32) {
    // Twice the distance from the first block's centre, so that it is a whole number.
    let from = (2 * at + 1).saturating_sub(BLOCK);
    let first = (from / (2 * BLOCK)).min(blocks - 1);
    let second = (first + 1).min(blocks - 1);
    let share = from - first * 2 * BLOCK;
    (first, second, (share * 256 / (2 * BLOCK)).min(256) as u32)
}

struct Row<'a> {
    above: &'a [[u8; 3]],
    below: &'a [[u8; 3]],
    share: u32,
}

impl Row<'_> {
    /// The paper at a pixel, in 256ths.
    fn at(&self, x: usize) -> [u32; 3] {
        let (left, right, across) = between(x, self.above.len());
        core::array::from_fn(|c| {
            let blend = |row: &[[u8; 3]]| {
                u32::from(row[left][c]) * (256 - across) + u32::from(row[right][c]) * across
            };
            (blend(self.above) * (256 - self.share) + blend(self.below) * self.share) >> 8
        })
    }
}

/// The brightness of each block's brighter pixels, in each channel.
fn levels(picture: &RgbImage) -> PixelPlane<[u8; 3]> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let mut plane: PixelPlane<[u8; 3]> =
        PixelPlane::new(width.div_ceil(BLOCK), height.div_ceil(BLOCK));
    for index in 0..plane.data.len() {
        let (left, top) = (index % plane.width * BLOCK, index / plane.width * BLOCK);
        let mut counts = [[0_u16; 256]; 3];
        let (right, bottom) = ((left + BLOCK).min(width), (top + BLOCK).min(height));
        for y in top..bottom {
            for x in left..right {
                let pixel = picture.get_pixel(x as u32, y as u32).0;
                pixel.iter().zip(&mut counts).for_each(|(c, counts)| counts[usize::from(*c)] += 1);
            }
        }
        let pixels = (right - left) * (bottom - top);
        let wanted = (DARKER * pixels as f64) as usize;
        plane.data[index] = counts.map(|counts| {
            let mut below = 0;
            let level = counts.iter().position(|count| {
                below += usize::from(*count);
                below > wanted
            });
            level.unwrap_or(255) as u8
        });
    }
    plane
}

/// Each block as bright as the middle one of its neighbourhood at least: edges of strokes dim a
/// block here and there.
fn raise(paper: &PixelPlane<[u8; 3]>) -> PixelPlane<[u8; 3]> {
    let mut raised = paper.clone();
    for block in 0..paper.data.len() {
        let mut around: Vec<[u8; 3]> = paper.neighbours(block).map(|i| paper.data[i]).collect();
        around.push(paper.data[block]);
        raised.data[block] = core::array::from_fn(|c| {
            around.sort_unstable_by_key(|colour| colour[c]);
            around[around.len() / 2][c].max(paper.data[block][c])
        });
    }
    raised
}

/// Which blocks show paper: the brightest, and from there all that are nearly as bright as a
/// neighbour that does. None if there is no paper at all.
fn paper_blocks(levels: &PixelPlane<[u8; 3]>) -> Option<PixelPlane<bool>> {
    let darkest = |level: &[u8; 3]| level.iter().copied().min().unwrap_or_default();
    let mut is_paper: PixelPlane<bool> = PixelPlane::new(levels.width, levels.height);
    let brightest = levels.data.iter().map(darkest).max().filter(|most| *most >= DARKEST)?;
    let is_bright = |i: &usize| f64::from(darkest(&levels.data[*i])) >= 0.95 * f64::from(brightest);
    let mut open: Vec<usize> = (0..levels.data.len()).filter(is_bright).collect();
    open.iter().for_each(|i| is_paper.data[*i] = true);
    while let Some(block) = open.pop() {
        for next in levels.neighbours(block) {
            let ratio = |c: usize| {
                f64::from(levels.data[next][c]) >= LEAST_RATIO * f64::from(levels.data[block][c])
            };
            let is_lit = (0..3).all(ratio) && darkest(&levels.data[next]) >= DARKEST;
            if is_lit && !std::mem::replace(&mut is_paper.data[next], true) {
                open.push(next);
            }
        }
    }
    Some(is_paper)
}

/// Gives blocks without paper the mean of their neighbours with some, from the edges inwards.
fn fill(paper: &mut PixelPlane<[u8; 3]>, is_paper: &mut PixelPlane<bool>) {
    let mut edge: Vec<usize> = (0..paper.data.len()).filter(|i| is_paper.data[*i]).collect();
    while !edge.is_empty() {
        let mut next: Vec<usize> = edge
            .iter()
            .flat_map(|i| is_paper.neighbours(*i))
            .filter(|i| !is_paper.data[*i])
            .collect();
        next.sort_unstable();
        next.dedup();
        for &block in &next {
            let known: Vec<[u8; 3]> = paper
                .neighbours(block)
                .filter(|i| is_paper.data[*i])
                .map(|i| paper.data[i])
                .collect();
            paper.data[block] = mean(&known);
        }
        next.iter().for_each(|block| is_paper.data[*block] = true);
        edge = next;
    }
}

/// Each block with its neighbours.
fn smooth(paper: &PixelPlane<[u8; 3]>) -> PixelPlane<[u8; 3]> {
    let mut smoothed = paper.clone();
    for block in 0..paper.data.len() {
        let mut around: Vec<[u8; 3]> = paper.neighbours(block).map(|i| paper.data[i]).collect();
        around.push(paper.data[block]);
        smoothed.data[block] = mean(&around);
    }
    smoothed
}

fn mean(colours: &[[u8; 3]]) -> [u8; 3] {
    let count = colours.len().max(1) as u32;
    core::array::from_fn(|c| {
        ((colours.iter().map(|colour| u32::from(colour[c])).sum::<u32>() + count / 2) / count) as u8
    })
}
