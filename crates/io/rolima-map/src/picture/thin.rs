//! Thinning: strokes down to lines of one pixel, by the method of Guo and Hall (1989).

use super::effort::{PictureEffort, TooMany};
use super::plane::PixelPlane;

/// The eight neighbours of a pixel, clockwise from the top.
fn ring(mask: &PixelPlane<bool>, index: usize) -> [bool; 8] {
    let (width, column) = (mask.width, index % mask.width);
    let is_inner =
        index >= width && index + width < mask.data.len() && column > 0 && column + 1 < width;
    if is_inner {
        // Three rows of three, checked once each.
        let row = |middle: usize| [middle - 1, middle, middle + 1].map(|i| mask.data[i]);
        let (above, below) = (row(index - width), row(index + width));
        let (left, right) = (mask.data[index - 1], mask.data[index + 1]);
        return [above[1], above[2], right, below[2], below[1], below[0], left, above[0]];
    }
    let (x, y) = (column as isize, (index / width) as isize);
    [
        mask.at(x, y - 1),
        mask.at(x + 1, y - 1),
        mask.at(x + 1, y),
        mask.at(x + 1, y + 1),
        mask.at(x, y + 1),
        mask.at(x - 1, y + 1),
        mask.at(x - 1, y),
        mask.at(x - 1, y - 1),
    ]
}

/// How many pieces the neighbours of a pixel fall into.
fn pieces([n, ne, e, se, s, sw, w, nw]: [bool; 8]) -> u32 {
    u32::from(!n && (ne || e))
        + u32::from(!e && (se || s))
        + u32::from(!s && (sw || w))
        + u32::from(!w && (nw || n))
}

fn is_removable(around: [bool; 8], is_second: bool) -> bool {
    let [n, ne, e, se, s, sw, w, nw] = around;
    let pairs = |list: [bool; 4]| list.into_iter().filter(|x| *x).count();
    let one = pairs([nw || n, ne || e, se || s, sw || w]);
    let other = pairs([n || ne, e || se, s || sw, w || nw]);
    let kept = if is_second { (n || ne || !se) && e } else { (s || sw || !nw) && w };
    pieces(around) == 1 && (2..=3).contains(&one.min(other)) && !kept
}

/// For each kind of surroundings, a bit a neighbour, whether a pixel goes in the one pass and in
/// the other: looked up, as large areas ask for millions of them.
fn removable_kinds() -> [[bool; 2]; 256] {
    core::array::from_fn(|kind| {
        let around = core::array::from_fn(|k| kind >> k & 1 == 1);
        [is_removable(around, false), is_removable(around, true)]
    })
}

/// Pixels with a row and a column of paper around all of them, so that each has all eight neighbours. A
/// byte each: whether there is ink, and in which pass it was looked at last.
struct Cells {
    width: usize,
    bytes: Vec<u8>,
}

/// The bit of ink, and those of the pass.
const INK: u8 = 0x80;
const PASS: u8 = 0x7f;
/// In the place of a pass: the pixel is to be looked at in the next one.
const AWAITED: u8 = 0x7f;

impl Cells {
    fn of(mask: &PixelPlane<bool>) -> Self {
        let width = mask.width + 2;
        let mut bytes = vec![0; width * (mask.height + 2)];
        for (y, row) in mask.data.chunks_exact(mask.width).enumerate() {
            let cells = &mut bytes[(y + 1) * width + 1..][..mask.width];
            cells.iter_mut().zip(row).for_each(|(cell, is_ink)| *cell = u8::from(*is_ink) << 7);
        }
        Self { width, bytes }
    }

    fn put_into(&self, mask: &mut PixelPlane<bool>) {
        let width = mask.width;
        for (y, row) in mask.data.chunks_exact_mut(width).enumerate() {
            let cells = &self.bytes[(y + 1) * self.width + 1..][..width];
            row.iter_mut().zip(cells).for_each(|(is_ink, cell)| *is_ink = cell & INK != 0);
        }
    }

    /// The neighbours of a pixel that is none of the paper around, in the order of [`ring`].
    fn around(&self, at: u32) -> [u32; 8] {
        let width = self.width as u32;
        let (above, below) = (at - width, at + width);
        [above, above + 1, at + 1, below + 1, below, below - 1, at - 1, above - 1]
    }

    /// Which of the neighbours are ink, a bit each.
    fn kind(&self, at: u32) -> u8 {
        self.around(at)
            .into_iter()
            .enumerate()
            .fold(0, |kind, (k, i)| kind | (self.bytes[i as usize] & INK) >> 7 << k)
    }
}

/// Reduces the pixels of `mask` to a skeleton one pixel wide that hangs together in the same way.
///
/// Only pixels whose surroundings have changed in the last two passes are looked at again, so
/// that the work grows with the number of pixels and not with the thickness of strokes as well.
pub(crate) fn thin(mask: &mut PixelPlane<bool>, effort: &PictureEffort) -> Result<(), TooMany> {
    if mask.data.is_empty() {
        return Ok(());
    }
    let mut cells = Cells::of(mask);
    let all = 0..cells.bytes.len() as u32;
    let is_edge = |i: &u32| cells.bytes[*i as usize] & INK != 0 && cells.kind(*i) != u8::MAX;
    let mut changed: Vec<u32> = all.filter(is_edge).collect();
    let mut changed_before: Vec<u32> = vec![];
    let kinds = removable_kinds();
    let mut pass: u8 = 0;
    let mut idle = 0;
    while idle < 2 {
        if pass == AWAITED - 1 {
            cells.bytes.iter_mut().for_each(|cell| *cell &= INK);
            pass = 0; // even, so that passes go on in turn
            // As quick as memory is.
            effort.pass(1, cells.bytes.len() / 16);
        }
        pass += 1;
        effort.look_around(changed.len() + changed_before.len());
        effort.check()?;
        let which = usize::from(pass.is_multiple_of(2));
        let mut removed: Vec<u32> = vec![];
        for &pixel in changed.iter().chain(&changed_before) {
            let cell = &mut cells.bytes[pixel as usize];
            let is_new = *cell & INK != 0 && *cell & PASS != pass;
            *cell = *cell & INK | pass;
            if is_new && kinds[usize::from(cells.kind(pixel))][which] {
                removed.push(pixel);
            }
        }
        removed.iter().for_each(|pixel| cells.bytes[*pixel as usize] &= PASS);
        idle = if removed.is_empty() { idle + 1 } else { 0 };
        let mut next: Vec<u32> = vec![];
        for pixel in removed {
            for i in cells.around(pixel) {
                let cell = &mut cells.bytes[i as usize];
                if *cell & INK != 0 && *cell & PASS != AWAITED {
                    *cell = INK | AWAITED;
                    next.push(i);
                }
            }
        }
        changed_before = std::mem::replace(&mut changed, next);
    }
    cells.put_into(mask);
    drop_corners(mask);
    Ok(())
}

/// Takes out pixels that a line of one pixel does not need: the corners of its stairs.
fn drop_corners(mask: &mut PixelPlane<bool>) {
    for pixel in 0..mask.data.len() {
        if mask.data[pixel] {
            let around = ring(mask, pixel);
            let count = around.into_iter().filter(|x| *x).count();
            mask.data[pixel] = count < 2 || pieces(around) != 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::runs::components;
    use super::*;

    fn drawn(rows: &[&str]) -> PixelPlane<bool> {
        let data = rows.iter().flat_map(|row| row.chars().map(|c| c == '#')).collect();
        PixelPlane { width: rows[0].len(), height: rows.len(), data }
    }

    #[test]
    fn a_bar_becomes_a_line_and_a_ring_stays_a_ring() {
        let mut bar = PixelPlane { width: 40, height: 11, data: vec![false; 440] };
        for y in 2..9 {
            for x in 2..38 {
                bar.data[y * 40 + x] = true;
            }
        }
        thin(&mut bar, &PictureEffort::default()).expect("little work");
        let row = |y: usize| bar.data[y * 40..(y + 1) * 40].iter().filter(|x| **x).count();
        assert!(row(5) > 25, "{}", row(5));
        let things = |plane: &PixelPlane<bool>| {
            let mut count = 0;
            components(plane.width, plane.height, |i| plane.data[i], |_| count += 1)
                .expect("few things");
            count
        };
        assert_eq!(things(&bar), 1);

        let mut ring = drawn(&["#####", "#####", "##.##", "#####", "#####"]);
        thin(&mut ring, &PictureEffort::default()).expect("little work");
        assert!(!ring.data[12]);
        assert_eq!(things(&ring), 1);
        // The hole is still apart from the outside: eight pixels around it at least, or four.
        assert!(ring.data.iter().filter(|x| **x).count() >= 4);
    }
}
