//! Turns on the spot: the first and the last phase of section 5.2. Their rates are beyond the thesis.

use super::leg::Timed;
use super::table::TrajectoryPoint;
use crate::path::Leg;
use rolima_math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// A turn on the spot: from a rate up to a top one, along it, and down to rest.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Turning {
    /// Change of the rate on the way up, rad/s2.
    pub(super) change: f64,
    /// First rate, rad/s.
    pub(super) first: f64,
    /// Top rate, rad/s.
    pub(super) top: f64,
    /// Change of the rate on the way down, rad/s2: more than the limit only where the first rate
    /// leaves no choice.
    pub(super) brake: f64,
}

impl Turning {
    pub(super) fn new(angle: f64, first: f64, (change, rate): (f64, f64)) -> Self {
        // No angle, nothing to turn.
        if angle <= 0.0 {
            return Self { change, first: 0.0, top: 0.0, brake: change };
        }
        if first * first > 2.0 * change * angle {
            return Self { change, first, top: first, brake: first * first / (2.0 * angle) };
        }
        let peak = (angle * change + 0.5 * first * first).sqrt();
        let top = larger(smaller(rate, peak), first);
        Self { change, first, top, brake: change }
    }

    /// How long it takes to speed up, and to go along.
    fn parts(&self, angle: f64) -> (f64, f64) {
        if self.top <= 0.0 {
            return (0.0, 0.0);
        }
        let up = (self.top - self.first) / self.change;
        let risen = 0.5 * (self.top + self.first) * up;
        let fallen = self.top * self.top / (2.0 * self.brake);
        (up, larger(angle - risen - fallen, 0.0) / self.top)
    }

    pub(super) fn duration(&self, angle: f64) -> f64 {
        let (up, along) = self.parts(angle);
        up + along + self.top / self.brake
    }
}

/// What is wanted at a time of a turn.
pub(super) fn turning(
    leg: &Leg,
    timed: &Timed,
    by: f64,
    time: f64,
    index: usize,
) -> TrajectoryPoint {
    let t = &timed.turn;
    let angle = by.abs();
    let (up, along) = t.parts(angle);
    let (turned, omega, domega) = if time < up {
        (t.first * time + 0.5 * t.change * time * time, t.first + t.change * time, t.change)
    } else if time < up + along {
        (0.5 * (t.first + t.top) * up + t.top * (time - up), t.top, 0.0)
    } else {
        let left = larger(timed.duration - time, 0.0);
        (angle - 0.5 * t.brake * left * left, t.brake * left, -t.brake)
    };
    let sign = if by < 0.0 { -1.0 } else { 1.0 };
    let share = if angle > 0.0 { smaller(turned / angle, 1.0) } else { 1.0 };
    TrajectoryPoint {
        pose: leg.pose(share),
        v: 0.0,
        omega: sign * omega,
        dv: 0.0,
        domega: sign * domega,
        parameter: index as f64 + share,
    }
}
