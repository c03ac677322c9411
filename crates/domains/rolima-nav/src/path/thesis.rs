//! The thesis's own forms, as printed: section 5.4 and appendix B.
//!
//! They work with tangents of the headings, d_i = tan theta_i and d_f = tan theta_f, and so cannot
//! tell front from back; where dx = 0 they have no solution. They are here for the thesis's
//! figures and for comparison ([`off_headings`] says what they lose); [`super::hermite`] has neither fault.
//!
//! | case | free coefficients | equation |
//! |---|---|---|
//! | general | a1, a2 | B.2, region B.15 (x) and B.16-B.24 (y) |
//! | theta_i = theta_f = +-90 deg | b1, b2 | B.3 |
//! | theta_i = +-90 deg | a3, b3 | B.4 |
//! | theta_f = +-90 deg | a1, b2 | B.5 |
//!
//! "Considered positive without loss of generality": the regions are written for dx, dy > 0. Here
//! both axes are mirrored where needed, which turns the signs of the coefficients and slopes.

use super::cubic::{Coefficients, Cubic};
use super::is_near;
use crate::COINCIDENT;
use crate::error::NavError;
use rolima_math::Pose2;

/// A cosine below this counts as a heading of +-90 degrees.
const VERTICAL: f64 = 1e-9;

/// Which of appendix B's cases applies, by the headings alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// Neither heading is vertical: free a1, a2.
    General,
    /// Both are (B.2.1): free b1, b2.
    BothVertical,
    /// Only theta_i is (B.2.2): free a3, b3.
    StartVertical,
    /// Only theta_f is (B.2.3): free a1, b2.
    GoalVertical,
}

/// Displacements and slopes, and the case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// Start (x_i, y_i), m.
    pub start: [f64; 2],
    /// dx, dy, m.
    pub gap: [f64; 2],
    /// d_i, where theta_i is not vertical.
    pub first_slope: f64,
    /// d_f, where theta_f is not vertical.
    pub last_slope: f64,
    /// Which equations apply.
    pub case: Case,
}

impl Problem {
    /// From two poses.
    pub fn new(from: Pose2, to: Pose2) -> Result<Self, NavError> {
        let gap = to.position - from.position;
        let near = is_near(from.position) && is_near(to.position);
        if !(near && from.is_finite() && to.is_finite()) {
            return Err(NavError::NotFinite);
        }
        if gap.length() < COINCIDENT {
            return Err(NavError::CoincidentPoses);
        }
        let vertical = |pose: Pose2| pose.rotation.c.abs() < VERTICAL;
        // The sine of a half turn is not quite zero, and the nine cases ask for signs.
        let level = |pose: Pose2| pose.rotation.s.abs() < 1e-12;
        let slope = |pose: Pose2| {
            let none = vertical(pose) || level(pose);
            if none { 0.0 } else { pose.rotation.s / pose.rotation.c }
        };
        let case = match (vertical(from), vertical(to)) {
            (false, false) => Case::General,
            (true, true) => Case::BothVertical,
            (true, false) => Case::StartVertical,
            (false, true) => Case::GoalVertical,
        };
        Ok(Self {
            start: [from.position.x, from.position.y],
            gap: [gap.x, gap.y],
            first_slope: slope(from),
            last_slope: slope(to),
            case,
        })
    }

    /// The curve with these free coefficients (see the table above): B.2 to B.5.
    pub fn curve(&self, free: [f64; 2]) -> Cubic {
        let [dx, dy] = self.gap;
        let (di, df) = (self.first_slope, self.last_slope);
        let [p, q] = free;
        let (a, b) = match self.case {
            Case::General => {
                let (a1, a2) = (p, q);
                let b2 = 3.0 * dy - 3.0 * df * dx + df * a2 - 2.0 * (di - df) * a1;
                let b3 = 3.0 * df * dx - 2.0 * dy - df * a2 - (2.0 * df - di) * a1;
                ([a1, a2, dx - a2 - a1], [di * a1, b2, b3])
            }
            Case::BothVertical => {
                let (b1, b2) = (p, q);
                ([0.0, 3.0 * dx, -2.0 * dx], [b1, b2, dy - b1 - b2])
            }
            Case::StartVertical => {
                let (a3, b3) = (p, q);
                let b1 = 2.0 * dy - 2.0 * df * dx - df * a3 + b3;
                let b2 = 2.0 * df * dx - dy + df * a3 - 2.0 * b3;
                ([0.0, dx - a3, a3], [b1, b2, b3])
            }
            Case::GoalVertical => {
                let (a1, b2) = (p, q);
                ([a1, 3.0 * dx - 2.0 * a1, a1 - 2.0 * dx], [di * a1, b2, dy - di * a1 - b2])
            }
        };
        Cubic::from_coefficients(&Coefficients {
            a: [self.start[0], a[0], a[1], a[2]],
            b: [self.start[1], b[0], b[1], b[2]],
        })
    }

    /// The free coefficients of figure 5.8, (a1, a2) = (0, dx), and their like: "the centroid".
    /// It is not: the triangle (0, 0), (0, 3 dx), (3 dx, -3 dx) has its centroid at (dx, 0), and
    /// a1 = 0 makes the heading at the start 0/0.
    pub fn printed_choice(&self) -> [f64; 2] {
        let [dx, dy] = self.gap;
        match self.case {
            Case::General => [0.0, dx],
            Case::BothVertical => [0.0, dy],
            // The thesis gives none here: the middle of each printed interval.
            Case::StartVertical => [-0.5 * dx, 0.5 * dy],
            Case::GoalVertical => [1.5 * dx, 0.0],
        }
    }

    /// The true centroid of the region for x (B.15), (a1, a2) = (dx, 0), and its like.
    pub fn centroid_choice(&self) -> [f64; 2] {
        let [dx, dy] = self.gap;
        match self.case {
            Case::General => [dx, 0.0],
            Case::BothVertical => [dy, 0.0],
            Case::StartVertical => [-0.5 * dx, 0.0],
            Case::GoalVertical => [dx, 0.0],
        }
    }

    /// Whether free coefficients lie in the printed region for x: B.15, figures B.23 and B.25.
    /// Where both headings are vertical, x does not depend on them (B.2.1).
    pub fn in_region_x(&self, free: [f64; 2]) -> bool {
        let (p, q, dx) = self.mirrored_x(free);
        match self.case {
            Case::General => p >= 0.0 && q >= -p && q <= 3.0 * dx - 2.0 * p,
            Case::BothVertical => true,
            Case::StartVertical => -2.0 * dx < p && p < dx,
            Case::GoalVertical => 0.0 <= p && p <= 3.0 * dx,
        }
    }

    /// Whether free coefficients lie in the printed region for y: B.17 to B.24 by the signs of d_i
    /// and d_f (anything, where both are 0), and the regions of B.3.2.
    pub fn in_region_y(&self, free: [f64; 2]) -> bool {
        let [dx, dy] = self.gap;
        // Mirrored so that dx and dy are positive: slopes change sign with either axis.
        let turn = sign(dx) * sign(dy);
        let (di, df) = (self.first_slope * turn, self.last_slope * turn);
        let (dx, dy) = (dx.abs(), dy.abs());
        let [mut p, mut q] = free;
        match self.case {
            Case::General => {
                p *= sign(self.gap[0]);
                q *= sign(self.gap[0]);
                region_y_general(dx, dy, di, df, p, q)
            }
            Case::BothVertical => {
                p *= sign(self.gap[1]);
                q *= sign(self.gap[1]);
                p >= 0.0 && q >= -p && q <= 3.0 * dy - 2.0 * p
            }
            Case::StartVertical => {
                p *= sign(self.gap[0]);
                q *= sign(self.gap[1]);
                df * p >= -2.0 * df * dx && q >= df * p - 2.0 * (dy - df * dx) && q <= dy
            }
            Case::GoalVertical => {
                p *= sign(self.gap[0]);
                q *= sign(self.gap[1]);
                di * p >= 0.0 && q >= -di * p && q <= 3.0 * dy - 2.0 * di * p
            }
        }
    }

    fn mirrored_x(&self, free: [f64; 2]) -> (f64, f64, f64) {
        let s = sign(self.gap[0]);
        (free[0] * s, free[1] * s, self.gap[0].abs())
    }

    /// Free coefficients in both printed regions, if there are any inside and neither dx nor dy
    /// is zero: the centroid of those on a grid over the region for x. This is the choice that appendix B describes and leaves
    /// open ("a point of the intersection").
    pub fn choice_in_both(&self) -> Option<[f64; 2]> {
        const STEPS: i32 = 24;
        let [dx, dy] = self.gap;
        if dx.abs() < COINCIDENT || dy.abs() < COINCIDENT {
            return None;
        }
        let (low, high) = match self.case {
            Case::General => ([0.0, -3.0 * dx], [3.0 * dx, 3.0 * dx]),
            Case::BothVertical => ([0.0, -3.0 * dy], [3.0 * dy, 3.0 * dy]),
            Case::StartVertical => ([-2.0 * dx, -4.0 * dy], [dx, dy]),
            Case::GoalVertical => ([0.0, -4.0 * dy], [3.0 * dx, 3.0 * dy]),
        };
        let (mut sum, mut count) = ([0.0; 2], 0.0);
        for i in 0..STEPS {
            for j in 0..STEPS {
                let at = |k: usize, n: i32| {
                    low[k] + (high[k] - low[k]) * (f64::from(n) + 0.5) / f64::from(STEPS)
                };
                let free = [at(0, i), at(1, j)];
                if self.in_region_x(free) && self.in_region_y(free) {
                    sum = [sum[0] + free[0], sum[1] + free[1]];
                    count += 1.0;
                }
            }
        }
        // The regions are convex, so their centroid is inside.
        (count > 0.0).then(|| [sum[0] / count, sum[1] / count])
    }
}

fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

/// The nine cases of B.3.1 for y, with dx, dy >= 0.
fn region_y_general(dx: f64, dy: f64, di: f64, df: f64, a1: f64, a2: f64) -> bool {
    let side = a2 + 2.0 * a1 - 3.0 * dx;
    if df == 0.0 {
        return match sign_of(di) {
            0 => true,                             // any values
            1 => 0.0 <= a1 && a1 <= 3.0 * dy / di, // B.21
            _ => 3.0 * dy / di <= a1 && a1 <= 0.0, // B.22
        };
    }
    let line = (di - 2.0 * df) / df * a1 + 3.0 * (df * dx - dy) / df;
    let starts_well = match sign_of(di) {
        0 => true,
        1 => a1 >= 0.0,
        _ => a1 <= 0.0,
    };
    if df > 0.0 {
        starts_well && a2 >= line && side <= 0.0 // B.17, B.19, B.23
    } else {
        starts_well && a2 <= line && side >= 0.0 // B.18, B.20, B.24
    }
}

fn sign_of(x: f64) -> i32 {
    if x > 0.0 {
        1
    } else if x < 0.0 {
        -1
    } else {
        0
    }
}

/// The printed third-degree curve with (a1, a2) = (0, dx) or its like; figure 5.8.
pub fn printed(from: Pose2, to: Pose2) -> Result<Cubic, NavError> {
    let problem = Problem::new(from, to)?;
    if problem.gap[0].abs() < COINCIDENT && problem.case != Case::BothVertical {
        return Err(NavError::NoDisplacement);
    }
    // Steep slopes make large coefficients, whose sum misses the goal by their rounding.
    Ok(Cubic { end: to.position, ..problem.curve(problem.printed_choice()) })
}

/// The second-degree curve of section 5.4.1 (equation 5.3), as printed: tangents only, so it may
/// leave or arrive backwards.
pub fn parabola(from: Pose2, to: Pose2) -> Result<Cubic, NavError> {
    let p = Problem::new(from, to)?;
    if p.case != Case::General {
        return Err(NavError::VerticalHeading);
    }
    let spread = p.last_slope - p.first_slope;
    // The slopes of parallel headings differ by rounding only.
    if spread.abs() <= 1e-9 * (1.0 + p.first_slope.abs() + p.last_slope.abs()) {
        return Err(NavError::ParallelHeadings);
    }
    let [dx, dy] = p.gap;
    let a1 = 2.0 * (p.last_slope * dx - dy) / spread;
    let b1 = p.first_slope * a1;
    let curve = Cubic::from_coefficients(&Coefficients {
        a: [p.start[0], a1, dx - a1, 0.0],
        b: [p.start[1], b1, dy - b1, 0.0],
    });
    Ok(Cubic { end: to.position, ..curve })
}

/// By how much a curve leaves and arrives off the headings, rad, positive to the left of them.
pub fn off_headings(curve: &Cubic, from: Pose2, to: Pose2) -> [f64; 2] {
    [(0.0, from), (1.0, to)].map(|(at, pose)| {
        let (heading, arc_length) = (pose.rotation.x_axis(), curve.direction(at).x_axis());
        rolima_math::atan2(heading.cross(arc_length), heading.dot(arc_length))
    })
}

/// Whether a curve leaves and arrives along the headings, not against them or beside them.
pub fn keeps_directions(curve: &Cubic, from: Pose2, to: Pose2) -> bool {
    off_headings(curve, from, to).iter().all(|off| off.abs() < 1e-6)
}

/// The ellipse of section 5.3 with axes along x and y, through both poses.
///
/// The thesis stops at "not of trivial solution". With q = b^2/a^2 and the start at (u, w) from
/// the centre, the tangents say d_i w = -q u and d_f (w + dy) = -q (u + dx), and the chord
/// q dx (2 u + dx) + dy (2 w + dy) = 0: for q that is linear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipse {
    /// Centre (x_c, y_c), m.
    pub centre: [f64; 2],
    /// Half axes a along x and b along y, m.
    pub half_axes: [f64; 2],
    /// Angles alpha_i and alpha_f; the arc goes from the first to the second.
    pub angles: [f64; 2],
}

impl Ellipse {
    /// Through both poses, by the shorter way that leaves along the first heading.
    pub fn through(from: Pose2, to: Pose2) -> Result<Self, NavError> {
        let p = Problem::new(from, to)?;
        if p.case != Case::General {
            return Err(NavError::VerticalHeading);
        }
        let ([dx, dy], di, df) = (p.gap, p.first_slope, p.last_slope);
        if di == 0.0 || df == di {
            return Err(NavError::ParallelHeadings);
        }
        let share = 1.0 / (1.0 - df / di);
        let lever = dx - dy / di;
        let under = dx * dx - 2.0 * dx * lever * share;
        let q = (2.0 * df * dy * lever * share - dy * dy) / under;
        let u = -(q * dx + df * dy) * share / q;
        let w = -q * u / di;
        let b2 = q * u * u + w * w;
        if !(q > 0.0 && b2 > 0.0 && (q + b2 + u + w).is_finite()) {
            return Err(NavError::NoEllipse);
        }
        let half_axes = [(b2 / q).sqrt(), b2.sqrt()];
        let angle = |x: f64, y: f64| rolima_math::atan2(y / half_axes[1], x / half_axes[0]);
        let first = angle(u, w);
        // Which way round leaves along the heading.
        let (s, c) = rolima_math::sin_cos(first);
        let forwards = -half_axes[0] * s * from.rotation.c + half_axes[1] * c * from.rotation.s;
        let mut last = angle(u + dx, w + dy);
        let turn = core::f64::consts::TAU;
        if forwards > 0.0 && last < first {
            last += turn;
        } else if forwards <= 0.0 && last > first {
            last -= turn;
        }
        let centre = [p.start[0] - u, p.start[1] - w];
        let found = Self { centre, half_axes, angles: [first, last] };
        // Slopes that are nearly equal leave nothing of the digits.
        let misses = |share: f64, pose: Pose2| {
            let tangent = found.direction(share).cross(pose.rotation.x_axis());
            (found.point(share) - pose.position).length() + tangent.abs()
        };
        let off = misses(0.0, from) + misses(1.0, to);
        if off < 1e-6 { Ok(found) } else { Err(NavError::NoEllipse) }
    }

    /// The point at a share 0..1 of the arc (equation 5.1).
    pub fn point(&self, share: f64) -> rolima_math::Vec2 {
        let alpha = self.angles[0] + (self.angles[1] - self.angles[0]) * share;
        let (s, c) = rolima_math::sin_cos(alpha);
        rolima_math::Vec2::new(
            self.centre[0] + self.half_axes[0] * c,
            self.centre[1] + self.half_axes[1] * s,
        )
    }

    /// The direction of travel there. Equation 5.1 prints dx/dy for the tangent; it is dy/dx.
    pub fn direction(&self, share: f64) -> rolima_math::Vec2 {
        let span = self.angles[1] - self.angles[0];
        let (s, c) = rolima_math::sin_cos(self.angles[0] + span * share);
        let tangent = rolima_math::Vec2::new(-self.half_axes[0] * s, self.half_axes[1] * c);
        (tangent * sign(span)).unit_or(rolima_math::Vec2::new(1.0, 0.0))
    }
}
