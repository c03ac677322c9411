//! Colours and light of the terrain's nodes. Pixels take the mean of the four nodes around them.

use crate::paint::{Colour, Daylight, TextureId};
use crate::pose::{Point3, dot, unit_or};
use rolima_math::random::mix;
use rolima_spatial::{Grid, Terrain};

/// Grass, from lush to dry, earth and rock. All are more colourful than a road.
const LUSH: [f64; 3] = [86.0, 134.0, 44.0];
const DRY: [f64; 3] = [150.0, 160.0, 66.0];
const EARTH: [f64; 3] = [158.0, 116.0, 66.0];
const ROCK: [f64; 3] = [134.0, 104.0, 70.0];
/// What slippery and what rough patches look like.
const ICE: [f64; 3] = [206.0, 222.0, 236.0];
const GRIPPY: [f64; 3] = [96.0, 66.0, 44.0];

/// Slopes (tangents) at which earth begins to show through grass, and rock through earth.
const EARTH_FROM: f64 = 0.42;
const ROCK_FROM: f64 = 0.85;

/// How rough ground looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LandPaint {
    /// Its colour; none: grass on gentle slopes, earth on steeper ones, rock on the steepest.
    pub colour: Option<Colour>,
    /// What covers it, and how many metres one copy of the texture has along x and y.
    pub texture: Option<(TextureId, [f64; 2])>,
}

/// The nodes of a terrain, ready to be coloured with.
#[derive(Clone, Debug)]
pub(crate) struct LandLook {
    /// Nodes along x and y.
    pub(crate) nodes: [usize; 2],
    /// Red | green << 8 | blue << 16 | how much of the sun reaches the node << 24.
    pub(crate) words: Vec<u32>,
}

impl LandLook {
    pub(crate) fn new(terrain: &Terrain, paint: &LandPaint, daylight: &Daylight) -> Self {
        let grid = &terrain.spec().heights;
        let tints = (0..grid.nx * grid.ny).map(|at| {
            let normal = normal(terrain, grid, at);
            let colour = tint(terrain, grid, at, normal, paint);
            // `as` saturates.
            let [r, g, b] = colour.map(|x| u32::from((x + 0.5) as u8));
            r | g << 8 | b << 16
        });
        let mut look = Self { nodes: [grid.nx, grid.ny], words: tints.collect() };
        look.light(terrain, daylight);
        look
    }

    /// Works out the light anew.
    pub(crate) fn light(&mut self, terrain: &Terrain, daylight: &Daylight) {
        let (grid, sun) = (&terrain.spec().heights, daylight.sun_direction());
        for (at, word) in self.words.iter_mut().enumerate() {
            let share = Daylight::sun_share(dot(normal(terrain, grid, at), sun));
            *word = (*word & 0x00FF_FFFF) | u32::from((share * 255.0 + 0.5) as u8) << 24;
        }
    }
}

/// Unit normal at a node, from its four neighbours.
fn normal(terrain: &Terrain, grid: &Grid, at: usize) -> Point3 {
    let (i, j) = (at % grid.nx, at / grid.nx);
    let cell = terrain.cell();
    let slope = |low: usize, high: usize, steps: usize, size: f64| {
        (grid.values[high] - grid.values[low]) / (steps as f64 * size)
    };
    let (left, right) = (i.saturating_sub(1), (i + 1).min(grid.nx - 1));
    let (below, above) = (j.saturating_sub(1), (j + 1).min(grid.ny - 1));
    let row = j * grid.nx;
    let x = slope(row + left, row + right, right - left, cell.x);
    let y = slope(below * grid.nx + i, above * grid.nx + i, above - below, cell.y);
    unit_or([-x, -y, 1.0], [0.0, 0.0, 1.0])
}

/// Colour of a node in full light.
fn tint(terrain: &Terrain, grid: &Grid, at: usize, normal: Point3, paint: &LandPaint) -> [f64; 3] {
    let (cell, min) = (terrain.cell(), terrain.spec().min);
    let x = min.x + (at % grid.nx) as f64 * cell.x;
    let y = min.y + (at / grid.nx) as f64 * cell.y;
    let own = match paint.colour {
        // Its own colour, a little darker where it is steep.
        Some(colour) => {
            let shade = 0.94 + 0.1 * noise(x / 5.0, y / 5.0, 73) - 0.3 * (1.0 - normal[2]);
            colour.map(|c| f64::from(c) * shade)
        }
        None => {
            let slope = (1.0 - normal[2] * normal[2]).max(0.0).sqrt() / normal[2].max(1e-6);
            let (wide, narrow) = (noise(x / 7.0, y / 7.0, 71), noise(x / 1.3, y / 1.3, 72));
            let grass = blend(LUSH, DRY, 0.15 + 0.55 * wide + 0.2 * narrow);
            let steep = slope + 0.22 * (0.6 * wide + 0.4 * narrow - 0.5);
            let earth = blend(grass, EARTH, (steep - EARTH_FROM) / 0.25);
            let ground = blend(earth, ROCK, (steep - ROCK_FROM) / 0.4);
            ground.map(|c| c * (0.92 + 0.16 * narrow))
        }
    };
    let friction = terrain.friction(x, y);
    if friction < 1.0 {
        blend(own, ICE, 0.9 * (1.0 - friction))
    } else {
        blend(own, GRIPPY, 0.5 * (friction - 1.0))
    }
}

fn blend(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    let t = t.clamp(0.0, 1.0);
    [0, 1, 2].map(|i| a[i] + (b[i] - a[i]) * t)
}

/// Smooth noise of the plane in [0, 1).
fn noise(x: f64, y: f64, seed: u64) -> f64 {
    let (i, j) = (x.floor(), y.floor());
    let random = |di: f64, dj: f64| {
        let key = mix(mix(((i + di) as i64 as u64) ^ mix(seed)) ^ ((j + dj) as i64 as u64));
        (key >> 11) as f64 / 9_007_199_254_740_992.0
    };
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let (u, v) = (smooth(x - i), smooth(y - j));
    let low = random(0.0, 0.0) * (1.0 - u) + random(1.0, 0.0) * u;
    let high = random(0.0, 1.0) * (1.0 - u) + random(1.0, 1.0) * u;
    low * (1.0 - v) + high * v
}
