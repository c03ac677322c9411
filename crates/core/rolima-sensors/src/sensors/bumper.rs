//! Bumper: which sides of the shell are pressed.

use core::f64::consts::TAU;
use rolima_math::{Pose2, Vec2, wrap_angle};
use rolima_model::BumperSpec;

/// A contact of the robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BumperContact {
    /// Normal of the contact in the world, out of the robot.
    pub normal: Vec2,
    /// Normal force, N.
    pub force: f64,
}

/// A bumper ring. It has no state: switches are open or closed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bumper {
    /// What the scene says.
    pub spec: BumperSpec,
}

impl Bumper {
    /// A bumper ring.
    pub fn new(spec: BumperSpec) -> Self {
        Self { spec }
    }

    /// The sector that faces a bearing in the robot's frame, rad.
    pub fn sector(&self, bearing: f64) -> Option<u32> {
        let from_first = wrap_angle(bearing - self.spec.first_bearing);
        let turned = if from_first < 0.0 { from_first + TAU } else { from_first };
        let sector = (turned / self.spec.span * f64::from(self.spec.sectors)).floor() as u32;
        // The last bearing of a full turn may round up to the end.
        let full = self.spec.span >= TAU * (1.0 - 1e-12);
        let sector = if full { sector.min(self.spec.sectors - 1) } else { sector };
        (sector < self.spec.sectors).then_some(sector)
    }

    /// Pressed sectors, a bit each, from the contacts that press hard enough.
    pub fn measure(&self, world_from_robot: Pose2, touches: &[BumperContact]) -> u32 {
        let mut pressed = 0;
        for touch in touches {
            // A contact without force presses nothing, whatever the threshold.
            if touch.force > 0.0 && touch.force >= self.spec.least_force {
                let normal = world_from_robot.rotation.unrotate(touch.normal);
                let bearing = rolima_math::atan2(normal.y, normal.x);
                pressed |= self.sector(bearing).map_or(0, |sector| 1 << sector);
            }
        }
        pressed
    }
}
