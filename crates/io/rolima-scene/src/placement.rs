//! Where a part stands: a position and a heading in degrees, as scene files write it.

use rolima_math::{Pose2, Rot2, Vec2};

/// A position and a heading. Degrees, so that quarter turns stay exact however they are composed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub(crate) position: Vec2,
    pub(crate) degrees: f64,
}

impl Placement {
    pub(crate) const IDENTITY: Self = Self { position: Vec2::ZERO, degrees: 0.0 };

    /// `self` after `inner`: where something at `inner` in a part stands if the part is at `self`.
    pub(crate) fn compose(self, inner: Self) -> Self {
        Self { position: self.point(inner.position), degrees: self.degrees + inner.degrees }
    }

    /// A point of the part.
    pub(crate) fn point(self, point: Vec2) -> Vec2 {
        self.pose().transform(point)
    }

    /// A direction of the part, such as a velocity.
    pub(crate) fn direction(self, v: Vec2) -> Vec2 {
        self.rotation().rotate(v)
    }

    pub(crate) fn pose(self) -> Pose2 {
        Pose2 { position: self.position, rotation: self.rotation() }
    }

    /// The heading, exact for quarter turns.
    pub(crate) fn rotation(self) -> Rot2 {
        let turn = self.degrees.rem_euclid(360.0);
        let exact = [(0.0, 1.0, 0.0), (90.0, 0.0, 1.0), (180.0, -1.0, 0.0), (270.0, 0.0, -1.0)];
        match exact.into_iter().find(|(degrees, ..)| *degrees == turn) {
            Some((_, c, s)) => Rot2 { c, s },
            None => Rot2::from_angle(self.degrees.to_radians()),
        }
    }

    /// Whether axis-aligned rectangles stay axis-aligned.
    pub(crate) fn is_quarter_turn(self) -> bool {
        self.degrees.rem_euclid(90.0) == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact_and_compose() {
        let turned = Placement { position: Vec2::new(1.0, 2.0), degrees: 45.0 };
        let quarter = turned.compose(Placement { position: Vec2::ZERO, degrees: -135.0 });
        assert!(quarter.is_quarter_turn() && !turned.is_quarter_turn());
        assert_eq!(quarter.point(Vec2::new(3.0, 0.0)), Vec2::new(1.0, -1.0));
        assert_eq!(quarter.direction(Vec2::new(0.0, 2.0)), Vec2::new(2.0, 0.0));
    }
}
