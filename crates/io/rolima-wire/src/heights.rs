//! Heights of a terrain in few bytes: whole multiples of a quantum, as differences from what the
//! neighbours let one guess. Smooth ground takes one or two bytes a node, none takes more than
//! [`MOST_BYTES_A_NODE`].

use crate::pb;
use rolima_math::{larger, smaller};
use rolima_spatial::Grid;

/// Heights are told in steps of this, m (an eighth of a millimetre), or of a power of two times
/// it where the terrain is higher than [`MOST_STEPS`] such steps (64 m). What is told is off by
/// half a step at most, at nodes and in between.
pub const QUANTUM: f64 = 1.0 / 8192.0;

/// Most steps between the lowest and the highest node.
pub const MOST_STEPS: f64 = 524_287.0;

/// Differences of [`MOST_STEPS`] from their guesses fit into this.
pub const MOST_BYTES_A_NODE: usize = 3;

/// Writes the heights of a grid into a message.
pub(crate) fn write(grid: &Grid, message: &mut pb::Terrain) {
    let lowest = grid.values.iter().copied().fold(f64::INFINITY, smaller);
    let highest = grid.values.iter().copied().fold(f64::NEG_INFINITY, larger);
    let mut quantum = QUANTUM;
    while (highest - lowest) / quantum > MOST_STEPS {
        quantum *= 2.0;
    }
    let steps = |z: f64| ((z - lowest) / quantum).round() as i32;
    let mut bytes = Vec::with_capacity(2 * grid.values.len());
    // Of the row before, and of this one.
    let (mut below, mut row) = (vec![0; grid.nx], vec![0; grid.nx]);
    for (j, values) in grid.values.chunks_exact(grid.nx).enumerate() {
        for (i, z) in values.iter().enumerate() {
            row[i] = steps(*z);
            push(&mut bytes, row[i] - guess(&below, &row, i, j));
        }
        std::mem::swap(&mut below, &mut row);
    }
    message.nx = grid.nx as u32;
    message.ny = grid.ny as u32;
    (message.lowest, message.quantum, message.heights) = (lowest, quantum, bytes.into());
}

/// The heights in a message, m, node (i, j) at j nx + i; nothing where its numbers contradict one
/// another.
pub fn read(message: &pb::Terrain) -> Option<Vec<f64>> {
    let (nx, ny) = (message.nx as usize, message.ny as usize);
    // A node has a byte at least, so no message makes a reader take memory without having it.
    if nx < 2 || ny < 2 || nx.checked_mul(ny)? > message.heights.len() {
        return None;
    }
    let mut bytes = message.heights.iter();
    let (mut below, mut row) = (vec![0_i32; nx], vec![0; nx]);
    let mut heights = Vec::with_capacity(nx * ny);
    for j in 0..ny {
        for i in 0..nx {
            row[i] = guess(&below, &row, i, j).checked_add(pull(&mut bytes)?)?;
            // Also keeps guesses from running over.
            if !(0..=MOST_STEPS as i32).contains(&row[i]) {
                return None;
            }
            heights.push(message.lowest + message.quantum * f64::from(row[i]));
        }
        std::mem::swap(&mut below, &mut row);
    }
    let whole = bytes.next().is_none() && heights.iter().all(|z| z.is_finite());
    whole.then_some(heights)
}

/// What the neighbours that are known already let one guess: the plane through them.
fn guess(below: &[i32], row: &[i32], i: usize, j: usize) -> i32 {
    match (i, j) {
        (0, _) => below[0],
        (_, 0) => row[i - 1],
        _ => row[i - 1] + below[i] - below[i - 1],
    }
}

fn push(bytes: &mut Vec<u8>, number: i32) {
    let mut rest = ((number << 1) ^ (number >> 31)) as u32;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

fn pull<'a>(bytes: &mut impl Iterator<Item = &'a u8>) -> Option<i32> {
    let mut number = 0;
    for k in 0..MOST_BYTES_A_NODE {
        let byte = *bytes.next()?;
        number |= u32::from(byte & 0x7f) << (7 * k);
        if byte < 0x80 {
            return Some((number >> 1) as i32 ^ -((number & 1) as i32));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(nx: usize, ny: usize, value: impl Fn(usize, usize) -> f64) -> (Grid, pb::Terrain) {
        let values = (0..nx * ny).map(|at| value(at % nx, at / nx)).collect();
        let grid = Grid { nx, ny, values };
        let mut message = pb::Terrain::default();
        write(&grid, &mut message);
        (grid, message)
    }

    fn farthest(grid: &Grid, message: &pb::Terrain) -> f64 {
        let read = read(message).expect("good heights");
        assert_eq!(read.len(), grid.values.len());
        let off = |(a, b): (&f64, &f64)| (a - b).abs();
        read.iter().zip(&grid.values).map(off).fold(0.0, f64::max)
    }

    #[test]
    fn heights_come_back_within_half_a_step_and_in_their_places() {
        // Lopsided, so that a swapped or a mirrored axis shows.
        let (grid, message) = told(7, 5, |i, j| 0.1 * i as f64 - 0.3 * (j * j) as f64 + 1000.0);
        assert_eq!(message.quantum, QUANTUM);
        assert!(farthest(&grid, &message) <= 0.5 * QUANTUM);
        let heights = read(&message).unwrap();
        assert!((heights[2 * 7 + 3] - (1000.0 + 0.3 - 1.2)).abs() < QUANTUM);
    }

    #[test]
    fn the_wildest_ground_takes_three_bytes_a_node_and_larger_steps() {
        let wild = |i: usize, j: usize| if (i + j).is_multiple_of(2) { -1e5 } else { 1e5 };
        let (grid, message) = told(64, 33, wild);
        assert!(message.heights.len() <= MOST_BYTES_A_NODE * 64 * 33);
        assert!(message.quantum < 2.0 * 2e5 / MOST_STEPS);
        assert!(farthest(&grid, &message) <= 0.5 * message.quantum);
        let (grid, message) = told(2000, 3, |_, _| 17.25);
        assert_eq!(message.heights.len(), 6000);
        assert_eq!(farthest(&grid, &message), 0.0);
    }

    #[test]
    fn messages_that_contradict_themselves_have_no_heights() {
        let (_, good) = told(4, 3, |i, j| (i * j) as f64);
        assert!(read(&good).is_some());
        let with = |change: fn(&mut pb::Terrain)| {
            let mut bad = good.clone();
            change(&mut bad);
            read(&bad)
        };
        let bytes = |change: fn(&mut Vec<u8>)| {
            let mut bytes = good.heights.to_vec();
            change(&mut bytes);
            read(&pb::Terrain { heights: bytes.into(), ..good.clone() })
        };
        assert_eq!(with(|m| m.nx = 1), None);
        assert_eq!(with(|m| (m.nx, m.ny) = (u32::MAX, u32::MAX)), None);
        assert_eq!(with(|m| m.ny = 2), None);
        assert_eq!(with(|m| m.quantum = f64::NAN), None);
        assert_eq!(bytes(|b| b.truncate(b.len() - 1)), None);
        assert_eq!(bytes(|b| b.push(0)), None);
        assert_eq!(bytes(|b| b[3] = 0x80), None);
        assert_eq!(bytes(|b| b.fill(0xff)), None);
        assert_eq!(bytes(|b| b.fill(1)), None, "below the lowest");
    }
}
