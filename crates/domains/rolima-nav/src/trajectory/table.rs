//! A path with times: built in place, looked up by time.

use super::profile::{Point, Profile};
use crate::error::NavError;
use crate::path::{Cubic, Leg, MOST_LEGS, Path, Shape};
use rolima_math::{Pose2, larger, smaller};

/// Intervals of a leg.
const PARTS: usize = 20;

/// Nodes of a leg.
const NODES: usize = PARTS + 1;

/// Most that the turning rate may jump where two legs meet with different curvature, rad/s.
const TURNING_JUMP: f64 = 1.5;

/// What is wanted at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
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

/// A leg with its speeds.
#[derive(Clone, Copy, Debug)]
struct Timed {
    /// Way from the leg's start to each node, m.
    way: [f64; NODES],
    /// Square of the speed at each node; for a turn, unused.
    square: [f64; NODES],
    curvature: [f64; NODES],
    /// Time from the leg's start to each node, s.
    time: [f64; NODES],
    /// What holds at each node.
    points: [Point; NODES],
    /// The course of a turn on the spot.
    turn: Turning,
    duration: f64,
}

const EMPTY: Timed = Timed {
    way: [0.0; NODES],
    square: [0.0; NODES],
    curvature: [0.0; NODES],
    time: [0.0; NODES],
    points: [Point::NONE; NODES],
    turn: Turning { change: 1.0, first: 0.0, top: 0.0, brake: 1.0 },
    duration: 0.0,
};

/// A path with a profile of speeds.
#[derive(Clone, Debug)]
pub struct Trajectory {
    path: Path,
    timed: [Timed; MOST_LEGS],
    duration: f64,
    length: f64,
    /// The speed that was asked for at the end, m/s.
    last: f64,
}

impl Default for Trajectory {
    fn default() -> Self {
        Self {
            path: Path::default(),
            timed: [EMPTY; MOST_LEGS],
            duration: 0.0,
            length: 0.0,
            last: 0.0,
        }
    }
}

impl Trajectory {
    /// Times a path anew, from a speed along the way to another, m/s, both at least zero.
    pub fn time(
        &mut self,
        path: &Path,
        profile: &Profile,
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
        profile: &Profile,
        first: f64,
        turning: f64,
        last: f64,
    ) -> Result<(), NavError> {
        if !(first.is_finite() && last.is_finite() && turning.is_finite()) {
            return Err(NavError::NotFinite);
        }
        if first < 0.0 || last < 0.0 {
            return Err(NavError::BadLimit);
        }
        self.path = *path;
        self.duration = 0.0;
        self.length = 0.0;
        self.last = last;
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
            if matches!(legs[i].shape, Shape::Turn { .. }) {
                joints[i] = if i == 0 { joints[0] } else { 0.0 };
                continue;
            }
            let end = smaller(joints[i + 1], timed.points[PARTS].fastest);
            let begin = brake(timed, profile, end);
            if i > 0 {
                joints[i] = smaller(joints[i], begin);
            }
        }
        let mut square = joints[0];
        for i in 0..legs.len() {
            let timed = &mut self.timed[i];
            if let Shape::Turn { by, .. } = legs[i].shape {
                let own = if by < 0.0 { -turning } else { turning };
                let first = if i == 0 { larger(own, 0.0) } else { 0.0 };
                timed.turn = Turning::new(by.abs(), first, profile.turn());
                timed.duration = timed.turn.duration(by.abs());
                square = 0.0;
            } else {
                square = speed_up(timed, profile, square);
            }
            self.duration += timed.duration;
            self.length += timed.way[PARTS];
        }
        Ok(())
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How long it takes, s.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// How long the path is, m.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// What is wanted at a time from the start, s; afterwards the end, with the speed asked for there.
    /// None for an empty path.
    pub fn at(&self, time: f64) -> Option<Moment> {
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
            let stands = matches!(leg.shape, Shape::Turn { .. });
            let v = if stands { 0.0 } else { smaller(timed.square[PARTS].sqrt(), self.last) };
            let sign = if leg.backwards { -1.0 } else { 1.0 };
            let omega = v * timed.curvature[PARTS];
            return Some(Moment { pose, v: sign * v, omega, dv: 0.0, domega: 0.0, parameter });
        }
        Some(match leg.shape {
            Shape::Turn { by, .. } => turning(leg, timed, by, left, index),
            _ => driving(leg, timed, left, index),
        })
    }
}

/// Square of the largest speed from one leg into the next.
fn joint(before: &Leg, after: &Leg) -> f64 {
    let stops = |leg: &Leg| matches!(leg.shape, Shape::Turn { .. });
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

/// Bernstein weights (1-l)^2, 2 l (1-l), l^2 at a parameter.
const fn weights(l: f64) -> [f64; 3] {
    [(1.0 - l) * (1.0 - l), 2.0 * l * (1.0 - l), l * l]
}

/// Weights at three Gauss points of every interval, one array a weight so that loops vectorise.
const GAUSS: [[f64; 3 * PARTS]; 3] = {
    // Offset of the outer points from the middle of an interval of length 1.
    const OFF: f64 = 0.387_298_334_620_741_7;
    let mut table = [[0.0; 3 * PARTS]; 3];
    let mut i = 0;
    while i < 3 * PARTS {
        // The middle points first, then those before, then those after.
        let offset = if i < PARTS {
            0.0
        } else if i < 2 * PARTS {
            -OFF
        } else {
            OFF
        };
        let w = weights(((i % PARTS) as f64 + 0.5 + offset) / PARTS as f64);
        (table[0][i], table[1][i], table[2][i]) = (w[0], w[1], w[2]);
        i += 1;
    }
    table
};

/// Weights at the nodes.
const AT_NODES: [[f64; NODES]; 3] = {
    let mut table = [[0.0; NODES]; 3];
    let mut i = 0;
    while i < NODES {
        let w = weights(i as f64 / PARTS as f64);
        (table[0][i], table[1][i], table[2][i]) = (w[0], w[1], w[2]);
        i += 1;
    }
    table
};

/// Ways and curvatures of a curve's nodes: three Gauss points an interval, exact to degree five.
fn lay_curve(timed: &mut Timed, curve: &Cubic) {
    let (d0, d1, d2) = (curve.d0, curve.d1, curve.d2);
    let mut speeds = [0.0; 3 * PARTS];
    for i in 0..3 * PARTS {
        let [w0, w1, w2] = [GAUSS[0][i], GAUSS[1][i], GAUSS[2][i]];
        let x = w0 * d0.x + w1 * d1.x + w2 * d2.x;
        let y = w0 * d0.y + w1 * d1.y + w2 * d2.y;
        speeds[i] = (x * x + y * y).sqrt();
    }
    let share = 1.0 / (18.0 * PARTS as f64);
    let mut way = 0.0;
    timed.way[0] = 0.0;
    for j in 0..PARTS {
        let sum = 8.0 * speeds[j] + 5.0 * (speeds[PARTS + j] + speeds[2 * PARTS + j]);
        way += share * sum;
        timed.way[j + 1] = way;
    }
    // P' x P'' of a curve is of second degree, like P' itself.
    let bends = [d0.cross(d1), 0.5 * d0.cross(d2), d1.cross(d2)];
    for j in 0..NODES {
        let [w0, w1, w2] = [AT_NODES[0][j], AT_NODES[1][j], AT_NODES[2][j]];
        let x = w0 * d0.x + w1 * d1.x + w2 * d2.x;
        let y = w0 * d0.y + w1 * d1.y + w2 * d2.y;
        let bend = 2.0 * (w0 * bends[0] + w1 * bends[1] + w2 * bends[2]);
        let square = x * x + y * y;
        // At a cusp the curve stands still, and so must the robot: any large number will do.
        timed.curvature[j] = bend / (square * square.sqrt() + 1e-30);
    }
}

/// Ways and curvatures of the nodes, and what holds there.
fn lay(timed: &mut Timed, leg: &Leg, profile: &Profile) {
    match leg.shape {
        Shape::Turn { .. } => {
            timed.way[PARTS] = 0.0;
            return;
        }
        Shape::Arc { length, curvature, .. } => {
            for j in 0..NODES {
                timed.way[j] = length * j as f64 / PARTS as f64;
                timed.curvature[j] = curvature;
            }
            timed.points = [profile.point(curvature, 0.0, leg.backwards); NODES];
            return;
        }
        Shape::Cubic(curve) => {
            lay_curve(timed, &curve);
        }
    }
    // Of the changes of curvature on both sides of a node the larger counts.
    let mut before = 0.0;
    for j in 0..NODES {
        let after = if j < PARTS {
            let gap = larger(timed.way[j + 1] - timed.way[j], 1e-12);
            (timed.curvature[j + 1] - timed.curvature[j]) / gap
        } else {
            before
        };
        let change = if f64::abs(before) > f64::abs(after) { before } else { after };
        timed.points[j] = profile.point(timed.curvature[j], change, leg.backwards);
        before = after;
    }
}

/// The backward pass; the square of the speed at the leg's start.
fn brake(timed: &mut Timed, profile: &Profile, end: f64) -> f64 {
    let mut square = end;
    let mut v = square.sqrt();
    timed.square[PARTS] = square;
    for j in (0..PARTS).rev() {
        let gap = timed.way[j + 1] - timed.way[j];
        let brake = profile.acceleration(&timed.points[j + 1], v, -1.0);
        let before = smaller(square + 2.0 * brake * gap, timed.points[j].fastest);
        v = before.sqrt();
        // What the brakes can at the earlier node counts as well.
        let also = profile.acceleration(&timed.points[j], v, -1.0);
        let most = square + 2.0 * also * gap;
        square = before;
        if most < before {
            square = most;
            v = most.sqrt();
        }
        timed.square[j] = square;
    }
    square
}

/// The forward pass and the times; the square of the speed at the leg's end.
fn speed_up(timed: &mut Timed, profile: &Profile, first: f64) -> f64 {
    let mut square = first;
    let mut v = square.sqrt();
    let mut too_fast = first > timed.square[0];
    timed.square[0] = square;
    timed.time[0] = 0.0;
    let mut time = 0.0;
    for j in 0..PARTS {
        let gap = timed.way[j + 1] - timed.way[j];
        let gain = profile.acceleration(&timed.points[j], v, 1.0);
        let mut next = smaller(square + 2.0 * gain * gap, timed.square[j + 1]);
        let mut next_v = next.sqrt();
        // Less is left at the higher speed.
        let also = profile.acceleration(&timed.points[j + 1], next_v, 1.0);
        let most = square + 2.0 * also * gap;
        if most < next {
            next = most;
            next_v = most.sqrt();
        }
        if too_fast {
            // Faster than the backward pass allows: as hard as the brakes can, until it is not.
            let most = profile.acceleration(&timed.points[j], v, -1.0);
            let braked = square - 2.0 * most * gap;
            too_fast = braked > next;
            if too_fast {
                next = braked;
                next_v = next.sqrt();
            }
        }
        // Both slow ends of an interval of no length would divide by zero.
        time += if gap > 0.0 { 2.0 * gap / larger(v + next_v, 1e-6) } else { 0.0 };
        (square, v) = (next, next_v);
        timed.square[j + 1] = square;
        timed.time[j + 1] = time;
    }
    timed.duration = time;
    square
}

/// A turn on the spot: from a rate up to a top one, along it, and down to rest.
#[derive(Clone, Copy, Debug)]
struct Turning {
    /// Change of the rate on the way up, rad/s2.
    change: f64,
    /// First rate, rad/s.
    first: f64,
    /// Top rate, rad/s.
    top: f64,
    /// Change of the rate on the way down, rad/s2: more than the limit only where the first rate
    /// leaves no choice.
    brake: f64,
}

impl Turning {
    fn new(angle: f64, first: f64, (change, rate): (f64, f64)) -> Self {
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

    fn duration(&self, angle: f64) -> f64 {
        let (up, along) = self.parts(angle);
        up + along + self.top / self.brake
    }
}

fn turning(leg: &Leg, timed: &Timed, by: f64, time: f64, index: usize) -> Moment {
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
    Moment {
        pose: leg.pose(share),
        v: 0.0,
        omega: sign * omega,
        dv: 0.0,
        domega: sign * domega,
        parameter: index as f64 + share,
    }
}

fn driving(leg: &Leg, timed: &Timed, time: f64, index: usize) -> Moment {
    // Times are sorted: the interval by halving.
    let (mut low, mut high) = (0, PARTS);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if timed.time[middle] <= time { low = middle } else { high = middle }
    }
    let (from, to) = (timed.square[low].sqrt(), timed.square[high].sqrt());
    let span = larger(timed.time[high] - timed.time[low], 1e-12);
    let gap = timed.way[high] - timed.way[low];
    let passed = smaller(larger(time - timed.time[low], 0.0), span);
    let a = (to - from) / span;
    let v = from + a * passed;
    let way = smaller(from * passed + 0.5 * a * passed * passed, gap);
    let step = 1.0 / PARTS as f64;
    let own = match leg.shape {
        Shape::Cubic(curve) => {
            // Newton's steps on the arc length within the interval, which brackets the answer.
            let start = low as f64 * step;
            let mut at = start + step * if gap > 0.0 { way / gap } else { 1.0 };
            for _ in 0..2 {
                let miss = crate::path::length::rule(&curve, start, at) - way;
                let speed = larger(curve.derivative(at).length(), 1e-12);
                at = smaller(larger(at - miss / speed, start), start + step);
            }
            at
        }
        _ => larger((timed.way[low] + way) / larger(timed.way[PARTS], 1e-12), 0.0),
    };
    let share = if gap > 0.0 { way / gap } else { 0.0 };
    let k = timed.curvature[low] + (timed.curvature[high] - timed.curvature[low]) * share;
    let change = if gap > 0.0 { (timed.curvature[high] - timed.curvature[low]) / gap } else { 0.0 };
    let sign = if leg.backwards { -1.0 } else { 1.0 };
    Moment {
        pose: leg.pose(smaller(own, 1.0)),
        v: sign * v,
        omega: k * v,
        dv: sign * a,
        domega: k * a + change * v * v,
        parameter: index as f64 + smaller(own, 1.0),
    }
}
