//! The points of a rim at which contacts are searched.

use rolima_math::{cos, sin};

/// Directions of a rim's points and between them.
#[derive(Clone, Debug)]
pub(crate) struct Rim {
    pub(crate) slices: usize,
    /// Sine, cosine and tangent of each slice's angle.
    pub(crate) sin: Vec<f64>,
    pub(crate) cos: Vec<f64>,
    pub(crate) tan: Vec<f64>,
    /// Cosine and sine of half steps, from -90 degrees.
    pub(crate) half: Vec<[f64; 2]>,
    /// 1 / (2 sin step), 1 / (2 (1 - cos step)) and tan step.
    pub(crate) refine: [f64; 3],
}

impl Rim {
    pub(crate) fn new(slices: usize) -> Self {
        let quarter = core::f64::consts::FRAC_PI_2;
        let step = 2.0 * quarter / (slices - 1) as f64;
        // The middle slice is straight below the hub, exactly.
        let angle = |i: usize, half_steps: usize| (i as f64 - half_steps as f64) * step;
        let middle = (slices - 1) / 2;
        let angles: Vec<f64> = (0..slices).map(|i| angle(i, middle)).collect();
        Self {
            slices,
            sin: angles.iter().map(|&a| sin(a)).collect(),
            cos: angles.iter().map(|&a| cos(a)).collect(),
            tan: angles.iter().map(|&a| sin(a) / cos(a)).collect(),
            half: (0..2 * slices - 1)
                .map(|j| {
                    let a = 0.5 * angle(j, 2 * middle);
                    [cos(a), sin(a)]
                })
                .collect(),
            refine: [0.5 / sin(step), 0.5 / (1.0 - cos(step)), sin(step) / cos(step)],
        }
    }
}
