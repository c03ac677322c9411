//! Numbers by which the outside names what a scene has.
//!
//! They follow from the scene alone: robots first, then balls, then objects, each in the scene's
//! order. Where a body lies in an engine's memory is that engine's own affair ([`crate::Layout`]).

use core::fmt;

/// Number of a moving body of the scene: robots first, then balls, then objects, each in the
/// scene's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(pub u32);

/// Number of a robot of the scene, in the scene's order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RobotId(pub u32);

impl BodyId {
    /// Where it stands in a list of all bodies.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl RobotId {
    /// Where it stands in a list of all robots.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Its body. Robots come first among the bodies, so the number is the same.
    #[inline(always)]
    pub fn body(self) -> BodyId {
        BodyId(self.0)
    }
}

impl From<RobotId> for BodyId {
    fn from(robot: RobotId) -> Self {
        robot.body()
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for RobotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
