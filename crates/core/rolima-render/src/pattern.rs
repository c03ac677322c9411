//! Textures made by rule: the same on every machine, without image files.

use crate::texture::{TEXTURE_SIDE, Texture};
use rolima_math::random::mix;

/// A texture made by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Two by two light and dark squares.
    Checker,
    /// Eight courses of red bricks, four to a course.
    Brick,
    /// Meadow.
    Grass,
    /// Road surface, grey.
    Asphalt,
    /// Cast panels, light grey.
    Concrete,
    /// A wooden crate: planks within a frame, one copy a side.
    Crate,
    /// Wooden floor boards.
    Boards,
    /// Speckles of rough ground, nearly white: the ground's own colour shows through.
    Turf,
    /// Sand with ripples.
    Sand,
    /// Bare earth with pebbles.
    Earth,
    /// Lines around the copy and, fainter, at its quarters, on light grey: a ruler to drive on.
    Grid,
}

impl Pattern {
    /// The texture.
    pub fn texture(self) -> Texture {
        Texture::from_function(|x, y| match self {
            Self::Checker => [if (x / 128 + y / 128) % 2 == 0 { 255.0 } else { 150.0 }; 3],
            Self::Brick => brick(x, y),
            Self::Grass => grass(x, y),
            Self::Asphalt => asphalt(x, y),
            Self::Concrete => concrete(x, y),
            Self::Crate => wooden_crate(x, y),
            Self::Boards => boards(x, y),
            Self::Turf => turf(x, y),
            Self::Sand => sand(x, y),
            Self::Earth => earth(x, y),
            Self::Grid => grid(x, y),
        })
    }
}

/// A random number in [0, 1) for a lattice point.
fn random(x: usize, y: usize, seed: u64) -> f64 {
    let key = (x as u64) << 32 | y as u64;
    (mix(key ^ mix(seed)) >> 11) as f64 / 9_007_199_254_740_992.0
}

/// Smooth noise in [0, 1) that repeats with the texture: `cells` lattice cells along each axis.
fn noise(x: usize, y: usize, cells: [usize; 2], seed: u64) -> f64 {
    let place = |i: usize, cells: usize| {
        let at = (i * cells) as f64 / TEXTURE_SIDE as f64;
        let cell = at as usize;
        let t = at - cell as f64;
        (cell % cells, (cell + 1) % cells, t * t * (3.0 - 2.0 * t))
    };
    let ((x0, x1, u), (y0, y1, v)) = (place(x, cells[0]), place(y, cells[1]));
    let above = random(x0, y0, seed) * (1.0 - u) + random(x1, y0, seed) * u;
    let below = random(x0, y1, seed) * (1.0 - u) + random(x1, y1, seed) * u;
    above * (1.0 - v) + below * v
}

/// Noise of four sizes, each half as strong as the larger one, in [0, 1).
fn rough(x: usize, y: usize, cells: usize, seed: u64) -> f64 {
    let octave = |n: u64| noise(x, y, [cells << n; 2], seed + n) * [8.0, 4.0, 2.0, 1.0][n as usize];
    (octave(0) + octave(1) + octave(2) + octave(3)) / 15.0
}

fn blend(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

fn brick(x: usize, y: usize) -> [f64; 3] {
    let (course, v) = (y / 32, y % 32);
    let shifted = (x + course % 2 * 32) % TEXTURE_SIDE;
    let (column, u) = (shifted / 64, shifted % 64);
    let grain = rough(x, y, 16, 11);
    if u < 3 || v < 3 {
        return [196.0, 188.0, 176.0].map(|c| c * (0.86 + 0.2 * grain));
    }
    let own = random(column, course, 12);
    let colour = blend([150.0, 66.0, 48.0], [196.0, 100.0, 72.0], own);
    // The lower and right edges lie in their own shade.
    let edge = if u > 60 || v > 28 { 0.82 } else { 1.0 };
    colour.map(|c| c * edge * (0.78 + 0.4 * grain))
}

fn grass(x: usize, y: usize) -> [f64; 3] {
    let patch = rough(x, y, 4, 21);
    let blades = noise(x, y, [128, 64], 22) * 0.6 + random(x, y, 23) * 0.4;
    let colour = blend([62.0, 112.0, 34.0], [128.0, 168.0, 58.0], 0.25 + 0.5 * patch);
    colour.map(|c| c * (0.72 + 0.5 * blades))
}

fn asphalt(x: usize, y: usize) -> [f64; 3] {
    let stain = rough(x, y, 3, 31);
    let grain = random(x, y, 32) * 0.5 + noise(x, y, [128, 128], 33) * 0.5;
    [104.0, 105.0, 109.0].map(|c| c * (0.80 + 0.16 * stain + 0.22 * grain))
}

fn concrete(x: usize, y: usize) -> [f64; 3] {
    let stain = rough(x, y, 4, 41);
    let grain = random(x, y, 42);
    let (u, v) = (x % 128, y % 128);
    let joint = if u < 2 || v < 2 { 0.72 } else { 1.0 };
    [214.0, 210.0, 200.0].map(|c| c * joint * (0.82 + 0.2 * stain + 0.06 * grain))
}

fn sand(x: usize, y: usize) -> [f64; 3] {
    let dune = rough(x, y, 3, 71);
    // Ripples that bend: eight to a copy, shifted by what the dune is high.
    let wave = ((y * 8) as f64 / TEXTURE_SIDE as f64 + 2.0 * dune).fract();
    let ripple = 4.0 * wave * (1.0 - wave);
    let grain = random(x, y, 72);
    let colour = blend([190.0, 160.0, 112.0], [226.0, 200.0, 152.0], 0.3 + 0.5 * dune);
    colour.map(|c| c * (0.86 + 0.08 * ripple + 0.12 * grain))
}

fn earth(x: usize, y: usize) -> [f64; 3] {
    let patch = rough(x, y, 5, 81);
    let grain = random(x, y, 82) * 0.5 + noise(x, y, [64, 64], 83) * 0.5;
    let colour = blend([112.0, 84.0, 58.0], [164.0, 132.0, 96.0], patch);
    // Here and there a pebble.
    let pebble = noise(x, y, [40, 40], 84);
    let stone = ((pebble - 0.86) * 14.0).clamp(0.0, 1.0);
    let shade = 0.78 + 0.34 * grain;
    blend(colour.map(|c| c * shade), [176.0, 170.0, 160.0].map(|c| c * shade), 0.8 * stone)
}

fn grid(x: usize, y: usize) -> [f64; 3] {
    let rim = |i: usize| !(2..TEXTURE_SIDE - 2).contains(&i);
    let quarter = |i: usize| !(1..63).contains(&(i % 64));
    let shade = match () {
        () if rim(x) || rim(y) => 0.42,
        () if quarter(x) || quarter(y) => 0.84,
        () => 1.0,
    };
    let stain = rough(x, y, 4, 91);
    [200.0, 204.0, 208.0].map(|c| c * shade * (0.94 + 0.08 * stain))
}

/// Grain that runs along y for `along` true, along x otherwise.
fn wood(x: usize, y: usize, along: bool, seed: u64) -> f64 {
    let cells = if along { [64, 4] } else { [4, 64] };
    noise(x, y, cells, seed) * 0.6 + noise(x, y, cells.map(|c| c * 2), seed + 1) * 0.4
}

fn wooden_crate(x: usize, y: usize) -> [f64; 3] {
    let rim = x.min(y).min(255 - x).min(255 - y);
    let upright = x.min(255 - x) <= y.min(255 - y);
    let (along, shade) = match rim {
        0..=1 | 30..=33 => (upright, 0.55),
        2..=29 => (upright, 1.06),
        _ if (x - 34) % 47 < 3 => (true, 0.58),
        _ => (true, 0.9),
    };
    let colour = blend([168.0, 118.0, 62.0], [224.0, 178.0, 112.0], wood(x, y, along, 51));
    colour.map(|c| c * shade)
}

fn boards(x: usize, y: usize) -> [f64; 3] {
    let board = y / 32;
    let shade = if y % 32 < 2 || (x + board * 97) % 256 < 2 { 0.55 } else { 1.0 };
    let own = 0.85 + 0.2 * random(board, (x + board * 97) / 256, 61);
    let colour = blend([150.0, 104.0, 62.0], [206.0, 158.0, 102.0], wood(x, y, false, 62));
    colour.map(|c| c * shade * own)
}

fn turf(x: usize, y: usize) -> [f64; 3] {
    let patch = rough(x, y, 3, 81);
    let tuft = noise(x, y, [64, 64], 82) * 0.5 + noise(x, y, [128, 128], 83) * 0.5;
    let blade = random(x, y, 84);
    let light = 0.62 + 0.14 * patch + 0.22 * tuft + 0.14 * blade;
    // Dry tips are yellower than what lies in the shade between them.
    [255.0 * light, 255.0 * light, 236.0 * (light - 0.05 * tuft)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asphalt_is_grey_and_grass_is_not() {
        let (asphalt, grass) = (Pattern::Asphalt.texture(), Pattern::Grass.texture());
        let saturation = |[r, g, b]: [u8; 3]| {
            let (low, high) = (r.min(g).min(b), r.max(g).max(b));
            f64::from(high - low) / f64::from(high)
        };
        for i in 0..TEXTURE_SIDE * TEXTURE_SIDE {
            let (x, y) = (i % TEXTURE_SIDE, i / TEXTURE_SIDE);
            assert!(saturation(asphalt.pixel(x, y)) < 0.1);
            assert!(saturation(grass.pixel(x, y)) > 0.5);
        }
    }
}
