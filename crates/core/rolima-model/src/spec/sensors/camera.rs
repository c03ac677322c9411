//! Camera.

use super::{ImagingPreset, ImagingSpec, Rate, THESIS, check_point};
use crate::ModelError;
use core::f64::consts::PI;
use rolima_check::Range::{NotNegative, Within};
use rolima_check::{
    KeyKind, Number, OURS, Word, check_numbers, count, degrees, key, number, number_of, point,
    shown, word,
};

/// The widest picture and the highest of a camera of a scene, pixels.
pub const MOST_PICTURE_PIXELS: u32 = 4096;

const PIXELS: (u64, u64) = (1, MOST_PICTURE_PIXELS as u64);

/// What a scene says about a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraSpec {
    /// Width and height of a picture, pixels. Default 320 x 240 (thesis).
    pub pixels: [u32; 2],
    /// Full horizontal and vertical opening, rad. Default 60 x 47 degrees (thesis); pixels need
    /// not be square.
    pub opening: [f64; 2],
    /// Where the lens is, in the robot's frame: x, y and height above the ground, m. Default
    /// above the robot's origin at 0.55 (thesis: above the lidar).
    pub mount: [f64; 3],
    /// Heading of the optical axis, rad to the left of the robot's. Default 0.
    pub heading: f64,
    /// How far the optical axis points down, rad. Default 0 (ours: the thesis says nothing).
    pub tilt: f64,
    /// What is nearer than this along the optical axis, m, is not seen. Default 0.02 (ours).
    pub near: f64,
    /// First standard deviation of a pixel's brightness, of 255. Default 0 (thesis).
    pub sigma: f64,
    /// Four samples a pixel: smooth edges, at nearly four times the cost. Default off (ours).
    pub smooth: bool,
    /// Shadows on the ground. Default off (ours).
    pub shadows: bool,
    /// Where lens, light, shutter, noise and losses come from that nobody gives. Default an ideal camera.
    pub preset: ImagingPreset,
    /// Lens, light, shutter and losses.
    pub imaging: ImagingSpec,
    /// When it takes a picture. Default 30 a second (thesis).
    pub rate: Rate,
}

impl Default for CameraSpec {
    fn default() -> Self {
        Self {
            pixels: [320, 240],
            opening: [60.0 * PI / 180.0, 47.0 * PI / 180.0],
            mount: [0.0, 0.0, 0.55],
            heading: 0.0,
            tilt: 0.0,
            near: 0.02,
            sigma: 0.0,
            smooth: false,
            shadows: false,
            preset: ImagingPreset::Ideal,
            imaging: ImagingSpec::default(),
            rate: Rate::per_second(30.0),
        }
    }
}

impl CameraSpec {
    /// The numbers of where it is on a robot, with their keys.
    pub const PLACE: &'static [Number<Self>] = &[
        number_of!(
            Self: mount[2],
            number("mount_height", "m", Within(0.0, 1e3), "height of the lens above the ground"),
            "ours: above the lidar"
        ),
        number_of!(
            Self: heading,
            number("heading_deg", "deg", Within(-360.0, 360.0), "where it looks, left of the robot's heading"),
            OURS
        ),
        number_of!(
            Self: tilt,
            number("tilt_deg", "deg", Within(-90.0, 90.0), "how far it looks down"),
            OURS
        ),
    ];

    /// Its other numbers with their keys.
    pub const KEYS: &'static [Number<Self>] = &[
        number_of!(Self: pixels[0], count("width", PIXELS, "width of a picture, pixels"), THESIS),
        number_of!(Self: pixels[1], count("height", PIXELS, "height of a picture, pixels"), THESIS),
        number_of!(
            Self: opening,
            point("opening_deg", "deg", "horizontal and vertical opening, 0.01 to 175 each"),
            THESIS
        ),
        number_of!(
            Self: smooth,
            key("smooth", "-", KeyKind::Flag, "four samples a pixel: smooth edges"),
            OURS
        ),
        number_of!(Self: shadows, key("shadows", "-", KeyKind::Flag, "shadows on the ground"), OURS),
        number_of!(
            Self: near,
            number("near", "m", Within(1e-4, 1e3), "what is nearer is not seen"),
            OURS
        ),
        number_of!(
            Self: sigma,
            number("sigma", "1", NotNegative, "standard deviation of a pixel's brightness, of 255"),
            "as `imaging` says: 0 of an ideal camera (Robot One thesis)"
        ),
    ];

    /// Which of the presets of imaging stands for what is left out; to be read before the other numbers.
    pub const PRESET: &'static [Number<Self>] = &[number_of!(
        Self: preset,
        word("imaging", ImagingPreset::words, "what lens, light, shutter, noise and losses are like where nothing else is said"),
        THESIS
    )];

    /// This camera as its preset of imaging has it.
    pub fn with_preset(self) -> Self {
        let (imaging, sigma) = self.preset.spec();
        Self { imaging, sigma, ..self }
    }

    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        let opening = self.opening.map(degrees);
        if !opening.iter().all(|x| (0.01..=175.0).contains(x)) {
            let got = format!("[{}, {}]", shown(opening[0]), shown(opening[1]));
            let expected = "two angles from 0.01 to 175 (deg)";
            return Err(ModelError::new(format!("{key}.opening_deg"), expected, got));
        }
        self.imaging.check(key, self.opening)?;
        check_point(key, [self.mount[0], self.mount[1]])?;
        check_numbers(key, self, Self::PLACE)?;
        self.rate.check(key)
    }
}
