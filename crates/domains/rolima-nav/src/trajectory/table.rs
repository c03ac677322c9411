//! A path with times: built in place, looked up by time.
//!
//! Beyond the thesis, but for what it looks up: step (b) of the algorithm of 5.6 finds the lambda at
//! which s(lambda) = alpha, step (c) x, y and theta there. Here alpha is the way of the profile up to
//! a time, and [`TrajectoryPoint`] has the speeds beside the pose.

use super::leg::{AT, EMPTY, PARTS, Timed, WIDE, brake, lay, narrow, speed_up, within};
use super::profile::SpeedProfile;
use super::turning::{Turning, turning};
use crate::error::NavError;
use crate::path::{Leg, LegShape, MOST_LEGS, Path};
use rolima_math::{Pose2, larger, smaller};
use serde::{Deserialize, Serialize};

/// Most that the turning rate may jump where two legs meet with different curvature, rad/s.
const TURNING_JUMP: f64 = 1.5;

/// What is wanted at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrajectoryPoint {
    /// Where to be.
    pub pose: Pose2,
    /// Speed along the heading, m/s; negative backwards.
    pub v: f64,
    /// Turning, rad/s.
    pub omega: f64,
    /// Change of `v`, m/s2.
    pub dv: f64,
    /// Change of `omega`, rad/s2.
    pub domega: f64,
    /// Parameter on the path.
    pub parameter: f64,
}

/// A path with a profile of speeds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trajectory {
    path: Path,
    timed: [Timed; MOST_LEGS],
    duration: f64,
    length: f64,
    /// The speed that was asked for at the end, m/s.
    last: f64,
    smooth: bool,
}

impl Default for Trajectory {
    fn default() -> Self {
        Self {
            path: Path::default(),
            timed: [EMPTY; MOST_LEGS],
            duration: 0.0,
            length: 0.0,
            last: 0.0,
            smooth: true,
        }
    }
}

impl Trajectory {
    /// Times a path anew, from a speed along the way to another, m/s, both at least zero.
    pub fn time(
        &mut self,
        path: &Path,
        profile: &SpeedProfile,
        first: f64,
        last: f64,
    ) -> Result<(), NavError> {
        self.time_turning(path, profile, first, 0.0, last)
    }

    /// As [`Trajectory::time`], where the robot already turns, rad/s: a turn on the spot at the
    /// path's start goes on from there.
    ///
    /// A first speed that cannot be braked down to what the path allows is braked as hard as the
    /// limits permit; the path is then taken too fast, as it must.
    pub fn time_turning(
        &mut self,
        path: &Path,
        profile: &SpeedProfile,
        first: f64,
        rate: f64,
        last: f64,
    ) -> Result<(), NavError> {
        if !(first.is_finite() && last.is_finite() && rate.is_finite()) {
            return Err(NavError::NotFinite);
        }
        if first < 0.0 || last < 0.0 {
            return Err(NavError::NegativeSpeed);
        }
        self.path = *path;
        self.duration = 0.0;
        self.length = 0.0;
        self.last = last;
        self.smooth = true;
        let legs = path.legs();
        // Squares of the speeds at which legs meet.
        let mut joints = [0.0; MOST_LEGS + 1];
        for i in 1..legs.len() {
            joints[i] = joint(&legs[i - 1], &legs[i]);
        }
        if let Some(end) = joints.get_mut(legs.len()) {
            *end = last * last;
        }
        joints[0] = first * first;
        // Backwards over the legs, so that each begins no faster than the rest can brake.
        for i in (0..legs.len()).rev() {
            let timed = &mut self.timed[i];
            lay(timed, &legs[i], profile);
            if matches!(legs[i].shape, LegShape::Turn { .. }) {
                joints[i] = if i == 0 { joints[0] } else { 0.0 };
                continue;
            }
            let end = smaller(joints[i + 1], timed.points.fastest[PARTS]);
            let begin = brake(timed, profile, end);
            if i > 0 {
                joints[i] = smaller(joints[i], begin);
            } else {
                let jump = (first * timed.curvature[0] - rate).abs();
                self.smooth = joints[0] <= begin * (1.0 + 1e-9) && jump <= TURNING_JUMP;
            }
        }
        let mut square = joints[0];
        for i in 0..legs.len() {
            let timed = &mut self.timed[i];
            if let LegShape::Turn { by, .. } = legs[i].shape {
                let own = if by < 0.0 { -rate } else { rate };
                let turning = if i == 0 { larger(own, 0.0) } else { 0.0 };
                timed.turn = Turning::new(by.abs(), turning, profile.turn());
                if i == 0 {
                    let brakes = timed.turn.brake <= timed.turn.change;
                    self.smooth = first == 0.0 && own >= -TURNING_JUMP && brakes;
                }
                timed.duration = timed.turn.duration(by.abs());
                square = 0.0;
            } else {
                square = speed_up(timed, profile, square);
            }
            self.duration += timed.duration;
            self.length += timed.arc_length[PARTS];
        }
        Ok(())
    }

    /// Whether what was read back can be gone along: numbers may be any.
    pub fn fits(&self) -> bool {
        self.path.fits()
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How long it takes, s.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// Whether it goes on from the speed and the turning that it was given: no faster than can be
    /// braked for what comes, and with no jump of the turning beyond 1.5 rad/s; a turn on the spot from
    /// rest, and at no rate that is too fast for it or much against it. One that does not looks quicker
    /// than it is.
    pub fn is_smooth(&self) -> bool {
        self.smooth
    }

    /// How long the path is, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// What is wanted at a time from the start, s; afterwards the end, with the speed asked for there.
    /// None for an empty path.
    pub fn at(&self, time: f64) -> Option<TrajectoryPoint> {
        let last = self.path.legs().len().checked_sub(1)?;
        let mut left = larger(time, 0.0);
        let mut index = 0;
        while index < last && left >= self.timed[index].duration {
            left -= self.timed[index].duration;
            index += 1;
        }
        let leg = &self.path.legs()[index];
        let timed = &self.timed[index];
        if left >= timed.duration {
            let parameter = index as f64 + 1.0;
            let pose = leg.pose(1.0);
            // Passed through, it goes on at the speed asked for; never faster, even where it could
            // not be braked.
            let stands = matches!(leg.shape, LegShape::Turn { .. });
            let v = if stands { 0.0 } else { smaller(timed.speed[PARTS], self.last) };
            let sign = if leg.backwards { -1.0 } else { 1.0 };
            let omega = v * timed.curvature[PARTS];
            return Some(TrajectoryPoint {
                pose,
                v: sign * v,
                omega,
                dv: 0.0,
                domega: 0.0,
                parameter,
            });
        }
        Some(match leg.shape {
            LegShape::Turn { by, .. } => turning(leg, timed, by, left, index),
            _ => driving(leg, timed, left, index),
        })
    }
}

/// Square of the largest speed from one leg into the next.
fn joint(before: &Leg, after: &Leg) -> f64 {
    let stops = |leg: &Leg| matches!(leg.shape, LegShape::Turn { .. });
    if stops(before) || stops(after) || before.backwards != after.backwards {
        return 0.0;
    }
    let kink = before.pose(1.0).rotation.x_axis().dot(after.pose(0.0).rotation.x_axis());
    if kink < 1.0 - 1e-6 {
        return 0.0;
    }
    let jump = (before.curvature(1.0) - after.curvature(0.0)).abs();
    let v = TURNING_JUMP / larger(jump, 1e-9);
    v * v
}

/// The curvature at a leg's own parameter, as the speeds of its interval took it: the very peak of a
/// bend that is narrow against the interval would ask for any turning.
fn bend(leg: &Leg, own: f64, interval: usize, gap: f64) -> f64 {
    let k = leg.curvature(own);
    match leg.shape {
        LegShape::Cubic(curve) if k.abs() * gap > WIDE => within(k, narrow(&curve, interval, gap)),
        _ => k,
    }
}

fn driving(leg: &Leg, timed: &Timed, time: f64, index: usize) -> TrajectoryPoint {
    // Times are sorted: the interval by halving.
    let (mut low, mut high) = (0, PARTS);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if timed.time[middle] <= time { low = middle } else { high = middle }
    }
    let (from, to) = (timed.speed[low], timed.speed[high]);
    let span = larger(timed.time[high] - timed.time[low], 1e-12);
    let gap = timed.arc_length[high] - timed.arc_length[low];
    let passed = smaller(larger(time - timed.time[low], 0.0), span);
    let a = (to - from) / span;
    let v = from + a * passed;
    let arc_length = smaller(from * passed + 0.5 * a * passed * passed, gap);
    let own = match leg.shape {
        LegShape::Cubic(curve) => {
            // Newton's steps on the arc length within the interval, which brackets the answer.
            let (start, end) = (AT[low], AT[high]);
            let mut at = start + (end - start) * if gap > 0.0 { arc_length / gap } else { 1.0 };
            for _ in 0..2 {
                let miss = crate::path::length::rule(&curve, start, at) - arc_length;
                let speed = larger(curve.derivative(at).length(), 1e-12);
                at = smaller(larger(at - miss / speed, start), end);
            }
            at
        }
        _ => larger(
            (timed.arc_length[low] + arc_length) / larger(timed.arc_length[PARTS], 1e-12),
            0.0,
        ),
    };
    let own = smaller(own, 1.0);
    let k = bend(leg, own, low, gap);
    let change = timed.change[low];
    let sign = if leg.backwards { -1.0 } else { 1.0 };
    TrajectoryPoint {
        pose: leg.pose(own),
        v: sign * v,
        omega: k * v,
        dv: sign * a,
        domega: k * a + change * v * v,
        parameter: index as f64 + own,
    }
}
