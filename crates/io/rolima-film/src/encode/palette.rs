//! The colours that a picture of few colours has: median cut.
//!
//! Colours are counted in cells of 8 x 8 x 8 shades. A box of cells is split where half of its pixels are on
//! either side, along its longest edge, until there are as many boxes as colours; each box becomes the mean
//! of its pixels. All in whole numbers, so that the bytes are equal everywhere.

/// Shades of a cell, as bits.
const BITS: u32 = 3;
/// Cells.
const CELLS: usize = 1 << (3 * (8 - BITS));
/// Cells along an axis, as bits.
const AXIS: u32 = 8 - BITS;

/// A cell that has pixels.
#[derive(Clone, Copy)]
struct Cell {
    /// Its place along red, green and blue.
    at: [u8; 3],
    pixels: u64,
    sums: [u64; 3],
}

/// Counts colours and chooses those that a picture gets.
pub(super) struct Palette {
    counts: Vec<(u64, [u64; 3])>,
    used: Vec<u16>,
    /// The chosen colour of every cell.
    chosen: Vec<u8>,
}

impl Palette {
    pub(super) fn new() -> Self {
        Self { counts: vec![(0, [0; 3]); CELLS], used: vec![], chosen: vec![0; CELLS] }
    }

    fn cell(rgb: [u8; 3]) -> usize {
        let [r, g, b] = rgb.map(|shade| usize::from(shade >> BITS));
        r << (2 * AXIS) | g << AXIS | b
    }

    /// Counts a pixel.
    pub(super) fn count(&mut self, rgb: [u8; 3]) {
        let cell = Self::cell(rgb);
        let (pixels, sums) = &mut self.counts[cell];
        if *pixels == 0 {
            self.used.push(cell as u16);
        }
        *pixels += 1;
        for (sum, shade) in sums.iter_mut().zip(rgb) {
            *sum += u64::from(shade);
        }
    }

    /// Chooses at most so many colours for what was counted, three bytes each, and forgets the counts.
    pub(super) fn choose(&mut self, most: usize) -> Vec<u8> {
        self.used.sort_unstable();
        let cells = self.used.drain(..).map(|cell| {
            let cell = usize::from(cell);
            let (pixels, sums) = std::mem::take(&mut self.counts[cell]);
            let mask = (1 << AXIS) - 1;
            let at = [cell >> (2 * AXIS), cell >> AXIS, cell].map(|n| (n & mask) as u8);
            Cell { at, pixels, sums }
        });
        let boxes = split(cells.collect(), most);
        let mut colours = Vec::with_capacity(3 * boxes.len());
        for (number, cells) in boxes.iter().enumerate() {
            let pixels: u64 = cells.iter().map(|cell| cell.pixels).sum();
            for axis in 0..3 {
                let sum: u64 = cells.iter().map(|cell| cell.sums[axis]).sum();
                colours.push(((sum + pixels / 2) / pixels.max(1)) as u8);
            }
            for Cell { at: [r, g, b], .. } in cells {
                let cell =
                    usize::from(*r) << (2 * AXIS) | usize::from(*g) << AXIS | usize::from(*b);
                self.chosen[cell] = number as u8;
            }
        }
        colours
    }

    /// The number of the colour that was chosen for one that was counted.
    pub(super) fn index(&self, rgb: [u8; 3]) -> u8 {
        self.chosen[Self::cell(rgb)]
    }
}

/// Splits cells into at most so many boxes.
fn split(cells: Vec<Cell>, most: usize) -> Vec<Vec<Cell>> {
    let mut boxes = vec![cells];
    boxes.retain(|cells| !cells.is_empty());
    while boxes.len() < most {
        let worth: Vec<u64> = boxes.iter().map(|cells| worth(cells)).collect();
        let best = (0..boxes.len()).rev().max_by_key(|&number| worth[number]);
        let Some(best) = best.filter(|&best| worth[best] > 0) else { break };
        let other = halve(&mut boxes[best]);
        boxes.push(other);
    }
    boxes
}

/// The longest edge of a box, and how many steps it has.
fn longest(cells: &[Cell]) -> (usize, u64) {
    let edges = (0..3).map(|axis| {
        let along = || cells.iter().map(|cell| cell.at[axis]);
        let (low, high) = (along().min().unwrap_or(0), along().max().unwrap_or(0));
        (axis, u64::from(high - low))
    });
    edges.rev().max_by_key(|&(_, steps)| steps).unwrap_or((0, 0))
}

/// What is gained by splitting a box: nothing where it is one cell.
fn worth(cells: &[Cell]) -> u64 {
    let (_, steps) = longest(cells);
    let pixels: u64 = cells.iter().map(|cell| cell.pixels).sum();
    steps * steps * pixels
}

/// Takes the upper half of a box out, by pixels, along its longest edge.
fn halve(cells: &mut Vec<Cell>) -> Vec<Cell> {
    let (axis, _) = longest(cells);
    cells.sort_by_key(|cell| (cell.at[axis], cell.at));
    let all: u64 = cells.iter().map(|cell| cell.pixels).sum();
    let mut below = 0;
    let first_beyond = cells.iter().position(|cell| {
        below += cell.pixels;
        2 * below >= all
    });
    // Both halves have at least one cell.
    let at = (first_beyond.unwrap_or(0) + 1).clamp(1, cells.len() - 1);
    cells.split_off(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_as_they_are() {
        let colours = [[10, 20, 30], [200, 0, 0], [0, 200, 0], [255, 255, 255]];
        let mut palette = Palette::new();
        for (i, colour) in colours.into_iter().enumerate() {
            (0..=100 * i).for_each(|_| palette.count(colour));
        }
        let chosen = palette.choose(255);
        assert_eq!(chosen.len(), 3 * colours.len());
        for colour in colours {
            let at = 3 * usize::from(palette.index(colour));
            assert_eq!(chosen[at..at + 3], colour);
        }
        // The counts are forgotten.
        palette.count([1, 2, 3]);
        assert_eq!(palette.choose(255), [1, 2, 3]);
    }

    #[test]
    fn many_shades_become_near_ones() {
        let mut palette = Palette::new();
        let shades = (0..256_u32).flat_map(|r| (0..64).map(move |g| [r as u8, 4 * g as u8, 90]));
        shades.clone().for_each(|colour| palette.count(colour));
        let chosen = palette.choose(255);
        assert_eq!(chosen.len(), 3 * 255);
        for colour in shades {
            let at = 3 * usize::from(palette.index(colour));
            let off = (0..3).map(|i| chosen[at + i].abs_diff(colour[i])).max();
            assert!(off <= Some(16), "{colour:?} became {:?}", &chosen[at..at + 3]);
        }
    }
}
