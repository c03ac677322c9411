//! How far off a filled value is: measured, not assumed.
//!
//! Beyond the thesis. A fit whose parameters are wrong is wrong in what it says of itself: its
//! residuals, carried on through its own response, are too large for a robot that stands or goes
//! straight, and too small where the course bends. Here every frame that is seen is also foretold as
//! if the last 1, 2, .. [`LONGEST`] had been missed, with the inputs that there were. What vision then
//! says against each is the error of a gap of that length, and of a sighting, whose noise is taken
//! off again.

use super::{FURTHEST, rls::MOST_ORDER};
use rolima_math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// Longest gap that is tried, in frames; longer ones go on from there by the fit's response.
const LONGEST: usize = 10;

/// Frames that are looked back on. More would know better how far off gaps of a steady motion are,
/// fewer how far off those of the motion now.
const WINDOW: usize = 20;

/// Frames of the past that are kept: those of the fit, and as many as a third difference takes.
const KEPT: usize = MOST_ORDER;

/// Mean square of the last numbers.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Ring {
    squares: [f64; WINDOW],
    next: usize,
    count: usize,
}

impl Ring {
    const EMPTY: Self = Self { squares: [0.0; WINDOW], next: 0, count: 0 };

    fn push(&mut self, number: f64) {
        self.squares[self.next] = number * number;
        self.next = (self.next + 1) % WINDOW;
        self.count = (self.count + 1).min(WINDOW);
    }

    /// Zero where there is none.
    fn mean(&self) -> f64 {
        self.squares[..self.count].iter().sum::<f64>() / larger(self.count as f64, 1.0)
    }
}

/// What the last frames say.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Foresight {
    /// `told[i][j]`: the value of i frames ago as it would have been filled, had the j frames up to it
    /// been missed; j = 0 is the one that was used.
    told: [[f64; LONGEST + 1]; KEPT],
    /// Errors of gaps of j + 1 frames against vision.
    errors: [Ring; LONGEST],
    /// Third differences of what was seen: of a motion that is smooth for four frames, noise alone.
    jumps: Ring,
    /// Frames since the past began.
    frames: usize,
    /// Which frames were seen, the newest in the lowest bit.
    seen: u32,
}

impl Foresight {
    pub(super) const NEW: Self = Self {
        told: [[0.0; LONGEST + 1]; KEPT],
        errors: [Ring::EMPTY; LONGEST],
        jumps: Ring::EMPTY,
        frames: 0,
        seen: 0,
    };

    /// Whether what was read back can go on.
    pub(super) fn fits(&self) -> bool {
        let ring = |ring: &Ring| ring.next < WINDOW && ring.count <= WINDOW;
        self.errors.iter().all(ring) && ring(&self.jumps)
    }

    /// The past begins with this value, which is seen. Errors of before still count.
    pub(super) fn begin(&mut self, value: f64) {
        self.told = [[value; LONGEST + 1]; KEPT];
        (self.frames, self.seen) = (1, 1);
    }

    /// A frame later: all gaps are a frame longer. `alphas` are what past values count, `driven` is
    /// what the inputs add.
    pub(super) fn go_on(&mut self, alphas: &[f64], driven: f64) {
        let mut next = [0.0; LONGEST + 1];
        for j in 0..LONGEST {
            let mut value = driven;
            for (i, alpha) in alphas.iter().enumerate() {
                value += alpha * self.told[i][j.saturating_sub(i)];
            }
            next[j + 1] = if value.abs() < FURTHEST { value } else { self.told[0][j] };
        }
        self.told.copy_within(0..alphas.len().max(4) - 1, 1);
        self.told[0] = next;
        self.seen <<= 1;
        self.frames = self.frames.saturating_add(1);
    }

    /// What this frame is measured as, before the fit of so many past values learns from it.
    pub(super) fn judge(&mut self, measured: f64, order: usize) {
        for (gap, ring) in (1..).zip(&mut self.errors) {
            // The frame before the gap was seen, and the past of the fit was there.
            if self.seen >> gap & 1 == 1 && self.frames >= gap + order {
                ring.push(measured - self.told[0][gap]);
            }
        }
        if self.seen & 0b1110 == 0b1110 {
            let [a, b, c] = [1, 2, 3].map(|i| self.told[i][0]);
            self.jumps.push(measured - 3.0 * (a - b) - c);
        }
    }

    /// The value that is used for this frame, and whether it was seen.
    pub(super) fn keep(&mut self, value: f64, seen: bool) {
        self.told[0][0] = value;
        self.seen |= u32::from(seen);
    }

    /// Standard error after a gap of so many frames, in the coordinate's unit, never less than after
    /// a shorter one; infinite where nothing was foretold yet. After none, the noise of vision.
    pub(super) fn error_after(&self, gap: u32, alphas: &[f64]) -> f64 {
        let gap = gap as usize;
        // A sighting's variance is at most what a step's error would have if that came from the noise
        // of vision alone, in the sighting and in the past. Third differences have 1 + 9 + 9 + 1 of it.
        let step = 1.0 + alphas.iter().map(|a| a * a).sum::<f64>();
        let noise = smaller(self.errors[0].mean() / step, self.jumps.mean() / 20.0);
        if gap == 0 {
            return noise.sqrt();
        }
        let (mut most, mut known) = (0.0, 0);
        for (j, ring) in (1..).zip(&self.errors) {
            if ring.count == 0 {
                continue;
            }
            // Looks at gaps that overlap say little more than one: few of them are less certain.
            let doubt = 1.0 + 2.0 * j as f64 / ring.count as f64;
            most = larger(most, larger(ring.mean() - noise, 0.0) * doubt);
            known = j;
            if j >= gap {
                break;
            }
        }
        if known == 0 {
            return f64::INFINITY;
        }
        let growth = if gap > known { growth(alphas, known, gap) } else { 1.0 };
        smaller(most * growth, f64::MAX).sqrt()
    }
}

/// How much larger the variance is after a gap of `to` frames than after one of `from`, by the fit's
/// response to one error a frame.
fn growth(alphas: &[f64], from: usize, to: usize) -> f64 {
    let mut response = [0.0; MOST_ORDER];
    response[0] = 1.0;
    let (mut sum, mut first) = (0.0_f64, 1.0);
    for frame in 1..=to.min(1000) {
        sum += response[0] * response[0];
        if frame == from {
            first = sum;
        }
        if sum.is_nan() || sum > 1e24 {
            return 1e24;
        }
        let next: f64 = alphas.iter().zip(&response).map(|(a, r)| a * r).sum();
        response.copy_within(0..MOST_ORDER - 1, 1);
        response[0] = next;
    }
    sum / first
}
