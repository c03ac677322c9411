//! Recursive least squares (sections 4.2 and 4.3).
//!
//! Each coordinate is a linear function of its own n past values and the past inputs,
//!
//! ```text
//! x_k = sum alpha_i x_{k-i} + sum beta_i u^e_{k-i} + sum gamma_i u^d_{k-i},   i = 1..n
//! ```
//!
//! fitted recursively with forgetting: k = P x / (lambda + x' P x), theta += k (y - theta' x),
//! P = (P - k x' P) / lambda; lambda = 0.995, P = 1e6 I at first. Without known inputs (opponents,
//! the ball) the last two sums are left out.
//!
//! | here | thesis |
//! |---|---|
//! | [`Fit::order`], [`Fit::forgetting`] | n of 4.3, lambda of 4.2 |
//! | [`LeastSquares::parameters`] | theta of 4.2: alpha, beta, gamma of 4.3 |
//! | residual in `learn` | y - theta' **x** of 4.2: what J of equation 4.1 sums the squares of; forgetting weights those of k frames ago by lambda^k |
//! | past | **x** of 4.2 (equation 4.2) |
//! | none is kept: p stands for it | X of equation 4.3, as P = (X X')^-1 with the same weights |
//! | p, [`LeastSquares::trace`] | P of 4.2 and its trace |
//! | gain in `learn` | **k** of 4.2 |
//! | [`LeastSquares::predicted`] | theta' x, the estimate of 4.2 |
//! | inputs of [`LeastSquares::frame`] | u^e, u^d of 4.3 |
//! | [`PoseFit`](super::PoseFit) | x, y, theta of 4.3, theta normalised as in 4.3.1 |
//! | [`Fit::horizon`], [`Fit::most_error`], [`LeastSquares::error_after`], [`LeastSquares::ahead`], [`LeastSquares::estimate_status`] | beyond the thesis |
//!
//! Beyond the thesis: a standing robot excites nothing, and P would grow as 0.995^-k until rounding
//! ruins the fit, so its trace is bounded; the error of what fills a gap is predicted from how far
//! off gaps of the same length would have ended lately (`foresight`); and an unstable fit is not
//! trusted beyond the horizon.

use super::foresight::Foresight;
use super::{EstimateStatus, FURTHEST};
use crate::error::NavError;
use rolima_math::larger;
use serde::{Deserialize, Serialize};

/// Largest order n.
pub const MOST_ORDER: usize = 10;

/// Most parameters: past values and two inputs.
const MOST: usize = 3 * MOST_ORDER;

/// First diagonal of P (section 4.3).
const FIRST_COVARIANCE: f64 = 1e6;

/// How a fit is made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// How many past values n: 1 to [`MOST_ORDER`]. The thesis found 2 best of 2, 5 and 10.
    pub order: usize,
    /// Whether past inputs count.
    pub inputs: bool,
    /// Forgetting factor lambda, above 0 and at most 1.
    pub forgetting: f64,
    /// Frames that are filled before the robot is lost.
    pub horizon: u32,
    /// Predicted standard error above which it is lost earlier, in the coordinate's unit: m of a
    /// place, rad of a heading. (A [`PoseFit`](super::PoseFit) takes the heading's apart.)
    pub most_error: f64,
}

impl Default for Fit {
    /// The thesis's, with a horizon of 10 frames (0.3 s) or a decimetre.
    fn default() -> Self {
        Self { order: 2, inputs: true, forgetting: 0.995, horizon: 10, most_error: 0.1 }
    }
}

/// One coordinate's fit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LeastSquares {
    fit: Fit,
    count: usize,
    theta: [f64; MOST],
    p: [[f64; MOST]; MOST],
    /// Past values and inputs in the order of the parameters; newest first in each group.
    past: [f64; MOST],
    /// How many values the past has, up to the order.
    filled: usize,
    foresight: Foresight,
    missed: u32,
    seen: bool,
}

impl LeastSquares {
    /// A fit that begins as "goes on as it went": x_k = 2 x_{k-1} - x_{k-2}, no inputs.
    pub fn new(fit: Fit) -> Result<Self, NavError> {
        let good = (1..=MOST_ORDER).contains(&fit.order)
            && fit.forgetting > 0.0
            && fit.forgetting <= 1.0
            && fit.most_error > 0.0;
        if !good {
            return Err(NavError::BadLimit);
        }
        let mut new = Self {
            fit,
            count: if fit.inputs { 3 * fit.order } else { fit.order },
            theta: [0.0; MOST],
            p: [[0.0; MOST]; MOST],
            past: [0.0; MOST],
            filled: 0,
            foresight: Foresight::NEW,
            missed: 0,
            seen: false,
        };
        new.forget();
        Ok(new)
    }

    /// Whether what was read back is such a fit, and can go on.
    pub(super) fn fits(&self, fit: &Fit) -> bool {
        let count = if fit.inputs { 3 * fit.order } else { fit.order };
        self.fit == *fit && self.count == count && self.filled <= fit.order && self.foresight.fits()
    }

    /// Forgets all that was learnt, and knows the past still.
    fn forget(&mut self) {
        self.theta = [0.0; MOST];
        self.p = [[0.0; MOST]; MOST];
        if self.fit.order > 1 {
            (self.theta[0], self.theta[1]) = (2.0, -1.0);
        } else {
            self.theta[0] = 1.0;
        }
        for (i, row) in self.p.iter_mut().enumerate().take(self.count) {
            row[i] = FIRST_COVARIANCE;
        }
    }

    /// The parameters, alpha_1.. first, then beta and gamma.
    pub fn parameters(&self) -> &[f64] {
        &self.theta[..self.count]
    }

    /// Starts with other parameters, as many as there are; the thesis draws them at random.
    pub fn start_with(&mut self, parameters: &[f64]) -> Result<(), NavError> {
        if !parameters.iter().all(|&parameter| is_sane(parameter)) {
            return Err(NavError::NotFinite);
        }
        if parameters.len() != self.count {
            return Err(NavError::BadLimit);
        }
        self.theta[..self.count].copy_from_slice(parameters);
        Ok(())
    }

    /// Trace of P.
    pub fn trace(&self) -> f64 {
        (0..self.count).map(|i| self.p[i][i]).sum()
    }

    /// What the fit says for this frame, from the past alone.
    pub fn predicted(&self) -> f64 {
        let n = self.count;
        self.theta[..n].iter().zip(&self.past[..n]).map(|(a, b)| a * b).sum()
    }

    /// One frame: the measured value, if there is one, and the inputs (normalised voltages u^e,
    /// u^d) that hold from now on. Returns the value to use.
    ///
    /// A value that is no number, or beyond 1e6, counts as not measured; such inputs as going on as
    /// they were. Before the first measured value there is nothing to fit and nothing to fill: zero
    /// is returned, and [`LeastSquares::estimate_status`] says that it is lost.
    pub fn frame(&mut self, measured: Option<f64>, inputs: [f64; 2]) -> f64 {
        let measured = measured.filter(|&y| is_sane(y));
        if measured.is_some() && self.has_strayed() {
            // What filled a gap that was too long is no past to learn from.
            self.begin_again();
        }
        let order = self.fit.order;
        let ready = self.filled >= order;
        let predicted = if ready { self.predicted() } else { self.past[0] };
        // An unstable fit may run away; what it says is lost by then, but must stay a number.
        let predicted = if is_sane(predicted) { predicted } else { self.past[0] };
        if self.filled > 0 {
            let (alphas, rest) = self.theta[..self.count].split_at(order);
            let driven = rest.iter().zip(&self.past[order..]).map(|(a, b)| a * b).sum();
            self.foresight.go_on(alphas, driven);
        }
        let value = match measured {
            Some(y) => {
                if ready {
                    self.foresight.judge(y, order);
                    self.learn(y - predicted);
                }
                (self.missed, self.seen) = (0, true);
                y
            }
            None => {
                self.missed = self.missed.saturating_add(1);
                predicted
            }
        };
        self.remember(value, inputs);
        value
    }

    fn learn(&mut self, residual: f64) {
        let n = self.count;
        let mut px = [0.0; MOST];
        for i in 0..n {
            px[i] = (0..n).map(|j| self.p[i][j] * self.past[j]).sum();
        }
        let lambda = self.fit.forgetting;
        // x' P x is never below zero but by rounding.
        let under = lambda + larger((0..n).map(|i| self.past[i] * px[i]).sum(), 0.0);
        // The trace may grow back to where it began and no further.
        let bounded = self.trace() >= FIRST_COVARIANCE * n as f64 * lambda;
        let scale = if bounded { 1.0 } else { 1.0 / lambda };
        let mut sum = 0.0;
        for i in 0..n {
            let gain = px[i] / under;
            self.theta[i] += gain * residual;
            sum += self.theta[i];
            for j in i..n {
                let entry = (self.p[i][j] - gain * px[j]) * scale;
                self.p[i][j] = entry;
                self.p[j][i] = entry;
                sum += entry;
            }
        }
        if !sum.is_finite() {
            self.forget();
            return;
        }
        // Rounding must not make a variance negative.
        for i in 0..n {
            self.p[i][i] = larger(self.p[i][i], 1e-12);
        }
    }

    fn remember(&mut self, value: f64, inputs: [f64; 2]) {
        let (order, groups) = (self.fit.order, self.groups());
        shift(&mut self.past, order, groups, value, inputs);
        if !self.seen {
            // Nothing was measured yet: there is no value, and zero is a place like any other.
            self.past[..order].fill(0.0);
        } else if self.filled == 0 {
            // The first value stands for those before it.
            self.past[..order].fill(value);
            self.filled = 1;
            self.foresight.begin(value);
        } else {
            let measured = self.missed == 0;
            self.filled = (self.filled + usize::from(measured)).min(order);
            self.foresight.keep(value, measured);
        }
    }

    /// How many of value, left and right input the past has.
    fn groups(&self) -> usize {
        if self.fit.inputs { 3 } else { 1 }
    }

    /// Frames ahead of the last one, with inputs that go on as they are: for delays.
    pub fn ahead(&self, frames: u32) -> f64 {
        self.ahead_with(&[], frames)
    }

    /// Frames ahead of the last one. The inputs that [`LeastSquares::frame`] was told hold in the
    /// first of them; those given here hold in the frames after it, oldest first, and the last of
    /// all goes on.
    pub fn ahead_with(&self, inputs: &[[f64; 2]], frames: u32) -> f64 {
        let (order, n) = (self.fit.order, self.count);
        let mut past = self.past;
        let mut value = past[0];
        let mut inputs = inputs.iter();
        for _ in 0..frames.min(100) {
            value = self.theta[..n].iter().zip(&past[..n]).map(|(a, b)| a * b).sum();
            let next = inputs.next().copied().unwrap_or([f64::NAN; 2]);
            shift(&mut past, order, self.groups(), value, next);
        }
        if is_sane(value) { value } else { self.past[0] }
    }

    /// Predicted standard error of what is filled after so many frames, in the coordinate's unit (m,
    /// or rad of a heading): as far off as such gaps would have ended in the last second, less the
    /// noise of vision that was then looked at; after none, that noise. Infinite as long as nothing was foretold, or less was
    /// seen than the fit has past values. While a fit still learns a motion that begins, for some 60
    /// frames, it is further off than this says.
    pub fn error_after(&self, frames: u32) -> f64 {
        let order = self.fit.order;
        if self.filled < order {
            return f64::INFINITY;
        }
        self.foresight.error_after(frames, &self.theta[..order])
    }

    /// Whether a gap is longer than what is filled, or its end is known too badly.
    fn has_strayed(&self) -> bool {
        let error = || self.error_after(self.missed);
        self.missed > self.fit.horizon
            || (self.missed > 0 && error().is_finite() && error() > self.fit.most_error)
    }

    /// The next value that is measured stands for all before it.
    pub(super) fn begin_again(&mut self) {
        self.filled = 0;
    }

    /// Whether there is something to go by.
    pub fn estimate_status(&self) -> EstimateStatus {
        let lost = !self.seen
            || self.missed > self.fit.horizon
            || (self.missed > 0 && self.error_after(self.missed) > self.fit.most_error);
        match (lost, self.missed) {
            (true, _) => EstimateStatus::Lost,
            (false, 0) => EstimateStatus::Seen,
            (false, missed) => EstimateStatus::Filled(missed),
        }
    }
}

/// What a coordinate or an input can be.
pub(super) fn is_sane(value: f64) -> bool {
    value.abs() < FURTHEST
}

/// The past a frame later. Inputs that are no numbers go on as they were.
fn shift(past: &mut [f64; MOST], order: usize, groups: usize, value: f64, inputs: [f64; 2]) {
    for group in 0..groups {
        let start = group * order;
        let newest = match group {
            0 => value,
            input if is_sane(inputs[input - 1]) => inputs[input - 1],
            _ => past[start],
        };
        past.copy_within(start..start + order - 1, start + 1);
        past[start] = newest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_that_is_no_number_begins_again() {
        for spoilt in 0..3 {
            let mut fit = LeastSquares::new(Fit { inputs: false, ..Fit::default() }).unwrap();
            for k in 0..50 {
                fit.frame(Some(0.01 * f64::from(k)), [0.0; 2]);
            }
            match spoilt {
                0 => fit.theta[1] = f64::NAN,
                1 => fit.p[0][1] = f64::INFINITY,
                _ => fit.p[1][1] = f64::NAN,
            }
            for k in 50..80 {
                assert!(fit.frame(Some(0.01 * f64::from(k)), [0.0; 2]).is_finite());
            }
            assert!((fit.predicted() - 0.8).abs() < 1e-6, "{spoilt}: {:?}", fit.parameters());
            assert!(fit.trace().is_finite() && fit.error_after(3) < 1e-3);
        }
    }
}
