//! Paths: where to go, without time. One type for all of them.
//!
//! A [`Path`] is a row of [`Leg`]s. Its parameter runs from 0 to the number of legs; the whole part
//! names the leg, the rest is that leg's own parameter l from 0 to 1, as in the thesis. At a
//! parameter there are point, heading, curvature and arc length ([`Path::at`]).
//!
//! | module | what | thesis |
//! |---|---|---|
//! | [`cubic`] | third-degree curves | 5.4.2 |
//! | `bend` | where they bend most | beyond |
//! | [`hermite`] | their free coefficients, with directions and without singular cases | 5.5, B |
//! | [`thesis`] | second and third degree and the ellipse, as printed | 5.3, 5.4, B |
//! | [`words`] | Dubins and Reeds-Shepp | 5.2, outlook |
//! | [`length`] | arc length and its inverse | 5.6 |
//! | [`mod@plan`] | from two poses to a path, by a [`Method`] | 5.2-5.5 |
//!
//! Legs, and driving them backwards, are beyond the thesis, whose paths are one curve forwards.

mod bend;
pub mod cubic;
pub mod hermite;
pub mod length;
pub mod plan;
pub mod thesis;
pub mod words;

pub use cubic::Cubic;
pub use plan::{Method, Note, Plan, plan};

use crate::error::NavError;
use rolima_math::{Pose2, Rot2, Vec2, larger, sin_cos, smaller};
use serde::{Deserialize, Serialize};

/// Most legs of a path: five of a Reeds-Shepp word, or three ways of turn-drive-turn's parts.
pub const MOST_LEGS: usize = 9;

/// Furthest coordinate of a pose, m: beyond it a millimetre is lost in rounding. All methods refuse
/// poses from there on.
///
/// Headings are directions here and need no such bound; whoever makes them of angles knows whether those
/// still mean anything.
pub const FURTHEST: f64 = 1e12;

/// Whether a position is finite and nearer than [`FURTHEST`].
#[inline]
pub(crate) fn is_near(position: Vec2) -> bool {
    position.x.abs() < FURTHEST && position.y.abs() < FURTHEST
}

/// The form of a leg.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum LegShape {
    /// A turn on the spot.
    Turn {
        /// Where, and the heading at its start.
        from: Pose2,
        /// By how much, rad, positive to the left.
        by: f64,
    },
    /// An arc, or a straight line where the curvature is 0.
    Arc {
        /// Start, with the direction of travel.
        from: Pose2,
        /// Length, m.
        length: f64,
        /// Curvature of the way, 1/m, positive to the left of travel.
        curvature: f64,
    },
    /// A third-degree (or second-degree) curve.
    Cubic(Cubic),
}

/// A piece of a path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leg {
    /// Its form, in the direction of travel.
    pub shape: LegShape,
    /// Whether the robot drives it backwards: its heading is opposite to its travel.
    pub backwards: bool,
}

/// A path at a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The point, m.
    pub point: Vec2,
    /// The robot's heading there.
    pub heading: Rot2,
    /// Change of heading per metre of way, 1/m: omega = curvature |v|. Zero in a turn on the spot,
    /// where there is no way.
    pub curvature: f64,
    /// Arc length from the path's start, m.
    pub arc_length: f64,
    /// Whether it is driven backwards there.
    pub backwards: bool,
}

const HALF_TURN: Rot2 = Rot2 { c: -1.0, s: 0.0 };

impl Leg {
    /// A forward leg.
    pub fn forwards(shape: LegShape) -> Self {
        Self { shape, backwards: false }
    }

    /// Point and heading at the leg's own parameter.
    pub fn pose(&self, at: f64) -> Pose2 {
        let travel = match self.shape {
            LegShape::Turn { from, by } => {
                return Pose2 { rotation: Rot2::from_angle(by * at).after(from.rotation), ..from };
            }
            LegShape::Arc { from, length, curvature } => along_arc(from, length * at, curvature),
            LegShape::Cubic(curve) => {
                Pose2 { position: curve.point(at), rotation: curve.direction(at) }
            }
        };
        let back = travel.rotation.after(HALF_TURN);
        Pose2 { rotation: if self.backwards { back } else { travel.rotation }, ..travel }
    }

    /// Change of heading per metre of way, 1/m.
    pub fn curvature(&self, at: f64) -> f64 {
        match self.shape {
            LegShape::Turn { .. } => 0.0,
            LegShape::Arc { curvature, .. } => curvature,
            LegShape::Cubic(curve) => curve.curvature(at),
        }
    }

    /// Length from the leg's start to the parameter, m.
    pub fn arc_length(&self, at: f64) -> f64 {
        match self.shape {
            LegShape::Turn { .. } => 0.0,
            LegShape::Arc { length, .. } => length * at,
            LegShape::Cubic(curve) => length::between(&curve, 0.0, at),
        }
    }

    /// The parameter at a length from the leg's start, m; 1 beyond its end, 0 for what is no length.
    pub fn parameter_at(&self, arc_length: f64) -> f64 {
        let arc_length = larger(arc_length, 0.0);
        match self.shape {
            LegShape::Turn { .. } => 1.0,
            LegShape::Arc { length, .. } => {
                if length > 0.0 {
                    smaller(arc_length / length, 1.0)
                } else {
                    1.0
                }
            }
            LegShape::Cubic(curve) => length::parameter_at(&curve, 0.0, arc_length),
        }
    }

    /// Largest absolute curvature, 1/m.
    pub fn largest_curvature(&self) -> f64 {
        match self.shape {
            LegShape::Turn { .. } => f64::INFINITY,
            LegShape::Arc { curvature, .. } => curvature.abs(),
            LegShape::Cubic(curve) => curve.largest_curvature().0,
        }
    }
}

/// The pose after `length` m along an arc from a pose of travel.
pub(crate) fn along_arc(from: Pose2, length: f64, curvature: f64) -> Pose2 {
    let turn = length * curvature;
    // sin(t)/t and (1 - cos t)/t without cancellation for gentle arcs.
    let (ahead, left) = if turn.abs() < 1e-4 {
        let t2 = turn * turn;
        (length * (1.0 - t2 / 6.0), length * turn * (0.5 - t2 / 24.0))
    } else {
        let (s, _) = sin_cos(turn);
        let (h, _) = sin_cos(0.5 * turn);
        (s / curvature, 2.0 * h * h / curvature)
    };
    let position = from.transform(Vec2::new(ahead, left));
    Pose2 { position, rotation: Rot2::from_angle(turn).after(from.rotation) }
}

/// A row of legs, without any memory of its own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Path {
    legs: [Leg; MOST_LEGS],
    count: usize,
}

impl Default for Path {
    fn default() -> Self {
        let nothing = LegShape::Turn { from: Pose2::IDENTITY, by: 0.0 };
        Self { legs: [Leg::forwards(nothing); MOST_LEGS], count: 0 }
    }
}

impl Path {
    /// A path of one leg.
    #[inline]
    pub fn of(leg: Leg) -> Self {
        Self { legs: [leg; MOST_LEGS], count: 1 }
    }

    /// One more leg at the end.
    pub fn push(&mut self, leg: Leg) -> Result<(), NavError> {
        let place = self.legs.get_mut(self.count).ok_or(NavError::TooManyLegs)?;
        *place = leg;
        self.count += 1;
        Ok(())
    }

    /// All legs of another path at the end.
    pub fn append(&mut self, other: &Path) -> Result<(), NavError> {
        other.legs().iter().try_for_each(|&leg| self.push(leg))
    }

    /// Whether what was read back has as many legs as there is room for.
    pub(crate) fn fits(&self) -> bool {
        self.count <= MOST_LEGS
    }

    /// Its legs.
    pub fn legs(&self) -> &[Leg] {
        &self.legs[..self.count]
    }

    /// The last parameter: the number of legs.
    pub fn end(&self) -> f64 {
        self.count as f64
    }

    fn split(&self, at: f64) -> Option<(usize, f64)> {
        let last = self.count.checked_sub(1)?;
        let at = if at > 0.0 { at } else { 0.0 };
        let leg = (at as usize).min(last);
        let rest = at - leg as f64;
        Some((leg, if rest < 1.0 { rest } else { 1.0 }))
    }

    /// Point, heading, curvature and arc length at a parameter, which is cut to the path's ends.
    /// None for an empty path.
    pub fn at(&self, at: f64) -> Option<Sample> {
        let (index, own) = self.split(at)?;
        let leg = &self.legs[index];
        let pose = leg.pose(own);
        let before: f64 = self.legs[..index].iter().map(|leg| leg.arc_length(1.0)).sum();
        Some(Sample {
            point: pose.position,
            heading: pose.rotation,
            curvature: leg.curvature(own),
            arc_length: before + leg.arc_length(own),
            backwards: leg.backwards,
        })
    }

    /// The pose at a parameter; the identity for an empty path.
    pub fn pose(&self, at: f64) -> Pose2 {
        self.split(at).map_or(Pose2::IDENTITY, |(index, own)| self.legs[index].pose(own))
    }

    /// Whole length, m.
    pub fn length(&self) -> f64 {
        self.legs().iter().map(|leg| leg.arc_length(1.0)).sum()
    }

    /// How far it turns on the spot in all, rad.
    pub fn turning(&self) -> f64 {
        let turn = |leg: &Leg| match leg.shape {
            LegShape::Turn { by, .. } => by.abs(),
            _ => 0.0,
        };
        self.legs().iter().map(turn).sum()
    }

    /// The parameter at an arc length from the start, m; the end beyond it, the start for what is no
    /// length.
    pub fn parameter_at(&self, arc_length: f64) -> f64 {
        let mut left = larger(arc_length, 0.0);
        for (index, leg) in self.legs().iter().enumerate() {
            let length = leg.arc_length(1.0);
            if left < length {
                return index as f64 + leg.parameter_at(left);
            }
            left -= length;
        }
        self.end()
    }

    /// Least and largest curvature of the legs that are driven, 1/m, positive to the left of travel;
    /// both zero where none is.
    pub fn curvature_bounds(&self) -> [f64; 2] {
        let bounds = |leg: &Leg| match leg.shape {
            LegShape::Turn { .. } => None,
            LegShape::Arc { curvature, .. } => Some([curvature; 2]),
            LegShape::Cubic(curve) => Some(curve.curvature_bounds()),
        };
        let all = self.legs().iter().filter_map(bounds);
        all.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([0.0; 2])
    }

    /// Largest absolute curvature of the legs that are driven, 1/m.
    pub fn largest_curvature(&self) -> f64 {
        let driven = self.legs().iter().filter(|leg| !matches!(leg.shape, LegShape::Turn { .. }));
        driven.map(Leg::largest_curvature).fold(0.0, f64::max)
    }
}
