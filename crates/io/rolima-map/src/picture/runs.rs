//! Pixels that hang together, found by the runs of them in rows: much cheaper than pixel by pixel.

use super::effort::TooMany;
use super::graph::Sets;

/// Most runs of a picture: strokes have far fewer, noise more. They bound the memory.
const MOST: usize = 1_600_000;

/// How pixels hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connectivity {
    /// By their sides.
    Sides,
    /// By their sides or corners.
    Corners,
}

/// Pixels side by side in a row, by their indices, the last one left out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) end: u32,
}

/// Runs in the order of their pixels, and which of them hang together.
pub(crate) struct Runs {
    pub(crate) runs: Vec<Run>,
    /// For each run the first one that it hangs together with.
    pub(crate) things: Vec<u32>,
}

impl Runs {
    /// The runs of the pixels that `is_in`.
    pub(crate) fn of(
        width: usize,
        height: usize,
        touch: Connectivity,
        is_in: impl Fn(usize) -> bool,
    ) -> Result<Self, TooMany> {
        let mut runs: Vec<Run> = vec![];
        let mut rows: Vec<usize> = vec![0];
        for y in 0..height {
            let (start, end) = (y * width, (y + 1) * width);
            let mut i = start;
            while i < end {
                if !is_in(i) {
                    i += 1;
                    continue;
                }
                let first = i as u32;
                while i < end && is_in(i) {
                    i += 1;
                }
                runs.push(Run { first, end: i as u32 });
            }
            if runs.len() > MOST {
                return Err(TooMany);
            }
            rows.push(runs.len());
        }
        let mut sets = Sets::new(runs.len());
        let reach = u32::from(touch == Connectivity::Corners);
        for y in 1..height {
            let (mut above, mut below) = (rows[y - 1], rows[y]);
            while above < rows[y] && below < rows[y + 1] {
                let (a, b) = (runs[above], runs[below]);
                let (from, to) = (b.first - width as u32, b.end - width as u32);
                if a.first < to + reach && from < a.end + reach {
                    sets.unite(above, below);
                }
                // The one that ends first meets no further one; corners reach one on.
                if a.end < to { above += 1 } else { below += 1 }
            }
        }
        let things = (0..runs.len()).map(|run| sets.root(run) as u32).collect();
        Ok(Self { runs, things })
    }
}

/// Calls `visit` with the pixels that hang together by sides or corners, of those that `is_in`:
/// things by their first pixels, and their pixels in order.
pub(crate) fn components(
    width: usize,
    height: usize,
    is_in: impl Fn(usize) -> bool,
    mut visit: impl FnMut(&[u32]),
) -> Result<(), TooMany> {
    let Runs { runs, things } = Runs::of(width, height, Connectivity::Corners, is_in)?;
    let mut order: Vec<u32> = (0..runs.len() as u32).collect();
    order.sort_by_key(|run| things[*run as usize]); // stable: runs stay in order
    let mut pixels: Vec<u32> = vec![];
    for thing in order.chunk_by(|a, b| things[*a as usize] == things[*b as usize]) {
        pixels.clear();
        for run in thing {
            let Run { first, end } = runs[*run as usize];
            pixels.extend(first..end);
        }
        visit(&pixels);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn things(rows: &[&str], touch: Connectivity) -> usize {
        let data: Vec<bool> = rows.iter().flat_map(|row| row.chars().map(|c| c == '#')).collect();
        let runs = Runs::of(rows[0].len(), rows.len(), touch, |i| data[i]).expect("few runs");
        (0..runs.runs.len()).filter(|run| runs.things[*run] as usize == *run).count()
    }

    #[test]
    fn pixels_hang_together_by_sides_or_corners() {
        let rows = ["#.#.##", ".#....", "....#.", "##.#..", "##.##."];
        assert_eq!(things(&rows, Connectivity::Corners), 4);
        assert_eq!(things(&rows, Connectivity::Sides), 7);
        assert_eq!(things(&["####", "#..#", "#.##", "#..."], Connectivity::Sides), 1);
        assert_eq!(things(&["#.#", "#.#", "###"], Connectivity::Sides), 1);
        let mut sizes = vec![];
        let is_in = |i: usize| i % 5 != 4;
        components(10, 3, is_in, |pixels| sizes.push(pixels.len())).expect("few runs");
        assert_eq!(sizes, [12, 12]);
    }
}
