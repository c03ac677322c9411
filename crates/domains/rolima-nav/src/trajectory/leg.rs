//! One leg of a trajectory: ways, curvatures, speeds and times at its nodes.
//!
//! Of the thesis are s(lambda) of 5.6 (`arc_length`, here by Gauss's rule) and the a1..b3 behind
//! d0, d1, d2 ([`Cubic`]); nodes, curvature and speeds are beyond it.

use super::profile::{Points, SpeedProfile};
use super::turning::Turning;
use crate::path::{Cubic, Leg, LegShape};
use rolima_math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// Intervals of a leg.
pub(super) const PARTS: usize = 20;

/// How much sharper a bend may be between the points that are looked at, as a share of how much
/// they differ within an interval.
const PEAK: f64 = 0.5;

/// How many times sharper than on average an interval's bend may count as, and the curvatures at its
/// ends, of which the voltages for their change are told. A curve that nearly has a cusp would be crept
/// along for minutes otherwise; its turn takes some times what it would take on the spot.
const NARROW: f64 = 2.5;

/// An interval that would turn by no more than this at its sharpest, rad, is not looked at for that.
pub(super) const WIDE: f64 = 0.3;

/// Nodes of a leg.
pub(super) const NODES: usize = PARTS + 1;

/// A leg with its speeds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Timed {
    /// Way from the leg's start to each node, m.
    pub(super) arc_length: [f64; NODES],
    /// Square of the speed at each node; for a turn, unused.
    pub(super) square: [f64; NODES],
    /// The speed at each node, m/s.
    pub(super) speed: [f64; NODES],
    pub(super) curvature: [f64; NODES],
    /// Change of the curvature per metre in each interval, 1/m2.
    pub(super) change: [f64; PARTS],
    /// Time from the leg's start to each node, s.
    pub(super) time: [f64; NODES],
    /// What holds at each node.
    pub(super) points: Points<NODES>,
    /// The course of a turn on the spot.
    pub(super) turn: Turning,
    pub(super) duration: f64,
}

pub(super) const EMPTY: Timed = Timed {
    arc_length: [0.0; NODES],
    square: [0.0; NODES],
    speed: [0.0; NODES],
    curvature: [0.0; NODES],
    change: [0.0; PARTS],
    time: [0.0; NODES],
    points: Points::NONE,
    turn: Turning { change: 1.0, first: 0.0, top: 0.0, brake: 1.0 },
    duration: 0.0,
};

/// Parameters of the nodes, denser towards a leg's ends: on long ones it is sped up and braked in a
/// small part of them.
pub(super) const AT: [f64; NODES] = {
    let mut table = [0.0; NODES];
    let mut i = 0;
    while i < NODES {
        let l = i as f64 / PARTS as f64;
        table[i] = l * l * (3.0 - 2.0 * l);
        i += 1;
    }
    table
};

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
        let (from, to) = (AT[i % PARTS], AT[i % PARTS + 1]);
        let w = weights(from + (0.5 + offset) * (to - from));
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
        let w = weights(AT[i]);
        (table[0][i], table[1][i], table[2][i]) = (w[0], w[1], w[2]);
        i += 1;
    }
    table
};

/// Ways and curvatures of a curve's nodes: three Gauss points an interval, exact to degree five.
/// Returns the bend in the middle of each interval, and the product of the directions at its ends: below
/// zero where it turns by more than a quarter.
fn lay_curve(timed: &mut Timed, curve: &Cubic) -> [[f64; PARTS]; 2] {
    let (d0, d1, d2) = (curve.d0, curve.d1, curve.d2);
    // P' x P'' of a curve is of second degree, like P' itself.
    let bends = [d0.cross(d1), 0.5 * d0.cross(d2), d1.cross(d2)];
    let mut speeds = [0.0; 3 * PARTS];
    let mut between = [0.0; PARTS];
    for i in 0..3 * PARTS {
        let [w0, w1, w2] = [GAUSS[0][i], GAUSS[1][i], GAUSS[2][i]];
        let x = w0 * d0.x + w1 * d1.x + w2 * d2.x;
        let y = w0 * d0.y + w1 * d1.y + w2 * d2.y;
        speeds[i] = (x * x + y * y).sqrt();
    }
    // The middles come first.
    for i in 0..PARTS {
        let bend = GAUSS[0][i] * bends[0] + GAUSS[1][i] * bends[1] + GAUSS[2][i] * bends[2];
        between[i] = 2.0 * bend.abs() / (speeds[i] * speeds[i] * speeds[i] + 1e-30);
    }
    let mut arc_length = 0.0;
    timed.arc_length[0] = 0.0;
    for j in 0..PARTS {
        let sum = 8.0 * speeds[j] + 5.0 * (speeds[PARTS + j] + speeds[2 * PARTS + j]);
        arc_length += (AT[j + 1] - AT[j]) / 18.0 * sum;
        timed.arc_length[j + 1] = arc_length;
    }
    let (mut xs, mut ys) = ([0.0; NODES], [0.0; NODES]);
    for j in 0..NODES {
        let [w0, w1, w2] = [AT_NODES[0][j], AT_NODES[1][j], AT_NODES[2][j]];
        let x = w0 * d0.x + w1 * d1.x + w2 * d2.x;
        let y = w0 * d0.y + w1 * d1.y + w2 * d2.y;
        (xs[j], ys[j]) = (x, y);
        let bend = 2.0 * (w0 * bends[0] + w1 * bends[1] + w2 * bends[2]);
        let square = x * x + y * y;
        // At a cusp the curve stands still, and so must the robot: any large number will do.
        timed.curvature[j] = bend / (square * square.sqrt() + 1e-30);
    }
    let mut ends = [0.0; PARTS];
    for j in 0..PARTS {
        ends[j] = xs[j] * xs[j + 1] + ys[j] * ys[j + 1];
    }
    [between, ends]
}

/// Ways and curvatures of the nodes, and what holds there.
pub(super) fn lay(timed: &mut Timed, leg: &Leg, profile: &SpeedProfile) {
    match leg.shape {
        LegShape::Turn { .. } => {
            timed.arc_length[PARTS] = 0.0;
        }
        LegShape::Arc { length, curvature, .. } => {
            for j in 0..NODES {
                timed.arc_length[j] = length * AT[j];
                timed.curvature[j] = curvature;
            }
            timed.change = [0.0; PARTS];
            let bend = [curvature.abs(); NODES];
            let curvature = &timed.curvature;
            profile.lay(&mut timed.points, curvature, &[0.0; NODES], &bend, leg.backwards);
        }
        LegShape::Cubic(curve) => lay_cubic(timed, &curve, leg.backwards, profile),
    }
}

/// What the bend of an interval that is narrow against it may count as, 1/m: [`NARROW`] times its turn
/// over its length, m.
pub(super) fn narrow(curve: &Cubic, interval: usize, gap: f64) -> f64 {
    let [a, b] = [interval, interval + 1].map(|j| curve.derivative(AT[j]));
    // Twice the tangent of half the angle is that angle, or a little more.
    let cosine = larger(a.dot(b) + a.length() * b.length(), 1e-30);
    let turn = smaller(2.0 * a.cross(b).abs() / cosine, core::f64::consts::PI);
    NARROW * turn / gap
}

/// A number cut to a size.
pub(super) fn within(x: f64, most: f64) -> f64 {
    smaller(larger(x, -most), most)
}

/// What holds at a curve's nodes. A node answers for the intervals on both its sides: with their
/// sharpest bend, as speeds fall and bends rise between nodes, and with the larger of the changes
/// of curvature.
fn lay_cubic(timed: &mut Timed, curve: &Cubic, backwards: bool, profile: &SpeedProfile) {
    let [between, ends] = lay_curve(timed, curve);
    let mut gaps = [0.0; PARTS];
    let mut peaks = [0.0; PARTS];
    for j in 0..PARTS {
        gaps[j] = larger(timed.arc_length[j + 1] - timed.arc_length[j], 1e-12);
        timed.change[j] = (timed.curvature[j + 1] - timed.curvature[j]) / gaps[j];
        let (a, b) = (timed.curvature[j].abs(), timed.curvature[j + 1].abs());
        let most = larger(between[j], larger(a, b));
        // A peak may lie between the points that are looked at: the higher, the more they differ.
        peaks[j] = most + PEAK * (most - smaller(a, b));
    }
    // What the nodes' curvatures count as at most, by the intervals beside them.
    let mut caps = [0.0; NODES];
    let mut capped = false;
    for j in 0..PARTS {
        let mut cap = f64::INFINITY;
        // One that is narrow against the interval does not slow down all of it: neither by its bend nor
        // by how that changes. One so narrow that no point saw it well shows in the turn: of a curve's
        // twenty intervals none turns by a quarter otherwise.
        let unseen = ends[j] < 0.0;
        if peaks[j] * gaps[j] > WIDE || unseen {
            cap = narrow(curve, j, gaps[j]);
            if peaks[j] > cap || unseen {
                peaks[j] = cap;
                let [a, b] = [j, j + 1].map(|j| within(timed.curvature[j], cap));
                timed.change[j] = (b - a) / gaps[j];
                capped = true;
            }
        }
        caps[j] = larger(caps[j], cap);
        caps[j + 1] = cap;
    }
    if capped {
        for (curvature, cap) in timed.curvature.iter_mut().zip(caps) {
            *curvature = within(*curvature, cap);
        }
    }
    let mut changes = [0.0; NODES];
    let mut bends = [0.0; NODES];
    for j in 0..PARTS {
        let change = timed.change[j].abs();
        changes[j] = larger(changes[j], change);
        changes[j + 1] = change;
        bends[j] = larger(bends[j], peaks[j]);
        bends[j + 1] = peaks[j];
    }
    profile.lay(&mut timed.points, &timed.curvature, &changes, &bends, backwards);
}

/// The backward pass; the square of the speed at the leg's start.
///
/// Brakes are judged at both ends of an interval, and at its lower and its higher speed: the motors'
/// own voltage helps them the more the faster it goes, a changing curvature asks for the more.
pub(super) fn brake(timed: &mut Timed, profile: &SpeedProfile, end: f64) -> f64 {
    let mut square = end;
    let mut v = square.sqrt();
    (timed.square[PARTS], timed.speed[PARTS]) = (square, v);
    for j in (0..PARTS).rev() {
        let fastest = timed.points.fastest[j];
        // Some brake there always is: where what comes is no slower than this node allows, this node
        // alone decides, and no root waits for the one before.
        (square, v) = if square >= fastest {
            (fastest, fastest.sqrt())
        } else {
            let (twice, change) =
                (2.0 * (timed.arc_length[j + 1] - timed.arc_length[j]), timed.change[j]);
            let brake = smaller(
                profile.acceleration((&timed.points, j + 1), change, (v, square), -1.0),
                profile.acceleration((&timed.points, j), change, (v, square), -1.0),
            );
            let guess = smaller(square + brake * twice, fastest);
            let guess_v = guess.sqrt();
            let also = profile.acceleration((&timed.points, j), change, (guess_v, guess), -1.0);
            // Roots follow one another here and take most of the time: one a node, where that will do.
            if also >= brake {
                (guess, guess_v)
            } else {
                let slower = smaller(square + also * twice, fastest);
                (slower, slower.sqrt())
            }
        };
        (timed.square[j], timed.speed[j]) = (square, v);
    }
    square
}

/// The forward pass and the times; the square of the speed at the leg's end.
pub(super) fn speed_up(timed: &mut Timed, profile: &SpeedProfile, first: f64) -> f64 {
    let mut square = first;
    let mut v = square.sqrt();
    let mut too_fast = first > timed.square[0];
    (timed.square[0], timed.speed[0]) = (square, v);
    for j in 0..PARTS {
        // Where the backward pass allows no more than there is, nothing is left to be found.
        if square >= timed.square[j + 1] && !too_fast {
            (square, v) = (timed.square[j + 1], timed.speed[j + 1]);
            continue;
        }
        let (twice, change) =
            (2.0 * (timed.arc_length[j + 1] - timed.arc_length[j]), timed.change[j]);
        let gain = profile.acceleration((&timed.points, j), change, (v, square), 1.0);
        // Less is left at the higher speed of the interval's end.
        let guess = smaller(square + gain * twice, timed.square[j + 1]);
        let guess_v = guess.sqrt();
        let also = profile.acceleration((&timed.points, j + 1), change, (guess_v, guess), 1.0);
        let (mut next, mut next_v) = if also >= gain {
            (guess, guess_v)
        } else {
            let slower = smaller(square + also * twice, timed.square[j + 1]);
            (slower, slower.sqrt())
        };
        if too_fast {
            // Faster than the backward pass allows: as hard as the brakes can, until it is not.
            let most = profile.acceleration((&timed.points, j), change, (v, square), -1.0);
            let braked = square - most * twice;
            too_fast = braked > next;
            next = larger(next, braked);
            next_v = next.sqrt();
        }
        (square, v) = (next, next_v);
        (timed.square[j + 1], timed.speed[j + 1]) = (square, v);
    }
    keep_time(timed);
    square
}

/// The times at the nodes, of speeds that change evenly in between.
fn keep_time(timed: &mut Timed) {
    let mut takes = [0.0; PARTS];
    for (j, takes) in takes.iter_mut().enumerate() {
        let gap = timed.arc_length[j + 1] - timed.arc_length[j];
        // Both slow ends of an interval of no length would divide by zero. Ways of micrometres that turn
        // are slower than any robot's speed.
        *takes = 2.0 * larger(gap, 0.0) / larger(timed.speed[j] + timed.speed[j + 1], 1e-12);
    }
    let mut time = 0.0;
    timed.time[0] = 0.0;
    for j in 0..PARTS {
        time += takes[j];
        timed.time[j + 1] = time;
    }
    timed.duration = time;
}
