//! Seeded procedural hills: octaves of smooth lattice noise.

use super::{Edge, Grid, TerrainSpec};
use rolima_check::{self as check, ModelError};
use rolima_math::{Vec2, random::mix};

/// Hills out of a seed: the same ones everywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hills {
    /// Key of the hills.
    pub seed: u64,
    /// Side of the square terrain, m, centred at the origin.
    pub size: f64,
    /// Nodes along each side.
    pub nodes: usize,
    /// Height of the largest hills above and below zero, m.
    pub amplitude: f64,
    /// Distance between the largest hills, m.
    pub wavelength: f64,
    /// How many times smaller hills are laid over them, each half as wide.
    pub octaves: u32,
    /// Height of each octave against the one before: 0.5 is rough, 0.3 smooth.
    pub roughness: f64,
    /// Radius of a level place in the middle, m, where vehicles can start; 0 for none.
    pub clearing: f64,
}

impl Default for Hills {
    fn default() -> Self {
        Self {
            seed: 1,
            size: 40.0,
            nodes: 256,
            amplitude: 1.0,
            wavelength: 10.0,
            octaves: 4,
            roughness: 0.4,
            clearing: 0.0,
        }
    }
}

impl Hills {
    /// The terrain of these hills.
    pub fn terrain(&self) -> Result<TerrainSpec, ModelError> {
        check::within("terrain.hills.size", self.size, 0.1, 1e5)?;
        check::within("terrain.hills.amplitude", self.amplitude, 0.0, 1e4)?;
        check::within("terrain.hills.wavelength", self.wavelength, self.size * 1e-4, 1e6)?;
        check::within("terrain.hills.roughness", self.roughness, 0.0, 1.0)?;
        check::within("terrain.hills.clearing", self.clearing, 0.0, self.size)?;
        check::within("terrain.hills.nodes", self.nodes as f64, 2.0, 2048.0)?;
        check::within("terrain.hills.octaves", f64::from(self.octaves), 1.0, 12.0)?;
        let half = Vec2::new(0.5 * self.size, 0.5 * self.size);
        let height = |x: f64, y: f64| self.height(x, y);
        let mut spec = TerrainSpec::from_function(-half, half, self.nodes, self.nodes, height);
        spec.edge = Edge::Extended;
        let Grid { values, .. } = &mut spec.heights;
        values.iter_mut().for_each(|z| *z *= self.amplitude);
        Ok(spec)
    }

    /// Height at a point, m; neither size nor nodes count.
    pub fn at(&self, x: f64, y: f64) -> f64 {
        self.amplitude * self.height(x, y)
    }

    /// Height in parts of the amplitude.
    fn height(&self, x: f64, y: f64) -> f64 {
        let (mut sum, mut scale, mut width) = (0.0, 1.0, self.wavelength);
        for octave in 0..u64::from(self.octaves) {
            // Octaves are shifted against one another, so that their lattices do not coincide.
            let shift = 0.37 * octave as f64;
            sum += scale
                * noise(mix(self.seed ^ (octave << 32)), x / width + shift, y / width - shift);
            scale *= self.roughness;
            width *= 0.5;
        }
        if self.clearing > 0.0 {
            let distance = (x * x + y * y).sqrt() / self.clearing;
            sum *= fade((distance - 1.0).clamp(0.0, 1.0));
        }
        sum
    }
}

/// Smooth lattice noise from -1 to 1: random values at whole numbers, faded in between.
fn noise(key: u64, x: f64, y: f64) -> f64 {
    let (i, j) = (floor(x), floor(y));
    let (u, v) = (fade(x - i as f64), fade(y - j as f64));
    let value = |di: i64, dj: i64| {
        let (i, j) = (i.wrapping_add(di) as u64, j.wrapping_add(dj) as u64);
        let place = mix(key ^ i).wrapping_add(0x51_7C_C1_B7 ^ j);
        (mix(mix(place)) >> 11) as f64 * (2.0 / 9_007_199_254_740_992.0) - 1.0
    };
    let low = value(0, 0) * (1.0 - u) + value(1, 0) * u;
    let high = value(0, 1) * (1.0 - u) + value(1, 1) * u;
    low * (1.0 - v) + high * v
}

/// Largest whole number not above `x`; the least or the largest where there is none, as with a wavelength of
/// zero, which is asked for its heights before all errors of a scene are told.
fn floor(x: f64) -> i64 {
    let cut = x as i64;
    if cut as f64 > x { cut.saturating_sub(1) } else { cut }
}

/// From 0 to 1 with two derivatives that vanish at both ends.
fn fade(t: f64) -> f64 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_hills_again_and_another_one_others() {
        let hills = Hills { nodes: 64, ..Hills::default() };
        let again = hills.terrain().unwrap();
        assert_eq!(hills.terrain().unwrap(), again);
        let others = Hills { seed: 2, ..hills }.terrain().unwrap();
        assert_ne!(again, others);
        let z = &again.heights.values;
        let most = z.iter().fold(0.0f64, |m, z| m.max(z.abs()));
        assert!(most > 0.3 && most < 1.7, "{most}");
        let mean = z.iter().sum::<f64>() / z.len() as f64;
        assert!(mean.abs() < 0.3, "{mean}");
    }

    #[test]
    fn a_clearing_is_level() {
        let spec = Hills { clearing: 4.0, ..Hills::default() }.terrain().unwrap();
        let t = super::super::Terrain::new(spec).unwrap();
        assert_eq!(t.height(2.0, -2.0), 0.0);
    }
}
