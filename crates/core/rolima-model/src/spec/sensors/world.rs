//! Sensors that are fixed to the world.

use super::SensorKind;
use crate::ModelError;
use crate::check::within;
use core::f64::consts::{FRAC_PI_2, TAU};

/// A sensor that no robot carries and that never moves.
///
/// It stands in a frame of its own, as those of a robot do in the robot's: what its kind says of its
/// mount is within this frame, and nothing where it comes from a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSensorSpec {
    /// Its name, unique among the sensors of the world: with the seed the key of its random stream.
    pub name: String,
    /// What it is: a camera, a lidar or a sonar.
    pub kind: SensorKind,
    /// Where it is: x, y, and height above the ground under it, m.
    pub position: [f64; 3],
    /// Where it looks, rad counter-clockwise from x.
    pub heading: f64,
    /// How far it looks down, rad.
    pub tilt: f64,
    /// How far its right side is lowered, rad.
    pub roll: f64,
}

impl WorldSensorSpec {
    /// Whether a kind senses without a robot that moves, turns wheels or is touched.
    pub fn is_kind(kind: &SensorKind) -> bool {
        matches!(kind, SensorKind::Camera(_) | SensorKind::Lidar(_) | SensorKind::Sonar(_))
    }

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        if !Self::is_kind(&self.kind) {
            let expected = "\"camera\", \"lidar\" or \"sonar\": others sense a robot's own motion";
            return Err(ModelError::new(format!("{key}.kind"), expected, self.kind.name()));
        }
        self.kind.check(key)?;
        let [x, y, above] = self.position;
        for (axis, x) in [("x", x), ("y", y)] {
            within(&format!("{key}.position.{axis}"), x, -1e6, 1e6)?;
        }
        within(&format!("{key}.position.z"), above, 0.0, 1e6)?;
        within(&format!("{key}.heading"), self.heading, -TAU, TAU)?;
        within(&format!("{key}.tilt"), self.tilt, -FRAC_PI_2, FRAC_PI_2)?;
        within(&format!("{key}.roll"), self.roll, -TAU, TAU)?;
        Ok(())
    }
}
