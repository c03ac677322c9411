//! A rolling ball: position and velocity from noisy positions, slowed by a constant deceleration.
//!
//! Beyond the thesis, all of it: it has the ball followed by least squares, as robots are.
//!
//! A Kalman filter with two states an axis; both axes have the same covariance. Least squares
//! ([`super::rls`]) fill gaps of a ball as well, but where it will be in a second takes a velocity.

use super::{EstimateStatus, is_place};
use crate::error::NavError;
use rolima_math::{Vec2, larger, smaller};
use serde::{Deserialize, Serialize};

/// How a ball rolls and how it is seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RollingNoise {
    /// Standard error of measured positions, m.
    pub position: f64,
    /// How far the velocity strays in a second, m/s; over another time as its root.
    pub velocity: f64,
    /// Deceleration while it rolls, m/s2 (0.10 in the soccer scenes).
    pub deceleration: f64,
    /// Innovations beyond so many standard errors mean a kick.
    pub gate: f64,
    /// For how long gaps are filled before the ball is lost, s.
    pub horizon: f64,
}

impl Default for RollingNoise {
    fn default() -> Self {
        Self { position: 0.002, velocity: 0.058, deceleration: 0.1, gate: 5.0, horizon: 0.45 }
    }
}

/// Longest time, s, over which a ball is followed: all have rolled out by then.
pub const LONGEST: f64 = 1e6;

/// The filter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rolling {
    noise: RollingNoise,
    period: f64,
    /// Frames that are filled before the ball is lost.
    horizon: u32,
    position: Vec2,
    velocity: Vec2,
    /// Covariance of position and velocity of an axis: pp, pv, vv.
    p: [f64; 3],
    missed: u32,
    seen: bool,
}

impl Rolling {
    /// For a frame period, s.
    pub fn new(period: f64, noise: RollingNoise) -> Result<Self, NavError> {
        let positive = [period, noise.position, noise.velocity, noise.gate, noise.horizon];
        let all_good = positive.iter().all(|&x| x > 0.0 && x.is_finite())
            && noise.deceleration >= 0.0
            && noise.deceleration.is_finite();
        if !all_good {
            return Err(NavError::BadLimit);
        }
        let zero = Vec2::ZERO;
        Ok(Self {
            noise,
            period,
            horizon: super::frames_of(noise.horizon, period),
            position: zero,
            velocity: zero,
            p: [0.0; 3],
            missed: 0,
            seen: false,
        })
    }

    /// Whether it is for the same vision as another, and the same ball.
    pub fn is_like(&self, other: &Self) -> bool {
        let own = |one: &Self| (one.noise, one.period, one.horizon);
        own(self) == own(other)
    }

    /// One frame: the position seen, if any. One that is no number, or beyond
    /// [`FURTHEST`](super::FURTHEST), counts as not seen.
    pub fn frame(&mut self, seen: Option<Vec2>) {
        self.follow(seen.filter(|&p| is_place(p)));
        let sum = self.position + self.velocity;
        if !(sum.x + sum.y + self.p[0] + self.p[1] + self.p[2]).is_finite() {
            // Settings beyond all scale; what was known is lost.
            (self.seen, self.missed) = (false, 0);
            (self.position, self.velocity, self.p) = (Vec2::ZERO, Vec2::ZERO, [0.0; 3]);
        }
    }

    fn follow(&mut self, seen: Option<Vec2>) {
        if self.estimate_status() == EstimateStatus::Lost {
            if let Some(position) = seen {
                let r = self.noise.position * self.noise.position;
                *self = Self {
                    position,
                    velocity: Vec2::ZERO,
                    p: [r, 0.0, 1.0],
                    missed: 0,
                    seen: true,
                    ..*self
                };
            }
            return;
        }
        (self.position, self.velocity) = self.after(self.period);
        let h = self.period;
        let [pp, pv, vv] = self.p;
        let q = self.noise.velocity * self.noise.velocity * h;
        self.p = [pp + 2.0 * h * pv + h * h * (vv + 0.25 * q), pv + h * (vv + 0.5 * q), vv + q];
        let Some(position) = seen else {
            self.missed = self.missed.saturating_add(1);
            return;
        };
        self.missed = 0;
        let r = self.noise.position * self.noise.position;
        let miss = position - self.position;
        if miss.length_squared() > self.noise.gate * self.noise.gate * (self.p[0] + r) {
            // A kick: the velocity is new.
            self.p = [self.p[0] + 0.01, self.p[1], self.p[2] + 1.0];
        }
        let [pp, pv, vv] = self.p;
        let spread = pp + r;
        self.position += miss * (pp / spread);
        self.velocity += miss * (pv / spread);
        self.p = [pp * r / spread, pv * r / spread, larger(vv - pv * pv / spread, 0.0)];
    }

    /// Whether there is something to go by.
    pub fn estimate_status(&self) -> EstimateStatus {
        match (self.seen, self.missed) {
            (true, 0) => EstimateStatus::Seen,
            (true, n) if n <= self.horizon => EstimateStatus::Filled(n),
            _ => EstimateStatus::Lost,
        }
    }

    /// Position, m, and velocity, m/s, at the last frame.
    pub fn motion(&self) -> (Vec2, Vec2) {
        (self.position, self.velocity)
    }

    /// Position and velocity so many seconds after the last frame; it rolls out and stands. A time
    /// that is no number counts as none, and none is longer than [`LONGEST`] either way.
    pub fn after(&self, time: f64) -> (Vec2, Vec2) {
        let time = if time.is_nan() { 0.0 } else { time.clamp(-LONGEST, LONGEST) };
        let speed = self.velocity.length();
        let slow = self.noise.deceleration;
        let rolls = if slow > 0.0 { smaller(time, speed / slow) } else { time };
        let course = self.velocity.unit_or(Vec2::ZERO);
        let distance = speed * rolls - 0.5 * slow * rolls * rolls;
        (self.position + course * distance, course * larger(speed - slow * rolls, 0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::{Stream, normal_quantile};

    #[test]
    fn where_a_ball_will_be_in_a_second_is_known_to_centimetres() {
        let mut random = Stream::new(1, 0, "ball");
        let mut ball = Rolling::new(0.03, RollingNoise::default()).unwrap();
        let truth = |t: f64| Vec2::new(-0.5 + 0.4 * t - 0.05 * t * t, 0.1);
        for k in 0..40 {
            let mut noise = || 0.002 * normal_quantile(random.between(1e-12, 1.0));
            let seen = truth(0.03 * f64::from(k)) + Vec2::new(noise(), noise());
            ball.frame(Some(seen));
        }
        let ahead = ball.after(1.0).0 - truth(0.03 * 39.0 + 1.0);
        assert!(ahead.length() < 0.05, "{ahead:?}");
        for _ in 0..15 {
            ball.frame(None);
        }
        assert_eq!(ball.estimate_status(), EstimateStatus::Filled(15));
        ball.frame(None);
        assert_eq!(ball.estimate_status(), EstimateStatus::Lost);
    }

    #[test]
    fn what_is_told_beyond_all_scale_is_not_seen() {
        let mut ball = Rolling::new(0.03, RollingNoise::default()).unwrap();
        for bad in [f64::NAN, f64::INFINITY, 1e300, -1e6] {
            for k in 0..60 {
                ball.frame(Some(Vec2::new(0.01 * f64::from(k), 0.0)));
            }
            let (at, v) = ball.motion();
            ball.frame(Some(Vec2::new(bad, 0.0)));
            assert_eq!(ball.estimate_status(), EstimateStatus::Filled(1), "{bad}");
            let (then, _) = ball.motion();
            assert!((then - at - v * 0.03).length() < 1e-3, "{bad}: {then:?}");
        }
        for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            let (p, v) = ball.after(time);
            assert!(p.is_finite() && v.is_finite(), "{time}: {p:?}, {v:?}");
        }
        assert_eq!(ball.after(f64::NAN), ball.motion());
    }

    #[test]
    fn settings_whose_squares_overflow_lose_the_ball() {
        let huge = RollingNoise { position: 1e200, velocity: 1e200, ..RollingNoise::default() };
        let mut ball = Rolling::new(0.03, huge).unwrap();
        for k in 0..20 {
            ball.frame(Some(Vec2::new(0.01 * f64::from(k), 0.0)));
            let ((p, v), (q, w)) = (ball.motion(), ball.after(5.0));
            assert!(p.is_finite() && v.is_finite() && q.is_finite() && w.is_finite());
        }
        assert_eq!(ball.estimate_status(), EstimateStatus::Lost);
    }

    #[test]
    fn a_ball_rolls_out_after_v_squared_over_two_a() {
        let mut ball = Rolling::new(0.03, RollingNoise::default()).unwrap();
        for k in 0..60 {
            ball.frame(Some(Vec2::new(0.01 * f64::from(k), 0.0)));
        }
        let (at, v) = ball.motion();
        let (end, still) = ball.after(100.0);
        let expected = v.length_squared() / 0.2;
        assert!(((end - at).length() - expected).abs() < 1e-9 && still == Vec2::ZERO);
    }
}
