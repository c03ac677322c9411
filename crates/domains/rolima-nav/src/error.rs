//! What is refused, by name. Of the thesis are the singular headings of 5.4.1; the rest is beyond it.

use core::fmt;
use serde::{Deserialize, Serialize};

/// Why there is no plan, no trajectory or no estimate. Nothing here ever answers with NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NavError {
    /// A pose, speed or time is not finite, or a pose further away than [`crate::path::FURTHEST`].
    NotFinite,
    /// Start and goal have the same position (closer than [`crate::COINCIDENT`]).
    CoincidentPoses,
    /// A speed of zero or less, with which nothing is ever reached.
    ZeroSpeed,
    /// A speed at the start or the goal below zero.
    NegativeSpeed,
    /// A limit (acceleration, radius, period, supply) of zero or less, or not finite.
    BadLimit,
    /// A radius a thousand million times smaller or larger than the way from start to goal, whose
    /// arcs are beyond what numbers resolve.
    RadiusOutOfScale,
    /// Both tangents have the same slope: the parabola of section 5.4.1 does not exist.
    ParallelHeadings,
    /// A heading of +-90 degrees, whose tangent the printed form divides by.
    VerticalHeading,
    /// No displacement along x, which the printed third-degree form needs (section 5.5).
    NoDisplacement,
    /// No ellipse with axes along x and y goes through both poses (section 5.3).
    NoEllipse,
    /// The motors' matrix cannot be inverted: voltages do not determine the motion.
    SingularDrive,
    /// Every way tried comes too close to an obstacle, or leaves the field.
    Blocked,
    /// More legs than a path holds.
    TooManyLegs,
}

impl NavError {
    /// The name, as programs see it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFinite => "not-finite",
            Self::CoincidentPoses => "coincident-poses",
            Self::ZeroSpeed => "zero-speed",
            Self::NegativeSpeed => "negative-speed",
            Self::BadLimit => "bad-limit",
            Self::RadiusOutOfScale => "radius-out-of-scale",
            Self::ParallelHeadings => "parallel-headings",
            Self::VerticalHeading => "vertical-heading",
            Self::NoDisplacement => "no-displacement",
            Self::NoEllipse => "no-ellipse",
            Self::SingularDrive => "singular-drive",
            Self::Blocked => "blocked",
            Self::TooManyLegs => "too-many-legs",
        }
    }
}

impl fmt::Display for NavError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "expected finite numbers of sane size",
            Self::CoincidentPoses => "start and goal have the same position",
            Self::ZeroSpeed => "expected a speed above zero",
            Self::NegativeSpeed => "expected a speed of zero or more",
            Self::BadLimit => "expected a finite limit above zero",
            Self::RadiusOutOfScale => {
                "expected a radius less than 1e9 times smaller or larger than the way to the goal"
            }
            Self::ParallelHeadings => "both headings have the same slope: no parabola joins them",
            Self::VerticalHeading => "a heading of 90 or -90 degrees has no slope",
            Self::NoDisplacement => "the printed form needs a displacement along x",
            Self::NoEllipse => "no upright ellipse joins these poses",
            Self::SingularDrive => "the motors' matrix cannot be inverted",
            Self::Blocked => "every way tried is blocked",
            Self::TooManyLegs => "the path has too many legs",
        })
    }
}

impl core::error::Error for NavError {}
