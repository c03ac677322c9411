//! The third-degree path without the thesis's faults: direction of arrival kept, no singular case.
//!
//! (a1, b1) = k0 (cos theta_i, sin theta_i) and the derivative at the end
//! k1 (cos theta_f, sin theta_f) with k0, k1 > 0: the two free coefficients of the thesis, in a
//! form that knows front from back. With p = k0 cos theta_i / dx and q = k1 cos theta_f / dx, x has
//! no extremum exactly when p, q >= 0 and p + q - sqrt(p q) <= 3; likewise y. So the criterion of
//! section 5.5 can be met exactly when cos(theta) dx >= 0 and sin(theta) dy >= 0 at both ends
//! (dx = 0 asks for cos = 0 at both), and for any ratio k1/k0 the largest scale is a closed form.
//!
//! k0, k1, p, q are beyond the thesis; theta_i, theta_f, dx, dy, a1, b1 are those of B.1. [`Relaxed`]
//! says of each axis what its outlook (chapter 7) asks for: which was given up.
//!
//! Within that region the choice is the least maximal curvature, with k0 and k1 at most
//! [`MOST_PULL`] times the distance: without such a bound ever larger curves bend ever less. The
//! search looks at five curves, and ends some 10% above the least on average.

use super::bend::{largest_bend, unit_curve};
use super::cubic::Cubic;
use super::is_near;
use crate::COINCIDENT;
use crate::error::NavError;
use rolima_math::{Pose2, Vec2, larger, smaller};

/// Most that k0 and k1 may be, in distances between start and goal. A Bezier handle is a third of
/// k, so the control polygon's sides stay as long as the distance itself; larger values make wide
/// arcs for goals that lie behind.
pub const MOST_PULL: f64 = 3.0;

/// Least that the search begins with, in distances; only the criterion asks for less.
const LEAST_PULL: f64 = 0.25;

/// A curve that bends more sharply than this, times its distance, is called sharp: a radius of a
/// 30th of the way is close to a turn on the spot. Lower values divide more paths.
pub const SHARP: f64 = 30.0;

/// A cosine or sine, or a share of the distance, below this counts as zero: headings of exactly 90
/// degrees have a cosine of some 6e-17.
const NOTHING: f64 = 1e-15;

/// What a loop counts as, as the square of a curvature times the distance: worse than any bend.
const LOOP: f64 = 1e12;

/// Which axes keep the criterion, and why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relaxed {
    /// The criterion can be met on this axis, and is.
    No,
    /// A heading points against the displacement (or across it, where there is none).
    Infeasible,
    /// It could be met, but the other axis cannot, and meeting it would bend too sharply.
    Sharp,
    /// The method does not look at the criterion.
    NotAsked,
}

/// What the choice of the free coefficients came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The curve.
    pub curve: Cubic,
    /// k0, m.
    pub k0: f64,
    /// k1, m.
    pub k1: f64,
    /// What became of the criterion in x and in y.
    pub relaxed: [Relaxed; 2],
    /// Largest curvature that the choice saw, times the distance.
    pub sharpness: f64,
}

impl Choice {
    /// Whether the criterion could be met on both axes. It then is.
    pub fn feasible(&self) -> bool {
        self.relaxed == [Relaxed::No; 2]
    }
}

/// What is asked of a choice beyond little curvature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The thesis's criterion where it can be met.
    NoExtremum,
    /// Nothing: the rectangle may be left for a gentler bend.
    Gentle,
    /// As `Gentle`, without the search, from the first guess: for parts of a path whose ends were chosen to be easy.
    Quick,
}

/// Start, goal and what follows from them, in units of their distance.
struct Setting {
    distance: f64,
    /// Displacement, of length 1.
    along: Vec2,
    /// Unit headings at the start and the goal.
    t0: Vec2,
    t1: Vec2,
}

/// Checks two poses: displacement, distance, unit headings.
fn setting(from: Pose2, to: Pose2) -> Result<Setting, NavError> {
    let gap = to.position - from.position;
    let square = gap.length_squared();
    let heading = |pose: Pose2| {
        let v = pose.rotation.x_axis();
        let scale = 1.0 / v.length();
        v * scale
    };
    let (t0, t1) = (heading(from), heading(to));
    let near = is_near(from.position) && is_near(to.position);
    if !(near && (t0.x + t0.y + t1.x + t1.y).is_finite()) {
        return Err(NavError::NotFinite);
    }
    if square < COINCIDENT * COINCIDENT {
        return Err(NavError::CoincidentPoses);
    }
    let distance = square.sqrt();
    Ok(Setting { distance, along: gap * (1.0 / distance), t0, t1 })
}

/// Whether the criterion can be met in x and in y.
pub fn feasible(from: Pose2, to: Pose2) -> Result<[bool; 2], NavError> {
    Ok(axes(&setting(from, to)?))
}

fn axes(s: &Setting) -> [bool; 2] {
    [axis(s.along.x, s.t0.x, s.t1.x), axis(s.along.y, s.t0.y, s.t1.y)]
}

fn axis(gap: f64, first: f64, last: f64) -> bool {
    let along = |heading: f64| heading * gap >= 0.0 || heading.abs() <= NOTHING;
    if gap.abs() <= NOTHING {
        first.abs() <= NOTHING && last.abs() <= NOTHING
    } else {
        along(first) && along(last)
    }
}

/// The curve from one pose to another, its free coefficients chosen by the criterion.
pub fn plan(from: Pose2, to: Pose2, wish: Wish) -> Result<Choice, NavError> {
    let mut s = setting(from, to)?;
    let can = if wish == Wish::NoExtremum { axes(&s) } else { [false; 2] };
    // What counts as no slope is none: the rest of a cosine of 90 degrees could turn a coordinate
    // back by a hair.
    let level = |t: Vec2| {
        let flat = |x: f64, met: bool| if met && x.abs() <= NOTHING { 0.0 } else { x };
        Vec2::new(flat(t.x, can[0]), flat(t.y, can[1]))
    };
    (s.t0, s.t1) = (level(s.t0), level(s.t1));
    let steps: &[f64] = if wish == Wish::Quick { &[] } else { &[1.4] };
    let mut found = search(&s, can, steps);
    let mut relaxed = can.map(|met| if met { Relaxed::No } else { Relaxed::Infeasible });
    if wish != Wish::NoExtremum {
        relaxed = [Relaxed::NotAsked; 2];
        // The few looks may end at a sharp bend where the criterion, not asked for, has a gentler one.
        let kept = if wish == Wish::Gentle && found.sharpness > SHARP { axes(&s) } else { can };
        if kept != [false; 2] {
            let other = search(&s, kept, steps);
            found = if other.sharpness < found.sharpness { other } else { found };
        }
    } else if can[0] != can[1] && found.sharpness > SHARP {
        let free = search(&s, [false; 2], steps);
        if free.sharpness < 0.5 * found.sharpness {
            found = free;
            relaxed = can.map(|met| if met { Relaxed::Sharp } else { Relaxed::Infeasible });
        }
    }
    let (k0, k1) = (found.k0 * s.distance, found.k1 * s.distance);
    let curve = Cubic::hermite(from.position, s.t0 * k0, to.position, s.t1 * k1);
    Ok(Choice { curve, k0, k1, relaxed, sharpness: found.sharpness })
}

/// The curve with free coefficients of the caller's choice, m.
pub fn with_pulls(from: Pose2, to: Pose2, k0: f64, k1: f64) -> Result<Cubic, NavError> {
    let s = setting(from, to)?;
    let positive = k0 > 0.0 && k1 > 0.0 && (k0 + k1).is_finite();
    if !positive {
        return Err(NavError::BadLimit);
    }
    Ok(Cubic::hermite(from.position, s.t0 * k0, to.position, s.t1 * k1))
}

/// Largest k0 and k1 in this ratio that keep x (or y) without extremum: the scale for both.
#[inline]
fn scale_within(gap: f64, first: f64, last: f64) -> f64 {
    // p + q - sqrt(p q) <= 3 with p = first / gap; rounding could make a zero negative.
    let p = larger(first * gap, 0.0);
    let q = larger(last * gap, 0.0);
    let sum = p + q - (p * q).sqrt();
    let most = 3.0 * gap * gap;
    if sum > most { most / sum } else { 1.0 }
}

#[derive(Clone, Copy)]
struct Found {
    k0: f64,
    k1: f64,
    /// Square of curvature times distance.
    square: f64,
    sharpness: f64,
}

/// A pattern search from a good first guess: four looks at a curve for each step's size, and one.
///
/// Few of the curves that come out cross themselves; only then are loops looked for in the search.
fn search(s: &Setting, keep: [bool; 2], steps: &[f64]) -> Found {
    let found = search_with(s, keep, steps, false);
    let crosses = unit_curve(seen(s, s.t0) * found.k0, seen(s, s.t1) * found.k1).crosses_itself();
    if crosses { search_with(s, keep, steps, true) } else { found }
}

/// A heading seen from the line between both positions.
#[inline]
fn seen(s: &Setting, t: Vec2) -> Vec2 {
    Vec2::new(t.dot(s.along), s.along.cross(t))
}

fn search_with(s: &Setting, keep: [bool; 2], steps: &[f64], no_loops: bool) -> Found {
    let (t0, t1) = (seen(s, s.t0), seen(s, s.t1));
    let look = |k0: f64, k1: f64, bound: f64| -> Found {
        let k0 = smaller(larger(k0, 0.1 * LEAST_PULL), MOST_PULL);
        let k1 = smaller(larger(k1, 0.1 * LEAST_PULL), MOST_PULL);
        let mut scale = 1.0;
        if keep[0] {
            scale = smaller(scale, scale_within(s.along.x, k0 * s.t0.x, k1 * s.t1.x));
        }
        if keep[1] {
            scale = smaller(scale, scale_within(s.along.y, k0 * s.t0.y, k1 * s.t1.y));
        }
        // A hair inside, so that rounding cannot make an extremum.
        if scale < 1.0 {
            scale *= 1.0 - 1e-12;
        }
        let (k0, k1) = (k0 * scale, k1 * scale);
        let (d0, d2) = (t0 * k0, t1 * k1);
        let mut square = largest_bend(d0, d2, bound);
        if no_loops && unit_curve(d0, d2).crosses_itself() {
            square += LOOP;
        }
        Found { k0, k1, square, sharpness: 0.0 }
    };
    let (g0, g1) = first_guess(t0, t1);
    let mut best = look(g0, g1, f64::MAX);
    // Straight ahead there is nothing to search.
    if best.square > 1e-18 {
        for &factor in steps {
            let back = 1.0 / factor;
            let mut kept = None;
            for (i, (f0, f1)) in
                [(factor, 1.0), (1.0, factor), (back, 1.0), (1.0, back)].into_iter().enumerate()
            {
                // Right after its opposite a step only leads back.
                if kept.is_some_and(|kept| i == kept + 2) {
                    continue;
                }
                // From the best so far: a good step is kept.
                let tried = look(best.k0 * f0, best.k1 * f1, best.square);
                if tried.square < best.square {
                    (best, kept) = (tried, Some(i));
                }
            }
        }
    }
    Found { sharpness: best.square.sqrt(), ..best }
}

/// Pulls that make a curve close to two arcs: J. D. Hobby's formula for METAFONT's splines
/// (Discrete and Computational Geometry 1, 1986), three times the length of its handles.
fn first_guess(t0: Vec2, t1: Vec2) -> (f64, f64) {
    // His angles: departure to the left of the line, arrival back to it.
    let (c0, s0, c1, s1) = (t0.x, t0.y, t1.x, -t1.y);
    const SQRT5: f64 = 2.236_067_977_499_79;
    let pull = |ca: f64, sa: f64, cb: f64, sb: f64| {
        let over = 2.0
            + core::f64::consts::SQRT_2
                * (sa - sb * (1.0 / 16.0))
                * (sb - sa * (1.0 / 16.0))
                * (ca - cb);
        let under = 1.0 + 0.5 * (SQRT5 - 1.0) * ca + 0.5 * (3.0 - SQRT5) * cb;
        smaller(larger(over / larger(under, 0.05), LEAST_PULL), MOST_PULL)
    };
    (pull(c0, s0, c1, s1), pull(c1, s1, c0, s0))
}
