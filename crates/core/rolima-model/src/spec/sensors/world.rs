//! Sensors that are fixed to the world.

use super::{BackgroundSpec, CameraSpec, SensorKind};
use crate::{ModelError, keys};
use rolima_check::Range::Within;
use rolima_check::{OURS, check_numbers, keys, shown};

/// How far away along x and y, and how high, a sensor of the world may stand, m.
const FARTHEST: f64 = 1e6;

keys! {
    /// A sensor that no robot carries and that never moves.
    ///
    /// It stands in a frame of its own, as those of a robot do in the robot's: what its kind says of its
    /// mount is within this frame, and nothing where it comes from a scene file.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WorldSensorSpec {
        /// Its name, unique among the sensors of the world: with the seed the key of its random stream.
        name: String = String::new();
        /// What it is: a camera, a lidar or a sonar.
        kind: SensorKind = SensorKind::Camera(CameraSpec::default());
        /// Where it is: x, y, and height above the ground under it, m.
        position: [f64; 3] = [0.0; 3];
        /// Of a camera: a photograph that its link sends in place of the drawn empty field.
        background: Option<BackgroundSpec> = None;
        /// where it looks, left of x
        heading: f64 = 0.0, "deg" as "heading_deg", Within(-360.0, 360.0), OURS;
        /// how far it looks down
        tilt: f64 = 0.0, "deg" as "tilt_deg", Within(-90.0, 90.0), OURS;
        /// how far its right side is lowered
        roll: f64 = 0.0, "deg" as "roll_deg", Within(-360.0, 360.0), OURS;
    }
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
        if let Some(background) = &self.background {
            if !matches!(self.kind, SensorKind::Camera(_)) {
                let (key, expected) = (format!("{key}.background"), "none: it is no camera");
                return Err(ModelError::new(key, expected, &background.name));
            }
            background.check(&format!("{key}.background"))?;
        }
        self.check_place(key)
    }

    /// Checks where it stands. `key` is the path for errors.
    pub fn check_place(&self, key: &str) -> Result<(), ModelError> {
        let [x, y, above] = self.position;
        let near = x.abs() <= FARTHEST && y.abs() <= FARTHEST;
        if !near || !(0.0..=FARTHEST).contains(&above) {
            let expected = "x and y within 1,000 km, and a height from 0 to 1,000 km (m)";
            let got = format!("[{}, {}, {}]", shown(x), shown(y), shown(above));
            return Err(ModelError::new(format!("{key}.{}", keys::POSITION.name), expected, got));
        }
        check_numbers(key, self, Self::KEYS)
    }
}
