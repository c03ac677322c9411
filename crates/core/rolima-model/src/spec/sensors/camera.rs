//! Camera.

use super::{Rate, check_sigma};
use crate::ModelError;
use crate::check::within;
use core::f64::consts::PI;

/// The widest picture and the highest of a camera of a scene, pixels.
pub const MOST_PICTURE_PIXELS: u32 = 4096;

/// What a scene says about a camera. The lens is ideal: straight lines stay straight.
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
            rate: Rate::per_second(30.0),
        }
    }
}

impl CameraSpec {
    /// Checks the numbers. `key` is the path for errors.
    pub fn check(&self, key: &str) -> Result<(), ModelError> {
        for (name, pixels) in ["width", "height"].iter().zip(self.pixels) {
            if !(1..=MOST_PICTURE_PIXELS).contains(&pixels) {
                let expected = format!("1 to {MOST_PICTURE_PIXELS} pixels");
                return Err(ModelError::new(format!("{key}.{name}"), expected, pixels));
            }
        }
        for (name, opening) in ["opening_x", "opening_y"].iter().zip(self.opening) {
            within(&format!("{key}.{name}"), opening, 0.01 * PI / 180.0, 175.0 * PI / 180.0)?;
        }
        for (axis, x) in ["x", "y"].iter().zip(self.mount) {
            within(&format!("{key}.mount.{axis}"), x, -1e3, 1e3)?;
        }
        within(&format!("{key}.mount.height"), self.mount[2], 0.0, 1e3)?;
        within(&format!("{key}.heading"), self.heading, -2.0 * PI, 2.0 * PI)?;
        within(&format!("{key}.tilt"), self.tilt, -0.5 * PI, 0.5 * PI)?;
        within(&format!("{key}.near"), self.near, 1e-4, 1e3)?;
        check_sigma(&format!("{key}.sigma"), self.sigma)?;
        self.rate.check(key)
    }
}
